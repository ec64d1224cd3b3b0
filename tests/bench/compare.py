# SPDX-License-Identifier: GPL-2.0-only
"""Which ratios moved since a stored run, beyond the noise of both runs.

The whole machine is slower or faster on another day, under another load. So the compared figure is the ratio of a device to its
reference (brd, the bare disk) in the same run. A ratio has moved if the rounds of the two runs do not overlap, and the medians
differ by at least NOTICED.
"""

NOTICED = 0.03


def by_round(mine, other, lower_is_better):
    """The ratios of each round, sorted, above 1 if mine is better. The machine's other work in a round affected both figures."""
    pairs = [(m, o) for m, o in zip(mine, other) if m and o]
    return sorted(o / m if lower_is_better else m / o for m, o in pairs)


def ratios(row, device):
    return by_round(row.devices[device].samples, row.devices[row.against].samples, row.lower_is_better)


def middle(values):
    n = len(values)
    return values[n // 2] if n % 2 else (values[n // 2 - 1] + values[n // 2]) / 2


def moved(old, new):
    """The change of the median, or None if it is within the noise: if the rounds of both runs overlap."""
    if not old or not new:
        return None
    change = middle(new) / middle(old) - 1
    apart = new[0] > old[-1] or new[-1] < old[0]
    return change if apart and abs(change) >= NOTICED else None


def compare(baseline, bench):
    """Lines of text: ratios that got better or worse and rows that are missing, or that nothing moved."""
    out, rows = [], 0
    for key, row in bench.rows.items():
        old = baseline.rows.get(key)
        if not old or row.against is None or old.against != row.against:
            continue
        rows += 1
        for device in row.devices:
            if device == row.against or device not in old.devices:
                continue
            change = moved(ratios(old, device), ratios(row, device))
            if change is None:
                continue
            word = "better" if change > 0 else "WORSE"
            out.append(f"{word}: {row.name} ({row.unit}), {device}: {change * 100:+.1f}% against {row.against}, "
                       f"{middle(ratios(old, device)):.2f} -> {middle(ratios(row, device)):.2f}")
    for key in baseline.rows:
        if key not in bench.rows:
            out.append(f"not measured this time: {key[0]} ({key[1]})")
    if not rows:
        out.append("no row in common with the baseline")
    elif not out:
        out.append(f"{rows} rows: nothing moved beyond the noise")
    return "\n".join(out)
