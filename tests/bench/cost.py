# SPDX-License-Identifier: GPL-2.0-only
"""cost.py [OPTION...] SAMPLES...: instructions per I/O, our part of them, missed goals, and what moved since the baseline.

The files are of runs with different random numbers. The lowest cost of a device in a row counts.

A baseline begins with the kernel that it was measured on. Then it has a line for each row, "ROW DEVICE=INSTRUCTIONS...", all in
alphabetical order. On another kernel the same code has another cost, so the limit of a row of ours moves as its rivals have moved.
"""
import argparse
import os
import statistics
import sys

import figures
import goals
import table

WORSE = 0.03
# If an I/O takes much memory, its cost depends on how fragmented the kernel's free memory is.
WORSE_MEMORY = 0.10
# By kind of row: the device that our caches are compared with, and how many more times they copy the bytes than that device.
REFERENCE = {"hit": ("rxdsk_bio", 0), "miss": ("dm-linear", 1), "write": ("dm-linear", 1), "new": ("dm-linear", 1)}


def is_ours(device):
    return device.startswith(goals.OURS)


def kind_of(row):
    return row.partition("-")[0]


def takes_memory(row):
    return kind_of(row) in ("first", "free", "pack") or kind_of(row) in ("miss", "write", "new") and row.endswith("-1m")


def read_benches(paths):
    """One bench of all these files, with the lowest figure of each device in a row."""
    first = None
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as f:
            bench = figures.read_samples(f)
        if not bench.rows:
            sys.exit("cost: no samples")
        first = first or bench
        for key, row in bench.rows.items():
            devices = first.rows.setdefault(key, row).devices
            for d, figure in row.devices.items():
                devices[d] = min(devices.get(d, figure), figure, key=lambda f: f.median)
    return first


def measured(bench):
    """{row: {device: instructions}}"""
    return {row.name: {d: round(f.median) for d, f in row.devices.items()} for row in bench.rows.values()}


def render(bench):
    """A table for each kind of device."""
    kinds, out = {}, []
    for row in bench.rows.values():
        kind = kind_of(row.name)
        kinds.setdefault("ram" if kind in ("first", "free") else kind if kind in ("copy", "ram") else "cache", []).append(row)
    for rows in kinds.values():
        devices, lines = table.shown(rows, lambda row, d: f"{row.devices[d].median:.0f}" if d in row.devices else "")
        out.append(table.lay_out(["instructions per I/O"] + devices, [[row.name] + cells for row, cells in lines]) + "\n")
    return "\n".join(out)


def copy_price(costs, row):
    """The cost of a memcpy() of a row's bytes, without the call and the loop around it; None if it was not measured."""
    small, page, large = (costs.get(f"copy-{size}", {}).get("copy") for size in ("512", "4k", "1m"))
    if row.endswith("-1m"):
        return large
    if row.endswith("-4k") and small and page:
        return (page - small) * 8 / 7
    return None


def render_ours(costs):
    """Lines of text: what our caches add to the cost of the reference, in all and without a copy."""
    out = []
    for row, devices in costs.items():
        reference, copies = REFERENCE.get(kind_of(row), (None, 0))
        for device, cost in devices.items():
            if not device.startswith("rxcache") or reference not in devices:
                continue
            more = cost - devices[reference]
            text = f"{row}, {device}: {more:+d} over {reference}"
            price = copy_price(costs, row) if copies else None
            out.append(text + (f"; {more - price:+.0f} without a memcpy() of {price:.0f}" if price else ""))
    return "\n".join(out)


def check_goals(path, costs):
    missed, held = [], 0
    with open(path, encoding="utf-8") as f:
        lines = [line.split() for line in f if line.strip() and not line.startswith("#")]
    for row, device, wanted, reference in lines:
        devices = costs.get(row, {})
        if device not in devices or reference not in devices:
            continue
        more = devices[device] - devices[reference]
        if more <= int(wanted):
            held += 1
        else:
            missed.append(f"missed: {row}, {device}: {more:+d} over {reference}, wanted {int(wanted):+d}")
    return "\n".join(missed + [f"goals: {held} held, {len(missed)} missed"])


def read_baseline(path):
    """(what the baseline was measured on, its costs)"""
    about, costs = "", {}
    if not os.path.exists(path):
        return about, costs
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("# on "):
                about = line[5:].strip()
            elif line.strip() and not line.startswith("#"):
                row, *cells = line.split()
                costs[row] = {d: int(n) for d, n in (cell.split("=") for cell in cells)}
    return about, costs


def write_baseline(path, about, costs):
    with open(path, "w", encoding="utf-8") as f:
        f.write("# SPDX-License-Identifier: GPL-2.0-only\n"
                "# Instructions per I/O that \"make bench-cost\" compares with; tests/bench/cost --keep writes it.\n"
                f"# on {about}\n")
        for row in sorted(costs):
            f.write(" ".join([row] + [f"{d}={costs[row][d]}" for d in sorted(costs[row])]) + "\n")


def drift(old, new):
    """The median ratio of the cost of a row's rivals to their cost in the baseline."""
    return statistics.median([new[d] / old[d] for d in new if d in old and not is_ours(d)] or [1])


def compare(old, new, other_kernel):
    """(lines of text, how many figures of ours were compared, the row of each figure of ours above its limit)"""
    out, compared, dear = [], 0, []
    for row, devices in new.items():
        if row not in old:
            continue
        factor = drift(old[row], devices) if other_kernel else 1
        limit = WORSE_MEMORY if takes_memory(row) else WORSE
        for device, cost in devices.items():
            if device not in old[row]:
                continue
            expected = old[row][device] * factor
            change = cost / expected - 1
            compared += is_ours(device)
            if change > limit and is_ours(device):
                dear.append(row)
                out.append(f"WORSE: {row}, {device}: {expected:.0f} -> {cost}, {change * 100:+.1f} %")
            elif abs(change) > limit:
                word = "better" if is_ours(device) else "rival"
                out.append(f"{word}: {row}, {device}: {expected:.0f} -> {cost}, {change * 100:+.1f} %")
    return out, compared, dear


def missing(old, new):
    """Lines of text: figures of ours that only the baseline or only this run has."""
    def names(costs):
        return {f"{row}, {device}" for row in costs for device in costs[row] if is_ours(device)}
    return ([f"not in the baseline (--keep adds it): {n}" for n in sorted(names(new) - names(old))] +
            [f"not measured: {n}" for n in sorted(names(old) - names(new))])


def judge(args, costs):
    """Prints what moved, and the total. Returns whether no figure of ours is above its limit or missing."""
    about, old = read_baseline(args.baseline)
    if not old:
        print(f"no baseline {args.baseline}: nothing to compare with (--keep makes it)")
        return True
    out, compared, dear = compare(old, costs, about != args.about)
    if about != args.about:
        print(f"the baseline is of {about}: ours is compared with it as the rivals came to stand")
    lost = missing(old, costs) if args.all else []
    print("\n".join(out + lost) or f"{compared} figures of ours: none moved by over {WORSE * 100:.0f} %")
    if args.dear:
        with open(args.dear, "w", encoding="utf-8") as f:
            f.write("".join(f"{row}\n" for row in dict.fromkeys(dear)))
    print(f"{compared - len(dear)} passed, {len(dear) + len(lost)} failed")
    return not dear and not lost


def keep(args, costs):
    """Writes the baseline. If the baseline is of the same kernel, figures that were not measured stay in it."""
    about, old = read_baseline(args.baseline)
    if about == args.about and not args.all:
        for row in costs:
            old.setdefault(row, {}).update(costs[row])
        costs = old
    write_baseline(args.baseline, args.about, costs)
    print(f"kept in {args.baseline}")


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--about", default="", help="the kernel it was measured on")
    p.add_argument("--goals", metavar="FILE", help="says which of these are held")
    p.add_argument("--baseline", metavar="FILE", help="says what moved since; exit status 1: a row of ours is too dear")
    p.add_argument("--keep", action="store_true", help="the baseline is what was measured now")
    p.add_argument("--all", action="store_true", help="all was measured: what is only here or only in the baseline is a failure")
    p.add_argument("--dear", metavar="FILE", help="gets the rows of ours that are too dear")
    p.add_argument("samples", nargs="+")
    args = p.parse_args()

    bench = read_benches(args.samples)
    costs = measured(bench)
    print(render(bench))
    for text in (render_ours(costs), check_goals(args.goals, costs) if args.goals else ""):
        print(text + "\n" if text else "", end="")
    if args.baseline and args.keep:
        keep(args, costs)
    if args.baseline and not judge(args, costs):
        sys.exit(1)


if __name__ == "__main__":
    main()
