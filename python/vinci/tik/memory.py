"""Where Tensors on chip lie: a stack for each memory, released when a scope closes."""

from . import chip
from .error import fail
from .expr import larger
from .scope import ALIGNMENT, SHORT_NAMES
from .shape import divided, plus, times

MOST_SHOWN = 6  # Tensors, where one finds no room


def align_up(value, unit):
    return times(divided(plus(value, unit - 1), unit), unit)


class Memory:
    """One memory on chip. Tensors with start_addr cost no room; the others avoid them."""

    def __init__(self, scope):
        self.scope = scope
        self.top = 0  # a multiple of the alignment
        self.used = 0  # below it Tensors have lain
        self.fixed = []  # (begin, end) of live Tensors with start_addr
        self.lying = []  # (name, bytes) of the other live ones

    @property
    def capacity(self):
        return chip.current().bytes.get(self.scope, 0)

    @property
    def available(self):
        if not isinstance(self.top, int):
            fail(f"how much of {SHORT_NAMES[self.scope]} is available depends on a Scalar")
        return max(self.capacity - self.top, 0)

    def is_new(self, address):
        """Whether nothing has ever lain at this address or behind it."""
        return isinstance(address, int) and address >= self.used

    def note(self, end):
        """A Tensor lies before this address."""
        self.used = max(self.used, end) if isinstance(end, int) else self.capacity

    def place(self, name, size, copies=1):
        """The address for `copies` times `size` bytes: an Expr behind what Scalars size, and then
        the engine sees whether it fits."""
        unit = ALIGNMENT[self.scope]
        each = align_up(size, unit)
        size = times(each, copies)
        begin = self._first_gap(self.top, size, unit)
        end = plus(begin, size)
        if isinstance(end, int) and end > self.capacity:
            threads = f" ({each} for each of {copies} threads)" if copies > 1 else ""
            fail(
                f"Tensor {name} needs {size} bytes{threads} of {SHORT_NAMES[self.scope]}, but "
                f"{self.available} of {self.capacity} bytes are available.{self._largest()}"
            )
        self.top = end
        self.lying.append((name, size))
        return begin

    def _largest(self):
        """What takes most of the room."""
        known = [one for one in self.lying if isinstance(one[1], int)]
        largest = sorted(known, key=lambda one: -one[1])[:MOST_SHOWN]
        more = "" if len(largest) == len(self.lying) else f" and {len(self.lying) - len(largest)} more"
        shown = ", ".join(f"{name} ({size})" for name, size in largest)
        return f" There are {shown}{more}." if largest else ""

    def _first_gap(self, begin, size, unit):
        if not isinstance(begin, int) or not isinstance(size, int):
            highest = max((high for _, high in self.fixed), default=0)
            return larger(begin, align_up(highest, unit))
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
        if isinstance(size, int) and address + size > self.capacity:
            fail(
                f"Tensor {name} with start_addr {address} needs {size} bytes, but "
                f"{SHORT_NAMES[self.scope]} has {self.capacity} bytes."
            )
        end = address + size if isinstance(size, int) else self.capacity
        self.fixed.append((address, end))
        self.note(end)
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
        return {scope: (memory.top, len(memory.fixed), len(memory.lying))
                for scope, memory in self._memories.items()}

    def release(self, mark):
        for scope, memory in self._memories.items():
            memory.top, fixed, lying = mark.get(scope, (0, 0, 0))
            del memory.fixed[fixed:]
            del memory.lying[lying:]
