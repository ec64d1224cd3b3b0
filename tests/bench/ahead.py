# SPDX-License-Identifier: GPL-2.0-only
"""ahead.py compare SAMPLES SIM…: what the module's read-ahead gets, beside what the simulator says.
ahead.py cut TRACE N: the first N requests of a trace in the form RXT, those of more than 1 MiB in pieces. Before them is a read of
the first block, because the kernel reads it when a cache is mapped.

SAMPLES has lines "cell TRACE DISK SIZE WAY WAITED COUNTERS": WAY is off or auto, WAITED is the number that "rxt think" prints, and
COUNTERS are a JSON object. SIM are outputs of rxstudy --read-ahead -j, several of each trace, of which the first one is shown: the
module has to be between them, or near them. The status of "compare" is 1 if the two disagree.
"""
import json
import struct
import sys

import table

POINTS = 0.3
PERCENT = 2
BLOCK = 4096
# The block layer cuts larger requests, and the module counts each piece.
BLOCKS_MAX = 256


def cut(path, most):
    with open(path, "rb") as f:
        data = f.read(8 * most)
    words = [word for (word,) in struct.iter_unpack("<Q", data)]
    sys.stdout.buffer.write(struct.pack("<Q", min(word >> 56 for word in words) << 56))
    for word in words:
        block, left = word & (1 << 40) - 1, (word >> 40 & 4095) + 1
        while left:
            blocks = min(left, BLOCKS_MAX)
            left -= blocks
            piece = word & ~((1 << 52) - 1) | blocks - 1 << 40 | block
            sys.stdout.buffer.write(struct.pack("<Q", piece))
            block += blocks


def figures(waited, stats):
    run = {"reads": stats["reads"], "waits": stats["read_none"] + stats["read_partial"], "waited": int(waited),
           "origin": stats["origin_read_bytes"] / BLOCK, "past": sum(stats[f"read_bypass_{w}"] for w in ("memory", "write", "fill"))}
    for name in ("issued", "used", "late"):
        run[name] = stats[f"ahead_{name}"]
    return run


def module(path):
    """{(trace, disk, size, way): figures}"""
    cells = {}
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            word, *rest = line.rstrip("\r\n").split("\t")
            if word == "cell":
                *cell, waited, counters = rest
                cells[tuple(cell)] = figures(waited, json.loads(counters))
    return cells


def simulator(paths):
    """{(trace, disk, size, way): [figures]}"""
    cells = {}
    for path in paths:
        with open(path, encoding="utf-8") as f:
            result = json.load(f)["results"][0]
        trace = result["trace"].rsplit("/", 1)[-1].removesuffix(".rxt")
        for c in result["cells"]:
            for way in ("off", "auto"):
                run = {"reads": c["requests"], "waits": c[way]["waits"], "waited": c[way]["waited_ns"], "origin": c[way]["origin"]}
                for name in ("issued", "used", "late"):
                    run[name] = c[name] if way == "auto" else 0
                cells.setdefault((trace, c["disk"], c["size"], way), []).append(run)
    return cells


def share(run):
    return 100 * run["waits"] / run["reads"] if run["reads"] else 0


def off_by(got, wanted):
    """How far a figure is from the range of some others."""
    return max(got - max(wanted), min(wanted) - got, 0)


def judge(got, sims):
    """Whether as many of the reads wait, and the origin reads as much."""
    most = max(run["origin"] for run in sims)
    return got["reads"] == sims[0]["reads"] and off_by(share(got), [share(run) for run in sims]) <= POINTS and \
        100 * off_by(got["origin"], [run["origin"] for run in sims]) <= PERCENT * most


def row(cell, got, sims):
    want, shares = sims[0], [share(run) for run in sims]
    more = 100 * (got["origin"] / want["origin"] - 1) if want["origin"] else 0
    return list(cell) + \
        [f"{shares[0]:.2f}%", f"{min(shares):.2f}-{max(shares):.2f}", f"{share(got):.2f}%", f"{share(got) - shares[0]:+.2f}"] + \
        [f"{want['origin']:.0f}", f"{got['origin']:.0f}", f"{more:+.2f}%", f"{want['waited'] / 1e6:.0f}", f"{got['waited'] / 1e6:.0f}"] + \
        [f"{want[name]}/{got[name]}" for name in ("issued", "used", "late")] + [f"{got['past']}", "" if judge(got, sims) else "FAILED"]


def compare(samples, sims):
    ours, theirs = module(samples), simulator(sims)
    rows = [row(cell, ours[cell], sims) for cell, sims in theirs.items()]
    failed = sum(bool(r[-1]) for r in rows)
    print(table.lay_out(["trace", "disk", "size", "way", "waits: sim", "range", "module", "points", "origin: sim", "module", "more",
                         "ms: sim", "module", "issued", "used", "late", "past", ""], rows))
    print(f"{len(rows) - failed} passed, {failed} failed")
    return bool(failed)


if __name__ == "__main__":
    if sys.argv[1] == "cut":
        cut(sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit(compare(sys.argv[2], sys.argv[3:]))
