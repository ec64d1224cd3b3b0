# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Kernels and their headers, from the mirror that this machine already uses. They are unpacked and never installed.
#
# kernels/K/release     the full release, for example 6.12.117+deb12-cloud-amd64
# kernels/K/compiler    the compiler that its headers name
# kernels/K/vmlinuz     the image
# kernels/K/image/      the unpacked image packages
# kernels/K/headers/    the unpacked header packages (their path is the same in a chroot)
# chroot/SUITE-gcc-N/   the compiler for kernels whose headers this host can't use
#
# A kernel that is built here (source.sh) has the same files, in kernels/K-KEY.
#
# A kernel or a chroot is made under a temporary name and renamed when complete, so an interrupted run leaves no incomplete one.

# Prints the mirror's address. It comes from this machine's own configuration, so that a local mirror or proxy is used here too.
mirror_of() {
	local kind=$1 line uri
	line=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(LABEL)' 2>/dev/null |
		awk -v s="$kind" '($3 ~ /^Debian/ || NF < 3) && (s == "security") == ($2 ~ /-security$/ || $2 ~ /\/updates$/)' |
		grep -v -e -backports | head -n 1)
	uri=${line%% *}
	if [ -z "$uri" ] && [ "$kind" = security ]; then
		uri=$(mirror_of main)
		uri=${uri%/}-security/
	fi
	[ -n "$uri" ] || die "this machine's apt has no Debian archive configured"
	printf '%s\n' "$uri"
}

# The architectures of the package lists, the guest's first. Kernel headers for arm64 need programs of this host.
suite_archs() { case $1 in *-arm64) echo arm64,amd64 ;; *) echo amd64 ;; esac }

suite_sources() {
	local main opt suite=${1%-arm64}
	main=$(mirror_of main) || return 1
	opt="[arch=$(suite_archs "$1") signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
	printf 'deb %s %s %s main\n' "$opt" "$main" "$suite"
	if [ "$suite" = bookworm ]; then
		printf 'deb %s %s bookworm-security main\n' "$opt" "$(mirror_of security)"
	else
		printf 'deb %s %s %s-backports main\n' "$opt" "$main" "$suite"
	fi
}

# suite_apt SUITE TOOL ARG…: runs an apt tool with separate lists for that suite. The host's lists and packages stay as they are.
suite_apt() {
	local d=$RX_CACHE/apt/$1 tool=$2 archs
	archs=$(suite_archs "$1")
	shift 2
	"$tool" -o Dir::Etc::sourcelist="$d/sources.list" -o Dir::Etc::sourceparts=- \
		-o Dir::State="$d" -o Dir::State::status=/dev/null -o Dir::Cache="$d/cache" \
		-o APT::Architecture="${archs%%,*}" -o APT::Architectures="$archs" -o APT::Sandbox::User= \
		-o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
		-o APT::Update::Post-Invoke::= -o APT::Update::Post-Invoke-Success::= \
		-o Acquire::Retries=3 "$@"
}

suite_update() {
	local d=$RX_CACHE/apt/$1
	[ -z "${RX_SUITE_FRESH_[$1]:-}" ] || return 0
	say "reading the package lists of $1 (kept apart from this machine's)"
	mkdir -p "$d/lists/partial" "$d/cache/archives/partial"
	suite_sources "$1" >"$d/sources.list"
	suite_apt "$1" apt-get -q update >"$d/log" 2>&1 || { tail -5 "$d/log" >&2; die "can't read $1's package lists"; }
	RX_SUITE_FRESH_[$1]=1
}
declare -A RX_SUITE_FRESH_=()

# Prints the packages with the image and modules of one release. Debian has split them in several ways over time.
image_packages() {
	local abi=$1 names=$2 set p ok
	for set in "linux-binary-$abi linux-modules-$abi linux-base-$abi" \
		"linux-binary-unsigned-$abi linux-modules-$abi linux-base-$abi" \
		"linux-image-$abi" "linux-image-$abi-unsigned"; do
		ok=1
		for p in $set; do
			grep -qxF "$p" <<<"$names" || ok=
		done
		[ -n "$ok" ] && echo "$set" && return 0
	done
	return 1
}

# Prints Debian's name for the flavour. For amd64 the smallest flavour, cloud, has all that the tests need; for arm64 it does not.
kernel_flavour() { case $1 in *-arm64*) echo "${1#*-}" ;; *) echo cloud-amd64 ;; esac }

# Prints "ABI IMAGE-PACKAGES" of the newest K.x that has both an image and headers.
kernel_newest() {
	local k=${1%%-*} suite=$2 names abi pkgs flavour
	flavour=$(kernel_flavour "$1")
	names=$(suite_apt "$suite" apt-cache pkgnames linux-)
	while read -r abi; do
		if pkgs=$(image_packages "$abi" "$names"); then
			echo "$abi $pkgs"
			return 0
		fi
	done < <(grep -E "^linux-headers-${k//./\\.}[.][0-9][^-]*(-[0-9]+)?-$flavour\$" <<<"$names" | sed 's/^linux-headers-//' | sort -rV)
	return 1
}

depends_on() {
	suite_apt "$1" apt-cache depends --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances \
		"$2" | sed -n 's/^ *|*Depends: //p'
}

# header_packages SUITE ABI: prints the packages that a build for that release needs on this host.
header_packages() {
	echo "linux-headers-$2"
	depends_on "$1" "linux-headers-$2" | grep -E '^linux-(headers|kbuild)-' | sed 's/^linux-kbuild-.*/&:amd64/' | sort -u
}

download_to() {
	local suite=$1 dir=$2
	shift 2
	mkdir -p "$dir"
	say "downloading: $*"
	(cd "$dir" && suite_apt "$suite" apt-get -q download "$@" >log 2>&1) || { tail -5 "$dir/log" >&2; die "download failed"; }
}

# Makes the absolute paths in headers relative, so that the headers work in the folder where they were unpacked.
headers_relocate() {
	local root=$1 src f
	for f in "$root"/usr/src/linux-headers-*/Makefile; do
		if grep -q '^include /usr/src/' "$f"; then
			sed -i 's|^include /usr/src/|include $(dir $(lastword $(MAKEFILE_LIST)))../|' "$f"
		fi
	done
	for f in "$root"/usr/src/linux-headers-*/scripts "$root"/usr/src/linux-headers-*/tools; do
		[ -L "$f" ] || continue
		src=$(readlink "$f")
		case $src in
		/usr/*) ln -sfn "../../../$src" "$f" ;;
		esac
	done
}

# If the host lacks the compiler that the headers name, the host's default compiler is used instead, with a message.
native_compiler() {
	local want=$1 vars=$2 prefix=$3
	grep -q "$want" "$vars" || return 0
	command -v "$prefix$want" >/dev/null && return 0
	say "$want is not here; building with $("${prefix}gcc" -dumpfullversion 2>/dev/null) instead"
	sed -i "s/gcc-[0-9]*/gcc/" "$vars"
}

kernel_fetch() {
	local k=$1 dir suite tmp abi pkgs line hdr compiler root
	dir=$(kernel_dir "$k")
	suite=$(kernel_lists "$k") || exit 1
	if [ ! -e "$dir/release" ]; then
		suite_update "$suite"
		line=$(kernel_newest "$k" "$suite") || die "no $k kernel with headers in $suite"
		abi=${line%% *} pkgs=${line#* }
		mkdir -p "$RX_CACHE/kernels"
		rm -rf "$RX_CACHE/kernels/.$k".*
		tmp=$(mktemp -d "$RX_CACHE/kernels/.$k.XXXXXX")
		hdr=$(header_packages "$suite" "$abi")
		# shellcheck disable=SC2086
		download_to "$suite" "$tmp/deb" $pkgs $hdr
		say "unpacking the kernel $abi"
		for p in $pkgs; do dpkg -x "$tmp/deb/${p}"_*.deb "$tmp/image"; done
		for p in $hdr; do dpkg -x "$tmp/deb/${p%:*}"_*.deb "$tmp/headers"; done
		rm -rf "$tmp/deb"
		if [ ! -e "$tmp/image/usr/lib/modules" ]; then
			mkdir -p "$tmp/image/usr/lib"
			mv "$tmp/image/lib/modules" "$tmp/image/usr/lib/modules"
		fi
		# With -b, older kmod looks for lib/modules, and newer kmod for usr/lib/modules.
		[ -e "$tmp/image/lib/modules" ] || { rm -rf "$tmp/image/lib"; ln -s usr/lib "$tmp/image/lib"; }
		find "$tmp/image" \( -name 'vmlinuz-*' -o -name vmlinuz -o -name vmlinuz.unsigned \) -type f -exec mv {} "$tmp/vmlinuz" \;
		[ -s "$tmp/vmlinuz" ] || die "no image in $pkgs"
		depmod -b "$tmp/image" "$abi" || die "depmod failed for $abi"
		compiler=$(sed -n 's/^CC.*\(gcc-[0-9]*\).*/\1/p' "$tmp/headers/usr/src/linux-headers-$abi/.kernelvariables")
		[ -n "$compiler" ] || die "linux-headers-$abi names no compiler"
		headers_relocate "$tmp/headers"
		echo "$compiler" >"$tmp/compiler"
		echo "$abi" >"$tmp/release"
		rm -rf "$dir"
		mv "$tmp" "$dir"
	fi
	abi=$(kernel_release "$k")
	if kernel_native "$k"; then
		native_compiler "$(kernel_compiler "$k")" "$dir/headers/usr/src/linux-headers-$abi/.kernelvariables" \
			"$(kernel_prefix "$k")"
	else
		chroot_make "$suite" "$(kernel_compiler "$k")"
		root=$(chroot_dir "$k")
		if [ ! -e "$root/usr/src/linux-headers-$abi/.whole" ]; then
			as_root cp -a "$dir/headers/usr/." "$root/usr/"
			as_root touch "$root/usr/src/linux-headers-$abi/.whole"
		fi
	fi
}

chroot_dir() { printf '%s/chroot/%s-%s' "$RX_CACHE" "$(kernel_suite "$1")" "$(kernel_compiler "$1")"; }

# Makes a chroot to compile in. Its packages are unpacked but not configured, so none of their scripts runs as root here.
chroot_make() {
	local suite=$1 cc=$2 dir=$RX_CACHE/chroot/$1-$2 tmp skip=()
	[ ! -e "$dir/.whole" ] || return 0
	suite_update "$suite"
	say "unpacking $suite's $cc into $dir"
	mkdir -p "$RX_CACHE/chroot"
	tmp=$RX_CACHE/chroot/.$suite-$cc.new
	as_root rm -rf "$tmp"
	can_mount || skip=(--skip=check/canmount)
	as_root mmdebstrap --quiet --variant=extract --mode=root "${skip[@]}" \
		--include=base-files,dash,bash,coreutils,sed,grep,gawk,findutils,diffutils,make,perl,xz-utils \
		--include="$cc,$cc-for-host,binutils,libc6-dev,pahole,libelf1t64,libssl3t64,zlib1g" \
		"$suite" "$tmp" "$RX_CACHE/apt/$suite/sources.list" >"$RX_CACHE/chroot/log" 2>&1 ||
		{ tail -5 "$RX_CACHE/chroot/log" >&2; die "could not unpack $suite"; }
	as_root ln -sf gawk "$tmp/usr/bin/awk"
	as_root ln -sf "$cc" "$tmp/usr/bin/gcc"
	as_root mkdir -p "$tmp/build"
	as_root chown "$(id -u):$(id -g)" "$tmp/build"
	as_root touch "$tmp/.whole"
	as_root rm -rf "$dir"
	as_root mv "$tmp" "$dir"
}

can_mount() { as_root unshare --mount true 2>/dev/null; }

# chroot_run K CMD…: runs CMD in the chroot, with /proc, because objtool looks there for its stack. /proc is mounted in a separate
# mount namespace, so it disappears when the command ends. A container may forbid mounting: the chroot then gets a copy of the one
# file that objtool reads.
chroot_run() {
	local root user
	root=$(chroot_dir "$1")
	user=$(id -u):$(id -g)
	shift
	if can_mount; then
		as_root unshare --mount sh -c \
			'mount -t proc proc "$1/proc" && root=$1 user=$2 && shift 2 && exec chroot --userspec="$user" "$root" "$@"' sh "$root" "$user" "$@"
	else
		as_root mkdir -p "$root/proc/self"
		as_root sh -c 'cat /proc/self/maps >"$1/proc/self/maps"' sh "$root"
		as_root chroot --userspec="$user" "$root" "$@"
	fi
}
