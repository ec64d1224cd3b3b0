# SPDX-License-Identifier: GPL-2.0-only
"""The specs of the protocol, for the generators beside this file."""
import re

import yaml


def load(path):
    with open(path, encoding="utf-8") as file:
        return yaml.safe_load(file)


def attributes(spec, kind):
    """Those of a set; padding is none, it is where alignment needs it."""
    return [a for s in spec["attribute-sets"] if s["name"] == kind
            for a in s["attributes"] if a["type"] != "pad"]


def lower(*parts):
    return "_".join(parts).replace("-", "_").lower()


def upper(*parts):
    return lower(*parts).upper()


def columns(path):
    """The counters that have a column, by key: heading and help of the rows STAT(...)."""
    with open(path, encoding="utf-8") as file:
        rows = re.findall(r'^\tSTAT\("([^"]*)", (\w+),\s*"([^"]*)"\)', file.read(), re.M)
    return {key: (heading, text) for heading, key, text in rows}


def escape(text):
    """Plain text as mdoc text: no macro, no escape, no minus for a hyphen."""
    return text.replace("\\", "\\e")


def sentences(text):
    """Text lines, one sentence each, as roff wants them."""
    lines = re.split(r"(?<=[.:])\s+(?=[A-Z\"])", " ".join(text.split()))
    return ["\\&" + line if line[0] in ".'" else line
            for line in map(escape, lines)]
