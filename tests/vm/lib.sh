# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Shared by the host's scripts of the VM harness: where things are kept, how to become root, which kernels there are, and which
# tests run on them.

RX_VM=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
RX_TREE=$(cd "$RX_VM/../.." && pwd -P)
RX_CACHE=${RX_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rxdsk}
RX_DEFAULT_KERNEL=6.12
# The everyday tests run on the first, a program, and those that need an emulated machine on the second.
RX_EVERYDAY_KERNELS="7.2-uml 6.12"
export RX_TREE RX_CACHE

say() { printf '[vm] %s\n' "$*" >&2; }
die() { printf '[vm] error: %s\n' "$*" >&2; exit 1; }

# tree_dir: prints the folder with the builds of this checkout. Several checkouts may share one cache. The folder of one that is gone, and
# that nobody keeps, goes to the next one that is new, which compiles what differs.
tree_dir() (
	mkdir -p "$RX_CACHE/build" "$RX_CACHE/lock"
	exec {fd}>"$RX_CACHE/lock/trees"
	flock "$fd"
	dir='' n=1
	while IFS= read -r one; do
		tree=$(cat "$one/tree")
		if [ "$tree" = "$RX_TREE" ]; then
			echo "$one"
			exit
		fi
		[[ -z $dir && -n $tree && ! -d $tree ]] || continue
		exec {gone}<"$one/tree"
		! flock -n "$gone" || dir=$one
	done < <(find "$RX_CACHE/build" -mindepth 2 -maxdepth 2 -name tree -printf '%T@ %h\n' | sort -rn | cut -d' ' -f2-)
	if [ -z "$dir" ]; then
		while ! mkdir "$RX_CACHE/build/$n" 2>/dev/null; do n=$((n + 1)); done
		dir=$RX_CACHE/build/$n
	fi
	echo "$RX_TREE" >"$dir/tree"
	echo "$dir"
)

# tree_keep: sets $tree_dir, and keeps it for this checkout as long as this process or a child of it is there, also if the checkout goes.
tree_keep() {
	tree_dir=$(tree_dir) || exit 1
	exec {tree_kept}<"$tree_dir/tree"
	flock -s "$tree_kept"
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

# take_lock NAME: takes a lock, which is held until drop_lock or the end of this process. A process that had to wait should then look
# whether the first one has done the work.
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

# The tools in bookworm's header packages run on any Debian from bookworm on, and those of a kernel that is built here are the host's
# own. Those of later suites need a newer libc, and therefore a chroot of their suite.
kernel_suite() {
	case $1 in
	6.1 | 6.12 | 6.12-debug | 6.12-kcsan | 6.12-irqsoff | 6.12-uml | 6.12-arm64 | 6.12-arm64-16k) echo bookworm ;;
	7.*-uml | 7.*-uml-debug) echo bookworm ;;
	*-*) die "kernel '$1'? built here are 7.2-uml, 7.2-uml-debug, 6.12-debug, 6.12-kcsan, 6.12-irqsoff and 6.12-uml; of arm64 there are 6.12-arm64 and 6.12-arm64-16k" ;;
	[6-9].*) echo trixie ;;
	*) die "kernel '$1'? say 6.1, 6.12, 7.2, 7.3, 7.2-uml, 7.2-uml-debug, 6.12-debug, 6.12-kcsan, 6.12-irqsoff, 6.12-arm64 or 6.12-arm64-16k" ;;
	esac
}

# runs_on KERNEL VALUE KERNEL…: whether a test with EVERY_KERNEL=VALUE runs on the first kernel when a run has the others. Where a run
# has no kernel of the value, the test runs on the last one, so that each test is in each run.
runs_on() {
	local k=$1 value=$2 of one there=''
	shift 2
	case $value in
	no) of=${!#} ;;
	ends) of="$1 ${!#}" ;;
	*) of=$value ;;
	esac
	for one in $of; do
		[ "$one" != "$k" ] || return 0
		[[ " $* " != *" $one "* ]] || there=1
	done
	[ -z "$there" ] && [ "$k" = "${!#}" ]
}

# every_kernel: prints "TEST VALUE" of each test that has an EVERY_KERNEL.
every_kernel() {
	(cd "$RX_TREE/tests/kernel" && grep -H '^EVERY_KERNEL=' ./*/[0-9][0-9][0-9]-*) | sed 's/^[^:]*\///; s/:EVERY_KERNEL=/ /; s/"//g'
}

# Whether the kernel is for arm64. Its machine is emulated, and the guest's programs are cross-compiled or unpacked (arm64.sh).
kernel_arm64() { [[ $1 = *-arm64* ]]; }
ARM64_PREFIX=aarch64-linux-gnu-

# Prints the name of the package lists that have the kernel: the suite, with the architecture if that is not amd64.
kernel_lists() { if kernel_arm64 "$1"; then echo "$(kernel_suite "$1")-arm64"; else kernel_suite "$1"; fi; }
kernel_prefix() { if kernel_arm64 "$1"; then echo "$ARM64_PREFIX"; else echo x86_64-linux-gnu-; fi; }

# Prints the argument with which tests/vm/build makes the programs for the kernel's guest.
kernel_tools() { if kernel_arm64 "$1"; then echo tools-arm64; else echo tools; fi; }

kernel_native() { [ "$(kernel_suite "$1")" = bookworm ]; }

# Whether the kernel is built here, from Debian's source (source.sh).
kernel_built() { [[ $1 = *-* ]] && ! kernel_arm64 "$1"; }

# Whether the kernel measures times, so that its machine's clock counts instructions (run --icount).
kernel_counts() { [[ $1 = *-irqsoff ]]; }

# Whether the kernel is a User Mode Linux, which runs as a program on this host.
kernel_uml() { [[ $1 = *-uml || $1 = *-uml-* ]]; }

# Whether it is the one with a single processor, for figures (uml.sh).
kernel_bench() { [ "$1" = 6.12-uml ]; }

# Whether the kernel checks itself, which makes it several times slower.
kernel_checks() { [[ $1 = *-debug || $1 = *-kcsan || $1 = *-irqsoff ]]; }
kernel_arch() { if kernel_uml "$1"; then echo um; else echo x86; fi; }

kernel_fragments() {
	local what=${1##*-}
	if ! kernel_bench "$1"; then
		echo "$RX_VM/guest.config"
		if kernel_uml "$1"; then echo "$RX_VM/program.config"; else echo "$RX_VM/machine.config"; fi
		[ "$what" != uml ] || return 0
	fi
	echo "$RX_VM/$what.config"
}

# Prints a hash of the fragments, of what changes the source, and of the compiler. A kernel's folder is named after it, because
# checkouts with other fragments may share the cache.
kernel_key() {
	local fragments
	mapfile -t fragments < <(kernel_fragments "$1")
	{ gcc --version | head -n 1; cat "${fragments[@]}" "$RX_VM/source.sh"; } 2>/dev/null | hash_of | cut -c1-8
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

# The root from which programs and libraries for the guest are copied: empty for this host's own, else the folder of arm64.sh.
RX_SYSROOT=

# copy_with_libs FILE ROOT: copies a program and the libraries that it is linked with to the same paths under ROOT.
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
