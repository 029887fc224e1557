"""TensorAddrList: a kernel parameter that is a list of arrays."""

from .error import fail
from .program import Buffer
from .scalar import check_name
from .scope import scope_gm, scope_ubuf, size_of
from .shape import divided, number_or_expr, plus, times

ADDRESS_BYTES = 8


class Address:
    """Where one array of the list starts, and some bytes more."""

    dtype = "uint64"

    def __init__(self, owner, index, offset=0):
        self.owner = owner
        self.index = index
        self.byte_offset = offset

    def __add__(self, count):
        count = number_or_expr(count, "offset of an address")
        return Address(self.owner, self.index, plus(self.byte_offset, count))

    __radd__ = __add__

    @property
    def value(self):
        return self

    scope = scope_gm

    @property
    def name(self):
        return self.owner.name

    @property
    def buffer(self):
        return self.owner.source.buffer

    def operand(self, dtype="uint8"):
        """[buffer, offset, dtype, index] of the statement file."""
        source = self.owner.source
        if source is None:
            fail(f"TensorAddrList {self.owner.name} holds no addresses yet; data_move them there")
        source.check_defined()
        size = size_of(dtype)
        offset = self.byte_offset
        if isinstance(offset, int) and offset % size:
            fail(f"an address in TensorAddrList {self.owner.name} should be a multiple of {size} "
                 f"bytes for {dtype}, input value is {offset}")
        return [source.buffer.number, _json(divided(offset, size)), dtype, _json(self.index)]


def _json(value):
    return value if isinstance(value, int) else value.as_expr().to_json()


class TensorAddrList:
    """In GM it is fed with a list of arrays; a list in UB holds what data_move copied from one:
    its `source`."""

    dtype = "uint64"

    def __init__(self, program, size, scope, name):
        self._program = program
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
        self._program.check_defined("TensorAddrList", self.name, self.buffer.frame)

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        index = number_or_expr(index, f"index of TensorAddrList {self.name}")
        if self._program.live:
            self.check_defined()
            if isinstance(index, int) and not 0 <= index < self.size:
                fail(f"index of TensorAddrList {self.name} should be in the range of "
                     f"[0, {self.size - 1}], input value is {index}", IndexError)
        return Address(self, index)
