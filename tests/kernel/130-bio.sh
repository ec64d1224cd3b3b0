# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-only
# Sourced by tests that run other tests on disks without requests; BIO_TESTS has the numbers of these other tests. What holds
# for one kind of disk has to hold for the other, so nothing in these tests is changed.

RX_ATTACH="--queue-mode bio"

requires() {
	for rx_t in $BIO_TESTS; do
		(
			requires() { :; }
			# shellcheck source=/dev/null
			. "$here"/kernel/*/"$rx_t"-*
			requires
		)
	done | head -n 1
}

run_test() {
	for rx_t in $BIO_TESTS; do
		(
			# shellcheck source=/dev/null
			. "$here"/kernel/*/"$rx_t"-*
			note "$rx_t: $DESCRIPTION"
			RX_TMP=$RX_TMP/$rx_t
			mkdir "$RX_TMP"
			cd "$RX_TMP"
			trap 'rx_rc=$?; trap - EXIT; cd /; deferred_run; exit $rx_rc' EXIT
			set -eu
			run_test
		)
	done
}
