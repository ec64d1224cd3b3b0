# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# KVM or emulation. Even with /dev/kvm a guest may fail to boot under KVM, so once per boot of the host a guest is tried.

kvm_boots() {
	local k=$1 d
	[ -w /dev/kvm ] || return 1
	d=$(mktemp -d "${TMPDIR:-/tmp}/rxkvm.XXXXXX")
	mkdir "$d/root"
	cp "$(command -v busybox)" "$d/root/busybox"
	# shellcheck disable=SC2016
	printf '#!/busybox sh\n/busybox mkdir /dev\n/busybox mount -t devtmpfs d /dev\necho rx-kvm-boots >/dev/ttyS0\n/busybox reboot -f\n' \
		>"$d/root/init"
	chmod 755 "$d/root/init"
	(cd "$d/root" && find . -mindepth 1 | cpio --quiet -o -H newc -R 0:0) >"$d/initrd"
	timeout -k 1 5 qemu-system-x86_64 -machine q35 -accel kvm -cpu host -m 256M -nodefaults -no-user-config -display none \
		-no-reboot -kernel "$(kernel_image "$k")" -initrd "$d/initrd" -append "console=ttyS0 quiet panic=-1" \
		-serial file:"$d/out" </dev/null >/dev/null 2>&1 || true
	if grep -q rx-kvm-boots "$d/out" 2>/dev/null; then
		rm -rf "$d"
		return 0
	fi
	rm -rf "$d"
	return 1
}

# Prints the rate of the time stamp counter, which an emulated guest can't measure reliably (see tsckhz.c).
tsc_khz() {
	local answer
	answer=$RX_CACHE/tsc-$(cat /proc/sys/kernel/random/boot_id)
	if [ ! -s "$answer" ]; then
		rm -f "$RX_CACHE"/tsc-*
		gcc -O2 -o "$answer.bin" "$RX_VM/tsckhz.c"
		"$answer.bin" >"$answer.new"
		rm "$answer.bin"
		mv "$answer.new" "$answer"
	fi
	cat "$answer"
}

# Emulated processors lack cmpxchg16b, because QEMU 7.2 emulates it wrongly. It takes the flags that cmpxchg16b leaves unchanged
# from an operand of the comparison before it. An interrupt soon after that saves and restores a wrong trap flag, nested task flag
# or virtual-8086 flag. Stock kernels use cmpxchg16b in every kmalloc(), and crash or take wrong branches. Without it they use
# another way.
# Emulated processors also lack ERMS and FSRM. With them kernels clear pages with rep stosb and copy with rep movsb, which the
# emulator executes, and counts (icount_args), byte by byte. With "-cpu max" a hit of 4 KiB cost 9,600 instructions instead of 5,900,
# although no code of ours had changed, and a real processor copies faster that way.
EMULATED_CPU=max,-cx16,-erms,-fsrm
# What takes the emulator time, and no code of ours differs by: without SMAP a copy from or to a program is not two changes of the
# processor's state, and tables of pages have four levels instead of five.
PLAIN_CPU=-smap,-pku,-la57

# icount_args: one qemu argument per line, for a machine whose clock counts instructions, a nanosecond each. While the processor
# sleeps, the clock jumps to the next timer. The real-time clock follows that clock, and all random numbers come from one seed. So
# two runs are the same, as long as they do not depend on a disk or a terminal of the host.
icount_args() {
	printf '%s\n' -accel tcg,thread=single -cpu $EMULATED_CPU -icount shift=0,sleep=off \
		-rtc base=2026-01-01,clock=vm -seed "${RX_SEED:-1}"
}

# accel_args KERNEL: one qemu argument per line.
accel_args() {
	local answer
	answer=$RX_CACHE/kvm-$(cat /proc/sys/kernel/random/boot_id)
	if [ ! -e "$answer" ]; then
		rm -f "$RX_CACHE"/kvm-*
		if kvm_boots "$1"; then
			say "KVM boots here: using it"
			echo kvm >"$answer.new"
		else
			say "KVM does not boot a guest here: emulating on all processors"
			echo tcg >"$answer.new"
		fi
		mv "$answer.new" "$answer"
	fi
	if [ "${RX_ACCEL:-$(cat "$answer")}" = kvm ]; then
		printf '%s\n' -accel kvm -cpu host
	else
		printf '%s\n' -accel tcg,thread=multi -cpu "$EMULATED_CPU$(kernel_checks "$1" || echo ",$PLAIN_CPU")"
	fi
}
