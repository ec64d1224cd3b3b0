# SPDX-License-Identifier: GPL-2.0-only
"""profile.py KALLSYMS SAMPLES: the time of a row by function and by address.

Reads the output of "perf script -F comm,ip,sym" of a User Mode Linux. The kernel is the program that was started, and the names of
its functions and of its modules' functions come from the guest's own /proc/kallsyms. The shares are of all samples from boot to
shutdown, so the row should take much longer than the rest.
"""
import bisect
import collections
import sys

import figures

FUNCTIONS, ADDRESSES, SHARE = 80, 8, 0.002


def read_symbols(path):
    symbols = []
    with open(path, encoding="utf-8") as f:
        for line in f:
            field = line.split()
            if field[1] in "tTwW":
                symbols.append((int(field[0], 16), field[2] + (" " + field[3] if len(field) > 3 else "")))
    return sorted(symbols)


def read_addresses(lines):
    """The kernel's addresses, each with the host's name for it. The guest's programs run in other processes, which are skipped."""
    for line in lines:
        field = line.split(None, 2)
        if len(field) == 3 and field[0].startswith("vmlinuz"):
            yield int(field[1], 16), field[2].strip()


def main():
    symbols = read_symbols(sys.argv[1])
    starts = [s[0] for s in symbols]
    by_name, by_address, total = collections.Counter(), collections.defaultdict(collections.Counter), 0
    for ip, host in read_addresses(sys.stdin):
        i = bisect.bisect_right(starts, ip) - 1
        total += 1
        if i < 0 or ip - starts[i] > 0x10000:
            by_name[f"{host} (host)"] += 1
            continue
        by_name[symbols[i][1]] += 1
        by_address[symbols[i][1]][ip - starts[i]] += 1
    with open(sys.argv[2], encoding="utf-8") as f:
        rows = list(figures.read_samples(f).rows.values())
    if not total or not rows:
        sys.exit("profile: no samples")
    device, figure = next(iter(rows[0].devices.items()))
    print(f"{rows[0].name} on {device}: {figure.median} ns per bio, {total} samples")
    for name, n in by_name.most_common(FUNCTIONS):
        if n / total < SHARE:
            break
        hot = " ".join(f"+{a:#x}:{c * 100 / n:.0f}%" for a, c in by_address[name].most_common(ADDRESSES) if c / n > 0.03)
        print(f"{n / total * figure.median:7.1f} ns {n * 100 / total:5.1f}%  {name}  {hot}")


if __name__ == "__main__":
    main()
