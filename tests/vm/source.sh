# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Kernels built here: Debian's source package with fragments of this tree. The source is unpacked for the build and removed
# after it; what stays (100 MB) looks to the other scripts like an unpacked kernel of Debian's, whose layout kernels.sh describes.

SOURCE_PACKAGE=linux-source-6.12

# source_tree: the unpacked source.
source_tree() {
	local dir=$RX_CACHE/kernels/.source
	if [ ! -e "$dir/tree/Makefile" ]; then
		rm -rf "$dir"
		take_lock setup
		suite_update bookworm
		download_to bookworm "$dir/deb" "$SOURCE_PACKAGE"
		drop_lock setup
		say "unpacking $SOURCE_PACKAGE"
		mkdir "$dir/new"
		dpkg-deb --fsys-tarfile "$dir"/deb/*.deb | tar -xO --wildcards "./usr/src/$SOURCE_PACKAGE.tar.*" | xz -dc -T0 |
			tar -x -C "$dir/new" --strip-components=1 || die "could not unpack $SOURCE_PACKAGE"
		rm -rf "$dir/deb"
		mv "$dir/new" "$dir/tree"
	fi
	echo "$dir/tree"
}

# What a fragment asks for and Kconfig drops, for a dependency that is off, would be missed only when a test finds nothing.
# A later fragment may say otherwise than one before it.
config_holds() {
	local config=$1 line name bad=''
	shift
	while read -r line; do
		name=${line%%=*}
		case $line in
		*=n) ! grep -q "^$name=" "$config" || bad+=" $line" ;;
		*) grep -qxF "$line" "$config" || bad+=" $line" ;;
		esac
	done < <(awk -F= '/^CONFIG_/ { last[$1] = $0 } END { for (name in last) print last[name] }' "$@")
	[ -z "$bad" ] || die "Kconfig does not grant:$bad"
}

# source_build OUT K: configures and builds in OUT; the log is OUT.log.
source_build() {
	local out=$1 k=$2 src=$3 fragments image=bzImage
	mapfile -t fragments < <(kernel_fragments "$k")
	! kernel_uml "$k" || image=linux
	mkdir -p "$out"
	echo "CONFIG_LOCALVERSION=\"-${k#*-}-$(kernel_key "$k")\"" >"$out/name.config"
	fragments+=("$out/name.config")
	{
		make -C "$src" O="$out" tinyconfig &&
			(cd "$out" && "$src/scripts/kconfig/merge_config.sh" -m -O "$out" "$out/.config" "${fragments[@]}") &&
			make -C "$src" O="$out" olddefconfig
	} >"$out.log" 2>&1 || return 1
	config_holds "$out/.config" "${fragments[@]}"
	nice -n 10 make -C "$src" O="$out" -j"$(nproc)" "$image" modules >>"$out.log" 2>&1
}

# The kernel's own script forgets what a User Mode Linux takes from the architecture that it runs on.
headers_of_host() {
	local src=$1 out=$2 headers=$3
	kernel_uml "$4" || return 0
	(cd "$src" && find arch/um/scripts arch/x86/Makefile* arch/x86/include arch/x86/um -name '*.c' -prune -o -type f -print |
		tar -c -f - -T -) | tar -x -C "$headers"
	(cd "$out" && find arch/x86/include/generated -type f | tar -c -f - -T -) | tar -x -C "$headers"
}

# source_install TMP REL SRC K: the image, its modules, and what is needed to build others: a small part of what was built.
source_install() {
	local tmp=$1 rel=$2 src=$3 k=$4 image=arch/x86/boot/bzImage
	! kernel_uml "$k" || image=linux
	rm -rf "$tmp/image" "$tmp/headers"
	make -C "$tmp/out" modules_install INSTALL_MOD_PATH="$tmp/image/usr" INSTALL_MOD_STRIP=1 &&
		make -C "$tmp/out" run-command \
			KBUILD_RUN_COMMAND="$src/scripts/package/install-extmod-build $tmp/headers/usr/src/linux-headers-$rel" &&
		headers_of_host "$src" "$tmp/out" "$tmp/headers/usr/src/linux-headers-$rel" "$k" &&
		rm -f "$tmp/image/usr/lib/modules/$rel/build" &&
		ln -s usr/lib "$tmp/image/lib" &&
		depmod -b "$tmp/image" "$rel" &&
		cp "$tmp/out/$image" "$tmp/vmlinuz" &&
		cp "$tmp/out/.config" "$tmp/config"
}

# A build that was interrupted goes on where it was.
kernel_make() {
	local k=$1 dir src tmp rel started=$SECONDS
	dir=$(kernel_dir "$k")
	src=$(source_tree) || exit 1
	tmp=$RX_CACHE/kernels/.${dir##*/}
	mkdir -p "$tmp"
	# Of this kernel's build only: the modules' is another.
	local -x ARCH
	ARCH=$(kernel_arch "$k")
	say "building the kernel $k on $(nproc) processors: this takes minutes, once"
	source_build "$tmp/out" "$k" "$src" || { tail -n 15 "$tmp/out.log" >&2; die "could not build $k"; }
	rel=$(cat "$tmp/out/include/config/kernel.release")
	source_install "$tmp" "$rel" "$src" "$k" >>"$tmp/out.log" 2>&1 || { tail -n 15 "$tmp/out.log" >&2; die "could not install $k"; }
	rm -rf "$tmp/out" "$tmp/out.log"
	echo gcc >"$tmp/compiler"
	echo "$rel" >"$tmp/release"
	# Others of this name are made with other fragments, perhaps another checkout's: not used for long, they go.
	find "$RX_CACHE/kernels" -mindepth 1 -maxdepth 1 \( -name "$k-*" -o -name ".$k-*" \) -mtime +14 -exec rm -rf {} +
	mv "$tmp" "$dir"
	say "built $rel in $((SECONDS - started)) s"
}

# kernels_make KERNEL…: those among them that are built here, and are missing.
kernels_make() {
	local k missing=()
	for k in "$@"; do
		! kernel_built "$k" || touch -c "$(kernel_dir "$k")"
		if kernel_built "$k" && [ ! -e "$(kernel_dir "$k")/release" ]; then
			missing+=("$k")
		fi
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	take_lock source
	for k in "${missing[@]}"; do
		[ -e "$(kernel_dir "$k")/release" ] || kernel_make "$k"
	done
	rm -rf "$RX_CACHE/kernels/.source"
	drop_lock source
}
