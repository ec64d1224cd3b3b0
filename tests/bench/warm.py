# SPDX-License-Identifier: GPL-2.0-only
"""warm.py FILE: how long caches take after a reboot until they hit as often as one that was not rebooted, or 90 % of that.

FILE has lines "window NAME WAY REQUEST MS PERCENT MIB": the percent of blocks that were read without a wait for the disk, in the
window up to this request; the ways are on (no reboot), cold and warm.
"""
import statistics
import sys

import table

ENOUGH = 0.9
# This many windows in a row have to be good enough on average, beginning with the first.
WINDOWS = 3


def read(path):
    """{name: {way: {request: (seconds, percent, MiB)}}}"""
    names = {}
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            word, *cells = line.rstrip("\r\n").split("\t")
            if word == "window":
                name, way, request, ms, percent, mib = cells
                names.setdefault(name, {}).setdefault(way, {})[int(request)] = (int(ms) / 1000, float(percent), int(mib))
    return names


def judged(on):
    """The requests whose windows tell something: a long scan hits nowhere."""
    middle = statistics.median(percent for _, percent, _ in on.values())
    return [r for r in sorted(on) if on[r][1] >= middle / 2]


def caught_up(way, on):
    """Seconds until the end of the first window that is good enough, or None."""
    requests = judged(on)
    for i, request in enumerate(requests):
        some = requests[i:i + WINDOWS]
        if way[request][1] >= ENOUGH * on[request][1] and \
                sum(way[r][1] for r in some) >= ENOUGH * sum(on[r][1] for r in some):
            return way[request][0]
    return None


def hits(way, on):
    requests = judged(on)
    return f"{statistics.mean(way[r][1] for r in requests):.1f}%"


def main():
    rows = []
    for name, ways in read(sys.argv[1]).items():
        on, cold, warm = (ways[w] for w in ("on", "cold", "warm"))
        after = {w: caught_up(ways[w], on) for w in ("cold", "warm")}
        ratio = f"{after['warm'] / after['cold']:.3f}" if all(after.values()) else "-"
        rows.append([name] + ["never" if after[w] is None else f"{after[w]:.1f} s" for w in ("cold", "warm")] +
                    [ratio, f"{max(mib for _, _, mib in warm.values())} MiB"] + [hits(w, on) for w in (on, cold, warm)])
    print(table.lay_out(["trace-size", "cold", "warm", "ratio", "loaded", "hits: on", "cold", "warm"], rows))


if __name__ == "__main__":
    main()
