# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Functions of the tests of exports: the kernel's NVMe target and its initiator, in one machine.

NVMET=/sys/kernel/config/nvmet
HOST1=nqn.2014-08.org.nvmexpress:uuid:11111111-1111-4111-8111-111111111111
HOST2=nqn.2014-08.org.nvmexpress:uuid:22222222-2222-4222-8222-222222222222
HOST3=nqn.2014-08.org.nvmexpress:uuid:33333333-3333-4333-8333-333333333333

export_needs() { unmet module:nvmet module:nvmet-tcp module:nvme-tcp program:nvme program:ip program:jq; }

# The machine of the tests has no machine ID, and its loopback device is down.
export_begin() {
	configfs_mount
	modprobe nvme-tcp
	ip link set lo up
	if [ ! -s /etc/machine-id ]; then
		echo 0123456789abcdef0123456789abcdef >/etc/machine-id
		defer "rm -f /etc/machine-id"
	fi
	defer "nvme disconnect-all; exports_end; target_free"
}

exports_end() {
	for rx_e in /run/rxadm/export-rx*; do
		[ ! -e "$rx_e" ] || rxadm unexport "${rx_e##*/export-}"
	done
}

# Without this, the modules of a test would stay in the way of other tests.
target_free() { modprobe -r nvme-tcp nvme-loop nvmet-tcp nvmet; }

# host_nqn NUMBER
host_nqn() { eval "echo \$HOST$1"; }

# host_connect HOST NQN [OPTION…]: connects as that host, and prints the block device. The kernel takes all hosts that we play for
# paths of its own to the same namespace.
host_connect() {
	rx_h=$(host_nqn "$1") rx_n=$2
	shift 2
	nvme connect -t tcp -n "$rx_n" -q "$rx_h" -I "${rx_h#*:uuid:}" -a "${RX_ADDR:-127.0.0.1}" -s "${RX_PORT:-4420}" -D "$@" >connect.log 2>&1 || {
		cat connect.log >&2
		return 1
	}
	wait_for 10 host_device "$rx_n" "$rx_h" || return 1
	host_device "$rx_n" "$rx_h"
}

# host_joins HOST NQN: connects as one more host, which tries again each second. nvme-cli looks at the target's name and address alone,
# and finds that connected.
host_joins() {
	rx_h=$(host_nqn "$1")
	printf 'transport=tcp,traddr=127.0.0.1,trsvcid=%s,nqn=%s,hostnqn=%s,hostid=%s,reconnect_delay=1,duplicate_connect' "${RX_PORT:-4420}" "$2" "$rx_h" "${rx_h#*:uuid:}" >/dev/nvme-fabrics &&
		wait_for 10 host_device "$2" "$rx_h"
}

# host_controllers NQN [HOSTNQN]: the initiator's controllers of that subsystem.
host_controllers() {
	for rx_c in /sys/class/nvme/nvme*; do
		[ "$(cat "$rx_c/subsysnqn" 2>/dev/null)" = "$1" ] || continue
		[ -z "${2:-}" ] || [ "$(cat "$rx_c/hostnqn" 2>/dev/null)" = "$2" ] || continue
		echo "${rx_c##*/}"
	done
}

# host_device NQN [HOSTNQN]: its block device. With native multipath, the device is one of the subsystem.
host_device() {
	for rx_c in $(host_controllers "$@"); do
		for rx_b in "/sys/class/nvme/$rx_c"/nvme*n* "/sys/class/nvme/$rx_c"/subsystem/; do
			rx_b=${rx_b##*/}
			case $rx_b in
			nvme*c*n*) rx_b=$(echo "$rx_b" | sed 's/c[0-9]*n/n/') ;;
			nvme*n*) ;;
			*) continue ;;
			esac
			if [ -b "/dev/$rx_b" ]; then
				echo "/dev/$rx_b"
				return 0
			fi
		done
	done
	return 1
}

# is_size BYTES: of the device $dev, as the host sees it.
is_size() { [ "$(blockdev --getsize64 "$dev")" = "$1" ]; }

# host_load DEVICE: a load that verifies what it wrote; load_end ends it. It ignores SIGPIPE, and has no two writes to one place in
# flight, as the loads in 294-far.sh. Its test sources 320-load.sh, too, and has a load_seen.
host_load() {
	trap '' PIPE
	load_begin --filename="$1" --bsrange=4k-64k --size=64m --direct=1 --ioengine=libaio --iodepth=4 --thread --serialize_overlap=1
	trap - PIPE
}

# target_left: what is configured in the target, which is nothing after the last export.
target_items() { find "$NVMET/subsystems" "$NVMET/ports" "$NVMET/hosts" -mindepth 1 -maxdepth 1 2>/dev/null; }
records_left() { find /run/rxadm -name 'export-*' 2>/dev/null || true; }
nothing_left() {
	expect "what is left of $1" "" "$(target_items)"
	expect "records left of $1" "" "$(records_left)"
}

# exports_of NAME KEY: of each row of the list.
exports_of() { rxadm list --exports --json | jq -r --arg n "$1" --arg k "$2" '.exports[] | select(.name == $n) | .[$k] | if type == "array" then join(" ") else . end'; }
