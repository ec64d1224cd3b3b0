# SPDX-License-Identifier: GPL-2.0-only
"""lab.py [OPTION...] SAMPLES: prints each experiment's tables and sentences, and writes its plot and JSON.

Besides the lines of figures.py the guest writes
  experiment NAME [TITLE]     the following lines belong to this experiment, until the next such line
  says NAME SENTENCE
A row whose name has a space has further figures of another row's runs, and is not in the plot.
"""
import argparse
import os
import sys

import figures
import goals
import plot
import table


class Experiment:
    def __init__(self):
        self.title, self.says, self.lines, self.bench = "", [], [], None


def read(lines):
    """The experiments by name, in their order."""
    found, here = {}, None
    for line in lines:
        field = line.rstrip("\r\n").split("\t")
        if field[0] == "experiment" and len(field) > 1:
            here = found.setdefault(field[1], Experiment())
            here.title = field[2] if len(field) > 2 else here.title
        elif field[0] == "says" and len(field) == 3:
            found.setdefault(field[1], Experiment()).says.append(field[2])
        elif here:
            here.lines.append(line)
    return found


def measured(found, about):
    """Reads the samples of each experiment. Rows with further figures are not compared with another device."""
    for experiment in found.values():
        experiment.bench = figures.read_samples(experiment.lines, experiment.title, about)
        for row in experiment.bench.rows.values():
            if " " in row.name:
                row.against = None
    return {name: e for name, e in found.items() if e.bench.rows}


def draw(bench, path):
    with open(path, "w", encoding="utf-8") as f:
        f.write(plot.draw(bench, [row for row in bench.rows.values() if " " not in row.name]))


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--about", default="", help="the machine and kernel it comes from")
    p.add_argument("--out", metavar="FOLDER", required=True, help="where plots and JSON go")
    p.add_argument("--goals", metavar="FILE", help="what the sentences say, as ratios: says which of them hold")
    p.add_argument("samples")
    args = p.parse_args()

    with open(args.samples, encoding="utf-8", errors="replace") as f:
        lines = f.readlines()
    found = measured(read(lines), args.about)
    if not found:
        sys.exit("lab: no samples")
    for name, experiment in found.items():
        print(table.render(experiment.bench))
        print("\n".join(experiment.says), end="\n\n")
        figures.write_json(experiment.bench, os.path.join(args.out, f"{name}.json"))
        path = os.path.join(args.out, f"{name}.svg")
        draw(experiment.bench, path)
        print(f"plot: {path}\n")
    if args.goals:
        print(goals.check(goals.read(args.goals), figures.read_samples(lines)))


if __name__ == "__main__":
    main()
