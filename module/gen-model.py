#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Writes the tables of attributes, values and counters from the specs.

gen-model.py FILE RXDSK-SPEC RXCACHE-SPEC COLUMNS prints FILE, one of
    model_gen.h  the tool's enums, and the struct of a cache's counters
    model_gen.c  the tool's tables of attributes, names and operations
    stats_gen.h  the module's counters in their order in memory
    stats_gen.c  the attribute of each of these counters
COLUMNS is rxadm/show/columns.c: a counter without a column there is in JSON only.
"""
import sys

from specs import attributes, columns, load, lower, upper

# The tool's enums: the prefix of the values' names, and the name for their number.
ENUMS = {
    "state": ("RX_STATE", "RX_STATES"),
    "mode": ("RX_MODE", "RX_MODES"),
    "compress": ("RX_CODEC", "RX_CODECS"),
    "compress-verdict": ("RX_JUDGED", "RX_JUDGEMENTS"),
    "cause": ("RX_CAUSE", "RX_CAUSES"),
    "shadow-what": ("RX", "RX_WHATS"),
    "queue-mode": ("RX_QUEUE", "RX_QUEUE_MODES"),
    "disk-state": ("RX_DISK", "RX_DISK_STATES"),
}
VALUES = {
    "write-through": "through",
    "write-around": "around",
    "write-allocate-flipped": "flipped",
    "sequential-bypass": "no-sequential",
}
# Structs whose name differs from that of their attribute set.
STRUCTS = {
    "rxdsk": "rx_disk",
    "rxcache": "rx_cache",
    "shadow-point": "rx_point",
}
# Fields whose name differs from that of their attribute.
FIELDS = {
    "block-size": "block",
    "openers": "open",
    "sum": "sum_ns",
    "buckets": "bucket",
    "point": "points",
    "recent-10s": "recent[RX_LAST_10S]",
    "recent-5min": "recent[RX_LAST_5MIN]",
    "recent-1h": "recent[RX_LAST_1H]",
    "latency-hit": "latency[RX_TIME_HIT]",
    "latency-miss": "latency[RX_TIME_MISS]",
    "latency-write": "latency[RX_TIME_WRITE]",
    "latency-origin": "latency[RX_TIME_ORIGIN]",
}
# Attributes of replies that no object keeps: the caller takes them from the message.
UNKEPT = ["cursor", "blocks", "extents"]
TYPES = {
    "string": "A_TEXT", "u8": "A_U8", "u32": "A_U32", "u64": "A_U64",
    "flag": "A_FLAG", "nest": "A_NEST", "binary": "A_BUCKETS",
}
COLUMN_TYPES = {"bytes": "COL_SIZE", "blocks": "COL_COUNT", "requests": "COL_COUNT",
                "nanoseconds": "COL_COUNT"}
PATHS = ["hit", "miss", "write"]


def named(entry):
    return entry["name"] if isinstance(entry, dict) else entry


def names(enum):
    """Returns the array of an enum's names. All yes-or-no values share one array."""
    return lower(ENUMS[enum][1][:-1], "names") if enum in ENUMS else "rx_yes_no"


class Family:
    def __init__(self, path):
        self.spec = load(path)
        self.name = self.spec["name"]
        enums = {d["name"]: [named(entry) for entry in d["entries"]]
                 for d in self.spec["definitions"] if d["type"] == "enum"}
        self.enums = {name: entries for name, entries in enums.items() if entries != ["no", "yes"]}
        self.sets = {s["name"]: attributes(self.spec, s["name"])
                     for s in self.spec["attribute-sets"]}
        self.ops = self.spec["operations"]["list"]

    def replied(self, kind):
        """Returns the attributes of a set that are in replies, none if the set is nested."""
        return {name for op in self.ops if op.get("attribute-set") == kind
                for name in op["do"].get("reply", {}).get("attributes", [])}

    def enums_h(self):
        for name, entries in self.enums.items():
            prefix, count = ENUMS[name]
            values = [upper(prefix, VALUES.get(e, e)) for e in entries] + [count]
            yield f"enum {{ {', '.join(values)} }};"
            yield f"#define {upper(names(name))} " + ", ".join(f'"{e}"' for e in entries)
            yield f"extern const char *const {names(name)}[];"
            yield ""

    def attribute(self, kind, attr, replied):
        """Returns a row of a table."""
        name, type_ = attr["name"], TYPES[attr["type"]]
        struct = self.struct(kind)
        field = FIELDS.get(name, lower(name))
        number = upper(self.name, "A", kind, name)
        of_enum = nest = "NULL"
        if attr["type"] == "binary" and name != "buckets":
            type_ = "A_NUMBERS"
        if attr.get("multi-attr"):
            type_ = "A_POINT"
        if "enum" in attr:
            of_enum = names(attr["enum"])
        if "nested-attributes" in attr:
            nest = lower(attr["nested-attributes"]) + "_attrs"
        at = f"offsetof(struct {struct}, {field})"
        size = f"sizeof(((struct {struct} *)0)->{field})" if type_ == "A_TEXT" else "0"
        if name in UNKEPT or (replied and name not in replied):
            at = "-1"
        return f'\t{{ {number}, {type_}, "{name}", {at}, {size}, {of_enum}, {nest} }},'

    def struct(self, kind):
        kind = self.name if self.replied(kind) else kind
        return STRUCTS.get(kind, lower("rx", kind))

    def attributes(self, kind):
        replied = self.replied(kind)
        linkage = "" if replied else "static "
        table = f"{self.name}_attrs" if replied else f"{lower(kind)}_attrs"
        yield f"{linkage}const struct rx_attr {table}[] = {{"
        for attr in self.sets[kind]:
            yield self.attribute(kind, attr, replied)
        yield from ("\t{ .name = NULL }", "};", "")

    def event(self, op):
        """Returns the name of a notification for users."""
        return op["name"].removesuffix("-ntf")

    def operations(self):
        yield f"const struct rx_op {self.name}_ops[] = {{"
        for op in self.ops:
            name = op["name"]
            notify = "notify" in op
            event = f'"{self.event(op)}"' if notify else "NULL"
            yield f'\t{{ {upper(self.name, "CMD", name)}, "{name}", {event} }},'
        yield from ("\t{ .name = NULL }", "};", "")


def head(spec, includes):
    yield from ("/* Do not edit directly, \"make gen\" writes it from: */", f"/*\t{spec} */")
    yield from [f"#include {i}" for i in includes] + [""]


def model_h(families, shown):
    counters = families[1].sets["stats"]
    yield "/* SPDX-License-Identifier: GPL-2.0-only */"
    yield from head("module/spec/rxdsk.yaml, rxcache.yaml, rxadm/show/columns.c", [])
    yield from ("#ifndef RXADM_MODEL_GEN_H", "#define RXADM_MODEL_GEN_H", "", "#include <stdint.h>", "")
    for family in families:
        yield from family.enums_h()
    yield "struct rx_stats {"
    for attr in counters:
        yield f"\tuint64_t {lower(attr['name'])};\t/* {attr['unit']} */"
    yield from ("};", "", "/* How a column shows each. */")
    for attr in counters:
        yield f"#define COL_OF_{lower(attr['name'])}\t{COLUMN_TYPES[attr['unit']]}"
    rest = [lower(a["name"]) for a in counters if lower(a["name"]) not in shown]
    yield from ("", "/* Counters without a column. */")
    yield " \\\n\t".join(["#define STATS_OF_JSON"] + [f'STAT(NULL, {key}, "in JSON only"),' for key in rest])
    yield from ("", "#endif")


def model_c(families, _):
    yield "// SPDX-License-Identifier: GPL-2.0-only"
    yield from head("module/spec/rxdsk.yaml, rxcache.yaml",
                    ["<linux/rxcache.h>", "<linux/rxdsk.h>", '"kernel/model.h"'])
    for family in families:
        for name in family.enums:
            yield f"const char *const {names(name)}[] = {{ {upper(names(name))}, NULL }};"
    yield 'const char *const rx_yes_no[] = { "no", "yes", NULL };'
    yield ""
    for family in families:
        # The specs list a nested set after the set that refers to it.
        for kind in reversed(family.sets):
            yield from family.attributes(kind)
        yield from family.operations()


def ordered(counters):
    """Puts the counters of one path side by side; the sort keeps the spec's order otherwise."""
    return sorted(counters, key=lambda a: PATHS.index(a["path"]) if "path" in a else len(PATHS))


def stats_h(families, _):
    yield "/* SPDX-License-Identifier: GPL-2.0-only */"
    yield from head("module/spec/rxcache.yaml", [])
    yield from ("#ifndef _RXC_STATS_GEN_H", "#define _RXC_STATS_GEN_H", "",
                "#include <linux/types.h>", "",
                "/* Side by side: what a hit adds to, a miss, a write; then the rest. */",
                "enum rxc_stat {")
    for attr in ordered(families[1].sets["stats"]):
        yield f"\t{upper('rxc', attr['name'])},"
    yield from ("\tRXC_NR_STATS", "};", "",
                "extern const u16 rxc_stat_attr[RXC_NR_STATS];", "", "#endif")


def stats_c(families, _):
    yield "// SPDX-License-Identifier: GPL-2.0-only"
    yield from head("module/spec/rxcache.yaml", ["<uapi/linux/rxcache.h>", '"figures/stats_gen.h"'])
    yield "const u16 rxc_stat_attr[RXC_NR_STATS] = {"
    for attr in ordered(families[1].sets["stats"]):
        yield f"\t[{upper('rxc', attr['name'])}] = {upper('rxcache_a_stats', attr['name'])},"
    yield "};"


def main():
    what, *specs, table = sys.argv[1:]
    write = {"model_gen.h": model_h, "model_gen.c": model_c, "stats_gen.h": stats_h, "stats_gen.c": stats_c}
    print("\n".join(write[what]([Family(path) for path in specs], columns(table))).rstrip("\n"))


main()
