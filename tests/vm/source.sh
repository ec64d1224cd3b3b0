# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Kernels built here, from Debian's source package and configuration fragments of this tree. The source is unpacked for the build
# and removed after it. The result (100 MB) has the layout of an unpacked kernel of Debian, which kernels.sh describes.

# source_tree K: unpacks the kernel's source if it is not there, and prints its folder.
source_tree() {
	local package=linux-source-${1%%-*} suite=trixie dir
	dir=$RX_CACHE/kernels/.source-${1%%-*}
	[[ $1 != 6.* ]] || suite=bookworm
	if [ ! -e "$dir/tree/Makefile" ]; then
		rm -rf "$dir"
		take_lock setup
		suite_update $suite
		download_to $suite "$dir/deb" "$package"
		drop_lock setup
		say "unpacking $package"
		mkdir "$dir/new"
		dpkg-deb --fsys-tarfile "$dir"/deb/*.deb | tar -xO --wildcards "./usr/src/$package.tar.*" | xz -dc -T0 |
			tar -x -C "$dir/new" --strip-components=1 || die "could not unpack $package"
		rm -rf "$dir/deb"
		mv "$dir/new" "$dir/tree"
	fi
	echo "$dir/tree"
}

# config_holds CONFIG FRAGMENT…: ends the script if Kconfig has dropped a line of a fragment, because the tests would not notice that
# a detector is off. If two fragments set the same option, the later one holds.
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

# source_widen SRC: gives User Mode Linux 6.12 room for all registers of the host. It has 2696 bytes; a host with AMX has 11008, and then
# no program starts ("ptrace set fp regs failed").
source_widen() {
	local file=$1/arch/x86/um/user-offsets.c
	sed -i 's/DEFINE_LONGS(HOST_FP_SIZE, 2696)/DEFINE_LONGS(HOST_FP_SIZE, 16384)/' "$file"
	grep -q 'HOST_FP_SIZE, 16384' "$file" || die "$file has another HOST_FP_SIZE"
}

# source_unwind SRC: makes stack traces of a User Mode Linux right and cheap. KASAN and kmemleak save one at each allocation. The kernel
# looks each word of the stack up in the list of modules, under RCU, with lockdep: hundreds of system calls of the host. With frame
# pointers it is enough to follow these.
source_unwind() {
	local file=$1/arch/um/kernel/stacktrace.c
	grep -q 'follow the frames' "$file" || sed -i '/^\tframe = (struct stack_frame \*)bp;$/r /dev/stdin' "$file" <<-'END'
		/* follow the frames, which are on one stack, each above the last one */
		while (IS_ENABLED(CONFIG_FRAME_POINTER)) {
			if (((bp ^ (unsigned long)sp) & ~(THREAD_SIZE - 1)) || bp < (unsigned long)sp || (bp & 7))
				return;
			frame = (struct stack_frame *)bp;
			addr = READ_ONCE_NOCHECK(frame->return_address);
			if (core_kernel_text(addr) || (is_vmalloc_addr((void *)addr) && __kernel_text_address(addr)))
				ops->address(data, addr, 1);
			bp = (unsigned long)READ_ONCE_NOCHECK(frame->next_frame);
			sp = (unsigned long *)(frame + 1);
		}
	END
	grep -q 'linux/mm.h' "$file" || sed -i 's,#include <linux/sched.h>,#include <linux/mm.h>\n&,' "$file"
	grep -q 'follow the frames' "$file" || die "$file has another dump_trace()"
}

# source_starts SRC: a processor of User Mode Linux that starts frees what it was given before RCU knows it, and kmemleak uses RCU to
# free. Lockdep reports that from a thread without a stack that can be printed, and on four processors or more the kernel dies.
source_starts() {
	local file=$1/arch/um/os-Linux/smp.c
	sed -i '/^\tkfree(data);$/{N;s/.*\n\(\tlongjmp\)/\1/}' "$file"
	[ "$(grep -c 'kfree(data);' "$file")" = 1 ] || die "$file has another os_start_secondary()"
}

# source_nbd SRC: lockdep does not look at the lock of a request of nbd. nbd receives under it from a socket, which copies to user space,
# which may free memory; and it is taken while a request begins. So with any change of another disk's scheduler, limits or queues there
# is a cycle of stock code, and a lockdep that has reported one is off.
source_nbd() {
	local file=$1/drivers/block/nbd.c
	grep -q 'novalidate' "$file" || sed -i 's/^\tmutex_init(&cmd->lock);$/&\n\tlockdep_set_novalidate_class(\&cmd->lock);/' "$file"
	grep -q 'novalidate_class(&cmd->lock)' "$file" || die "$file has another nbd_init_request()"
}

# source_shadow SRC: freed vmalloc ranges get their shadow reset one by one, and not again as one span from the first to the last freed.
# On User Mode Linux that span was written, with all that lies between: gigabytes of the host, which a program never gives back, and
# the shadow of ranges that are in use.
source_shadow() {
	local file=$1/mm/kasan/shadow.c
	sed -i 's/^\t*\(__memset(shadow_start, KASAN_SHADOW_INIT,\)/\t\t\tif (flags \& KASAN_VMALLOC_PAGE_RANGE) \1/' "$file"
	[ "$(grep -c 'PAGE_RANGE) __memset(shadow_start' "$file")" = 1 ] || die "$file has another __kasan_release_vmalloc()"
}

# source_interrupts SRC: processors of User Mode Linux that share few of the host. Interrupts of other processors are signals, which the
# kernel blocks at each "irq off" and unblocks at each "irq on", by two system calls of the host: a third of all time. Here such a
# signal is noted while interrupts are off, as those of timers are. And a processor that spins, perhaps for one that does not run,
# lets the host run another one.
source_interrupts() {
	local file=$1/arch/um/os-Linux/smp.c sleep=$1/arch/um/os-Linux/time.c relax=$1/arch/x86/um/asm/processor.h
	grep -q ipis_noted "$file" || {
		sed -i -e '/^static void __local_ipi_set/,/^static void ipi_sig_handler/{/^static void ipi_sig_handler/!d}' \
			-e '/^static void ipi_sig_handler/i static __thread unsigned int ipis_noted;\n' \
			-e 's/sigaddset(&data->sigset, IPI_SIGNAL)/sigdelset(\&data->sigset, IPI_SIGNAL)/' \
			-e 's/^\tint save_errno = errno;$/&\n\n\tif (!signals_enabled) {\n\t\tipis_noted |= 1U << si->si_value.sival_int;\n\t\treturn;\n\t}/' \
			"$file"
		cat >>"$file" <<-'END'

			void os_local_ipi_disable(void)
			{
			}

			/* Interrupts are on. The handler of the signal masks all signals, so an exchange is enough. */
			void os_local_ipi_enable(void)
			{
				unsigned int noted;

				while ((noted = __atomic_exchange_n(&ipis_noted, 0, __ATOMIC_SEQ_CST))) {
					for (; noted; noted &= noted - 1) {
						signals_enabled = 0;
						um_trace_signals_off();
						uml_ipi_handler(__builtin_ctz(noted));
						um_trace_signals_on();
						signals_enabled = 1;
					}
				}
			}

			int os_ipi_noted(void)
			{
				return ipis_noted;
			}

			void os_cpu_relax(void)
			{
				static __thread unsigned int spins;

				if (++spins % 64)
					__builtin_ia32_pause();
				else
					sched_yield();
			}
		END
		sed -i 's/^#include <pthread.h>$/&\n#include <sched.h>/' "$file"
		sed -i 's/^int timer_alarm_pending(void);$/&\nint os_ipi_noted(void);/' "$1/arch/um/os-Linux/internal.h"
		sed -i -e '/^void os_idle_sleep/,/^}/s/^\tsigaddset(&set, SIGALRM);$/&\n\tsigaddset(\&set, IPI_SIGNAL);/' \
			-e 's/!timer_alarm_pending())$/!timer_alarm_pending() \&\& !os_ipi_noted())/' "$sleep"
		sed -i -e '/^static __always_inline void cpu_relax/i extern void os_cpu_relax(void);\n' \
			-e '/^static __always_inline void cpu_relax/,/^}/s/^\t\tnative_pause();$/#ifdef MODULE\n&\n#else\n\t\tos_cpu_relax();\n#endif/' "$relax"
	}
	# None of these may be left as it was.
	if [ "$(grep -c 'ipis_noted\|sigdelset\|sched.h' "$file")" != 6 ] || grep -q __local_ipi_set "$file" ||
		[ "$(grep -c IPI_SIGNAL "$sleep")" != 2 ] || ! grep -q os_ipi_noted "$sleep" || ! grep -q $'\t\tos_cpu_relax' "$relax"; then
		die "$file, $sleep or $relax is another one"
	fi
}

# source_build OUT K SRC: configures and builds SRC in OUT; the log is OUT.log.
source_build() {
	local out=$1 k=$2 src=$3 fragments image=bzImage
	mapfile -t fragments < <(kernel_fragments "$k")
	if kernel_uml "$k"; then
		image=linux
		if kernel_bench "$k"; then
			source_widen "$src"
		else
			source_unwind "$src"
			source_starts "$src"
			source_shadow "$src"
			source_interrupts "$src"
		fi
	fi
	source_nbd "$src"
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

# headers_of_host SRC OUT HEADERS K: a User Mode Linux uses headers of the host's architecture, which the kernel's own script leaves
# out. They are copied here.
headers_of_host() {
	local src=$1 out=$2 headers=$3
	kernel_uml "$4" || return 0
	(cd "$src" && find arch/um/scripts arch/x86/Makefile* arch/x86/include arch/x86/um -name '*.c' -prune -o -type f -print |
		tar -c -f - -T -) | tar -x -C "$headers"
	(cd "$out" && find arch/x86/include/generated -type f | tar -c -f - -T -) | tar -x -C "$headers"
}

# source_install TMP REL SRC K: installs the image, its modules, and the files for building other modules, a small part of the build.
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

# kernel_make K: builds K; an interrupted build is resumed.
kernel_make() {
	local k=$1 dir src tmp rel started=$SECONDS
	dir=$(kernel_dir "$k")
	src=$(source_tree "$k") || exit 1
	tmp=$RX_CACHE/kernels/.${dir##*/}
	mkdir -p "$tmp"
	# Only for the build of this kernel; tests/vm/build sets ARCH for the modules.
	local -x ARCH
	ARCH=$(kernel_arch "$k")
	say "building the kernel $k on $(nproc) processors: this takes minutes, once"
	source_build "$tmp/out" "$k" "$src" || { tail -n 15 "$tmp/out.log" >&2; die "could not build $k"; }
	rel=$(cat "$tmp/out/include/config/kernel.release")
	source_install "$tmp" "$rel" "$src" "$k" >>"$tmp/out.log" 2>&1 || { tail -n 15 "$tmp/out.log" >&2; die "could not install $k"; }
	rm -rf "$tmp/out" "$tmp/out.log"
	echo gcc >"$tmp/compiler"
	echo "$rel" >"$tmp/release"
	# Kernels of this name with other fragments, perhaps another checkout's, are deleted if they were not used for 14 days.
	find "$RX_CACHE/kernels" -mindepth 1 -maxdepth 1 \( -name "$k-*" -o -name ".$k-*" \) -mtime +14 -exec rm -rf {} +
	mv "$tmp" "$dir"
	say "built $rel in $((SECONDS - started)) s"
}

# kernels_make KERNEL…: builds the missing ones of those kernels that are built here.
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
	rm -rf "$RX_CACHE"/kernels/.source-*
	drop_lock source
}
