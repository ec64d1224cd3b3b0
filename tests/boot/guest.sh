# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions for the steps of all scenarios, in the guest. Its disks are
#   vda  the root file system, label rxroot
#   vdb  "the slow disk", 64 MiB, /dev/disk/by-id/virtio-rxorigin
#   vdc  a second slow disk, /dev/disk/by-id/virtio-rxother
# shellcheck source=tests/lib.sh
. /run/rx/lib.sh

ORIGIN=/dev/disk/by-id/virtio-rxorigin
OTHER=/dev/disk/by-id/virtio-rxother
UUID=01234567-89ab-4cde-8f01-23456789abcd
TABLE=/etc/rxtab

# Makes a file system on the origin, with a line in fstab. Most scenarios check from which device it is mounted after a boot.
origin_format() {
	mkfs.ext4 -q -U "$UUID" -L slow "$ORIGIN"
	echo "UUID=$UUID /data ext4 defaults,x-systemd.device-timeout=60s 0 2" >>/etc/fstab
	mkdir -p /data
}

# The lines that rxcache(4) gives to users of LVM.
lvm_configure() { printf 'devices {\n\texternal_device_info_source = "udev"\n\tfw_raid_component_detection = 1\n}\n' >>/etc/lvm/lvmlocal.conf; }

table() { printf '%s\n' "$@" >"$TABLE"; }

mounted_from() { findmnt -nro SOURCE "$1"; }

# unit_said UNIT REGEX: the unit's messages in this boot's journal have to match REGEX.
unit_said() {
	journalctl -b -o cat -u "$1" >/run/rx/journal
	grep -qE -e "$2" /run/rx/journal || fail "$1: no '$2' in its journal: $(cat /run/rx/journal)"
}

# boot_good [UNIT…]: the machine has to be up, and exactly these units have to have failed.
boot_good() {
	expect "multi-user" active "$(systemctl is-active multi-user.target)"
	expect "local-fs" active "$(systemctl is-active local-fs.target)"
	systemctl --failed --plain --no-legend | awk '{ print $1 }' | sort >/run/rx/failed
	expect "units that failed" "$*" "$(tr '\n' ' ' </run/rx/failed | sed 's/ $//')"
}

# In the shutdown before this boot none of our units may have been killed, timed out or failed. "stays": a unit has to have said that
# its device is in use and stays.
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

# Lists the files of the initramfs. The path is resolved, because lsinitramfs runs zstd, which refuses symbolic links.
initramfs_files() { lsinitramfs "$(readlink -f /initrd.img)"; }

# Makes the archive on the additional disk the only source of apt, because the machine has no network.
pool_apt() {
	mkdir /pool
	tar -C /pool -xf /dev/disk/by-id/virtio-rxpool
	echo "deb [trusted=yes] file:/pool ./" >/etc/apt/sources.list
	# apt asks nothing: it assumes the answers of a user.
	printf 'APT::Get::Assume-Yes "true";\nAPT::Install-Recommends "false";\nAPT::Sandbox::User "root";\n' >/etc/apt/apt.conf.d/90rxtest
	check "lists" apt-get -q update
}

# started UNIT…
started() { systemctl start "$@" || fail "$(systemctl status --no-pager -n 30 "$@" 2>&1)"; }

loaded() { [ "$(rxadm list rxc0 --noheadings -o WARM | xargs)" = loaded ]; }

# warm_read SUMS: rxc0 holds the same blocks as before the reboot, so that reading the files of SUMS hardly reads the slow disk.
warm_read() {
	wait_for 60 loaded || fail "not loaded: $(systemctl status --no-pager rxadm-warm@rxc0.service)"
	before=$(awk '{ print $3 }' /sys/block/vdb/stat)
	check "the files" sha256sum -c "$1"
	between "sectors of the slow disk that were read" 0 128 $(($(awk '{ print $3 }' /sys/block/vdb/stat) - before))
}

# The kernel's log of this boot may have no bad line.
log_judge() {
	RX_MARK=none
	dmesg_judge 60
	[ -z "$rx_bad" ] || fail "the kernel's log: $rx_bad"
}
