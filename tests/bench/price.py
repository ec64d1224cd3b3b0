# SPDX-License-Identifier: GPL-2.0-only
"""price.py price.json: the table of all ways, and the rows in which rxcache is slower than the page cache alone.

The share of the requests that memory served is in parentheses, unless the disk had another reader. The rows "holds" have the
memory of the page cache and of rxcache.
"""
import sys

import compare
import figures
import table

ALONE = "buffered"
OURS = ["buffered-rxc", "direct-rxc", "direct-floor", "direct-frozen"]
WAYS = [ALONE] + OURS + ["direct"]
# A figure counts as slower only below this ratio.
NOTICED = 0.95


def median(bench, name, unit, way):
    row = bench.rows.get((name, unit))
    return row.devices[way].median if row and way in row.devices else None


def speed(bench, row, way):
    served = median(bench, f"{row.name} from memory", "%", way)
    return table.cell(row, way) + ("" if served is None else f" ({served:.0f}%)")


def memory(bench, row, way):
    held = [median(bench, f"{row.name} in {where}", "MiB", way) for where in ("the page cache", "rxcache")]
    return " + ".join(f"{mib:.0f}" for mib in held if mib is not None)


def lines(bench):
    rows = [row for row in bench.rows.values() if " " not in row.name]
    for row in rows:
        yield [row.name, row.unit] + [speed(bench, row, way) for way in WAYS]
    for row in bench.rows.values():
        if row.name.endswith(" takes"):
            yield [row.name, row.unit] + [table.cell(row, way) for way in WAYS]
    for row in rows:
        if row.name.endswith("-quiet"):
            yield [f"{row.name} holds", "MiB"] + [memory(bench, row, way) for way in WAYS]


def lost(bench):
    for row in bench.rows.values():
        if " " in row.name or ALONE not in row.devices:
            continue
        for way in OURS:
            if way not in row.devices:
                continue
            each = compare.by_round(row.devices[way].samples, row.devices[ALONE].samples, row.lower_is_better)
            if each and compare.middle(each) < NOTICED:
                yield f"slower than the page cache alone: {row.name}, {way}: {compare.middle(each):.2f} of {ALONE}"


def main():
    bench = figures.read_json(sys.argv[1])
    print(bench.about)
    print()
    print(table.lay_out(["", ""] + WAYS, list(lines(bench))))
    print()
    print("\n".join(lost(bench)) or "nowhere slower than the page cache alone")


if __name__ == "__main__":
    main()
