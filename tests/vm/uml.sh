# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Runs a job in a User Mode Linux, a kernel that is a program, on one CPU and at this machine's own speed. Its root file system is
# this machine's, read-only. It writes to the work folder, and otherwise only to its own memory. Needs lib.sh, setup and bench/host.sh.

# uml_stage KERNEL WORK: copies modules, rxadm, the helpers and tests/lib.sh to the work folder.
uml_stage() {
	local work=$2 rel
	rel=$(kernel_release "$1")
	mkdir -p "$work/root/lib/modules/$rel"
	cp -a "$(kernel_dir "$1")/image/usr/lib/modules/$rel/." "$work/root/lib/modules/$rel/"
	RX_OUT=$work/root/lib/modules/$rel/updates "$RX_VM/build" "$1" >/dev/null
	RX_OUT=$work/bin "$RX_VM/build" tools >/dev/null
	depmod -b "$work/root" "$rel"
	cp "$RX_TREE/tests/lib.sh" "$RX_VM/uml.init" "$work/"
}

# More arguments for the kernel.
uml_args=()

# uml_boot KERNEL WORK MEMORY CMD…: starts the program under CMD and waits for its end. The program runs the work folder's file "job",
# and is killed when the script ends. init_on_alloc=1 as on Debian, where the kernel zeroes every page that it allocates.
uml_boot() {
	local image work=$2 memory=$3
	image=$(kernel_image "$1")
	shift 3
	mkdir -p "$work/uml"
	rm -f "$work/verdict"
	setpriv --pdeathsig TERM "$@" "$image" "mem=$memory" root=none rootfstype=hostfs rootflags=/ ro \
		"init=$work/uml.init" "rx.work=$work" con=null con0=null,fd:1 ssl=null lpj=1000000 quiet loglevel=4 panic=-1 \
		init_on_alloc=1 "${uml_args[@]}" "uml_dir=$work/uml" umid=rx </dev/null &
	machine_wait $! || true
}

# uml_verdict WORK: prints nothing if the job succeeded, the modules could be unloaded and the kernel's log is clean.
uml_verdict() {
	local said
	said=$(cat "$1/verdict" 2>/dev/null || echo lost)
	[ "$said" = "rc=0" ] || echo "$said"
}
