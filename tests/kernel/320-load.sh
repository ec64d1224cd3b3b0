# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# A load that runs until a test ends it, and then must have had no error; tests source this after 200-cache.sh.

# load_begin FIO-OPTION…: reads and writes on $c what it verifies; returns when that goes on. A test whose load comes to another device
# has a load_seen of its own.
load_begin() {
	load_before=$(load_seen)
	begin fio --name=load --rw=randrw --bsrange=512-64k --verify=crc32c --verify_fatal=1 --verify_backlog=32 --time_based \
		--runtime=3600 --randseed="$RX_SEED" --output=fio.log "$@"
	load_pid=$rx_pid
	defer "kill -KILL $load_pid"
	wait_for 60 load_goes_on || fail "no load: $(cat fio.log)"
}

load_seen() { counts_of "$c" reads writes; }
load_goes_on() { [ "$(load_seen)" != "$load_before" ]; }

load_end() {
	kill -0 "$load_pid" 2>/dev/null || fail "the load has ended: $(grep -E 'err=|error|verify' fio.log)"
	kill -TERM "$load_pid"
	wait "$load_pid" || true
	grep -q 'err= 0' fio.log || fail "the load says nothing: $(cat fio.log)"
	if grep -E 'err= *[1-9]|verify: bad|error' fio.log; then fail "the load had an error"; fi
}
