# SPDX-License-Identifier: GPL-2.0-only
"""Reads the specs of the protocol for the generators beside this file."""
import re

import yaml


def load(path):
    with open(path, encoding="utf-8") as file:
        # libyaml's loader, if it is there, is ten times as fast.
        return yaml.load(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def attributes(spec, kind):
    """Returns the attributes of a set, without padding, which only aligns others."""
    return [a for s in spec["attribute-sets"] if s["name"] == kind
            for a in s["attributes"] if a["type"] != "pad"]


def lower(*parts):
    return "_".join(parts).replace("-", "_").lower()


def upper(*parts):
    return lower(*parts).upper()


def columns(path):
    """Returns heading and help of the rows STAT(...), by the key of their counter."""
    with open(path, encoding="utf-8") as file:
        rows = re.findall(r'^\tSTAT\("([^"]*)", (\w+),\s*"([^"]*)"\)', file.read(), re.M)
    return {key: (heading, text) for heading, key, text in rows}


def escape(text):
    """Returns plain text as mdoc text: no macro, no escape, no minus for a hyphen."""
    return text.replace("\\", "\\e")


def sentences(text):
    """Returns lines with one sentence each, as roff wants them."""
    lines = re.split(r"(?<=[.:])\s+(?=[A-Z\"])", " ".join(text.split()))
    return ["\\&" + line if line[0] in ".'" else line
            for line in map(escape, lines)]
