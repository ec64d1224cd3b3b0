# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
# pin and unpin: the requests, what is said, and what is refused.

load helper

setup() {
	sysroot
	PINS="pinned=4194304 pinned-cached=4190208 pin-limit=536870912"
	echo x >"$BATS_TEST_TMPDIR/file"
}

@test "pin and unpin ranges, and what is pinned afterwards" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE
		> rxcache cache-pin name=rxc0 offset=1073741824 length=67108864
		< name=rxc0 id=5 $ACTIVE
		> rxcache cache-pin name=rxc0 offset=0 length=4096
		< name=rxc0 id=5 $ACTIVE
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE $PINS
	END
	rx pin rxc0 1G+64M 0+4K
	is "rxc0: 4M pinned, 4M of that cached; at most 512M can be pinned" "$output"
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE $PINS
		> rxcache cache-unpin name=rxc0 offset=1024 length=512
		< name=rxc0 id=5 $ACTIVE
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE $PINS
	END
	rx unpin rxc0 1K+512B -j
	is "4194304 4190208 536870912" "$(json '.caches[0] | "\(.pinned) \(.pinned_cached) \(.pin_limit)"')"
	replay <<-END
		> rxcache cache-unpin name=rxc0
		< name=rxc0 id=5 $ACTIVE
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE pinned=0 pinned-cached=0 pin-limit=536870912
	END
	rx unpin rxc0 --all -q
	is "" "$output"
}

@test "list and stat show what is pinned" {
	replay <<-END
		>* rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE $PINS
	END
	rx list rxc0 -n -b -o PINNED,PINNED-CACHED,PIN-LIMIT
	is "4194304 4190208 536870912" "$(tr -s ' ' <<<"$output")"
	rx stat rxc0
	has "pinned      4M, 4M of that cached; at most 512M can be pinned" "$output"
}

@test "more than half of a cache: what was pinned before stays, and is said" {
	replay <<-END
		> rxcache cache-get name=rxc0
		< name=rxc0 id=5 $ACTIVE $PINS
		> rxcache cache-pin name=rxc0 offset=0 length=1073741824
		! ENOSPC no more than half of a cache can be pinned
	END
	rx 2 pin rxc0 0+1G
	has "0+1G: 0B of 1G pinned: no more than half of the disk can be, by all caches on it together, here 512M; unpin something: rxadm unpin rxc0 --all" "$stderr"
}

@test "a size that has no room for what is pinned" {
	replay <<-END
		> rxcache join
		> rxcache cache-set name=rxc0 size=4194304
		! ENOSPC more than half of that size is pinned
	END
	rx 2 set rxc0 --size 4M
	is "rxadm: set rxc0: kernel: more than half of that size is pinned; choose a larger one, or see: rxadm help unpin" "$stderr"
	replay <<-END
		> rxcache join
		> rxcache cache-set name=rxc0 size=4194304
		! ENOSPC the min shares of its caches are more than that size
	END
	rx 2 set rxc0 --size 4M
	is "rxadm: set rxc0: kernel: the min shares of its caches are more than that size; choose a larger one, or first lower --min-share; see: rxadm list -o NAME,DISK,MIN-SHARE" "$stderr"
}

@test "files that lie elsewhere, and words that are nothing" {
	for word in "$BATS_TEST_TMPDIR/file" /nowhere "$BATS_TEST_TMPDIR" 1G+ +1G 1G+0B 5+4K; do
		replay <<-END
			> rxcache cache-get name=rxc0
			< name=rxc0 id=5 $ACTIVE $PINS
		END
		rx 1 pin rxc0 "$word"
		has "pin rxc0: $word: " "$stderr"
		has "say a" "$stderr"
	done
	replay </dev/null
	rx 1 pin rxc0
	rx 1 pin rxd0 0+1M
	rx 1 unpin rxc0
	has "say what: a FILE, a RANGE such as 1G+64M, or --all" "$stderr"
	rx 1 unpin rxc0 0+1M --all
}

@test "a dry run says what it would pin" {
	there_are rxc0
	rx pin rxc0 1G+64M --dry-run
	is "would pin blocks of rxc0, offset 1G, length 64M" "$output"
}
