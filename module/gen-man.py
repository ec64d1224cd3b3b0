#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes the protocol's manual page from the specs.

gen-man.py TEMPLATE SPEC... prints TEMPLATE. It replaces the line "@FAMILIES@" by the
operations, attributes and values of each family in the specs.

A doc text may end in "Errors: ERRNO when; ERRNO, ERRNO when.", which becomes a
list.
"""
import re
import sys

from specs import attributes, escape, load, sentences, upper


def word(text):
    """Returns a text as one argument of a macro."""
    text = escape(text)
    return f'"{text}"' if re.search(r"\s", text) else text


def plain(text):
    """Returns a doc text without its list of errors, and the list."""
    text = " ".join(text.split())
    body, _, errors = text.partition("Errors: ")
    return body.strip(), [e.strip() for e in errors.rstrip(".").split(";") if e]


def errors_list(errors):
    if not errors:
        return []
    out = ['.Bl -tag -width "ENOTEMPTY" -compact']
    for error in errors:
        match = re.match(r"((?:E[A-Z]+,? )+)(.*)", error)
        if not match:
            sys.exit(f"gen-man.py: no error number in '{error}'")
        names = match[1].replace(",", "").split()
        out.append(".It " + " , ".join(f"Er {name}" for name in names))
        out.append(escape(match[2][0].upper() + match[2][1:] + "."))
    return out + [".El"]


class Family:
    def __init__(self, path):
        self.spec = load(path)
        self.name = self.spec["name"]
        self.sets = [s["name"] for s in self.spec["attribute-sets"]]
        self.enums = {d["name"]: d for d in self.spec["definitions"]
                      if d["type"] == "enum"}
        self.consts = {d["name"]: d["value"] for d in self.spec["definitions"]
                       if d["type"] == "const"}
        self.ops = self.spec["operations"]["list"]

    def enum_values(self, name):
        """Yields the name, number and doc of each value."""
        enum = self.enums[name]
        number = enum.get("value-start", 0)
        for entry in enum["entries"]:
            if isinstance(entry, str):
                entry = {"name": entry}
            number = entry.get("value", number)
            yield entry["name"], number, entry.get("doc", "")
            number += 1

    def described(self, name):
        """Returns whether an enum's values need their own list."""
        return any(doc for _, _, doc in self.enum_values(name))

    def type_text(self, attr):
        kind = attr["type"]
        checks = {check: self.consts.get(limit, limit)
                  for check, limit in attr.get("checks", {}).items()}
        if attr["type"] == "string" and "max-len" in checks:
            return f"{kind} of at most {checks['max-len']} bytes"
        if "enum" in attr:
            if self.described(attr["enum"]):
                return f"{kind}, see {self.enum_title(attr['enum'])}"
            return kind + ", " + ", ".join(
                f"{value} {name}"
                for name, value, _ in self.enum_values(attr["enum"]))
        if "min" in checks and "max" in checks:
            return f"{kind}, {checks['min']} to {checks['max']}"
        if "max" in checks:
            return f"{kind}, at most {checks['max']}"
        if "min" in checks:
            return f"{kind}, at least {checks['min']}"
        if attr["type"] == "nest":
            return f"nest of {self.set_title(attr['nested-attributes'])}"
        return kind

    def set_title(self, name):
        return f"{self.name} {name} attributes"

    def enum_title(self, name):
        return f"{self.name} {name} values"

    def constant(self, kind, *parts):
        return upper(self.name, kind, *parts)

    def head(self):
        groups = [g["name"] for g in self.spec["mcast-groups"]["list"]]
        version = self.spec.get("version", 1)
        out = [f".Sh THE FAMILY {upper(self.name)}"]
        out += sentences(self.spec["doc"])
        out += [".Pp",
                f"Name {self.name}",
                f".Pq Dv {self.constant('FAMILY_NAME')} ,",
                f"version {version}",
                f".Pq Dv {self.constant('FAMILY_VERSION')} ,",
                "multicast group" + ("s" if len(groups) > 1 else "")]
        for group in groups:
            out += [group, f".Pq Dv {self.constant('MCGRP', group)} ."]
        out.append(".Bl -tag -width Ds -compact")
        for const in self.spec["definitions"]:
            if const["type"] == "const":
                out.append(f".It Dv {upper(self.name, const['name'])} , "
                           f"{const['value']}")
                out += sentences(const["doc"])
        return out + [".El"]

    def attrs_line(self, attributes):
        out = []
        for i, name in enumerate(attributes):
            end = " ," if i + 1 < len(attributes) else ""
            out.append(f".Va {name}{end}")
        return out

    def reply(self, op, seen):
        """Lists the attributes of a reply, or names the earlier operation with the same reply."""
        attributes = op["do"].get("reply", {}).get("attributes")
        if not attributes:
            return [".It Reply", "An acknowledgement only."]
        key = tuple(attributes)
        if key in seen:
            return [".It Reply", f"As of {seen[key]}."]
        seen[key] = op["name"]
        return [".It Reply"] + self.attrs_line(attributes)

    def request(self, op, seen):
        doc, errors = plain(op["doc"])
        modes = "do, dump" if "dump" in op else "do"
        out = [f".Ss {op['name']}",
               f".Dv {self.constant('CMD', op['name'])}",
               f"({modes})", ".Pp"]
        out += sentences(doc)
        out += [".Bl -tag -width Request", ".It Request"]
        out += self.attrs_line(op["do"]["request"]["attributes"])
        if "dump" in op:
            out += [".Pp", "A dump has none."]
        out += self.reply(op, seen)
        if "dump" in op:
            out += [".Pp", "A dump has one such message for each."]
        if errors:
            out += [".It Errors"] + errors_list(errors)
        return out + [".El"]

    def event(self, op):
        out = [f".It {op['name']} , Dv {self.constant('CMD', op['name'])}"]
        out += sentences(op["doc"])
        return out + [f"Group {op['mcgrp']}, attributes as in a reply to "
                      f"{op['notify']}."]

    def operations(self):
        out, seen = [], {}
        for op in self.ops:
            if "notify" not in op:
                out += self.request(op, seen)
        out += [f".Ss {self.name} events", ".Bl -tag -width Ds"]
        for op in self.ops:
            if "notify" in op:
                out += self.event(op)
        return out + [".El"]

    def attribute_set(self, name):
        prefix = "A_" + upper(name)
        out = [f".Ss {self.set_title(name)}", ".Bl -tag -width Ds"]
        for attr in attributes(self.spec, name):
            out.append(f".It Va {attr['name']} , "
                       f"Dv {self.constant(prefix, attr['name'])}")
            since = f", since {attr['since']}" if "since" in attr else ""
            out.append(f"({escape(self.type_text(attr) + since)})")
            out += sentences(attr["doc"])
        return out + [".El"]

    def values(self, name):
        out = [f".Ss {self.enum_title(name)}", ".Bl -tag -width Ds"]
        for value, number, doc in self.enum_values(name):
            out.append(f".It {number} {word(value)} , "
                       f"Dv {self.constant(name, value)}")
            out += sentences(doc)
        return out + [".El"]

    def page(self):
        out = self.head() + self.operations()
        for name in self.sets:
            out += self.attribute_set(name)
        for name in self.enums:
            if self.described(name):
                out += self.values(name)
        return out


def main():
    families = [Family(path) for path in sys.argv[2:]]
    with open(sys.argv[1], encoding="utf-8") as template:
        for line in template:
            if line.strip() != "@FAMILIES@":
                print(line, end="")
                continue
            for family in families:
                print("\n".join(family.page()))


main()
