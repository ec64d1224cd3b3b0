#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The table of "make bench-database", from its figures: the medians of the rounds, and the goals. database.py [--buffered] FILE"""
import sys
from statistics import median

# What is asked for often is a part of the database, if some rows are asked for more often.
GOAL, GOAL_AT, GOAL_AT_EVEN = 1.5, 20, 50
# With buffered reads, of lz4 against the page cache alone, by the memory in percent of the database.
BUFFERED_GOALS = {50: 3, 100: 0.9, 200: 0.97}
LATENCIES = ("p50", "p90", "p99", "p99.9")


def read(path):
    """{(size, way): [median of tps, hits, us, reads, compressed, disk us]}, {way: {percentile: us}}, the database's MiB, and whether its rows are
    asked for alike."""
    cells, latencies, mib, even = {}, {}, 0, False
    with open(path, encoding="utf-8") as f:
        for line in f:
            word, *rest = line.split()
            if word == "cell":
                cells.setdefault((int(rest[1]), rest[2]), []).append([float(x) for x in rest[3:]])
            elif word == "latency":
                latencies.setdefault(rest[1], []).append([float(x) for x in rest[2:]])
            elif word == "database":
                mib = int(rest[0])
            even |= word == "#" and "Zipf even" in line
    return ({k: [median(column) for column in zip(*v)] for k, v in cells.items()},
            {k: dict(zip(LATENCIES, (median(column) for column in zip(*v)))) for k, v in latencies.items()}, mib, even)


def sizes_of(cells):
    return sorted({size for size, _ in cells})


def ways_of(cells):
    return list(dict.fromkeys(way for _, way in cells))


def table(cells, latencies, mib, first):
    yield f"database: {mib} MiB"
    yield f"{'memory':>6} {'way':6} {'tps':>8} {'x ' + first:>6} {'hits %':>7} {'read us':>8} {'disk/s':>8} {'disk us':>8} {'unpacked %':>11}"
    for size in sizes_of(cells):
        for way in ways_of(cells):
            tps, hits, us, reads, compressed, disk = cells[size, way]
            ratio = f"{tps / cells[size, first][0]:.2f}" if (size, first) in cells else ""
            yield f"{size:4} % {way:6} {tps:8.0f} {ratio:>6} {hits:7.1f} {us:8.0f} {reads:8.0f} {disk:8.0f} {compressed:11.0f}"
    for way, of in latencies.items():
        yield f"reads of 4 KiB, {way:5}" + "".join(f"  {name} {us:.0f} us" for name, us in of.items())


def goal(cells, size, way, least):
    """Says whether the better compressor has so many times the transactions of a way; None if they are not there."""
    codecs = [codec for codec in ("lz4", "zstd") if (size, codec) in cells]
    if not codecs or (size, way) not in cells:
        return None
    codec = max(codecs, key=lambda c: cells[size, c][0])
    ratio = cells[size, codec][0] / cells[size, way][0]
    print(f"at {size} % {codec} has {ratio:.2f} times the transactions of {way}; the goal is {least}: {'met' if ratio >= least else 'MISSED'}")
    return ratio >= least


def main():
    buffered = sys.argv[1] == "--buffered"
    cells, latencies, mib, even = read(sys.argv[-1])
    print("\n".join(table(cells, latencies, mib, "page" if buffered else "off")))
    if buffered:
        met = [goal(cells, size, "page", least) for size, least in BUFFERED_GOALS.items()]
    else:
        met = [goal(cells, GOAL_AT_EVEN if even else GOAL_AT, "off", GOAL)]
    met = [m for m in met if m is not None]
    print(f"{met.count(True)} passed, {met.count(False)} failed")
    return met.count(False) > 0


if __name__ == "__main__":
    sys.exit(main())
