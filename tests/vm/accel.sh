# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# KVM or emulation. /dev/kvm being there says nothing about whether a guest boots under it, so one is booted, once per host boot.

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

# The time stamp counter's rate, which an emulated guest can't find out reliably (see tsckhz.c).
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

# Emulated processors are without cmpxchg16b: QEMU 7.2 takes the flags that it leaves alone from where the comparison before
# it had its operand, so that an interrupt in the next instructions saves and restores a trap flag, a nested task or a
# virtual-8086 mode that nobody asked for. Stock kernels use it in every kmalloc() and die of it, or branch where they
# can't; without it they do it in another way.
# They are without ERMS too: by it pages are cleared with rep stosb, which the emulator does byte by byte.
EMULATED_CPU=max,-cx16,-erms

# icount_args: one qemu argument per line, for a machine whose clock counts instructions, a nanosecond each; while the processor
# sleeps it jumps to the next timer. The clock that tells the date follows it, and all random numbers are those of a seed, so
# that two runs are one and the same as long as no disk or terminal of the host has a say.
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
		printf '%s\n' -accel tcg,thread=multi -cpu $EMULATED_CPU
	fi
}
