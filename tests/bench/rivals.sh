# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# The path of bcache's tool, which is unpacked into the cache like the guest's other tools (vm/tools.sh), and never installed.
bcache_tool() {
	packages_unpack rivals bcache-tools
	echo "$RX_CACHE/rivals/files/usr/sbin/make-bcache"
}
