"""Scalar, ScalarArray and InputScalar."""

from . import chip
from .error import fail, warn
from .expr import Expr, Operand, as_expr, cast, constant_of, is_integer
from .scope import SCALAR_DTYPES, is_float_dtype, scope_gm, scope_ubuf, size_of


INPUT_DTYPES = tuple(name for name in SCALAR_DTYPES if name != "bfloat16")


def check_dtype(dtype, legal, what):
    if not isinstance(dtype, str):
        fail(f"{what}'s dtype should be str, input type: {type(dtype)}", TypeError)
    if dtype not in legal:
        fail(f"{what}'s dtype should be one of {', '.join(legal)}, input value is {dtype}")


def check_name(name, what):
    if not isinstance(name, str):
        fail(f"{what}'s name should be str, input type: {type(name)}", TypeError)
    if not name or not all(c.isascii() and (c.isalnum() or c == "_") for c in name):
        fail(f"{what}'s name should hold letters, digits and underscores, input value is {name}")


def warn_of_bits(target, dtype, source, source_dtype):
    """Integers may hold a float's bits on their way; a float of another type never does."""
    if dtype != source_dtype and is_float_dtype(dtype) and is_float_dtype(source_dtype):
        warn(f"{target} takes the bits of {source}, which is {source_dtype}: in {dtype} they are another "
             f"number; vec_conv and scalar_conv convert")


def check_element_source(tensor):
    """Whether a scalar may be read from this Tensor."""
    if tensor.scope == scope_ubuf:
        return
    if tensor.scope != scope_gm:
        fail(f"A Scalar is read from UB or GM, but the scope of {tensor.name} is {tensor.scope}")
    if "read" not in chip.current().facts["scalar_gm"]:
        fail(f"{chip.current().name} cannot read a Scalar from GM: {tensor.name}; data_move it to UB "
             "first")


def _check_conversion(source, target):
    """Not every scalar unit converts floats."""
    floats = is_float_dtype(source), is_float_dtype(target)
    if source != target and any(floats) and not chip.current().facts["scalar_floats"]:
        fail(
            f"{chip.current().name} cannot set a Scalar({target}) as {source}: its scalar unit "
            "converts no floats",
            TypeError,
        )


class Scalar(Operand):
    """A number that statements set and read."""

    kind = "Scalar"

    def __init__(self, program, dtype="int64", name="reg_buf", init_value=None):
        self._program = program
        self._frame = program.frame
        if program.live:
            check_dtype(dtype, SCALAR_DTYPES, self.kind)
            check_name(name, self.kind)
        if name == "reg_buf":
            name = f"reg_buf{len(program.scalars)}"
        self._dtype = dtype
        self.name = name
        self.number = program.add_scalar(name, dtype)
        self._expr = Expr(dtype, json=["scalar", self.number])
        if init_value is not None:
            self.set_as(init_value)
        elif program.in_loop:
            self._forget()

    def _forget(self):
        self._program.forget("scalar", self.number)

    @property
    def dtype(self):
        return self._dtype

    def as_expr(self):
        self._program.check_defined(self.kind, self.name, self._frame)
        return self._expr

    def __repr__(self):
        return f"{self.kind}({self._dtype}, {self.name})"

    def set_as(self, value, src_offset=None):
        """Bits of a Tensor's element, or the value of a number, Scalar or Expr."""
        if not self._program.live:
            return
        self._program.check_defined(self.kind, self.name, self._frame)
        if hasattr(value, "operand"):
            self._load(value, src_offset)
            return
        if src_offset is not None:
            fail("src_offset goes with a Tensor only")
        expr = as_expr(value, "value")
        if expr.value is None:
            _check_conversion(expr.dtype, self._dtype)
        self.assign(cast(expr, self._dtype).to_json())

    def assign(self, json):
        self._program.emit({"do": "set", "scalar": self.number, "value": json})

    def _load(self, tensor, src_offset):
        check_element_source(tensor)
        if src_offset is not None:
            if not is_integer(src_offset):
                fail(f"src_offset should be an integer, input type: {type(src_offset)}", TypeError)
            tensor = tensor.shifted(src_offset)
        taken = size_of(self._dtype) // size_of(tensor.dtype)
        if taken > 1:
            warn(f"{self} takes the bits of {taken} elements of Tensor {tensor.name}, which is "
                 f"{tensor.dtype}")
        else:
            warn_of_bits(self, self._dtype, f"an element of Tensor {tensor.name}", tensor.dtype)
        self.load(tensor.operand())

    def load(self, operand):
        self._program.emit({"do": "load", "scalar": self.number, "from": operand})

    def read_register(self, register, api):
        """What the instruction `api`, just recorded, left in a register of the engine."""
        self._program.check_defined(self.kind, self.name, self._frame)
        self._program.emit({"do": "read", "scalar": self.number, "register": register, "as": api})


class InputScalar(Operand):
    """A number that is fed in; nothing can set it."""

    def __init__(self, program, dtype="int64", name="input_scalar"):
        if program.live:
            check_dtype(dtype, INPUT_DTYPES, "InputScalar")
            check_name(name, "InputScalar")
        self._dtype = dtype
        self.name = name
        self.number = program.add_scalar(name, dtype, is_input=True)
        self._expr = Expr(dtype, json=["scalar", self.number])

    @property
    def dtype(self):
        return self._dtype

    def as_expr(self):
        return self._expr

    def __repr__(self):
        return f"InputScalar({self._dtype}, {self.name})"


class ScalarArray:
    """Scalars by number. A number that is known when the script runs gives the Scalar itself."""

    def __init__(self, program, dtype="int64", length=1, name="reg_buf", init_value=None):
        self._program = program
        if program.live:
            self._check(length, init_value)
        if name == "reg_buf":
            name = f"reg_buf{len(program.scalars)}"
        self.name = name
        self._dtype = dtype
        self.length = length
        self._scalars = [Scalar(program, dtype, f"{name}_{i}") for i in range(length)]
        if init_value is None:
            return
        values = init_value if isinstance(init_value, (list, tuple)) else [init_value] * length
        for scalar, value in zip(self._scalars, values):
            scalar.set_as(value)

    @staticmethod
    def _check(length, init_value):
        if isinstance(length, bool) or not isinstance(length, int):
            fail(f"ScalarArray's length should be int, input type: {type(length)}", TypeError)
        if length < 1:
            fail(f"ScalarArray's length should be at least 1, input value is {length}")
        if isinstance(init_value, (list, tuple)) and len(init_value) != length:
            fail(f"init_value should hold {length} values, input length is {len(init_value)}")

    @property
    def dtype(self):
        return self._dtype

    def __len__(self):
        return self.length

    def __iter__(self):
        return iter(self._scalars)

    def __getitem__(self, index):
        if not is_integer(index):
            fail(f"ScalarArray's index should be an integer, input type: {type(index)}", TypeError)
        number = constant_of(index)
        if number is None:
            return ArrayElement(self._program, self, index)
        if not 0 <= number < self.length:
            if not self._program.live:
                return self._scalars[0]
            fail(f"ScalarArray's index should be in the range of [0, {self.length - 1}], "
                 f"input value is {number}", IndexError)
        return self._scalars[number]

    def __setitem__(self, index, value):
        self[index].set_as(value)

    def set_as(self, value, src_offset=None):
        """All elements in turn: from a list, a ScalarArray, or one value for all."""
        many = isinstance(value, (list, tuple, ScalarArray))
        if many and len(value) != self.length:
            fail(f"value should hold {self.length} values, input length is {len(value)}")
        for scalar, one in zip(self._scalars, value if many else [value] * self.length):
            scalar.set_as(one, src_offset)


class ArrayElement(Scalar):
    """An element of a ScalarArray whose number is known at run time only: one of all, by cases."""

    def __init__(self, program, array, index):
        self._array = array
        self._index = as_expr(index)
        super().__init__(program, array.dtype, f"{array.name}_at")

    def _forget(self):
        """It is set before it is read."""

    def _cases(self, statement):
        """Records `statement(number of the scalar)` for the one that the index says."""
        program = self._program
        index = ["scalar", program.add_scalar(f"{self._array.name}_index", "int64")]
        program.emit({"do": "set", "scalar": index[1], "value": self._index.to_json()}, True)
        program.emit({"do": "check", "value": index, "least": 0, "most": self._array.length - 1,
                      "what": f"index of ScalarArray {self._array.name}"}, True)
        for number, scalar in enumerate(self._array):
            then = [program.stamp(statement(scalar.number))]
            program.emit({"do": "if", "when": ["==", "int64", index, number], "then": then}, True)

    def as_expr(self):
        self._cases(lambda number: {"do": "set", "scalar": self.number,
                                    "value": ["scalar", number]})
        return super().as_expr()

    def assign(self, json):
        # The value is read once: it may depend on the element that it goes to.
        super().assign(json)
        self._to_array()

    def load(self, operand):
        super().load(operand)
        self._to_array()

    def read_register(self, register, api):
        super().read_register(register, api)
        self._to_array()

    def _to_array(self):
        self._cases(lambda number: {"do": "set", "scalar": number,
                                    "value": ["scalar", self.number]})
