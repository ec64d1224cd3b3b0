# SPDX-License-Identifier: GPL-2.0-only
"""readme.py bench.json: prints the table of the README, from a complete run of tests/bench/run."""
import sys

import figures
import table

DISKS = ["memory", "brd", "null_mem", "null_mq", "zram", "rxdsk", "rxdsk_bio"]
CACHES = ["bare", "dm-linear", "rxdsk_bio", "rxcache", "dm-cache", "bcache"]
SLOW = ["slow", "slow-rxcache"]

# The devices and rows of each part of the table.
SHOWN = [
    (DISKS, ["ram-4k-read", "ram-4k-write", "ram-4k-read-x32", "ram-4k-read-2jobs", "ram-4k-write-2jobs", "ram-1m-read",
             "ram-1m-write", "ram-1m-first-write"]),
    (CACHES, ["hit-512", "hit-4k", "hit-4k-x32", "hit-4k-2jobs", "hit-64k", "hit-1m", "zipf-0.9", "zipf-1.2",
              "scan hot set left", "miss-4k", "miss-4k-x32", "write-4k", "write-4k-x32", "write-1m"]),
    (SLOW, ["slow-miss-4k", "slow-miss-1m", "slow-write-4k", "slow-write-1m"]),
]


def main():
    bench = figures.read_json(sys.argv[1])
    rows = {row.name: row for row in bench.rows.values()}
    print("```")
    print(bench.about)
    for devices, names in SHOWN:
        lines = []
        for name in names:
            row = rows[name]
            lines.append([name, row.unit] + [table.cell(row, d) for d in devices])
        print()
        print(table.lay_out(["", ""] + devices, lines))
    print("```")


if __name__ == "__main__":
    main()
