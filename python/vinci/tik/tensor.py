"""Tensor: a buffer with a shape, and the views of it."""

import numpy

from . import chip
from .error import fail
from .expr import Operand, as_expr, binary, cast, is_integer, json_of
from .program import Buffer
from .scalar import check_dtype, check_element_source, check_name, warn_of_bits
from .scope import (ALIGNMENT, DTYPES, SHORT_NAMES, is_float_dtype, scope_gm, scope_ubuf, size_of)
from .shape import (check_shape, divided, number_or_expr, plus, product, resolve, row_major, same,
                    times)

MOST_INIT_ELEMENTS = 256 * 1024


class Tensor:
    """Some elements of a buffer: all after its definition, fewer after t[...].

    Instructions use `operand()`, and for their checks `buffer`, `constant_offset` and
    `original_elements`: only where a view starts counts, not how long it is.
    """

    __array_ufunc__ = None
    __hash__ = object.__hash__

    def __init__(self, program, dtype, shape, scope, name, enable_buffer_reuse=False,
                 no_reuse_list=None, reuse_list=None, is_workspace=False, is_atomic_add=False,
                 max_mem_size=None, init_value=None, is_global_tensor=False, start_addr=None):
        self._program = program
        if program.live:
            _check_definition(program, dtype, scope, name, is_workspace, is_atomic_add,
                              init_value, is_global_tensor)
            dims = check_shape(shape)
        else:
            dims = list(shape)
        elements = product(dims)
        self.buffer = buffer = Buffer(name, scope, dtype, elements, program.frame)
        buffer.dims = dims
        buffer.atomic = is_atomic_add
        buffer.is_global = is_global_tensor
        self._view(dtype, dims, row_major(dims), 0, elements, False)
        if not program.live:
            return
        if scope == scope_gm:
            _define_gm(buffer, is_workspace or is_global_tensor, init_value)
            program.add_buffer(buffer)
        else:
            is_new = _place(program, buffer, max_mem_size, start_addr)
            program.add_buffer(buffer)
            if not is_new:
                program.forget("buffer", buffer.number)

    def _view(self, dtype, dims, strides, offset, original, sliced):
        self._dtype = dtype
        self._dims = dims
        self._strides = strides
        self._offset = offset
        self._original = original  # elements of the shape before slicing, of this dtype
        self._sliced = sliced

    def _derived(self, dtype, dims, strides, offset, original, sliced):
        view = Tensor.__new__(Tensor)
        view._program = self._program
        view.buffer = self.buffer
        view._view(dtype, dims, strides, offset, original, sliced)
        return view

    # What scripts ask.

    @property
    def shape(self):
        return list(self._dims)

    @property
    def size(self):
        """How many elements the view has."""
        return product(self._dims)

    @property
    def dtype(self):
        return self._dtype

    @property
    def scope(self):
        return self.buffer.scope

    @property
    def name(self):
        return self.buffer.name

    @property
    def offset(self):
        """Elements from the start of the buffer."""
        return self._offset

    @property
    def strides(self):
        """Elements from one index of a dimension to the next."""
        return list(self._strides)

    @property
    def buffer_size(self):
        """Bytes of the whole buffer."""
        if self.buffer.bytes is not None:
            return self.buffer.bytes
        return times(self.buffer.elements, size_of(self.buffer.dtype))

    def __repr__(self):
        return f"Tensor({self._dtype}, {self._dims}, {self.scope}, {self.name})"

    # What instructions ask.

    def operand(self):
        """[buffer, offset, dtype] of the statement file."""
        self.check_defined()
        self.buffer.used = True
        return [self.buffer.number, json_of(self._offset), self._dtype]

    def check_defined(self):
        self._program.check_defined("Tensor", self.name, self.buffer.frame)

    @property
    def constant_offset(self):
        """Elements from the start of the buffer; None if that is known at run time only."""
        return self._offset if isinstance(self._offset, int) else None

    @property
    def original_elements(self):
        """How many elements of this dtype the buffer has; None as above."""
        return self._original if isinstance(self._original, int) else None

    @property
    def is_element(self):
        return all(isinstance(dim, int) and dim == 1 for dim in self._dims)

    def shifted(self, elements):
        """What starts so many elements later."""
        elements = number_or_expr(elements, "offset")
        return self._derived(self._dtype, self._dims, self._strides,
                             plus(self._offset, elements), self._original, True)

    def run(self, first, elements):
        """`elements` that follow each other from the view's element `first` on."""
        view = self.shifted(first)
        view._dims, view._strides = [elements], [1]
        return view

    # Views.

    def __getitem__(self, key):
        keys = key if isinstance(key, tuple) else (key,)
        if not self._program.live:
            return self._derived(self._dtype, [1] * len(keys), [1] * len(keys), self._offset,
                                 self._original, True)
        self.check_defined()
        dims, strides = self._dims, self._strides
        if len(keys) != len(dims):
            if len(keys) != 1:
                fail(f"Tensor {self.name} has {len(dims)} dimensions, input is {len(keys)} "
                     "subscripts", IndexError)
            dims, strides = [product(dims)], [1]
        offset, lengths, steps = self._offset, [], []
        for subscript, dim, stride in zip(keys, dims, strides):
            start, length, step = resolve(subscript, dim, self.name)
            offset = plus(offset, times(start, stride))
            lengths.append(length)
            steps.append(times(stride, step))
        return self._derived(self._dtype, lengths, steps, offset, self._original, True)

    def __setitem__(self, key, value):
        self[key].set_as(value)

    def __iter__(self):
        fail("A Tensor cannot be iterated over; use for_range", TypeError)

    def reshape(self, new_shape):
        """The same elements with another shape."""
        dims = self._other_shape(new_shape)
        return self._derived(self._dtype, dims, row_major(dims), self._offset, self._original,
                             False)

    def flatten(self):
        return self.reshape([product(self._dims)])

    def change_shape(self, new_shape):
        """As reshape, of this Tensor itself."""
        self._dims = self._other_shape(new_shape)
        self._strides = row_major(self._dims)

    def _other_shape(self, new_shape):
        if not self._program.live:
            return list(new_shape)
        self.check_defined()
        if self._sliced:
            fail(f"Tensor {self.name} is sliced, so its shape cannot be changed")
        dims = check_shape(new_shape)
        if not same(product(dims), product(self._dims)):
            fail(f"Tensor {self.name} has {product(self._dims)} elements, but the new shape "
                 f"has {product(dims)}")
        return dims

    def reinterpret_cast_to(self, dtype):
        """The same bytes as elements of another type: a wider one divides the last dimension, a
        narrower one adds a dimension."""
        if self._program.live:
            self.check_defined()
            check_dtype(dtype, tuple(DTYPES), "Tensor")
        old, new = size_of(self._dtype), size_of(dtype)
        if new > old:
            return self._as_wider(dtype, new // old)
        ratio = old // new
        dims, strides = list(self._dims), [times(stride, ratio) for stride in self._strides]
        if ratio > 1:
            dims.append(ratio)
            strides.append(1)
        return self._derived(dtype, dims, strides, times(self._offset, ratio),
                             times(self._original, ratio), self._sliced)

    def _as_wider(self, dtype, ratio):
        last = self._dims[-1]
        if self._program.live:
            for what, number in (("last dimension", last), ("offset", self._offset)):
                if isinstance(number, int) and number % ratio:
                    fail(f"Tensor {self.name} cannot be reinterpreted as {dtype}: its {what} "
                         f"should be a multiple of {ratio}, input value is {number}")
        dims = self._dims[:-1] + [divided(last, ratio)]
        strides = [divided(stride, ratio) for stride in self._strides[:-1]] + [1]
        return self._derived(dtype, dims, strides, divided(self._offset, ratio),
                             divided(self._original, ratio), self._sliced)

    # Elements.

    def set_as(self, value, dst_offset=0, src_offset=None):
        """Sets one element: the bits of a Tensor's element or of a Scalar, or the value of a
        number or Expr."""
        if not self._program.live:
            return
        _check_element_target(self)
        to = self.shifted(dst_offset).operand()
        if isinstance(value, Tensor):
            check_element_source(value)
            warn_of_bits(f"Tensor {self.name}", self._dtype, f"an element of Tensor {value.name}",
                         value.dtype)
            source = value if src_offset is None else value.shifted(src_offset)
            self._program.emit({"do": "copy", "to": to, "from": source.operand()})
            return
        if src_offset is not None:
            fail("src_offset goes with a Tensor only")
        expr = as_expr(value, "value")
        if value is expr or not isinstance(value, Operand):
            expr = cast(expr, self._dtype)
        else:
            warn_of_bits(f"Tensor {self.name}", self._dtype, value, expr.dtype)
        self._program.emit({"do": "store", "to": to, "value": expr.to_json()})

    def as_expr(self):
        """One element as it is now."""
        if self._program.live:
            if not self.is_element:
                fail(f"Tensor {self.name} has more than one element here, so it is no number",
                     TypeError)
            check_element_source(self)
        dtype = "uint8" if self._dtype == "bool" else self._dtype
        buffer, offset, _ = self.operand()
        return self._program.temporary(dtype, [buffer, offset, dtype])

    def _compare(self, op, other):
        return binary(op, self, other) if self.is_element else NotImplemented

    def __eq__(self, other):
        return self._compare("==", other)

    def __ne__(self, other):
        return self._compare("!=", other)

    def __lt__(self, other):
        return self._compare("<", other)

    def __le__(self, other):
        return self._compare("<=", other)

    def __gt__(self, other):
        return self._compare(">", other)

    def __ge__(self, other):
        return self._compare(">=", other)

    def _no_arithmetic(self, other=None):
        if isinstance(other, Operand):
            return NotImplemented  # which has it
        return fail("A Tensor has no arithmetic. Use vec_add and its kind; for an element a "
                    "Scalar: s = Scalar(dtype), s.set_as(tensor[i])", TypeError)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _no_arithmetic
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _no_arithmetic
    __and__ = __rand__ = __or__ = __ror__ = __lshift__ = __rlshift__ = _no_arithmetic
    __rshift__ = __rrshift__ = __neg__ = __invert__ = _no_arithmetic


def _check_definition(program, dtype, scope, name, is_workspace, is_atomic_add, init_value,
                      is_global_tensor):
    check_dtype(dtype, tuple(DTYPES), "Tensor")
    check_name(name, "Tensor")
    if name[0].isdigit():
        fail(f"Tensor's name should not start with a digit, input value is {name}")
    if scope not in SHORT_NAMES:
        fail(f"Tensor's scope should be one of {', '.join(SHORT_NAMES)}, input value is {scope}")
    if scope == scope_gm:
        if program.in_scope:
            fail("Tensor can't be defined in local, if its scope is scope_gm")
        return
    for flag, what in ((is_workspace, "is_workspace"), (is_atomic_add, "is_atomic_add"),
                       (is_global_tensor, "is_global_tensor"),
                       (init_value is not None, "init_value")):
        if flag:
            fail(f"{what} is for scope_gm only, but the scope of {name} is {scope}")
    if not chip.current().bytes.get(scope) or scope not in ALIGNMENT:
        fail(f"{chip.current().name} has no {SHORT_NAMES[scope]} for Tensor {name}")


def _define_gm(buffer, is_scratch, init_value):
    if init_value is not None:
        buffer.role = "init"
        buffer.init = _init_numbers(buffer, init_value)
    elif is_scratch:
        buffer.role = "workspace"


def _init_numbers(buffer, init_value):
    if not isinstance(buffer.elements, int):
        fail(f"init_value of {buffer.name} needs a shape that is known when the script runs")
    if buffer.elements > MOST_INIT_ELEMENTS:
        fail(f"init_value is for at most {MOST_INIT_ELEMENTS} elements, but {buffer.name} has "
             f"{buffer.elements}")
    try:
        values = numpy.asarray(init_value).ravel().tolist()
    except ValueError:
        values = []
    if not isinstance(init_value, (list, tuple, numpy.ndarray)):
        values = values * buffer.elements
    if len(values) != buffer.elements or not all(isinstance(v, (int, float)) for v in values):
        fail(f"init_value of {buffer.name} should hold {buffer.elements} numbers")
    return [float(v) if is_float_dtype(buffer.dtype) else int(v) for v in values]


def _place(program, buffer, max_mem_size, start_addr):
    """Whether what lies there from then on is for sure what has always lain there, or what the
    script wants to lie there: with start_addr it puts one Tensor over another."""
    size = times(buffer.elements, size_of(buffer.dtype))
    if max_mem_size is not None:
        if isinstance(max_mem_size, bool) or not is_integer(max_mem_size) or max_mem_size <= 0:
            fail(f"max_mem_size of {buffer.name} should be a positive int, input value is "
                 f"{max_mem_size}")
        if isinstance(size, int) and max_mem_size < size:
            fail(f"max_mem_size of {buffer.name} should be at least {size}, input value is "
                 f"{max_mem_size}")
        size = int(max_mem_size)
    buffer.bytes = size
    memory = program.memories[buffer.scope]
    if start_addr is not None:
        buffer.address = memory.place_at(buffer.name, start_addr, size)
        return True
    buffer.address = memory.place(buffer.name, size, max(program.frame.thread_num, 1))
    is_new = memory.is_new(buffer.address) and not program.in_loop
    memory.note(memory.top)
    return is_new


def _check_element_target(tensor):
    if tensor.scope == scope_ubuf:
        return
    stores = "write" in chip.current().facts["scalar_gm"]
    if tensor.scope != scope_gm or not stores:
        fail(f"An element is set in UB{' or GM' if stores else ''}, but the scope of {tensor.name} "
             f"is {tensor.scope}")
