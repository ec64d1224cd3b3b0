# SPDX-License-Identifier: GPL-2.0-only
"""Tables for people: medians with their spread, and the ratio of each device to its reference."""


def amount(value):
    if value >= 100000:
        return f"{value / 1000:.0f}k"
    if value >= 100 or value == int(value):
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def cell(row, device):
    figure = row.devices.get(device)
    if not figure:
        return ""
    return f"{amount(figure.median)} ±{figure.spread * 50:.0f}%"


def ratio(row, device):
    speed = row.speed(device, row.against) if device != row.against else None
    return "" if speed is None else f"{speed:.2f}"


def lay_out(header, lines):
    """Columns as wide as their longest cell; names to the left, figures to the right."""
    widths = [max(len(line[i]) for line in [header] + lines) for i in range(len(header))]
    out = []
    for line in [header] + lines:
        cells = [line[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(line[1:], widths[1:])]
        out.append("  ".join(cells).rstrip())
    return "\n".join(out)


def shown(rows, text):
    """The used devices, in the order in which they came, and each row that has any text, with its cells."""
    devices = {}
    for row in rows:
        devices.update(dict.fromkeys(row.devices))
    lines = []
    for row in rows:
        cells = [text(row, d) for d in devices]
        if any(cells):
            lines.append((row, cells))
    used = [i for i, _ in enumerate(devices) if any(cells[i] for _, cells in lines)]
    names = list(devices)
    return [names[i] for i in used], [(row, [cells[i] for i in used]) for row, cells in lines]


def groups(bench):
    """Rows by reference and unit, so that RAM disks and caches are in separate tables."""
    found = {}
    for row in bench.rows.values():
        found.setdefault((row.against, row.unit), []).append(row)
    return found


def render(bench):
    out = [bench.title, bench.about, ""]
    for (against, unit), rows in groups(bench).items():
        devices, lines = shown(rows, cell)
        out.append(lay_out([unit] + devices, [[row.name] + cells for row, cells in lines]))
        out.append("")
        if against is None:
            continue
        devices, lines = shown(rows, ratio)
        head = f"times as good as {against}"
        out.append(lay_out([head] + devices, [[row.name] + cells for row, cells in lines]))
        out.append("")
    return "\n".join(out)
