"""Instructions that work element by element, as one table of checks and one form of statement."""

from ..error import fail
from ..expr import constant_of
from ..operands import (check_block_stride, check_mask, check_repeat_stride, check_repeat_times,
                        check_scalar, check_stride_unit, check_supported, check_tensor)

UNARY_BLOCK_MOST = 65535  # block strides of instructions with one source
BINARY_BLOCK_MOST = 255
NO_SCALAR = object()  # None is a mistake of the script


def named(function, name, doc):
    """A method that a factory made, with the name and the text that help() shows."""
    function.__name__ = name
    function.__qualname__ = f"Tik.{name}"
    function.__doc__ = doc
    return function


class Strided:
    """An operand with its strides, in datablocks of 32 bytes.

    `name`: as the page calls it; `field`: as the record does.
    """

    def __init__(self, name, tensor, block_stride, repeat_stride, field=None):
        self.name = name
        self.tensor = tensor
        self.block_stride = block_stride
        self.repeat_stride = repeat_stride
        self.field = field or ("src0" if name == "src" else name)


def check_stride_units(stride_unit):
    check_stride_unit(stride_unit)
    number = constant_of(stride_unit)
    if number != 0:
        shown = "of a Scalar or Expr" if number is None else number
        fail(f"stride_unit {shown} is not there yet; give the strides in blocks")


def strided_fields(operands, block_most):
    """The statement's fields of all operands; their checks."""
    fields = {}
    for operand in operands:
        fields[operand.field] = check_tensor(operand.tensor, operand.name)
        fields[operand.field + "_block"] = check_block_stride(
            operand.name + "_blk_stride", operand.block_stride, block_most)
        fields[operand.field + "_repeat"] = check_repeat_stride(
            operand.name + "_rep_stride", operand.repeat_stride)
    return fields


def types_named(operands):
    """What a message says of the operands' types: "dst float16 src float32"."""
    return " ".join(f"{operand.name} {operand.tensor.dtype}" for operand in operands)


def names_of(operands):
    """For emit's `inside`."""
    return {operand.field: operand.name for operand in operands}


def emit_elementwise(tik, api, record, mask, operands, repeat_times, *, mixed=False,
                     scalar=NO_SCALAR, mask_mode="normal", block_most=UNARY_BLOCK_MOST, more=None,
                     apart=None):
    """Checks a call and records it. `operands`: Strided, dst first. `mixed`: dst may be wider than
    the sources; `more`: fields of its own; `apart`: as Program.emit has it."""
    if not tik.program.live:
        return
    fields = strided_fields(operands, block_most)
    fields["repeats"] = check_repeat_times(repeat_times)
    check_same_dtype_of(operands[1:] if mixed else operands)
    dtypes = list(dict.fromkeys(operand.tensor.dtype for operand in operands))
    check_supported(record, api, dtypes, types_named(operands))
    if scalar is not NO_SCALAR:
        fields["scalar"] = check_scalar("scalar", scalar, operands[-1].tensor.dtype)
    lanes = check_mask(mask, *(operand.tensor.dtype for operand in operands), mask_mode=mask_mode)
    fields["mask"] = lanes.json
    tik.program.emit({"do": "call", "instruction": record, "as": api, **fields, **(more or {})},
                     inside=names_of(operands), overlap=apart is None, apart=apart)


def check_same_dtype_of(operands):
    first = operands[0]
    for other in operands[1:]:
        if other.tensor.dtype != first.tensor.dtype:
            fail(f"{first.name} and {other.name} should have the same dtype, input is "
                 f"{first.tensor.dtype} and {other.tensor.dtype}", TypeError)
