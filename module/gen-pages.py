#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Adds the counters that a manual page lacks.

gen-pages.py SPEC COLUMNS PAGE prints PAGE with an item for each counter of SPEC
that its lists lack. A new item has the words of the spec or, in the list of
columns, those of COLUMNS, which is rxadm/show/columns.c. Items that are there do not
change.
"""
import re
import sys

from specs import attributes, columns, load, lower, sentences


def sentence(text):
    return sentences(text[0].upper() + text[1:] + ".")


def part(lines, begin, last):
    """Returns the first line and the end of the list that follows the line BEGIN."""
    if begin not in lines:
        return None
    first = lines.index(begin)
    return first, next(i for i in range(first, len(lines)) if re.match(last, lines[i]))


def items(lines, macro):
    """Returns the names that a list has items for."""
    return {word.rstrip("* ") for line in lines if line.startswith(macro)
            for word in line[len(macro):].split(" , ")}


def add(lines, begin, last, macro, wanted):
    """Adds an item for each of WANTED that the list lacks, before its line LAST."""
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
    docs = {lower(a["name"]): sentences(a["doc"]) for a in attributes(load(spec), "stats")}
    add(lines, ".Sh COUNTERS", r"\.El$", ".It Va ", docs)
    add(lines, ".Ss Columns of caches", r"\.It Cm MOUNTPOINT", ".It Cm ",
        {heading: sentence(text) for heading, text in columns(table).values()})
    add(lines, ".Ss Keys of caches", r"The counters of$", ".It Va ",
        {f"stats.{name}": [] for name in docs})
    print("\n".join(lines), end="")


main()
