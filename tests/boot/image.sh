# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A whole Debian per suite, as a user has it: systemd, udev, the suite's own kernel with headers, DKMS, an ext4 root.
#
# boot/SUITE-HASH.tar    what mmdebstrap made, kept under a hash of its arguments
# Commands in that system run in a mount namespace of their own, so nothing stays mounted when they end.

# The packages of the machine before ours are installed. They include our dependencies, because the machine has no network.
BOOT_PACKAGES="systemd-sysv,udev,dbus,kmod,procps,e2fsprogs,util-linux,fdisk,lvm2,zstd
linux-image-cloud-amd64,linux-headers-cloud-amd64,initramfs-tools,dkms,openssl,gcc,make
grub-common,libnl-3-200,libnl-genl-3-200,libsmartcols1,libjson-c5"
BOOT_ROOT_SIZE=4G

boot_recipe() {
	echo "$BOOT_PACKAGES"
	declare -f boot_base
	cat "$RX_TREE/tests/boot/step" "$RX_TREE/tests/boot/rx-step.service"
}

# boot_base SUITE: makes the archive if it is not there, and prints its path.
boot_base() {
	local suite=$1 tar tmp
	tar=$RX_CACHE/boot/$suite-$(boot_recipe | hash_of).tar
	take_lock "boot-$suite"
	if [ ! -e "$tar" ]; then
		suite_update "$suite"
		say "making a Debian $suite with systemd: this takes minutes, once"
		mkdir -p "$RX_CACHE/boot"
		tmp=$tar.new
		as_root mmdebstrap --quiet --mode=root --variant=minbase --format=tar \
			--include="$(tr '\n' ',' <<<"$BOOT_PACKAGES" | sed 's/,$//')" \
			--customize-hook="upload '$RX_TREE/tests/boot/step' /usr/local/sbin/rx-step" \
			--customize-hook="upload '$RX_TREE/tests/boot/rx-step.service' /etc/systemd/system/rx-step.service" \
			--customize-hook='chmod 755 "$1/usr/local/sbin/rx-step"' \
			--customize-hook='chroot "$1" systemctl enable rx-step.service' \
			--customize-hook='echo COMPRESSLEVEL=1 >"$1/etc/initramfs-tools/conf.d/rx-quick"' \
			--customize-hook='chroot "$1" systemctl mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer systemd-networkd-wait-online.service getty@tty1.service serial-getty@ttyS0.service' \
			--customize-hook='mkdir -p "$1/var/log/journal" && echo rxtest >"$1/etc/hostname" && chroot "$1" passwd -d root' \
			--customize-hook='echo "/dev/disk/by-label/rxroot / ext4 errors=remount-ro 0 1" >"$1/etc/fstab"' \
			"$suite" "$tmp" "$RX_CACHE/apt/$suite/sources.list" >"$RX_CACHE/boot/log" 2>&1 ||
			{ tail -15 "$RX_CACHE/boot/log" >&2; die "could not make a Debian $suite"; }
		as_root chown "$(id -u):$(id -g)" "$tmp"
		rm -f "$RX_CACHE/boot/$suite"-*.tar
		mv "$tmp" "$tar"
	fi
	drop_lock "boot-$suite"
	echo "$tar"
}

# in_root ROOT CMD…: runs CMD in the system below ROOT, with /proc, /sys and /dev.
in_root() {
	local root=$1
	shift
	as_root unshare --mount --pid --fork sh -c 'mount -t proc proc "$1/proc" && mount -t sysfs -o ro sysfs "$1/sys" &&
		mount -t devtmpfs dev "$1/dev" 2>/dev/null || mount --bind /dev "$1/dev"
		root=$1 && shift && exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"' \
		sh "$root" "$@"
}

# boot_image SUITE DEBS-DIR IMAGE [PACKAGE…]: makes a disk whose one file system has the system with these packages of the suite, and
# our packages, installed.
boot_image() {
	local suite=$1 debs=$2 image=$3 root=$3.root tar
	shift 3
	tar=$(boot_base "$suite") || return 1
	as_root mkdir -p "$root"
	as_root tar -C "$root" -xf "$tar"
	if [ $# -gt 0 ]; then
		bring_packages "$suite" "$root/var/lib/dpkg/status" "$image.pool" "$@" || return 1
		as_root mv "$image.pool" "$root/pool"
		in_root "$root" sh -c 'dpkg --unpack /pool/*.deb && dpkg --configure -a && rm -rf /pool' || return 1
	fi
	as_root mkdir "$root/debs"
	as_root cp "$debs"/*.deb "$root/debs/"
	in_root "$root" sh -c 'dpkg -i /debs/*.deb' || return 1
	truncate -s "$BOOT_ROOT_SIZE" "$image"
	as_root mke2fs -q -t ext4 -L rxroot -E lazy_itable_init=1,lazy_journal_init=1 -d "$root" "$image" || return 1
	as_root rm -rf "$root"
}

# boot_file IMAGE PATH FILE: copies a file out of the image, without mounting it. PATH may be a link in / to a path below /.
boot_file() {
	local path=$2 link
	link=$(debugfs -R "stat $path" "$1" 2>/dev/null | sed -n 's/^Fast link dest: "\(.*\)"$/\1/p')
	[ -z "$link" ] || path=/$link
	debugfs -R "dump \"$path\" \"$3\"" "$1" 2>/dev/null
	[ -s "$3" ] || die "no $path in $1"
}

# bring_packages SUITE STATUS DIR [-t RELEASE] PACKAGE…: downloads to DIR all that apt would install for these packages on a machine
# with this dpkg status.
bring_packages() {
	local suite=$1 status=$2 dir=$3
	shift 3
	mkdir -p "$dir/partial"
	suite_apt "$suite" apt-get -q -y --no-install-recommends --download-only -o Dir::State::status="$status" \
		-o Dir::Cache::archives="$dir" install "$@" >"$dir.log" 2>&1 ||
		{ tail -n 5 "$dir.log" >&2 && die "could not download $*"; }
	rm -rf "$dir/partial" "$dir/lock"
}

# pool_make DIR TAR: makes an archive of the packages in DIR, for apt. pool_apt unpacks it in the guest.
pool_make() {
	(cd "$1" && dpkg-scanpackages -m . >Packages 2>/dev/null) || die "no dpkg-scanpackages"
	tar -C "$1" --owner=0 --group=0 -cf "$2" .
}
