# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# bats runs these before and after all tests of one call.

setup_suite() { :; }

# All JSON that the tests have seen through rx fits the schema. Python takes as long to load that as ten tests take.
teardown_suite() {
	[ ! -e "$BATS_SUITE_TMPDIR/json" ] || "${BASH_SOURCE[0]%/*}/json-schema.py" check "$BATS_SUITE_TMPDIR/json" >&2
}
