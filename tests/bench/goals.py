# SPDX-License-Identifier: GPL-2.0-only
"""Checks the goals in the files "goals", "goals-native", "goals-lab" and "goals-price"."""
import compare

OURS = "rx"
# These store and cache nothing. They show the cost of blk-mq, or of passing I/O on, which all others have, too.
CONTROLS = ("null_mq", "dm-linear")


def read(path):
    with open(path, encoding="utf-8") as f:
        lines = [line.split() for line in f if line.strip() and not line.startswith("#")]
    return [(row, device, float(ratio), reference, *floor) for row, device, ratio, reference, *floor in lines]


def find(bench, name):
    """The row of this name, without the further figures of its runs, whose names are longer."""
    return next((row for row in bench.rows.values() if row.name == name), None)


def best_rival(row):
    """The best device that is not ours. The limit, the reference and the controls are no rivals."""
    rivals = [d for d in row.devices if not d.startswith(OURS) and d not in (row.limit, row.against, *CONTROLS)]
    return max(rivals, key=lambda d: row.speed(d, rivals[0]) or 0, default=None)


def figure_of(bench, row, reference):
    """The reference's figure and what to call it; None if it was not measured."""
    if reference == "best":
        reference = best_rival(row)
    elif "/" in reference:
        name, _, device = reference.partition("/")
        row = find(bench, name)
        return (row.devices.get(device), reference) if row else (None, reference)
    return row.devices.get(reference), reference


def floor_ratio(bench, row, floor, other):
    """The ratio to the reference of all parts of the floor, one after the other; None if a part was not measured."""
    figures = [figure_of(bench, row, device)[0] for device in floor.split("+")]
    if not all(figures) or not all(f.median for f in (*figures, other)):
        return None
    if row.lower_is_better:
        return other.median / sum(f.median for f in figures)
    return 1 / sum(other.median / f.median for f in figures)


def check(goals, bench):
    """Lines of text: the missed goals, and how many goals hold. Goals of rows that were not measured do not count."""
    missed, held = [], 0
    for name, device, wanted, reference, *floor in goals:
        row = find(bench, name)
        if not row or device not in row.devices:
            continue
        other, called = figure_of(bench, row, reference)
        if not other:
            continue
        each = compare.by_round(row.devices[device].samples, other.samples, row.lower_is_better)
        if not each:
            continue
        got = compare.middle(each)
        if round(got, 2) >= round(wanted, 2):
            held += 1
        else:
            limit = floor_ratio(bench, row, floor[0], other) if floor else None
            missed.append(f"missed: {name}, {device}: {got:.2f} ({each[0]:.2f} to {each[-1]:.2f}) of {called}, "
                          f"wanted {wanted:.2f}" + (f"; {floor[0]} alone has {limit:.2f}" if limit else ""))
    return "\n".join(missed + [f"goals: {held} held, {len(missed)} missed"])
