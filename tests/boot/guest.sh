# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# What the steps of all scenarios share, in the guest.
#   vda  the root, label rxroot
#   vdb  "the slow disk", 64 MiB, /dev/disk/by-id/virtio-rxorigin
#   vdc  a second one, /dev/disk/by-id/virtio-rxother
# shellcheck source=tests/lib.sh
. /run/rx/lib.sh

ORIGIN=/dev/disk/by-id/virtio-rxorigin
OTHER=/dev/disk/by-id/virtio-rxother
UUID=01234567-89ab-4cde-8f01-23456789abcd
TABLE=/etc/rxtab

# The file system whose way back to its place after a boot is what most scenarios are about.
origin_format() {
	mkfs.ext4 -q -U "$UUID" -L slow "$ORIGIN"
	echo "UUID=$UUID /data ext4 defaults,x-systemd.device-timeout=60s 0 2" >>/etc/fstab
	mkdir -p /data
}

table() { printf '%s\n' "$@" >"$TABLE"; }

mounted_from() { findmnt -nro SOURCE "$1"; }

# unit_said UNIT REGEX: in this boot's journal.
unit_said() {
	journalctl -b -o cat -u "$1" >/run/rx/journal
	grep -qE -e "$2" /run/rx/journal || fail "$1: no '$2' in its journal: $(cat /run/rx/journal)"
}

# boot_good [UNIT…]: the machine came up, and nothing but these units failed.
boot_good() {
	expect "multi-user" active "$(systemctl is-active multi-user.target)"
	expect "local-fs" active "$(systemctl is-active local-fs.target)"
	systemctl --failed --plain --no-legend | awk '{ print $1 }' | sort >/run/rx/failed
	expect "units that failed" "$*" "$(tr '\n' ' ' </run/rx/failed | sed 's/ $//')"
}

# In the shutdown before this boot nothing of ours was killed, timed out or failed; "stays": what was in use stayed, and said so.
shutdown_good() {
	journalctl -b -1 -o cat -u 'rxadm@*' | awk '/^Stopping rxadm@/ { on = 1 } on' >/run/rx/journal
	if [ "${1:-}" = stays ]; then
		grep -q "it stays until the machine is off" /run/rx/journal || fail "nothing stayed: $(cat /run/rx/journal)"
		sed -i '/: in use by /d' /run/rx/journal
	fi
	if grep -iE 'fail|timed out|timeout|error|in use|kill' /run/rx/journal; then
		fail "what our units said in the boot before: $(cat /run/rx/journal)"
	fi
}

# zstd, which lsinitramfs runs, takes no symbolic link.
initramfs_files() { lsinitramfs "$(readlink -f /initrd.img)"; }

# The archive on the further disk is what apt knows from now on, without a network.
pool_apt() {
	mkdir /pool
	tar -C /pool -xf /dev/disk/by-id/virtio-rxpool
	echo "deb [trusted=yes] file:/pool ./" >/etc/apt/sources.list
	# What a user answers.
	printf 'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\nAPT::Sandbox::User "root";\n' >/etc/apt/apt.conf.d/90rxtest
	check "lists" apt-get -q update
}

# What the kernel said since it started.
log_judge() {
	RX_MARK=none
	dmesg_judge 60
	[ -z "$rx_bad" ] || fail "the kernel's log: $rx_bad"
}
