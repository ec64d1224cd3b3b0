# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# A job in a User Mode Linux, a kernel that is a program: on one CPU, at this machine's own speed. Its root is this machine's,
# read-only; what it writes is in its memory, but for the work folder. Over lib.sh, setup and
# bench/host.sh.

# uml_stage KERNEL WORK: what a job needs goes to the work folder: modules, rxadm, the helpers and tests/lib.sh.
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

# uml_boot KERNEL WORK MEMORY CMD…: CMD runs the program, whose job is the work folder's file "job", and both go when the
# script does. The memory is a file that the program maps: in memory, or each page would be written to a disk.
# init_on_alloc=1 as on Debian, where every page that is given out has been zeroed.
uml_boot() {
	local image work=$2 memory=$3
	image=$(kernel_image "$1")
	shift 3
	mkdir -p "$work/uml"
	rm -f "$work/verdict"
	setpriv --pdeathsig TERM "$@" "$image" "mem=$memory" root=none rootfstype=hostfs rootflags=/ ro \
		"init=$work/uml.init" "rx.work=$work" con=null con0=null,fd:1 ssl=null lpj=1000000 quiet loglevel=4 panic=-1 \
		init_on_alloc=1 "uml_dir=$work/uml" umid=rx </dev/null &
	machine_wait $! || true
}

# uml_verdict WORK: prints nothing if the job succeeded, the modules could be unloaded and the kernel's log is clean.
uml_verdict() {
	local said
	said=$(cat "$1/verdict" 2>/dev/null || echo lost)
	[ "$said" = "rc=0" ] || echo "$said"
}
