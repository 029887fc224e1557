"""Operations on Scalars: scalar_max, scalar_conv and their like; docs/spec/tik_scalar_operations.md.
Each is one `set` statement."""

from .. import chip
from ..error import fail
from ..expr import Expr, Operand, as_expr
from ..operands import ROUND_MODES, check_scalar, unsupported
from ..scalar import Scalar
from .conversion import letter_of
from .elementwise import named

NUMBERS = ("int64", "float32")
WORDS = ("uint64",)

# (from, to) of scalar_conv, and the letters of its round modes.
CONVERSIONS = {("float32", "int32"): "rafcz", ("int32", "float32"): "",
               ("float16", "float32"): "", ("float32", "float16"): "o"}


def _legal_conversions(letters):
    """The round modes of a pair, else the pairs that there are."""
    if not chip.current().facts["scalar_floats"]:
        return ()
    if letters is None:
        return ["legal: " + ", ".join(f"{source} to {target}" for source, target in CONVERSIONS)]
    modes = letters if letters not in ("", "o") else ["", *letters]
    return ["legal round_mode: " + ", ".join(ROUND_MODES[letter] for letter in modes)]


def _check_dst(dst, dtypes):
    if not isinstance(dst, Scalar):
        fail(f"dst should be Scalar, input type: {type(dst)}", TypeError)
    if dst.dtype not in dtypes:
        fail(f"dst's dtype should be {' or '.join(dtypes)}, input is {dst.dtype}", TypeError)


def _operation(name, op, dtypes, sources, doc):
    """scalar_<name>(dst, sources...): dst = [op, its dtype, sources...]."""

    def emit(self, dst, *values):
        if not self.program.live:
            return
        _check_dst(dst, dtypes)
        json = [check_scalar(source, value, dst.dtype) for source, value in zip(sources, values)]
        dst.set_as(Expr(dst.dtype, json=[op, dst.dtype, *json]))

    def unary(self, dst, src):
        emit(self, dst, src)

    def binary(self, dst, src0, src1):
        emit(self, dst, src0, src1)

    method = unary if len(sources) == 1 else binary
    return named(method, name, doc)


class ScalarOperations:
    """Mixin of Tik."""

    scalar_max = _operation("scalar_max", "max", NUMBERS, ("src0", "src1"), "dst = the larger one.")
    scalar_min = _operation("scalar_min", "min", NUMBERS, ("src0", "src1"),
                            "dst = the smaller one.")
    scalar_abs = _operation("scalar_abs", "abs", NUMBERS, ("src",), "dst = |src|.")
    scalar_sqrt = _operation("scalar_sqrt", "sqrt", NUMBERS, ("src",), "dst = square root of src.")
    scalar_countbit0 = _operation("scalar_countbit0", "countbit0", WORDS, ("src",),
                                  "dst = how many of the 64 bits of src are 0.")
    scalar_countbit1 = _operation("scalar_countbit1", "countbit1", WORDS, ("src",),
                                  "dst = how many of the 64 bits of src are 1.")
    scalar_countleading0 = _operation("scalar_countleading0", "countleading0", WORDS, ("src",),
                                      "dst = how many of the 64 bits of src are 0 before the first "
                                      "1.")

    def scalar_conv(self, round_mode, dst, src):
        """dst = src in the type of dst."""
        if not self.program.live:
            return
        letter = letter_of(round_mode)
        _check_dst(dst, ("float32", "float16", "int32"))
        if not isinstance(src, Operand):
            fail(f"src should be Scalar, input type: {type(src)}", TypeError)
        source = as_expr(src, "src")
        letters = CONVERSIONS.get((source.dtype, dst.dtype))
        # Without a mode: the pairs that need none.
        legal = letters is not None and (letter in letters if letter else letters in ("", "o"))
        if not legal or not chip.current().facts["scalar_floats"]:
            unsupported("scalar_conv",
                        f"src {source.dtype} dst {dst.dtype} round_mode '{round_mode}'",
                        _legal_conversions(letters))
        dst.set_as(Expr(dst.dtype, json=["round", dst.dtype, letter, source.to_json()]))
