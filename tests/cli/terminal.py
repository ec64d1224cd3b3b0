#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""terminal.py WxH STEP... -- COMMAND...: runs a command in a terminal and plays its user.

The steps, in their order:
  expect:TEXT   wait until the screen shows it        gone:TEXT    until it no longer does
  send:KEYS     type, with escapes as \\x03            size:WxH     the window gets another size
  run:COMMAND   run it outside, in a shell
  red:TEXT      wait until it was written in red     gray:         nothing was written in red up to now
  signal:NAME   send it to the command                hold:        read nothing more (as after Ctrl-S)
  show:         print the screen, without what is blank at the ends of lines
  end:STATUS    wait for the end, -N for a signal; modes, cursor and screen must be as they were before
Any that does not come true within a minute ends this with status 1.
"""
import codecs
import ctypes
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

LIMIT = 60
SEQUENCE = re.compile(rb"\x1b\[([?>]?)([0-9;]*)([@-~])|\x1b[^\[]")


class Screen:
    """As much of a VT100 as rxadm and a shell use."""

    def __init__(self, width, height):
        self.main = self.lines = None
        self.hidden = self.nowrap = self.reverse = False
        self.alternate = 0
        self.colored, self.red = False, ""
        self.pending = b""
        self.resize(width, height)

    def resize(self, width, height):
        self.width, self.height = width, height
        old = self.lines or []
        self.lines = [list("".join(line)[:width].ljust(width)) for line in old[:height]]
        self.lines += [[" "] * width for _ in range(height - len(self.lines))]
        self.x = self.y = 0

    def text(self):
        return "\n".join("".join(line).rstrip() for line in self.lines)

    def newline(self):
        self.y += 1
        if self.y >= self.height:
            self.y = self.height - 1
            self.lines = self.lines[1:] + [[" "] * self.width]

    def put(self, char):
        if self.x >= self.width:
            if self.nowrap:
                self.x = self.width - 1
            else:
                self.x = 0
                self.newline()
        self.lines[self.y][self.x] = char
        self.x += 1
        if self.colored:
            self.red += char

    def mode(self, number, on):
        if number == "25":
            self.hidden = not on
        elif number == "7":
            self.nowrap = not on
        elif number == "1049" and on != bool(self.main):
            if on:
                self.main = (self.lines, self.x, self.y)
                self.lines = [[" "] * self.width for _ in range(self.height)]
            else:
                lines, self.x, self.y = self.main
                self.main, self.lines = None, lines
                x, y = self.x, self.y
                self.resize(self.width, self.height)
                self.x, self.y = min(x, self.width - 1), min(y, self.height - 1)

    def sequence(self, private, numbers, final):
        n = [int(i or 0) for i in numbers.split(";")]
        if final in "hl" and private == "?":
            for number in numbers.split(";"):
                self.mode(number, final == "h")
        elif final == "H":
            n += [0]
            self.y = max(0, min(n[0], self.height) - 1)
            self.x = max(0, min(n[1], self.width) - 1)
        elif final == "J" and n[0] == 2:
            self.lines = [[" "] * self.width for _ in range(self.height)]
        elif final in "JK":
            self.lines[self.y][self.x:] = [" "] * (self.width - self.x)
        elif final == "m":
            self.reverse = n[-1] == 7
            self.colored = n[-1] == 31
            self.red += " "

    def feed(self, data):
        data = self.pending + data
        self.pending = b""
        while data:
            if data[:1] == b"\x1b":
                match = SEQUENCE.match(data)
                if not match:
                    self.pending = data
                    return
                if match.group(3):
                    self.sequence(*(g.decode() for g in match.groups()))
                data = data[match.end():]
                continue
            length = 1 if data[0] < 0xC0 else 2 if data[0] < 0xE0 else 3 if data[0] < 0xF0 else 4
            if len(data) < length:
                self.pending = data
                return
            char, data = data[:length].decode(errors="replace"), data[length:]
            if char == "\r":
                self.x = 0
            elif char == "\n":
                self.newline()
            elif char == "\b":
                self.x = max(0, self.x - 1)
            elif char >= " ":
                self.put(char)


class Terminal:
    def __init__(self, width, height, command):
        self.master, self.slave = pty.openpty()
        self.holding = False
        self.resize(width, height)
        self.screen = Screen(width, height)
        self.before = termios.tcgetattr(self.slave)
        self.child = subprocess.Popen(command, stdin=self.slave, stdout=self.slave, stderr=self.slave,
                                      preexec_fn=self.own, close_fds=True)
        self.ended = os.pidfd_open(self.child.pid)

    def own(self):
        # The child must not outlive a test that is killed.
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def resize(self, width, height):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def wait(self, true, what):
        end = time.monotonic() + LIMIT
        over = False
        while not true():
            left = end - time.monotonic()
            if left <= 0 or over:
                self.fail(what)
            ready = select.select([self.ended] + ([] if self.holding else [self.master]), [], [], left)[0]
            if self.master in ready:
                self.screen.feed(os.read(self.master, 65536))
            elif self.ended in ready:
                self.child.wait()
                self.drain()
                over = True

    def drain(self):
        """Reads what a command that has ended wrote: the kernel passes it on in order, but later."""
        data = b""
        if self.holding:
            return
        os.write(self.slave, b"\0")
        while not data.endswith(b"\0"):
            data = os.read(self.master, 65536)
            self.screen.feed(data)

    def fail(self, what):
        print(f"not so: {what}; the screen:\n{self.screen.text()}")
        self.child.kill()
        sys.exit(1)

    def expect(self, text):
        self.wait(lambda: text in self.screen.text(), f"shows '{text}'")

    def gone(self, text):
        self.wait(lambda: text not in self.screen.text(), f"no longer shows '{text}'")

    def red(self, text):
        self.wait(lambda: text in self.screen.red, f"'{text}' in red")

    def gray(self, _):
        if self.screen.red.strip():
            self.fail(f"nothing is red (but {self.screen.red.strip()})")

    def send(self, keys):
        os.write(self.master, codecs.decode(keys, "unicode_escape").encode("latin-1"))

    def size(self, size):
        width, height = map(int, size.split("x"))
        self.screen.resize(width, height)
        self.resize(width, height)

    def signal(self, name):
        self.child.send_signal(getattr(signal, name))

    def run(self, command):
        if subprocess.call(command, shell=True):
            self.fail(f"{command} succeeds")

    def hold(self, _):
        self.holding = True

    def show(self, _):
        print(self.screen.text())

    def end(self, status):
        self.wait(lambda: self.child.poll() is not None, "ends")
        self.drain()
        if self.child.returncode != int(status):
            self.fail(f"ends with {status} (but {self.child.returncode})")
        if termios.tcgetattr(self.slave) != self.before:
            self.fail("the modes are as before")
        screen = self.screen
        if not self.holding and (screen.main or screen.hidden or screen.nowrap or screen.reverse or
                                 screen.colored):
            self.fail("screen, cursor, wrapping and colour are as before")


def main():
    at = sys.argv.index("--")
    width, height = map(int, sys.argv[1].split("x"))
    terminal = Terminal(width, height, sys.argv[at + 1:])
    for step in sys.argv[2:at]:
        name, _, value = step.partition(":")
        getattr(terminal, name)(value)


if __name__ == "__main__":
    main()
