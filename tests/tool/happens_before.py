"""Which instructions of a trace nothing orders: an oracle from the rules of the documents.

A trace is what VINCI_SELF_CHECK=trace=FILE writes for one core (src/tool/step_trace.h): what is
issued, with the bytes that it touches, and what synchronises. Nothing here is the engine's: sets of
steps, as bits of a number, say what has ended when a pipe starts.
"""

import collections

FRACTALS_IN_ORDER = 10  # of C, from which on products follow each other by hardware
FRACTAL_BYTES = 1024    # of floats or int32
COMPILER = {"V", "MTE2", "MTE3"}  # which the vendor's compiler orders with scalar code


class Trace:
    """Reads one, and finds what is in no order: (earlier, later, memory, whether both only write)."""

    def __init__(self, lines):
        self.steps = []                           # (name, pipe, combines, unit_flag, in_operator)
        self.reads, self.writes = [], []          # by step: {memory: [(first, end)]}
        self.issued = collections.Counter()       # by pipe: steps, as bits
        self.known = collections.Counter()        # by pipe: have ended when it starts the next one
        self.before = []                          # by step: had ended when it started
        self.in_order = collections.Counter()     # by pipe: steps that end in order
        self.flags, self.enqueued, self.freed = {}, collections.defaultdict(list), {}
        self.cross = 0
        self.races = []
        for line in lines:
            word, *words = line.split()
            getattr(self, word)(*words)

    def at_start(self, pipe):
        """What has ended when the pipe starts what it gets now: scalar code issues it."""
        return self.known[pipe] | self.known["S"]

    def done(self, pipe):
        """What has ended when the pipe has done all that it was given."""
        return self.at_start(pipe) | self.issued[pipe]

    def barrier(self, pipe):
        """PipeBarrier."""
        if pipe == "ALL":
            self.known["S"] |= sum(self.issued.values())
        else:
            self.known[pipe] |= self.done(pipe)

    def flag(self, what, source, target, identifier):
        """SetFlag and WaitFlag."""
        key = source, target, identifier
        if what == "set":
            self.flags[key] = self.done(source)
        else:
            self.known[target] |= self.flags.pop(key, 0)

    def queue(self, what, queue, address, _allocation, filler, emptier):
        """A queue orders two pipes, nothing within one."""
        if what == "enque":
            self.enqueued[queue].append((filler, self.done(filler)))
        elif what == "deque" and self.enqueued[queue]:
            pipe, steps = self.enqueued[queue].pop(0)
            self.known[emptier] |= steps if pipe != emptier else 0
        elif what == "free":
            self.freed[queue, address] = emptier, self.done(emptier), filler
        elif what == "alloc":
            self.wait_for_free((queue, address))

    def wait_for_free(self, key):
        """Of AllocTensor, and of Reset."""
        if key in self.freed:
            pipe, steps, filler = self.freed[key]
            self.known[filler] |= steps if pipe != filler else 0

    def reset(self):
        """TPipe::Reset takes the flags of FreeTensor down."""
        for key in list(self.freed):
            self.wait_for_free(key)
        self.freed.clear()
        self.enqueued.clear()

    def cross_set(self, pipe):
        """What another core may have waited for before it answers."""
        self.cross |= self.done(pipe)

    def cross_wait(self):
        """CrossCoreWaitFlag."""
        self.known["S"] |= self.cross

    def step(self, name, pipe, combines, unit_flag, in_operator, *operands):
        """An instruction, or a scalar access."""
        number = len(self.steps)
        self.steps.append((name, pipe, combines == "1", unit_flag == "1", in_operator == "1"))
        touched = {"r": collections.defaultdict(list), "w": collections.defaultdict(list)}
        for operand in operands:
            access, memory, intervals = operand.split(":")
            for interval in intervals.split(","):
                touched[access][memory].append(tuple(map(int, interval.split("-"))))
        self.reads.append(touched["r"])
        self.writes.append(touched["w"])
        known = self.at_start(pipe)
        follows = pipe in ("V", "S") or (pipe == "M" and self.is_large(number))
        if follows:
            known |= self.in_order[pipe]
        everything = sum(self.issued.values())
        for earlier in bits(everything & ~known):
            memory, both_write = self.conflict(earlier, number)
            if not memory or self.may_overlap(earlier, number, memory):
                continue
            other = self.steps[earlier][1]
            if "S" in (pipe, other) and (pipe in COMPILER or other in COMPILER):
                known |= 1 << earlier | self.before[earlier]  # the compiler has put a wait here
            else:
                self.races.append((earlier, number, memory, both_write))
        self.before.append(known)
        self.known[pipe] |= known & ~self.in_order[pipe] if follows else known
        self.issued[pipe] |= 1 << number
        if follows:
            self.in_order[pipe] |= 1 << number

    def is_large(self, number):
        """Of a product: whether C has so many fractals."""
        written = self.writes[number].get("L0C", [])
        return sum(end - first for first, end in written) >= FRACTALS_IN_ORDER * FRACTAL_BYTES

    def may_overlap(self, earlier, later, memory):
        """What orders itself, or may come in any order."""
        (_, _, *one), (_, _, *other) = self.steps[earlier], self.steps[later]
        combine, unit_flag, in_operator = map(all, zip(one, other))
        return (in_operator or (combine and memory == "GM") or (unit_flag and memory == "L0C"))

    def conflict(self, earlier, later):
        """A memory in which both touch a byte, and one of them writes it; "" if there is none."""
        for first, second in ((self.writes, self.reads), (self.reads, self.writes),
                              (self.writes, self.writes)):
            for memory, intervals in first[earlier].items():
                if meet(intervals, second[later].get(memory, ())):
                    return memory, first is second
        return "", False


def meet(one, other):
    """Whether intervals of two lists have a byte in common."""
    return any(a < d and c < b for a, b in one for c, d in other)


def bits(number):
    """The numbers of the bits that are set."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
