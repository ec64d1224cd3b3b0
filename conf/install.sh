#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
#   conf/install.sh install      puts the tool and its files below DESTDIR
#   conf/install.sh uninstall    removes them, but for an rxtab that was edited
#   conf/install.sh list         says what goes where, a line "MODE FROM TO" each
#   conf/install.sh check-modules RELEASE   whether those that are built can be installed for that kernel
#   conf/install.sh remove-modules   what "make install-modules" put there, for all kernels
#   conf/install.sh dkms-source      puts the modules' source, for DKMS, below /usr/src
#   conf/install.sh dkms             and has DKMS build it; dkms-remove undoes that
#
# Run by make (install.mk), which gives the places in the environment. No file for modprobe.d or modules-load.d is among
# them: the kernel loads a module when rxadm asks for its netlink family, rxcache brings rxdsk with it, and loading alone
# makes nothing.
set -eu
cd "$(dirname "$0")/.."

DESTDIR=${DESTDIR:-}
PREFIX=${PREFIX:-/usr/local}
SBINDIR=${SBINDIR:-$PREFIX/sbin}
DATADIR=${DATADIR:-$PREFIX/share}
ZSHDIR=${ZSHDIR:-$DATADIR/zsh/site-functions}
FISHDIR=${FISHDIR:-$DATADIR/fish/vendor_completions.d}
SYSCONFDIR=${SYSCONFDIR:-/etc}
SYSTEMDDIR=${SYSTEMDDIR:-/usr/lib/systemd}
# What is in there is known by this path to rules, units and the scripts of an initramfs.
UDEVDIR=/usr/lib/udev
INITRAMFSDIR=${INITRAMFSDIR:-/usr/share/initramfs-tools}
DRACUTDIR=${DRACUTDIR:-/usr/lib/dracut/modules.d}
TABLE=$SYSCONFDIR/rxtab

die() { echo "install: $*" >&2; exit 1; }
version() { sed -n 's/^#define RX_VERSION[[:space:]]*"\(.*\)"$/\1/p' module/include/rx/version.h; }

file() { [ ! -e "$2" ] || echo "$1 $2 $3"; }

# Programs are known by their first line.
mode_of() { if [ "$(head -c 2 "$1")" = '#!' ]; then echo 755; else echo 644; fi; }

# below DIRECTORY TO: its files, at the same places below TO.
below() {
	[ -d "$1" ] || return 0
	find "$1" -type f | sort | while read -r f; do echo "$(mode_of "$f") $f $2/${f#"$1"/}"; done
}

list() {
	for f in rxadm rxsim; do echo "755 rxadm/$f $SBINDIR/$f"; done
	for f in man/*.[1-8]; do file 644 "$f" "$DATADIR/man/man${f##*.}/${f##*/}"; done
	for f in conf/*.json; do file 644 "$f" "$DATADIR/rxadm/${f##*/}"; done
	for f in conf/fio/*.fio; do file 644 "$f" "$DATADIR/rxdsk/fio/${f##*/}"; done
	for f in conf/*.bt; do file 755 "$f" "$DATADIR/doc/rxadm/examples/${f##*/}"; done
	for f in rxadm rxsim; do
		file 644 "conf/$f.bash" "$DATADIR/bash-completion/completions/$f"
		file 644 "conf/_$f" "$ZSHDIR/_$f"
		file 644 "conf/$f.fish" "$FISHDIR/$f.fish"
	done
	for f in conf/*.rules; do file 644 "$f" "$UDEVDIR/rules.d/${f##*/}"; done
	for f in conf/rx-*; do file "$(mode_of "$f")" "$f" "$UDEVDIR/${f##*/}"; done
	for f in conf/*.target conf/*.service conf/*.timer; do file 644 "$f" "$SYSTEMDDIR/system/${f##*/}"; done
	file 755 conf/rxadm-generator "$SYSTEMDDIR/system-generators/rxadm-generator"
	below conf/initramfs-tools "$INITRAMFSDIR"
	below conf/dracut "$DRACUTDIR"
}

# Scripts, units and rules name the tool by the path that packages give it. What makes an initramfs puts it at that path there.
put() {
	case $2 in
	conf/initramfs-tools/* | conf/dracut/*) install -D -m "$1" "$2" "$DESTDIR$3" ;;
	conf/*)
		mkdir -p "$DESTDIR${3%/*}"
		rm -f "$DESTDIR$3"
		sed "s|/usr/sbin/rxadm|$SBINDIR/rxadm|g" "$2" >"$DESTDIR$3"
		chmod "$1" "$DESTDIR$3"
		;;
	*) install -D -m "$1" "$2" "$DESTDIR$3" ;;
	esac
}

reload() {
	[ -z "$DESTDIR" ] || return 0
	[ ! -S /run/udev/control ] || udevadm control --reload || :
	[ ! -d /run/systemd/system ] || systemctl daemon-reload || :
}

install_all() {
	for f in rxadm rxsim; do [ -e "rxadm/$f" ] || die "no rxadm/$f; run: make rxadm"; done
	list | while read -r mode from to; do put "$mode" "$from" "$to"; done
	if [ -e conf/rxtab ] && [ ! -e "$DESTDIR$TABLE" ]; then
		put 644 conf/rxtab "$TABLE"
	fi
	reload
}

# prune DIRECTORY: it and those above it that are empty, up to DESTDIR. A machine's own /usr/local has some that are empty
# from the start, and they stay.
prune() {
	at=$1
	while [ "${#at}" -gt 1 ]; do
		if [ -z "$DESTDIR" ]; then
			case $at in
			"$PREFIX" | "$SBINDIR" | "$DATADIR" | "$DATADIR/man" | "$ZSHDIR" | "$FISHDIR" | "$SYSCONFDIR") break ;;
			esac
		fi
		rmdir "$DESTDIR$at" 2>/dev/null || [ ! -e "$DESTDIR$at" ] || break
		at=${at%/*}
	done
}

uninstall_all() {
	list | while read -r _ _ to; do
		rm -f "$DESTDIR$to"
		prune "${to%/*}"
	done
	if cmp -s conf/rxtab "$DESTDIR$TABLE"; then
		rm -f "$DESTDIR$TABLE"
		prune "$SYSCONFDIR"
	elif [ -e "$DESTDIR$TABLE" ]; then
		echo "left: $DESTDIR$TABLE, which was edited"
		! grep -q '^[^#].*initramfs' "$DESTDIR$TABLE" ||
			echo "the initramfs has a copy of the tool and the modules; run: update-initramfs -u (or: dracut -f)"
	fi
	reload
}

check_modules() {
	for m in rxdsk rxcache; do
		[ -e "$m/$m.ko" ] || die "the modules are not built; run: make modules"
		of=$(modinfo -F vermagic "$m/$m.ko" | cut -d ' ' -f 1)
		[ "$of" = "$1" ] || die "the modules are built for $of, not for ${1:-any kernel, for KDIR has no headers}; run: make modules"
	done
	if [ -z "$DESTDIR" ] && command -v dkms >/dev/null && [ -n "$(dkms status -m rxdsk)" ]; then
		die "DKMS has the modules already; run: make install-tool, or first: make dkms-remove"
	fi
}

remove_modules() {
	for dir in "$DESTDIR"/lib/modules/*/updates; do
		found=
		for m in rxdsk rxcache; do
			for ko in "$dir/$m/$m".ko*; do
				[ -e "$ko" ] || continue
				rm -f "$ko"
				found=1
			done
			prune "${dir#"$DESTDIR"}/$m"
		done
		rel=${dir%/updates}
		[ -z "$found" ] || [ -n "$DESTDIR" ] || depmod -a "${rel##*/}"
	done
}

# is_copy DIRECTORY: dkms_source has made it. A clone or an unpacked tarball may have the same name.
is_copy() { [ ! -L "$1" ] && [ -e "$1/dkms.conf" ] && [ ! -e "$1/conf" ] && [ ! -e "$1/.git" ]; }

# Sources alone: objects and answers about another kernel must not get into a build.
dkms_source() {
	dir=$DESTDIR/usr/src/rxdsk-$(version)
	[ ! -e "$dir" ] || is_copy "$dir" || die "$dir has something else, and DKMS needs that name; move it away first"
	rm -rf "$dir"
	find Makefile COPYING module/compat module/include rxdsk rxcache -type f \
		\( -name Makefile -o -name COPYING -o -name '*.[ch]' -o -name Kbuild -o -name probe.sh \) \
		! -name '*.mod.c' ! -name rx_have.h | while read -r f; do
		mode=644
		[ ! -x "$f" ] || mode=755
		install -D -m "$mode" "$f" "$dir/$f"
	done
	sed "s/#MODULE_VERSION#/$(version)/" module/dkms.conf >"$dir/dkms.conf"
	chmod 644 "$dir/dkms.conf"
}

# Every version: an older one would be built for new kernels, too.
dkms_remove() {
	command -v dkms >/dev/null || die "dkms is missing; run: apt install dkms"
	[ "$(dpkg-query -W -f '${db:Status-Status}' rxdsk-dkms 2>/dev/null)" != installed ] ||
		die "DKMS has the modules from the package rxdsk-dkms; run: apt purge rxdsk-dkms"
	dkms status -m rxdsk | sed -n 's|^rxdsk/\([^,:]*\)[,:].*|\1|p' | sort -u | while read -r v; do
		dkms remove -m rxdsk -v "$v" --all </dev/null
		! is_copy "/usr/src/rxdsk-$v" || rm -rf "/usr/src/rxdsk-$v"
	done
}

# A copy of the modules that was installed without DKMS would be found beside that of DKMS.
dkms_install() {
	DESTDIR=
	dkms_remove
	remove_modules
	dkms_source
	dkms add -m rxdsk -v "$(version)"
	dkms install -m rxdsk -v "$(version)"
}

case ${1:-} in
install) install_all ;;
uninstall) uninstall_all ;;
list) list ;;
check-modules) check_modules "${2:-}" ;;
remove-modules) remove_modules ;;
dkms-source) dkms_source ;;
dkms) dkms_install ;;
dkms-remove) dkms_remove ;;
*) die "say: conf/install.sh install|uninstall|list|check-modules|remove-modules|dkms-source|dkms|dkms-remove" ;;
esac
