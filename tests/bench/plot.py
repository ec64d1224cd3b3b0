# SPDX-License-Identifier: GPL-2.0-only
"""Bar charts as SVG, with nothing but text: one file for each unit and kind of row, the limit drawn in as a line."""
import os
import re
from xml.sax.saxutils import escape

import figures
from table import amount, groups

LEFT, TOP, BAR, GAP, WIDTH, RIGHT = 190, 64, 13, 14, 620, 110
COLOURS = {
    "rxdsk": "#1f5fa8", "rxdsk_bio": "#4f94d8", "rxcache": "#1f5fa8", "brd": "#7a7a7a", "null_mem": "#b0a060",
    "null_mq": "#cfc08a", "zram": "#b07070", "dm-cache": "#b0a060",
    "bcache": "#b07070", "bare": "#7a7a7a", "dm-linear": "#c0c0c0", "memory": "#303030",
    "slow": "#7a7a7a", "disk": "#7a7a7a", "page-cache": "#b0a060", "rxc": "#1f5fa8", "rxc-warm": "#1f5fa8",
    "rxc-cold": "#a9c7e4", "rxd": "#3a9a6a", "rxd-bio": "#7cc3a0",
    "buffered": "#b0a060", "buffered-rxc": "#a9c7e4", "direct-rxc": "#1f5fa8", "direct-floor": "#4f94d8",
    "direct-frozen": "#7cc3a0", "direct": "#7a7a7a",
}
LINE = "#c02020"
STYLE = "font-family: sans-serif; font-size: 12px"


def text(x, y, words, anchor="start", extra=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}"{extra}>{escape(words)}</text>'


def bar(x0, y, length, device, row):
    figure = row.devices[device]
    colour = COLOURS.get(device, "#909090")
    low, high = (length * v / figure.median for v in (min(figure.samples), max(figure.samples)))
    middle = y + BAR / 2
    return [
        f'<rect x="{x0}" y="{y:.0f}" width="{length:.1f}" height="{BAR}" fill="{colour}"/>',
        f'<path d="M{x0 + low:.1f} {middle:.1f}H{x0 + high:.1f}" stroke="#000" stroke-width="1.5"/>',
        text(x0 + max(length, high) + 4, y + BAR - 2, f"{device} {amount(figure.median)}"),
    ]


def row_height(row):
    return GAP + (BAR + 1) * sum(1 for d in row.devices if d != row.limit or row.limit == row.against)


def draw_row(row, y, name):
    """Each row has its own scale, because the plot compares the devices of a row."""
    devices = [d for d in row.devices if d != row.limit or row.limit == row.against]
    longest = max(max(f.samples) for f in row.devices.values()) or 1
    out = [text(LEFT - 8, y + BAR - 2, name, "end")]
    top = y
    for device in devices:
        if row.devices[device].median:
            out += bar(LEFT, y, WIDTH * row.devices[device].median / longest, device, row)
        y += BAR + 1
    if row.limit:
        x = LEFT + WIDTH * row.devices[row.limit].median / longest
        out.append(f'<path d="M{x:.1f} {top - 3}V{y + 2}" stroke="{LINE}" stroke-width="1.5" stroke-dasharray="4 2"/>')
        if row.limit != row.against:
            out.append(text(x, top - 4, f"{row.limit} {amount(row.devices[row.limit].median)}", "middle",
                            f' fill="{LINE}" font-size="10px"'))
    return out


def draw(bench, rows):
    units = {row.unit: None for row in rows}
    height = TOP + sum(row_height(row) + 8 for row in rows)
    width = LEFT + WIDTH + RIGHT
    better = " and ".join(f"{u}, {'less' if figures.UNITS.get(u, False) else 'more'} is better" for u in units)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'style="{STYLE}">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        text(8, 18, f"{bench.title} ({better})", extra=' font-weight="bold"'),
        text(8, 36, bench.about, extra=' fill="#555"'),
    ]
    y = TOP
    for row in rows:
        out += draw_row(row, y, row.name if len(units) == 1 else f"{row.name}, {row.unit}")
        y += row_height(row) + 8
    return "\n".join(out + ["</svg>", ""])


def file_name(against, unit):
    return re.sub(r"[^a-z0-9]+", "-", f"{against or 'alone'}-{unit}".lower().replace("%", "percent")) + ".svg"


def write(bench, folder):
    os.makedirs(folder, exist_ok=True)
    paths = []
    for (against, unit), rows in groups(bench).items():
        path = os.path.join(folder, file_name(against, unit))
        with open(path, "w", encoding="utf-8") as f:
            f.write(draw(bench, rows))
        paths.append(path)
    return paths
