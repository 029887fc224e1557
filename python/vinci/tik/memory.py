"""Where Tensors on chip lie: a stack for each memory, released when a scope closes."""

from . import chip
from .error import fail
from .scope import ALIGNMENT, SHORT_NAMES


def align_up(value, unit):
    return -(-value // unit) * unit


class Memory:
    """One memory on chip. Tensors with start_addr cost no room; the others avoid them."""

    def __init__(self, scope):
        self.scope = scope
        self.top = 0
        self.fixed = []  # (begin, end) of live Tensors with start_addr

    @property
    def capacity(self):
        return chip.current().bytes.get(self.scope, 0)

    @property
    def available(self):
        return max(self.capacity - self.top, 0)

    def place(self, name, size, copies=1):
        """The address for `copies` times `size` bytes."""
        unit = ALIGNMENT[self.scope]
        size = align_up(size, unit) * copies
        begin = self._first_gap(align_up(self.top, unit), size, unit)
        if begin + size > self.capacity:
            fail(
                f"Tensor {name} needs {size} bytes of {SHORT_NAMES[self.scope]}, but "
                f"{self.available} of {self.capacity} bytes are available."
            )
        self.top = begin + size
        return begin

    def _first_gap(self, begin, size, unit):
        for low, high in sorted(self.fixed):
            if low < begin + size and begin < high:
                begin = align_up(high, unit)
        return begin

    def place_at(self, name, address, size):
        """Checks an address that the script chose."""
        unit = ALIGNMENT[self.scope]
        if isinstance(address, bool) or not isinstance(address, int):
            fail(f"start_addr should be int, input type: {type(address)}", TypeError)
        if address < 0 or address % unit:
            fail(f"start_addr should be a multiple of {unit} for {name}, input value is {address}")
        if address + size > self.capacity:
            fail(
                f"Tensor {name} with start_addr {address} needs {size} bytes, but "
                f"{SHORT_NAMES[self.scope]} has {self.capacity} bytes."
            )
        self.fixed.append((address, address + size))
        return address


class Memories:
    """All memories of a core."""

    def __init__(self):
        self._memories = {}

    def __getitem__(self, scope):
        if scope not in self._memories:
            self._memories[scope] = Memory(scope)
        return self._memories[scope]

    def mark(self):
        return {scope: (memory.top, len(memory.fixed)) for scope, memory in self._memories.items()}

    def release(self, mark):
        for scope, memory in self._memories.items():
            top, count = mark.get(scope, (0, 0))
            memory.top = top
            del memory.fixed[count:]
