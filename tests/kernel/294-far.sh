# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Another machine, whose disks are origins here: a network namespace behind a pair of veth. Tests source this after 200-cache.sh
# and 320-load.sh.
#
# The initiators are in the first namespace, because the kernel's worker threads are, and they are what connects again.

FAR=10.77.0.2 NEAR=10.77.0.1 HOST_DO=
CONFIGFS=/sys/kernel/config

# far CMD…: on the other machine. configfs gives a target's port the namespace of the process that makes it.
far() { nsenter --net=/run/netns/rxt-far "$@"; }

far_begin() {
	configfs_mount
	modprobe veth
	defer "ip netns del rxt-far; ip link del rxt-near"
	ip netns add rxt-far
	ip link add rxt-near type veth peer name rxt-peer netns rxt-far
	ip addr add $NEAR/24 dev rxt-near
	ip link set rxt-near up
	far ip addr add $FAR/24 dev rxt-peer
	far ip link set rxt-peer up
}

# far_host N: HOST_DO is then what runs a command on one more machine, which reaches the other one at $FAR.
far_host() {
	defer "ip netns del rxt-host$1"
	ip netns add "rxt-host$1"
	ip link add "rxt-up$1" netns "rxt-host$1" type veth peer name "rxt-host$1" netns rxt-far
	HOST_DO="nsenter --net=/run/netns/rxt-host$1" FAR=10.77.$1.2
	$HOST_DO ip addr add "10.77.$1.1/24" dev "rxt-up$1"
	$HOST_DO ip link set "rxt-up$1" up
	far ip addr add "$FAR/24" dev "rxt-host$1"
	far ip link set "rxt-host$1" up
}

cut_off() { ip link set rxt-near down; }
mend() { ip link set rxt-near up; }

# --- NVMe over TCP -----------------------------------------------------------

NVMET=$CONFIGFS/nvmet
UUID=77777777-0000-4000-8000-00000000000
HOSTNQN=nqn.2014-08.org.nvmexpress:uuid:88888888-0000-4000-8000-000000000001

# nvmet_export N DEVICE: the subsystem rxt:N with DEVICE as its namespace 1, which has the uuid $UUID with N at its end.
nvmet_export() {
	modprobe -a nvmet-tcp nvme-tcp
	rx_s=$NVMET/subsystems/rxt:$1
	defer "echo 0 >$rx_s/namespaces/1/enable; rmdir $rx_s/namespaces/1; rmdir $rx_s"
	mkdir "$rx_s" "$rx_s/namespaces/1"
	echo 1 >"$rx_s/attr_allow_any_host"
	echo "$UUID$1" >"$rx_s/namespaces/1/device_uuid"
	printf %s "$2" >"$rx_s/namespaces/1/device_path"
	echo 1 >"$rx_s/namespaces/1/enable"
	[ ! -d $NVMET/ports/7701 ] || return 0
	defer "rmdir $NVMET/ports/7701"
	mkdir $NVMET/ports/7701
	echo tcp >$NVMET/ports/7701/addr_trtype
	echo ipv4 >$NVMET/ports/7701/addr_adrfam
	echo 0.0.0.0 >$NVMET/ports/7701/addr_traddr
	echo 4420 >$NVMET/ports/7701/addr_trsvcid
}

# nvmet_serve N: the port serves the subsystem; nvmet_withdraw N drops its connections and refuses new ones.
nvmet_serve() {
	defer "rm -f $NVMET/ports/7701/subsystems/rxt:$1"
	far ln -s "$NVMET/subsystems/rxt:$1" "$NVMET/ports/7701/subsystems/rxt:$1"
}
nvmet_withdraw() { rm "$NVMET/ports/7701/subsystems/rxt:$1"; }

# nvme_connect N OPTION…: prints the device. A lost connection is noticed within about two seconds, and tried again each second.
nvme_connect() {
	rx_n=$1
	shift
	defer "nvme disconnect -n rxt:$rx_n"
	$HOST_DO nvme connect -t tcp -a "$FAR" -s 4420 -n "rxt:$rx_n" --hostnqn="$HOSTNQN" --hostid="${HOSTNQN##*:}" \
		--keep-alive-tmo=1 --reconnect-delay=1 "$@" >nvme.log 2>&1 || fail "nvme connect: $(cat nvme.log)"
	wait_for 20 nvme_disk "$rx_n" || fail "no device of rxt:$rx_n: $(nvme list-subsys 2>&1)"
	nvme_disk "$rx_n"
}

# nvme_disk N: the device of that uuid. A device that is gone but claimed has none.
nvme_disk() {
	for rx_u in /sys/block/nvme*n*/uuid; do
		rx_d=${rx_u%/uuid}
		[ "$(cat "$rx_u" 2>/dev/null)" != "$UUID$1" ] || [ ! -b "/dev/${rx_d##*/}" ] || { echo "/dev/${rx_d##*/}" && return 0; }
	done
	return 1
}

# nvme_ctrl N: the controller's folder; nvme_is N STATE: what it does.
nvme_ctrl() {
	for rx_d in /sys/class/nvme/nvme*; do
		[ "$(cat "$rx_d/subsysnqn" 2>/dev/null)" != "rxt:$1" ] || { echo "$rx_d" && return 0; }
	done
	return 1
}
nvme_is() { [ "$(cat "$(nvme_ctrl "$1")/state" 2>/dev/null)" = "$2" ]; }

# --- what holds of every transport -------------------------------------------

# goes_on: whether more has been written than when still_at was called.
still_at() { far_writes=$(counts_of "$c" writes); }
goes_on() { [ "$(counts_of "$c" writes)" -gt "$far_writes" ]; }

# stopped: all that the load has to write waits, and stays so for $RX_AWAY seconds, or 3. Until then it goes on where reads are hits.
quiet() { still_at && sleep 1 && ! goes_on; }
stopped() {
	wait_for 20 quiet || fail "writes do not stop"
	sleep "${RX_AWAY:-3}"
	! goes_on || fail "writes went on while the origin was away"
}

# in_time SECONDS CMD…: CMD ends in that time, times what a slow machine takes, whatever it says.
in_time() {
	rx_limit=$1
	shift
	rx_rc=0
	timeout $((rx_limit * ${RX_SLOW:-1})) "$@" >said 2>&1 || rx_rc=$?
	[ "$rx_rc" != 124 ] || fail "no end after $((rx_limit * ${RX_SLOW:-1})) s: $*"
	return "$rx_rc"
}

# far_warm: 1 MiB at 13M of $c is cached, and nothing else touches it; far_hits: it is served without the origin.
far_warm() {
	pattern write "/dev/$c" 13M 1M 1
	check "cached" pattern verify "/dev/$c" 13M 1M 1
}
far_hits() { check "hits while the origin is away" in_time 10 pattern verify "/dev/$c" 13M 1M 1 4K; }

# Over NVMe/TCP both loads have been killed by SIGPIPE when the target had just gone, so they ignore it.

# far_stamps: stamps are written and read in the 64 KiB at 12M of $c. Returns when that goes on.
far_stamps() {
	begin env --ignore-signal=PIPE stamps "/dev/$c" 12582912 128 1 1 100000000 "$RX_SEED" torn >stamps.log 2>&1
	stamps_pid=$rx_pid
	defer "kill -KILL $stamps_pid"
	stamped() { [ "$(sed -n 's/^write_bytes: //p' "/proc/$stamps_pid/io")" -gt 0 ]; }
	wait_for 20 stamped || fail "no stamps: $(cat stamps.log)"
}

# far_load: fio verifies what it writes in the first 12 MiB, and then there are stamps, too: fio is the first, because load_begin
# takes any I/O for its own. A transport that connects again sends what was in flight in any order, so fio must not have two
# writes to one place in flight.
far_load() {
	trap '' PIPE
	load_begin --filename="/dev/$c" --direct=1 --ioengine=libaio --iodepth=8 --size=12M --fsync=32 --thread --serialize_overlap=1
	trap - PIPE
	far_stamps
}

far_load_end() {
	kill "$stamps_pid" 2>/dev/null || true
	rx_rc=0
	wait "$stamps_pid" || rx_rc=$?
	[ $rx_rc = 143 ] || fail "stamps end with $rx_rc: $(cat stamps.log)"
	[ ! -s stamps.log ] || fail "stamps: $(cat stamps.log)"
	load_end
	expect "no error" "0 0" "$(counts_of "$c" read_errors write_errors)"
}

# far_gone: the device is removed, and hits fail, too. Kernels before 6.8 do not tell; there the next request finds it out.
far_gone() {
	reads_fail() { ! read_at "/dev/$c" 13631488 4096; }
	wait_for 20 reads_fail || fail "hits are still served, and the state is $(list_of "$c" state)"
	wait_for 10 state_is "$c" dead || fail "state $(list_of "$c" state) of a cache whose origin is gone"
}

# far_equal BACKING: what the cache shows and holds is what the other machine's device has.
far_equal() {
	check "cache and origin" compare "/dev/$c" "$1" 0 16777216
	check "verify" rxadm verify -q "$c"
}

# by_id NAME DEVICE: as udev would; without DEVICE the link goes. The guest has no udev.
by_id() {
	mkdir -p /dev/disk/by-id
	rm -f "/dev/disk/by-id/$1"
	[ -z "${2:-}" ] || ln -s "$2" "/dev/disk/by-id/$1"
}
