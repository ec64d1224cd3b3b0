#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""record.py SESSION CAST COMMAND...: types the lines of SESSION into the shell that COMMAND opens, and records its terminal.

CAST becomes a file of asciinema, version 2. What is typed before the first line of the session is not recorded. Each line is
typed when the prompt is there again, at the pace of a hand; all other times are the machine's.
"""
import codecs
import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

WIDTH, HEIGHT = 106, 26
LIMIT = 300
PACE = 0.04
PROMPT = "# "
# bash must not print sequences around its prompt, and the guest does not know the terminal's size.
PREPARE = f"bind 'set enable-bracketed-paste off'; stty cols {WIDTH} rows {HEIGHT}; mkdir -p /srv; PS1='{PROMPT}'; clear"
TITLE = "rxadm: a cache of 64 MiB over a disk of 200 I/Os per second, in a virtual machine"


class Recorder:
    def __init__(self, command):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execvp(command[0], command)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.text = ""
        self.start = None
        self.events = []

    def read(self, limit):
        """Reads what there is within the limit; false if nothing comes."""
        if not select.select([self.master], [], [], limit)[0]:
            return False
        data = self.decoder.decode(os.read(self.master, 65536))
        self.text += data
        if self.start is not None:
            self.events.append([round(time.monotonic() - self.start, 3), "o", data])
        return True

    def expect(self, ending, limit=LIMIT):
        end = time.monotonic() + limit
        while not self.text.endswith(ending):
            if not self.read(max(0, end - time.monotonic())):
                # The machine is in the command's group.
                os.killpg(self.pid, signal.SIGTERM)
                sys.exit(f"record: no '{ending}' after {limit} s; the end of the terminal:\n{self.text[-2000:]}")

    def send(self, text):
        self.text = ""
        os.write(self.master, text.encode())

    def type(self, line):
        for char in line:
            self.send(char)
            self.expect(char, 60)
            time.sleep(PACE)
        self.send("\r")
        self.expect("\n" + PROMPT)


def main():
    session, cast = sys.argv[1:3]
    with open(session) as file:
        lines = [line.rstrip("\n") for line in file if not line.startswith("#")]
    recorder = Recorder(sys.argv[3:])
    recorder.expect("# ")
    recorder.send(PREPARE + "\r")
    recorder.expect("\x1b[J" + PROMPT)
    recorder.start = time.monotonic()
    recorder.events.append([0.0, "o", PROMPT])
    for line in lines:
        recorder.type(line)
    events, recorder.start = recorder.events, None
    recorder.send("exit\r")
    try:
        while recorder.read(LIMIT):
            pass
    except OSError:
        pass  # The terminal is gone, and so is the machine.
    with open(cast, "w") as file:
        for entry in [{"version": 2, "width": WIDTH, "height": HEIGHT, "title": TITLE}] + events:
            file.write(json.dumps(entry) + "\n")


main()
