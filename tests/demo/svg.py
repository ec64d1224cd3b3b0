#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""svg.py CAST: prints a recording of asciinema as an SVG, which plays once and then shows the last screen.

It needs no script and no font of its own, so it also moves where an <img> may not load anything. The session has to fit on one
screen: nothing may scroll away or be written over.
"""
import html
import json
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import terminal  # noqa: E402

CELL, LINE, MARGIN = 8.4, 18, 16
# Characters that came within this time appear together.
TOGETHER = 0.15

HEAD = """<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img">
<!-- SPDX-License-Identifier: GPL-2.0-only -->
<!-- tests/demo/svg.py made this from {name}. -->
<title>{title}</title>
<style>
text{{font:14px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d7dae0;white-space:pre;animation:show 1ms both}}
.typed{{fill:#8fd18f}}
@keyframes show{{from{{visibility:hidden}}to{{visibility:visible}}}}
@media (prefers-reduced-motion:reduce){{text{{animation:none}}}}
</style>
<rect width="100%" height="100%" rx="8" fill="#1d2027"/>"""


class Screen(terminal.Screen):
    """Remembers when each character came."""

    def __init__(self, width, height):
        super().__init__(width, height)
        self.now = 0
        self.came = {}

    def put(self, char):
        super().put(char)
        at = (self.y, self.x - 1)
        if at in self.came:
            sys.exit(f"svg: line {self.y + 1} is written over; a still picture can't show that")
        if char != " ":
            self.came[at] = self.now

    def newline(self):
        if self.y == self.height - 1:
            sys.exit(f"svg: the session is longer than a screen of {self.height} lines")
        super().newline()


def runs(screen, y):
    """The line's pieces, each (column, text, time)."""
    line = "".join(screen.lines[y]).rstrip()
    found = []
    for x, char in enumerate(line):
        came = screen.came.get((y, x))
        if found and (came is None or came - found[-1][2] <= TOGETHER):
            found[-1][1] += char
        elif came is not None:
            found.append([x, char, came])
    return found


def main():
    with open(sys.argv[1]) as file:
        header, *events = [json.loads(line) for line in file]
    screen = Screen(header["width"], header["height"])
    for screen.now, _, data in events:
        screen.feed(data.encode())
    rows = max(y for y, _ in screen.came) + 1
    print(HEAD.format(width=header["width"] * CELL + 2 * MARGIN, height=rows * LINE + 2 * MARGIN,
                      title=html.escape(header["title"]), name=os.path.basename(sys.argv[1])))
    for y in range(rows):
        typed = screen.lines[y][:2] == ["#", " "]
        for x, text, came in runs(screen, y):
            text = text.rstrip()
            print(f'<text x="{MARGIN + x * CELL:g}" y="{MARGIN + y * LINE + 14:g}" textLength="{len(text) * CELL:g}"'
                  f'{" class=" + chr(34) + "typed" + chr(34) if typed else ""} style="animation-delay:{came:.2f}s">'
                  f"{html.escape(text)}</text>")
    print("</svg>")


main()
