#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The table of "make bench-database", from its figures: the medians of the rounds, and the goal."""
import sys
from statistics import median

GOAL = 1.5
LATENCIES = ("p50", "p90", "p99", "p99.9")


def read(path):
    """{(size, way): [median of tps, hits, us, reads, compressed, disk us]}, {way: {percentile: us}} and the database's MiB."""
    cells, latencies, mib = {}, {}, 0
    with open(path, encoding="utf-8") as f:
        for line in f:
            word, *rest = line.split()
            if word == "cell":
                cells.setdefault((int(rest[1]), rest[2]), []).append([float(x) for x in rest[3:]])
            elif word == "latency":
                latencies.setdefault(rest[1], []).append([float(x) for x in rest[2:]])
            elif word == "database":
                mib = int(rest[0])
    return ({k: [median(column) for column in zip(*v)] for k, v in cells.items()},
            {k: dict(zip(LATENCIES, (median(column) for column in zip(*v)))) for k, v in latencies.items()}, mib)


def sizes_of(cells):
    return sorted({size for size, _ in cells})


def ways_of(cells):
    return list(dict.fromkeys(way for _, way in cells))


def table(cells, latencies, mib):
    yield f"database: {mib} MiB"
    yield f"{'cache':>6} {'way':6} {'tps':>8} {'x off':>6} {'hits %':>7} {'read us':>8} {'disk/s':>8} {'disk us':>8} {'unpacked %':>11}"
    for size in sizes_of(cells):
        for way in ways_of(cells):
            tps, hits, us, reads, compressed, disk = cells[size, way]
            ratio = f"{tps / cells[size, 'off'][0]:.2f}" if (size, "off") in cells else ""
            yield f"{size:4} % {way:6} {tps:8.0f} {ratio:>6} {hits:7.1f} {us:8.0f} {reads:8.0f} {disk:8.0f} {compressed:11.0f}"
    for way, of in latencies.items():
        yield f"reads of 4 KiB, {way:5}" + "".join(f"  {name} {us:.0f} us" for name, us in of.items())


def main():
    cells, latencies, mib = read(sys.argv[1])
    print("\n".join(table(cells, latencies, mib)))
    largest = max(sizes_of(cells))
    if not {"off", "lz4"} <= set(ways_of(cells)):
        return 0
    ratio = cells[largest, "lz4"][0] / cells[largest, "off"][0]
    met = ratio >= GOAL
    print(f"at {largest} % lz4 has {ratio:.2f} times the transactions of off; the goal is {GOAL}: {'met' if met else 'MISSED'}")
    print(f"{int(met)} passed, {int(not met)} failed")
    return not met


if __name__ == "__main__":
    sys.exit(main())
