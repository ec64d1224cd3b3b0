#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""pictures.py FIGURES FOLDER: draws the pictures of README, cache.svg and latency.svg, from the figures of "make bench-database".

They have no background and no font of their own. The colours of the lines are readable on a dark page and on a light one, and text
follows the page.
"""
import math
import os
import sys

import database

WIDTH, HEIGHT, TOP, BOTTOM = 760, 300, 44, 48
WAYS = {"off": ("#8a8f98", "", "no option"), "ahead": ("#c9822b", "6 3", "--read-ahead auto"), "lz4": ("#3b8eea", "", "--compress lz4"),
        "zstd": ("#2fa36b", "2 3", "--compress zstd")}
STATES = {"bare": ("#8a8f98", "the disk alone"), "cold": ("#c9822b", "a cold cache: all misses"), "warm": ("#3b8eea", "a warm cache: all hits")}

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">
<!-- SPDX-License-Identifier: GPL-2.0-only -->
<!-- tests/bench/pictures.py made this from {source}. -->
<title>{title}</title>
<style>
text{{font:12px sans-serif;fill:#424a53}}
.head{{font-weight:bold}}
.grid{{stroke:#8a8f98;stroke-opacity:.35}}
@media (prefers-color-scheme:dark){{text{{fill:#b7bfc8}}}}
</style>"""


def text(x, y, words, anchor="start", kind=""):
    extra = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{extra}>{words}</text>'


def time_of(us):
    if us >= 1000:
        return f"{round(us / 1000, 1):g} ms"
    return f"{us:.0f} us" if us >= 10 else f"{round(us, 1):g} us"


class Axis:
    """From a value to its place between two ends, in proportion or by its logarithm."""

    def __init__(self, low, high, begin, end, log=False):
        self.scale = math.log10 if log else float
        self.low, self.high, self.begin, self.end = self.scale(low), self.scale(high), begin, end

    def __call__(self, value):
        return self.begin + (self.end - self.begin) * (self.scale(value) - self.low) / (self.high - self.low)


def decades(values):
    low, high = 10 ** math.floor(math.log10(min(values))), 10 ** math.ceil(math.log10(max(values)))
    return low, high, [low * 10 ** i for i in range(round(math.log10(high / low)) + 1)]


def grid(y, ticks, left, right, name):
    out = []
    for tick in ticks:
        out.append(f'<path class="grid" d="M{left} {y(tick):.1f}H{right}"/>')
        out.append(text(left - 6, y(tick) + 4, name(tick), "end"))
    return out


def panel(cells, column, left, right, y, ticks, name, title):
    """A line for each way, over the size of the cache."""
    sizes, bottom = database.sizes_of(cells), HEIGHT - BOTTOM
    x = Axis(0, max(sizes), left, right)
    out = [text(left, TOP - 12, title, kind="head")] + grid(y, ticks, left, right, name)
    out += [text(x(size), bottom + 16, f"{size} %", "middle") for size in sizes]
    for way in database.ways_of(cells):
        colour, dash, _ = WAYS[way]
        points = [(x(size), y(cells[size, way][column])) for size in sizes]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash or "none"}"/>')
        out += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in points]
    return out


def legend(entries, y):
    out, x = [], 44
    for colour, dash, words in entries:
        out.append(f'<path d="M{x} {y - 4}h24" stroke="{colour}" stroke-width="4" stroke-dasharray="{dash or "none"}"/>')
        out.append(text(x + 30, y, words))
        x += 54 + 7 * len(words)
    return out


def cache_picture(cells, mib):
    bottom, times = HEIGHT - BOTTOM, [cell[2] for cell in cells.values()]
    low, high, ticks = decades(times)
    out = panel(cells, 1, 50, 350, Axis(0, 100, bottom, TOP), range(0, 101, 20), lambda v: f"{v} %", "Hits of 100 blocks")
    out += panel(cells, 2, 436, 736, Axis(low, high, bottom, TOP, log=True), ticks, time_of, "Mean time of a read, logarithmic scale")
    out += legend([WAYS[way] for way in database.ways_of(cells)], HEIGHT - 8)
    out.append(text(746, HEIGHT - 8, f"memory of the cache, of a database of {mib} MiB", "end"))
    return out


def latency_picture(latencies):
    bottom = HEIGHT - BOTTOM
    low, high, ticks = decades([us for of in latencies.values() for us in of.values()])
    y = Axis(low, high, bottom, TOP, log=True)
    out = [text(64, TOP - 24, "Time of a read of 4 KiB, logarithmic scale", kind="head")] + grid(y, ticks, 64, 746, time_of)
    for i, name in enumerate(database.LATENCIES):
        left = 84 + 168 * i
        out.append(text(left + 72, bottom + 16, name, "middle"))
        for j, state in enumerate(latencies):
            us = latencies[state][name]
            out.append(f'<rect x="{left + 48 * j}" y="{y(us):.1f}" width="44" height="{bottom - y(us):.1f}" fill="{STATES[state][0]}"/>')
            out.append(text(left + 48 * j + 22, y(us) - 4, time_of(us), "middle"))
    return out + legend([(STATES[state][0], "", STATES[state][1]) for state in latencies], HEIGHT - 8)


def write(path, source, title, lines):
    head = HEAD.format(width=WIDTH, height=HEIGHT, source=source, title=title)
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join([head, *lines, "</svg>", ""]))


def main():
    figures, folder = sys.argv[1:]
    cells, latencies, mib, _ = database.read(figures)
    os.makedirs(folder, exist_ok=True)
    source = os.path.basename(figures)
    write(os.path.join(folder, "cache.svg"), source,
          "Hit ratio and mean read time of a PostgreSQL database over the size of the cache", cache_picture(cells, mib))
    write(os.path.join(folder, "latency.svg"), source,
          "Percentiles of the time of a read: the disk alone, a cold cache, a warm cache", latency_picture(latencies))


main()
