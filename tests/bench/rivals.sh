# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# bcache's tool, which is unpacked into the cache like the guest's other tools (vm/tools.sh), and never installed.

RIVAL_PACKAGES="bcache-tools"

# Prints the rivals' files for the guest, one a line.
rival_files() {
	packages_unpack rivals "$RIVAL_PACKAGES"
	echo "$RX_CACHE/rivals/files/usr/sbin/make-bcache"
}
