# SPDX-License-Identifier: GPL-2.0-only
"""report.py [OPTION...] SAMPLES: prints the table of the samples. Options add JSON, plots, goals and a comparison with a baseline."""
import argparse
import sys

import compare
import figures
import goals
import plot
import table


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--title", default="")
    p.add_argument("--about", default="", help="the machine and kernel it comes from")
    p.add_argument("--against", help="the device that the others are compared with")
    p.add_argument("--json", metavar="FILE", help="also as JSON")
    p.add_argument("--plots", metavar="FOLDER", help="also as SVG, one file for each kind of row")
    p.add_argument("--baseline", metavar="FILE", help="a run's JSON: says what moved since")
    p.add_argument("--goals", metavar="FILE", help="says which of these are held")
    p.add_argument("samples")
    args = p.parse_args()

    with open(args.samples, encoding="utf-8", errors="replace") as f:
        bench = figures.read_samples(f, args.title, args.about, args.against)
    if not bench.rows:
        sys.exit("report: no samples")
    # The baseline is read before --json is written, because that may be the same file.
    baseline = figures.read_json(args.baseline) if args.baseline else None
    print(table.render(bench))
    if args.json:
        figures.write_json(bench, args.json)
    if args.plots:
        for path in plot.write(bench, args.plots):
            print(f"plot: {path}")
    if args.goals:
        print(goals.check(goals.read(args.goals), bench))
    if baseline:
        print(compare.compare(baseline, bench))


if __name__ == "__main__":
    main()
