#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Adds the counters that a manual page lacks.

gen-pages.py SPEC COLUMNS PAGE prints PAGE with an item for each counter of SPEC
that its lists lack. They then have the words of the spec, or in the list of
columns those of rxadm/columns.c, which COLUMNS is. An item that is there stays
as it is written.
"""
import re
import sys

import yaml


def counters(path):
    """Name and doc."""
    with open(path, encoding="utf-8") as file:
        spec = yaml.safe_load(file)
    attributes = next(s for s in spec["attribute-sets"] if s["name"] == "stats")["attributes"]
    return {a["name"].replace("-", "_"): " ".join(a["doc"].split())
            for a in attributes if a["type"] != "pad"}


def columns(path):
    """Heading and help of the columns that are counters."""
    with open(path, encoding="utf-8") as file:
        return dict(re.findall(r'^\tSTAT\("([^"]*)", \w+,\s*"([^"]*)"\)', file.read(), re.M))


def sentences(text):
    """Text lines, one sentence each, as roff wants them."""
    text = text[0].upper() + text[1:].removesuffix(".") + "."
    return re.split(r"(?<=[.:])\s+(?=[A-Z\"])", text.replace("\\", "\\e"))


def part(lines, begin, last):
    """Where the list that follows the line BEGIN has its first line and its end."""
    if begin not in lines:
        return None
    first = lines.index(begin)
    return first, next(i for i in range(first, len(lines)) if re.match(last, lines[i]))


def items(lines, macro):
    """What a list has items for."""
    return {word.rstrip("* ") for line in lines if line.startswith(macro)
            for word in line[len(macro):].split(" , ")}


def add(lines, begin, last, macro, wanted):
    """Puts an item for each of WANTED that the list lacks before its line LAST."""
    at = part(lines, begin, last)
    if not at:
        return
    there = items(lines[at[0]:at[1]], macro)
    lines[at[1]:at[1]] = [line for name, text in wanted.items() if name not in there
                          for line in [macro + name] + text]


def main():
    spec, table, page = sys.argv[1:]
    with open(page, encoding="utf-8") as file:
        lines = file.read().split("\n")
    docs = {name: sentences(doc) for name, doc in counters(spec).items()}
    add(lines, ".Sh COUNTERS", r"\.El$", ".It Va ", docs)
    add(lines, ".Ss Columns of caches", r"\.It Cm MOUNTPOINT", ".It Cm ",
        {name: sentences(text) for name, text in columns(table).items()})
    add(lines, ".Ss Keys of caches", r"The counters of$", ".It Va ",
        {f"stats.{name}": [] for name in docs})
    print("\n".join(lines), end="")


main()
