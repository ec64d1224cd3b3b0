# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# What every host-side script of the VM harness shares: where things are kept, how to become root, which kernels there are.

RX_VM=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
RX_TREE=$(cd "$RX_VM/../.." && pwd -P)
RX_CACHE=${RX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rxdsk}
RX_DEFAULT_KERNEL=6.12
export RX_TREE RX_CACHE

say() { printf '[vm] %s\n' "$*" >&2; }
die() { printf '[vm] error: %s\n' "$*" >&2; exit 1; }

# Two checkouts may share one cache, so what is built from a checkout is kept under a name made from its path.
tree_dir() {
	printf '%s/build/%s' "$RX_CACHE" "$(printf %s "$RX_TREE" | cksum | cut -d' ' -f1)"
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo -- "$@"
	else
		die "needs root for: $* (no sudo here; run as root)"
	fi
}

# take_lock NAME: held until drop_lock or this process's end; whoever waited then sees what the first one made.
declare -A RX_LOCKS=()
drop_lock() {
	local fd=${RX_LOCKS[$1]}
	exec {fd}>&-
}

take_lock() {
	local fd
	mkdir -p "$RX_CACHE/lock"
	exec {fd}>"$RX_CACHE/lock/$1"
	if ! flock -n "$fd"; then
		say "waiting for another run ($1)"
		flock "$fd"
	fi
	RX_LOCKS[$1]=$fd
}

# Bookworm's header packages run on any Debian from bookworm on, once unpacked; the tools in later ones need a newer libc,
# and therefore a chroot of their own suite.
kernel_suite() {
	case $1 in
	6.1 | 6.12 | 6.12-debug | 6.12-kcsan | 6.12-irqsoff | 6.12-uml | 6.12-arm64 | 6.12-arm64-16k) echo bookworm ;;
	*-*) die "kernel '$1'? built here are 6.12-debug, 6.12-kcsan, 6.12-irqsoff and 6.12-uml; of arm64 there are 6.12-arm64 and 6.12-arm64-16k" ;;
	[6-9].*) echo trixie ;;
	*) die "kernel '$1'? say 6.1, 6.12, 7.2, 7.3, 6.12-arm64, 6.12-arm64-16k, 6.12-debug, 6.12-kcsan, 6.12-irqsoff or 6.12-uml" ;;
	esac
}

# For another processor than this host's: emulated, and all that runs in it is cross-compiled or unpacked (arm64.sh).
kernel_arm64() { [[ $1 = *-arm64* ]]; }
ARM64_PREFIX=aarch64-linux-gnu-

# Whose package lists know the kernel: a suite, and unless it is for amd64 the architecture.
kernel_lists() { if kernel_arm64 "$1"; then echo "$(kernel_suite "$1")-arm64"; else kernel_suite "$1"; fi; }
kernel_prefix() { if kernel_arm64 "$1"; then echo "$ARM64_PREFIX"; else echo x86_64-linux-gnu-; fi; }

# What tests/vm/build is asked for to get the programs that run beside the kernel.
kernel_tools() { if kernel_arm64 "$1"; then echo tools-arm64; else echo tools; fi; }

kernel_native() { [ "$(kernel_suite "$1")" = bookworm ]; }

# Not one of Debian's, but built here from Debian's source (source.sh).
kernel_built() { [[ $1 = *-* ]] && ! kernel_arm64 "$1"; }

# It measures times, so its machine's clock counts instructions (run --icount).
kernel_counts() { [[ $1 = *-irqsoff ]]; }

# Not for a machine, virtual or not: a program of this one (uml.sh).
kernel_uml() { [[ $1 = *-uml ]]; }
kernel_arch() { if kernel_uml "$1"; then echo um; else echo x86; fi; }

kernel_fragments() {
	kernel_uml "$1" || echo "$RX_VM/guest.config"
	echo "$RX_VM/${1#*-}.config"
}

# What such a kernel is made from; another fragment or compiler makes another kernel, and checkouts that differ share a cache.
kernel_key() {
	local fragments
	mapfile -t fragments < <(kernel_fragments "$1")
	{ gcc --version | head -n 1; cat "${fragments[@]}"; } 2>/dev/null | hash_of | cut -c1-8
}

kernel_dir() {
	if kernel_built "$1"; then
		printf '%s/kernels/%s-%s' "$RX_CACHE" "$1" "$(kernel_key "$1")"
	else
		printf '%s/kernels/%s' "$RX_CACHE" "$1"
	fi
}

kernel_release() { cat "$(kernel_dir "$1")/release"; }
kernel_image() { printf '%s/vmlinuz' "$(kernel_dir "$1")"; }
kernel_compiler() { cat "$(kernel_dir "$1")/compiler"; }

kernel_modules() {
	local d
	d=$(kernel_dir "$1")/image
	printf '%s/usr/lib/modules/%s' "$d" "$(kernel_release "$1")"
}

hash_of() { sha256sum | cut -c1-16; }

# Where programs and libraries for the guest are taken from; empty: from this host, else from what arm64.sh has unpacked.
RX_SYSROOT=

# copy_with_libs FILE ROOT: a program and the libraries it is linked with, at their own places under ROOT.
copy_with_libs() {
	copy_file "$1" "$2"
	copy_libs "$1" "$2"
}

copy_file() {
	local to=$2${1#"$RX_SYSROOT"}
	mkdir -p "${to%/*}"
	cp -L --preserve=mode "$1" "$to"
}

libs_of() {
	if [ -n "$RX_SYSROOT" ]; then
		arm64_libs "$1"
		return
	fi
	ldd "$1" 2>/dev/null | awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }'
}

copy_libs() {
	local f=$1 root=$2 lib
	libs_of "$f" | while read -r lib; do
		[ -e "$root${lib#"$RX_SYSROOT"}" ] || copy_file "$lib" "$root"
	done
}
