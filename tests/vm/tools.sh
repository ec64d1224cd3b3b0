# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Programs for the guest whose packages would bring services, udev rules, a mail server or graphics libraries to the host. They come
# from the mirror that this machine already uses, and are unpacked and never installed. On every host they are bookworm's, because
# a newer mkfs makes file systems that the oldest kernel here can't mount.
#
# guest-tools/packages  the list of packages
# guest-tools/files/    the unpacked packages

TOOL_PACKAGES="xfsprogs btrfs-progs lvm2 mdadm stress-ng nvme-cli open-iscsi drbd-utils qemu-utils nbd-client
libaio1 libbsd0 libdbus-1-3 libdevmapper-event1.02.1 libedit2 libinih1 libisns0 libjson-c5 liblzo2-2 libmd0 libnvme1 libopeniscsiusr
libssl3 liburcu8"

tools_root() { printf '%s/guest-tools/files' "$RX_CACHE"; }

tools_path() {
	local r
	r=$(tools_root)
	printf '%s/sbin:%s/usr/sbin:%s/bin:%s/usr/bin:%s/lib/drbd' "$r" "$r" "$r" "$r" "$r"
}

# packages_unpack NAME PACKAGES [LISTS [SHARE]]: unpacks the packages into the cache's folder NAME, and again if the list has changed.
# Of /usr/share it keeps the folder SHARE, or nothing.
packages_unpack() {
	local dir=$RX_CACHE/$1 packages=$2 lists=${3:-bookworm} share=${4:-} tmp deb
	[ "$(cat "$dir/packages" 2>/dev/null)" != "$packages" ] || return 0
	suite_update "$lists"
	rm -rf "$RX_CACHE/.$1".*
	tmp=$(mktemp -d "$RX_CACHE/.$1.XXXXXX")
	# shellcheck disable=SC2086
	download_to "$lists" "$tmp/deb" $packages
	for deb in "$tmp"/deb/*.deb; do dpkg -x "$deb" "$tmp/files"; done
	rm -rf "$tmp/deb"
	find "$tmp/files/usr/share" -mindepth 1 -maxdepth 1 ! -name "$share" -exec rm -rf {} +
	links_relocate "$tmp/files"
	echo "$packages" >"$tmp/packages"
	chmod 755 "$tmp"
	rm -rf "$dir"
	mv "$tmp" "$dir"
}

# Makes absolute links relative, because they would lead to this host's files.
links_relocate() {
	local link
	find "$1" -type l -lname '/*' | while read -r link; do
		ln -sfn "$(realpath -sm --relative-to="${link%/*}" "$1$(readlink "$link")")" "$link"
	done
}

tools_fetch() { packages_unpack guest-tools "$TOOL_PACKAGES"; }

# For the tests of metrics. The package would bring a service to this host, and is unpacked for this one program.
promtool_fetch() {
	packages_unpack promtool prometheus
	rm -f "$RX_CACHE/promtool/files/usr/bin/prometheus"
}
