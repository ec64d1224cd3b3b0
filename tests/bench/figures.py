# SPDX-License-Identifier: GPL-2.0-only
"""Figures: samples, their median and spread, and the device that others are compared with.

The guest writes lines of tab-separated fields; other lines are for people who watch the run:
  sample ROUND DEVICE ROW UNIT VALUE
  limit ROW DEVICE        no device can be better than this one in this row (a memcpy, the bare disk)
  against ROW DEVICE      the others of this row are compared with this device, by default with the limit
In the last two, ROW also means all rows whose name begins with ROW and a space.
"""
import json
import statistics

# For each unit, whether less is better.
UNITS = {"ns": True, "us": True, "ms": True, "ns CPU": True, "bytes": True, "MiB": True, "ops": True, "I/Os": True,
         "for 100": True, "instructions": True, "IOPS": False, "MiB/s": False, "%": False}
VERSION = 1


class Figure:
    """The samples of one device in one row."""

    def __init__(self, samples):
        self.samples = samples

    @property
    def median(self):
        return statistics.median(self.samples)

    @property
    def spread(self):
        """The difference of the largest and the least sample, as a share of the median."""
        if len(self.samples) < 2 or not self.median:
            return 0.0
        return (max(self.samples) - min(self.samples)) / self.median


class Row:
    def __init__(self, name, unit):
        self.name = name
        self.unit = unit
        self.limit = None
        self.against = None
        self.devices = {}

    @property
    def lower_is_better(self):
        return UNITS.get(self.unit, False)

    def speed(self, device, reference):
        """The ratio to the reference, above 1 if the device is better; None if either is missing."""
        if device not in self.devices or reference not in self.devices:
            return None
        mine, other = self.devices[device].median, self.devices[reference].median
        if not mine or not other:
            return None
        return other / mine if self.lower_is_better else mine / other


class Bench:
    """Rows in the order in which they were first read, and what they were measured on."""

    def __init__(self, title="", about=""):
        self.title = title
        self.about = about
        self.rows = {}

    def row(self, name, unit):
        return self.rows.setdefault((name, unit), Row(name, unit))

    def devices(self):
        seen = {}
        for row in self.rows.values():
            seen.update(dict.fromkeys(row.devices))
        return list(seen)

    def to_json(self):
        rows = []
        for row in self.rows.values():
            devices = {
                name: {"median": f.median, "spread": round(f.spread, 4), "samples": f.samples}
                for name, f in row.devices.items()
            }
            rows.append({"row": row.name, "unit": row.unit, "lower_is_better": row.lower_is_better, "limit": row.limit,
                         "against": row.against, "devices": devices})
        return {"rxbench": VERSION, "title": self.title, "about": self.about, "rows": rows}


def number(text):
    value = float(text)
    return int(value) if value == int(value) else value


def read_samples(lines, title="", about="", against=None):
    bench = Bench(title, about)
    notes = []
    for line in lines:
        field = line.rstrip("\r\n").split("\t")
        if field[0] == "sample" and len(field) == 6:
            row = bench.row(field[3], field[4])
            row.devices.setdefault(field[2], Figure([])).samples.append(number(field[5]))
        elif field[0] in ("limit", "against") and len(field) == 3:
            notes.append(field)
    for row in bench.rows.values():
        row.against = against
        for kind, name, device in notes:
            if (row.name == name or row.name.startswith(name + " ")) and device in row.devices:
                setattr(row, kind, device)
        if row.against not in row.devices:
            row.against = row.limit
    return bench


def read_json(path):
    with open(path, encoding="utf-8") as f:
        data = json.load(f)
    if data.get("rxbench") != VERSION:
        raise ValueError(f"{path}: not of version {VERSION}")
    bench = Bench(data["title"], data["about"])
    for r in data["rows"]:
        row = bench.row(r["row"], r["unit"])
        row.limit, row.against = r["limit"], r["against"]
        row.devices = {name: Figure(d["samples"]) for name, d in r["devices"].items()}
    return bench


def write_json(bench, path):
    """Writes one line for each row, so that a diff of two runs names the rows that differ."""
    data = bench.to_json()
    rows = ",\n".join(json.dumps(row) for row in data.pop("rows"))
    head = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in data.items())
    with open(path, "w", encoding="utf-8") as f:
        f.write(f'{{{head},\n"rows": [\n{rows}\n]}}\n')
