"""TensorAddrList: a kernel parameter that is a list of arrays."""

from .error import fail
from .operands import check_in_range
from .program import Buffer
from .scalar import check_name
from .scope import BLOCK_BYTES, scope_gm, scope_ubuf
from .shape import number_or_expr, plus, times
from .tensor import Tensor

ADDRESS_BYTES = 8


class Array(Tensor):
    """An array of the list, from some element on; its length is not known before it is fed."""

    def __init__(self, source, index, dtype, offset):
        self._program = source.program
        self.buffer = source.buffer
        self._index = index
        self._view(dtype, [1], [1], offset, None, True)

    def operand(self):
        """[buffer, offset, dtype, index] of the statement file."""
        index = self._index
        return [*super().operand(), index if isinstance(index, int) else index.as_expr().to_json()]


class Address:
    """Where one array of the list starts, and some elements more. What is moved there or from
    there says of which dtype they are."""

    dtype = "uint64"

    def __init__(self, owner, index, offset=0):
        self.owner = owner
        self.index = index
        self.offset = offset

    def __add__(self, count):
        count = number_or_expr(count, "offset of an address")
        return Address(self.owner, self.index, plus(self.offset, count))

    __radd__ = __add__

    @property
    def value(self):
        return self

    def array(self, dtype):
        """What lies there, as a Tensor."""
        source = self.owner.source
        if source is None:
            fail(f"TensorAddrList {self.owner.name} holds no addresses yet; data_move them there")
        return Array(source, self.index, dtype, self.offset)


class TensorAddrList:
    """In GM it is fed with a list of arrays; a list in UB holds what data_move copied from one:
    its `source`."""

    dtype = "uint64"

    def __init__(self, program, size, scope, name):
        self.program = program
        if program.live:
            self._check(program, size, scope, name)
        self.size = size
        self.scope = scope
        self.name = name
        self.buffer = buffer = Buffer(name, scope, "uint64", size, program.frame)
        self.source = self if scope == scope_gm else None
        if not program.live:
            return
        if scope == scope_gm:
            buffer.is_list = True
            buffer.role = "input"
        else:
            buffer.bytes = times(size, ADDRESS_BYTES)
            buffer.address = program.memories[scope].place(name, buffer.bytes)
        program.add_buffer(buffer)

    @staticmethod
    def _check(program, size, scope, name):
        check_name(name, "TensorAddrList")
        if isinstance(size, bool) or not isinstance(size, int):
            fail(f"size of TensorAddrList should be int, input type: {type(size)}", TypeError)
        if size < 1:
            fail(f"size of TensorAddrList should be at least 1, input value is {size}")
        if scope not in (scope_gm, scope_ubuf):
            fail(f"TensorAddrList's scope should be scope_gm or scope_ubuf, input value is {scope}")
        if scope == scope_gm and program.in_scope:
            fail("TensorAddrList can't be defined in local, if its scope is scope_gm")

    def check_defined(self):
        self.program.check_defined("TensorAddrList", self.name, self.buffer.frame)

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        index = number_or_expr(index, f"index of TensorAddrList {self.name}")
        if self.program.live:
            self.check_defined()
            if isinstance(index, int) and not 0 <= index < self.size:
                fail(f"index of TensorAddrList {self.name} should be in the range of "
                     f"[0, {self.size - 1}], input value is {index}", IndexError)
        return Address(self, index)


def arrays_at(dst, src):
    """An operand that is an address becomes an array of the other's dtype."""
    if isinstance(dst, Address) and isinstance(src, Tensor):
        return dst.array(src.dtype), src
    if isinstance(src, Address) and isinstance(dst, Tensor):
        return dst, src.array(dst.dtype)
    return dst, src


def moves_addresses(dst, src):
    """Whether data_move has to do with addresses themselves."""
    return any(isinstance(end, (Address, TensorAddrList)) for end in (dst, src))


def move_addresses(dst, src, nburst, burst):
    """data_move of all addresses at once. The arrays stay where they are, so nothing runs."""
    if not all(isinstance(end, TensorAddrList) for end in (dst, src)) or (
            dst.scope, src.scope) != (scope_ubuf, scope_gm):
        fail("data_move takes addresses from a TensorAddrList in GM to one in UB only")
    dst.check_defined()
    src.check_defined()
    blocks = -(-dst.size * ADDRESS_BYTES // BLOCK_BYTES)
    check_in_range("nburst", nburst, 1, 1)
    check_in_range("burst", burst, blocks, blocks)
    dst.source = src
