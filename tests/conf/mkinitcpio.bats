#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-only
# The hook of mkinitcpio: what it puts into the image, and what its script does there. mkinitcpio's functions are stubs.

load ../cli/helper
load tree

setup() {
	mkdir -p "$R"/{bin,etc,image/usr/bin,usr/lib/udev,usr/lib/dracut/modules.d/90rx,dev/disk/by-uuid}
	in_tree arch/initcpio/install/rxadm "$R/install/rxadm"
	in_tree arch/initcpio/hooks/rxadm "$R/hooks/rxadm"
	in_tree rx-initrd "$R/usr/lib/udev/rx-initrd"
	: >"$R/log" >"$R/image/usr/bin/sh" >"$R/dev/rxc0" >"$R/dev/sda2"
	stub rxadm <<<'cat "$3" >"$R/checked"; [ ! -e "$R/bad" ] || { echo "$3:1: is wrong"; exit 1; }'
	stub rx-up <<<''
	PATH="$R/bin:$PATH"
	cat >"$R/etc/rxtab" <<-END
		# rxc9 cache size=1G,initramfs,origin=/dev/x
		rxd0 disk size=1G
		rxd1 disk size=2G
		rxc0 cache origin=/dev/a,disk=rxd1,initramfs
		rxc1 cache origin=/dev/b,size=1G
	END
}

# build [systemd]: runs the build function as mkinitcpio does, in bash, with BUILDROOT set.
build() {
	cat >"$R/functions" <<-'END'
		for f in add_module add_binary add_file add_dir add_symlink add_runscript warning error; do
			eval "$f() { echo $f \$* >>\"\$R/log\"; }"
		done
	END
	[ "${1-}" != systemd ] || echo 'add_systemd_unit() { :; }' >>"$R/functions"
	run --separate-stderr "${2--0}" env R="$R" BUILDROOT="$R/image" bash -c '. "$R/functions" && . "$R/install/rxadm" && build'
	is "" "$output"
}

logged() { sed "s#$R##g" "$R/log"; }

@test "the lines marked initramfs with their disks, the modules, the tool, the rules, and the script" {
	build
	is "rxd1 rxc0" "$(awk '{ print $1 }' "$R/image/etc/rxtab" | xargs)"
	cmp "$R/image/etc/rxtab" "$R/image/etc/rxtab.held"
	cmp "$R/image/etc/rxtab" "$R/checked"
	for line in "add_module rxdsk" "add_module rxcache" "add_binary rxadm" "add_binary udevadm" add_runscript \
		"add_file /usr/lib/udev/rx-origin" "add_file /usr/lib/udev/rules.d/63-rx-origin.rules" \
		"add_file /usr/lib/dracut/modules.d/90rx/rx-up.sh /usr/bin/rx-up 755"; do
		grep -qxF -- "$line" <<<"$(logged)" || { echo "no $line" && return 1; }
	done
	[[ $(logged) != *rx-initrd.service* ]]
}

@test "with systemd a unit is wanted by initrd.target, and there is no script" {
	build systemd
	has "add_symlink /usr/lib/systemd/system/initrd.target.wants/rx-initrd.service ../rx-initrd.service" "$(logged)"
	has "add_file /usr/lib/dracut/modules.d/90rx/rx-initrd.service /usr/lib/systemd/system/rx-initrd.service" "$(logged)"
	[[ $(logged) != *add_runscript* ]]
}

@test "every file that is put into the image is one that is installed" {
	build systemd
	for file in $(sed -n 's/^add_file \([^ ]*\).*/\1/p' <<<"$(logged)"); do
		(cd "$CONF/.." && PREFIX=/usr SBINDIR=/usr/bin conf/install.sh list) | grep -qF " $file" || { echo "$file is not installed" && return 1; }
	done
}

@test "a table without such a line, or none, puts nothing in" {
	echo "rxc1 cache origin=/dev/b,size=1G" >"$R/etc/rxtab"
	build
	[ ! -e "$R/image/etc/rxtab" ]
	rm "$R/etc/rxtab"
	build
	is "" "$(logged)"
}

@test "errors in the table are shown, and leave an image without it" {
	: >"$R/bad"
	build
	has "warning errors in /etc/rxtab, the root file system will not be cached; run: rxadm check-tab" "$(logged)"
	has "is wrong" "$stderr"
	[ ! -e "$R/image/etc/rxtab" ]
	[[ $(logged) != *add_module* ]]
}

@test "an image without a shell is an error" {
	rm "$R/image/usr/bin/sh"
	build systemd -1
	has "error rxadm: the scripts need a shell; in HOOKS put base first" "$(logged)"
	[ ! -e "$R/image/etc/rxtab" ]
}

@test "help says where the hook stands" {
	run -0 bash -c '. "$1" && help' - "$CONF/arch/initcpio/install/rxadm"
	has "after block" "$output"
}

# boot ROOT CRYPTDEVICE: runs the script as mkinitcpio's init does, and prints what the two are afterwards.
boot() {
	mkdir -p "$R/usr/bin"
	ln -sf "$R/bin/rx-up" "$R/usr/bin/rx-up"
	run -0 sh -c 'tag_to_udev_path() { echo "'"$R"'/dev/disk/by-$(echo "$1" | tr A-Z a-z)/$2"; }
		root=$1 cryptdevice=$2; . "$3" && run_hook; echo "$root $cryptdevice"' - "$1" "$2" "$R/hooks/rxadm"
	output=${output//"$R"/}
}

@test "script: the caches are set up, and root and the encrypted device are the caches that udev names" {
	: >"$R/etc/rxtab.held"
	ln -s ../../rxc0 "$R/dev/disk/by-uuid/cached"
	ln -s ../../sda2 "$R/dev/disk/by-uuid/plain"
	boot UUID=cached ""
	is "/dev/rxc0 " "$output"
	is "--wait" "$(called rx-up)"
	boot UUID=plain UUID=cached:name:discard
	is "UUID=plain /dev/rxc0:name:discard" "$output"
	boot UUID=none UUID=plain:name
	is "UUID=none UUID=plain:name" "$output"
	boot /dev/sda2 ""
	is "/dev/sda2 " "$output"
}

@test "script: without a table nothing is done" {
	rm "$R/etc/rxtab"
	boot UUID=cached ""
	is "UUID=cached " "$output"
	is "" "$(logged)"
}

@test "script: nothing in a kernel that saves the memory of one that crashed" {
	: >"$R/etc/rxtab.held"
	ln -s ../../rxc0 "$R/dev/disk/by-uuid/cached"
	mkdir -p "$R/proc"
	: >"$R/proc/vmcore"
	boot UUID=cached UUID=cached:name
	is "UUID=cached UUID=cached:name" "$output"
	is "" "$(logged)"
	rm "$R/proc/vmcore"
	boot UUID=cached ""
	is "/dev/rxc0 " "$output"
	has "ConditionPathExists=!/proc/vmcore" "$(cat "$CONF/dracut/90rx/rx-initrd.service")"
}
