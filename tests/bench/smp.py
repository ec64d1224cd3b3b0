# SPDX-License-Identifier: GPL-2.0-only
"""smp.py [OPTION...] COUNTS: the waits of eight jobs per thousand I/Os, by cause, and the goals that hold.

The guest writes lines of tab-separated fields; other lines are for people who watch the run:
  count ROUND ROW DEVICE WHAT N           "ios", "tags" (sleeps for a tag), "handed" (requests given to a worker)
  lock ROUND ROW DEVICE FUNCTION N MODULE how often the function had to wait for a lock, and its module if that is ours
"""
import argparse
import collections
import fnmatch
import re
import sys

import table

# The names of our locks in their headers, by the module and the function that takes them. Other locks have that function's name.
NAMES = [
    ("rxcache", r"rxc_index_.*|shrink_set", "set.lock"),
    ("rxcache", r"rxc_sampler_.*|sampler_work", "sampler.lock"),
    ("rxcache", r"rxc_busy_.*|lock_all", "busy.stripe"),
    ("rxdsk", r"rxd_tree_.*", "tree.lock"),
    ("rxdsk", r"rxd_reap_.*|reap_work", "reap.lock"),
    ("rxdsk", r"rxd_stock_.*|stock_(take|trim)", "stock.lock"),
]
# At most this many of the other locks are named, if a lock has at least a tenth of all contention.
OTHERS = 2


class Cell:
    """One device in one row: counts by round, and contention by round and lock."""

    def __init__(self):
        self.counts = collections.defaultdict(dict)
        self.locks = collections.defaultdict(lambda: collections.defaultdict(int))

    def ios(self):
        return sum(c.get("ios", 0) for c in self.counts.values())

    def rate(self, number):
        return 1000 * number / self.ios() if self.ios() else None

    def count(self, what):
        return sum(c.get(what, 0) for c in self.counts.values())

    def lock(self, ours, rounds=None):
        """Contended acquisitions by lock: those of ours, or all others."""
        sums = collections.Counter()
        for n in rounds or self.counts:
            for (name, module), times in self.locks[n].items():
                if bool(module) == ours:
                    sums[name] += times
        return sums

    def ours(self, rounds=None):
        return sum(self.lock(True, rounds).values())

    def all(self):
        return self.ours() + sum(self.lock(False).values())

    def what(self, name):
        return self.ours() if name == "ours" else self.count(name)

    def ours_by_round(self):
        return sorted(1000 * self.ours([n]) / c["ios"] for n, c in self.counts.items() if c.get("ios"))


def name_of(module, name):
    """The lock's name. The compiler may add a suffix to the name of a function, which is ignored."""
    bare = name.partition(".")[0]
    return next((lock for of, pattern, lock in NAMES if of == module and re.fullmatch(pattern, bare)), name)


def read(lines):
    cells = {}
    for line in lines:
        field = line.rstrip("\r\n").split("\t")
        if field[0] == "count" and len(field) == 6:
            cell = cells.setdefault((field[2], field[3]), Cell())
            cell.counts[field[1]][field[4]] = int(field[5])
        elif field[0] == "lock" and len(field) == 7:
            cell = cells.setdefault((field[2], field[3]), Cell())
            module = "" if field[6] == "-" else field[6]
            cell.locks[field[1]][(name_of(module, field[4]), module)] += int(field[5])
    return cells


def amount(rate):
    if rate is None or rate == 0:
        return "-" if rate is None else "0"
    return f"{rate:.0f}" if rate >= 100 else f"{rate:.1f}" if rate >= 1 else f"{rate:.2f}"


def named(cell, locks):
    return ", ".join(f"{name} {amount(cell.rate(n))}" for name, n in locks)


def line_of(row, device, cell):
    each = cell.ours_by_round()
    ours = amount(cell.rate(cell.ours()))
    if len(each) > 1 and each[-1]:
        ours += f" ({amount(each[0])} to {amount(each[-1])})"
    others = [(k, n) for k, n in cell.lock(False).most_common(OTHERS) if n >= cell.all() / 10]
    return [row, device, str(cell.ios()), ours, amount(cell.rate(cell.all())), amount(cell.rate(cell.count("tags"))),
            amount(cell.rate(cell.count("handed"))), named(cell, cell.lock(True).most_common()), named(cell, others)]


def render(cells):
    header = ["for 1000 I/Os", "device", "I/Os", "ours", "all", "tag sleeps", "iou-wrk", "our locks", "others"]
    lines, last = [], None
    for (row, device), cell in cells.items():
        lines.append(line_of(row if row != last else "", device, cell))
        last = row
    return lay_out(header, lines)


def lay_out(header, lines):
    """Lays out a table like table.lay_out(), but with names in the first two and the last two columns."""
    text = table.lay_out(header[2:7], [line[2:7] for line in lines]).split("\n")
    left = [max(len(line[i]) for line in [header] + lines) for i in (0, 1)]
    own = max(len(line[7]) for line in [header] + lines)
    width = max(len(t) for t in text)
    return "\n".join(f"{line[0]:{left[0]}}  {line[1]:{left[1]}}  {t:{width}}  {line[7]:{own}}  {line[8]}".rstrip()
                     for line, t in zip([header] + lines, text))


def check(goals, cells):
    missed, held = [], 0
    for pattern, device, what, wanted in goals:
        for (row, name), cell in cells.items():
            if name != device or not fnmatch.fnmatchcase(row, pattern) or not cell.ios():
                continue
            got = cell.rate(cell.what(what))
            if got < float(wanted[1:]) if wanted.startswith("<") else got <= float(wanted):
                held += 1
            else:
                missed.append(f"missed: {row}, {device}: {what} {amount(got)} in 1000 I/Os, wanted {wanted}")
    return "\n".join(missed + [f"goals: {held} held, {len(missed)} missed"])


def read_goals(path):
    with open(path, encoding="utf-8") as f:
        return [line.split() for line in f if line.strip() and not line.startswith("#")]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--about", default="", help="the machine and kernel it comes from")
    p.add_argument("--goals", metavar="FILE", help="says which of these are held")
    p.add_argument("counts")
    args = p.parse_args()

    with open(args.counts, encoding="utf-8", errors="replace") as f:
        cells = read(f)
    if not cells:
        sys.exit("smp: no counts")
    print(args.about, render(cells), sep="\n\n")
    if args.goals:
        print("", check(read_goals(args.goals), cells), sep="\n")


if __name__ == "__main__":
    main()
