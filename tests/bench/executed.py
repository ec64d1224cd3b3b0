# SPDX-License-Identifier: GPL-2.0-only
"""executed.py LOG KALLSYMS: where the instructions of an I/O go, by function.

LOG is what qemu writes with "-d in_asm,exec,nochain" while psync (kernel/helpers) makes its last I/Os: each block of instructions
when it is translated, and its address each time that it is executed. Instructions between the first and the last system call
count, including those of a tick or a kernel thread that runs meanwhile.

The count of a function's own instructions is exact. The count with callees follows calls and returns. If a function sleeps, this
count of the function and of its callers ends where another thread goes on.
"""
import bisect
import collections
import re
import sys

SYSCALLS = ("__x64_sys_pread64", "__x64_sys_pwrite64")
# The functions that an interrupt or a system call begins with; they have no caller.
ENTRY = re.compile(r"asm_|entry_SYSCALL_64$")
LEAST = 0.002


class Symbols:
    def __init__(self, path):
        found = []
        with open(path, encoding="ascii", errors="replace") as f:
            for line in f:
                field = line.rstrip("\0\n").split()
                if len(field) >= 3 and not field[2].startswith("__pfx_"):
                    found.append((int(field[0], 16), field[2], field[3] if len(field) > 3 else "[kernel]"))
        found.sort()
        self.starts = [f[0] for f in found]
        self.names = found

    def of(self, address):
        """(start, name, module) of the function at this address."""
        if address < 1 << 47:
            return (0, "the program", "[user]")
        i = bisect.bisect_right(self.starts, address) - 1
        return self.names[i] if i >= 0 else (0, "?", "?")


class Block:
    """Instructions that are executed one after the other; only the last one may jump."""

    def __init__(self, pc, count, last, end, symbols):
        self.pc, self.count, self.end = pc, count, end
        self.start, self.function, self.module = symbols.of(pc)
        self.calls, self.returns = last.startswith(("call", "lcall")), last.startswith(("ret", "iret", "sysret"))
        self.enters = pc == self.start
        self.begins = self.enters and bool(ENTRY.match(self.function))


def read_blocks(path, symbols):
    """The blocks in the order in which they were executed."""
    known, asm, waiting = {}, [], None
    with open(path, encoding="ascii", errors="replace") as f:
        for line in f:
            if line.startswith("Trace"):
                if waiting:
                    yield waiting
                field = line.split(None, 4)
                at = field[2]
                if asm:
                    first, last = asm[0], asm[-1]
                    known[at] = Block(first[0], len(asm), last[2], last[0] + last[1], symbols)
                    asm = []
                waiting = known.get(at)
            elif line.startswith("0x"):
                # The address, bytes, and the instruction. A line without an instruction has the rest of a long one's bytes.
                field = line.split()
                size = next((i for i, f in enumerate(field[1:]) if len(f) != 2), len(field) - 1)
                if size < len(field) - 1:
                    asm.append((int(field[0].rstrip(":"), 16), size, field[size + 1]))
                else:
                    asm[-1] = (asm[-1][0], asm[-1][1] + size, asm[-1][2])
            elif line.startswith("IN:"):
                asm = []
            elif line.startswith("Stopped"):
                # An interrupt came first, so the last block was not executed.
                waiting = None
    if waiting:
        yield waiting


class Profile:
    """Frames are [return address or None, function, instructions executed before it was entered]."""

    def __init__(self):
        self.total, self.ios, self.stack = 0, 0, []
        self.own, self.whole, self.called, self.modules = (collections.Counter() for _ in range(4))

    def leave(self):
        back, function, since = self.stack.pop()
        if all(frame[1] != function for frame in self.stack):
            self.whole[function] += self.total - since
        return back

    def enter(self, block, back):
        self.stack.append([back, block.function, self.total])
        self.called[block.function] += 1

    def go(self, before, block):
        """Follows a step to the next block: a call, a return, a jump to the start of another function, or an interrupt."""
        if block.begins:
            self.enter(block, 0)
        elif before is None:
            self.enter(block, None)
        elif before.calls:
            self.enter(block, before.end)
        elif before.returns:
            at = next((i for i in range(len(self.stack) - 1, -1, -1) if self.stack[i][0] in (block.pc, 0)), None)
            while at is not None and len(self.stack) > at:
                self.leave()
        elif block.enters and block.function != before.function:
            self.enter(block, None)

    def add(self, block):
        self.total += block.count
        self.own[block.function] += block.count
        self.modules[block.module] += block.count

    def read(self, blocks):
        """Counts only the blocks between two system calls, because the first and the last I/O may be incomplete."""
        before, pending = None, None
        for block in blocks:
            if block.enters and block.function in SYSCALLS:
                if pending is not None:
                    self.ios += 1
                    self.replay(pending)
                pending = []
            if pending is not None:
                pending.append((before, block))
            before = block
        while self.stack:
            self.leave()

    def replay(self, pending):
        for before, block in pending:
            self.go(before, block)
            self.add(block)


def render(p):
    out = [f"{p.total / p.ios:.0f} instructions per I/O, {p.ios} I/Os", ""]
    for module, n in p.modules.most_common():
        if n >= p.total * LEAST:
            out.append(f"{n / p.ios:10.0f} {n * 100 / p.total:5.1f} %  {module}")
    for title, table in (("by own instructions", p.own), ("with all that they call", p.whole)):
        out += ["", f"{'own':>10} {'':7} {'with calls':>10} {'calls':>7}  {title}"]
        for name, n in table.most_common():
            if n < p.total * LEAST:
                break
            out.append(f"{p.own[name] / p.ios:10.1f} {p.own[name] * 100 / p.total:5.1f} % {p.whole[name] / p.ios:10.1f} "
                       f"{p.called[name] / p.ios:7.2f}  {name}")
    return "\n".join(out)


def main():
    profile = Profile()
    profile.read(read_blocks(sys.argv[1], Symbols(sys.argv[2])))
    if not profile.ios:
        sys.exit("executed: no system call in the log")
    print(render(profile))


if __name__ == "__main__":
    main()
