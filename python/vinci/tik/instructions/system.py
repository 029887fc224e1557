"""What changes how later instructions work: set_atomic_add, and the overflow status."""

from .. import chip
from ..error import fail, unimplemented
from ..expr import constant_of, is_integer
from ..operands import check_in_range, check_supported, check_unused
from ..scalar import Scalar

# The modes of set_atomic_add by number; 0 turns it off.
ATOMIC_DTYPES = {1: "float32", 2: "float16", 3: "int16", 4: "int32", 5: "int8", 6: "bfloat16"}
ATOMIC_NUMBERS = {dtype: number for number, dtype in ATOMIC_DTYPES.items()}


def _atomic_mode(mode):
    """The number of a mode, None if it is known at run time only."""
    if isinstance(mode, str):
        if mode not in ATOMIC_NUMBERS:
            fail(f"mode of set_atomic_add should be one of {', '.join(ATOMIC_NUMBERS)}, input value "
                 f"is {mode}")
        return ATOMIC_NUMBERS[mode]
    if isinstance(mode, bool) or not is_integer(mode):
        fail(f"mode should be int, str or Scalar, input type: {type(mode)}", TypeError)
    check_in_range("mode", mode, 0, max(ATOMIC_DTYPES))
    return constant_of(mode)


def _has_atomic(dtype):
    return chip.supports("set_atomic_add", [dtype])


class System:
    """Mixin of Tik."""

    def set_atomic_add(self, mode):
        """Later copies from UB to GM add to what is there: 1 float32, 2 float16, 3 int16, 4 int32,
        5 int8, 6 bfloat16, or the name of a type; 0: no longer."""
        if not self.program.live:
            return
        number = _atomic_mode(mode)
        if number is None:
            self._set_atomic_by(mode)
        elif number:
            dtype = ATOMIC_DTYPES[number]
            check_supported("set_atomic_add", "set_atomic_add", [dtype], f"mode {mode}")
            self._emit_atomic(dtype)
        elif any(map(_has_atomic, ATOMIC_NUMBERS)):
            self._emit_atomic(None)
        else:
            check_supported("set_atomic_add", "set_atomic_add", ["float32"], "any mode")

    def _emit_atomic(self, dtype):
        record = {"instruction": "set_atomic_add", "dtype": [dtype, 0]} if dtype else {
            "instruction": "disable_dma_atomic"}
        self.program.emit({"do": "call", "as": "set_atomic_add", **record})

    def _set_atomic_by(self, mode):
        """A Scalar says which: one of the modes that the chip has."""
        numbers = [number for number, dtype in ATOMIC_DTYPES.items() if _has_atomic(dtype)]
        if not numbers:
            check_supported("set_atomic_add", "set_atomic_add", ["float32"], "any mode")
        self.program.emit({"do": "check", "value": mode.as_expr().to_json(), "least": 0,
                           "most": max(numbers), "what": "mode of set_atomic_add"})
        for number in [0, *numbers]:
            with self.if_scope(mode == number):
                self._emit_atomic(ATOMIC_DTYPES.get(number))

    def set_overflow_status(self, value):
        """Clears the status that get_overflow_status reads."""
        if self.program.live:
            check_unused(self, "set_overflow_status", "value", value, 0, 0)

    def get_overflow_status(self, status):
        """Whether a result overflowed: vinci does not keep that."""
        if not self.program.live:
            return
        if not isinstance(status, Scalar) or status.dtype != "uint64":
            fail(f"status should be Scalar(uint64), input is {status}", TypeError)
        unimplemented("get_overflow_status", "which results set it no published source says")
