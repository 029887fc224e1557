"""The checks that instructions share. They look at what is known when the script runs; the engine
checks the rest. Each gives the form of the statement file, so that a call reads

    dst_block = check_block_stride("dst_blk_stride", dst_blk_stride)

An instruction asks `self.program.live` first and does nothing if it is False.
"""

import itertools

from . import chip
from .api_support import old_name
from .error import fail, unimplemented
from .expr import Expr, Operand, as_expr, cast, constant_of, is_integer, json_of
from .fold import clamp_float16
from .scope import (DTYPES, SCALAR_DTYPES, SHORT_NAMES, is_float_dtype, is_integer_dtype, scope_ubuf,
                    size_of)
from .tensor import Tensor

VECTOR_BYTES = 256  # of the wider type, in one repeat
WORD_MOST = (1 << 64) - 1
COUNT_MOST = (1 << 32) - 1


# Tensors.


def check_tensor(value, name, scopes=(scope_ubuf,), align=None):
    """A Tensor in one of the memories, starting at a multiple of `align` bytes, or of what the
    memory asks for."""
    if not isinstance(value, Tensor):
        fail(f"{name} should be tensor, input type: {type(value)}", TypeError)
    if value.scope not in scopes:
        fail(f"{name}'s scope must be {' or '.join(SHORT_NAMES[s] for s in scopes)}, input is "
             f"{SHORT_NAMES[value.scope]}")
    align, offset = align or chip.alignment_of(value.scope), value.constant_offset
    if offset is not None and offset * size_of(value.dtype) % align:
        fail(f"Address align error, {name}[{offset}] is not {align} Byte align")
    return value.operand()


def check_extent(name, tensor, elements):
    """So many elements from the start of the view are in the Tensor."""
    offset, total = tensor.constant_offset, tensor.original_elements
    if None not in (offset, total) and offset + elements > total:
        fail(f"{name} tensor overflow, {offset + elements} elements are needed, but Tensor "
             f"{tensor.name} has {total} of {tensor.dtype}")


def check_same_dtype(**tensors):
    """All operands, given by name, have one dtype."""
    (first, one), *others = tensors.items()
    for name, other in others:
        if other.dtype != one.dtype:
            fail(f"{first} and {name} should have the same dtype, input is {one.dtype} and "
                 f"{other.dtype}", TypeError)


def unsupported(instruction, what, instead=()):
    """Reports types or options that the chip in force does not have, and what there is instead."""
    now = chip.current()
    fail("; ".join([f"current chip: {now.family} {now.core_type} doesn't support {what} for Instruction "
                    f"{instruction}", *instead]))


# round_mode by the letters of the tables of types.
ROUND_MODES = {"": "none", "r": "round", "f": "floor", "c": "ceil", "a": "away-zero", "z": "to-zero",
               "o": "odd"}


def _has_with(record, dtypes, at, dtype):
    """Whether the chip in force has an instruction with another dtype at one place."""
    asked = list(dtypes)
    asked[at] = dtype
    return any(chip.supports(record, asked, letter) for letter in ROUND_MODES)


def _products(record):
    """The types of two sources that a chip multiplies, and of what becomes of them."""
    return [f"{a} and {b} to {dst}" for a, b, dst in itertools.product(SCALAR_DTYPES, repeat=3)
            if chip.supports(record, [dst, a, b])]


def _instead(record, dtypes, round_letter):
    """What the chip in force has of an instruction, and the chips that have what was asked for."""
    modes = [name for letter, name in ROUND_MODES.items() if chip.supports(record, dtypes, letter)]
    places = {"": 0} if len(dtypes) == 1 else {" dst": 0, " src": -1} if dtypes else {}
    types = {name: [one for one in SCALAR_DTYPES if _has_with(record, dtypes, at, one)]
             for name, at in places.items()}
    if modes:
        yield f"legal round_mode: {', '.join(modes)}"
    elif (found := next((name for name in types if types[name]), None)) is not None:
        yield f"legal{found}: {', '.join(types[found])}"
    elif len(dtypes) == 3 and (products := _products(record)):
        yield f"legal: {', '.join(products)}"
    if chips := chip.those_that_support(record, dtypes, round_letter):
        yield f"chips that have it: {', '.join(chips)}"


def check_supported(record, instruction, dtypes, what, round_letter=""):
    """`record`: the engine's name; `dtypes`: of the destination, then of the sources."""
    if chip.supports(record, dtypes, round_letter):
        return
    of_bytes = chip.current().facts["of_bytes"].split()
    if old_name(instruction) in of_bytes and set(dtypes) <= {"int8", "uint8"}:
        unimplemented(f"{instruction} of {dtypes[0]} on {chip.current().name}",
                      "no published source says how its lanes lie and what becomes of overflow")
    unsupported(instruction, what, _instead(record, dtypes, round_letter))


# Numbers.


def check_in_range(name, value, low, high, shown="input value is", late_low=None):
    """An integer of any kind in low..high. What is known at run time only obeys the same range, or
    begins at `late_low`: the form says so, and the engine ends the call with a fault that names the
    parameter."""
    if type(value) is int and low <= value <= high:  # most are
        return value
    if not is_integer(value):
        fail(f"{name} should be int, Scalar(int/uint) or Expr(int/uint), input type: "
             f"{type(value)}", TypeError)
    number = constant_of(value)
    if number is None:
        return ["within", low if late_low is None else late_low, high, name, json_of(value)]
    if not low <= number <= high:
        fail(f"{name} should be in the range of [{low}, {high}], {shown} {number}")
    return json_of(value)


def check_unused(tik, api, name, value, low, high):
    """check_in_range of a parameter that changes nothing, so that no field of the call holds it."""
    check_in_range(name, value, low, high)
    if constant_of(value) is None:
        tik.program.emit({"do": "check", "as": api, "value": json_of(value), "least": low,
                          "most": high, "what": name})


def check_repeat_times(repeat_times, most=255):
    """0 is legal as a Scalar or Expr, and does nothing; as an immediate it is not."""
    return check_in_range("repeat_times", repeat_times, 1, most, "input repeat_times:", late_low=0)


def check_block_stride(name, value, most=255):
    return check_in_range(name, value, 0, most)


def check_repeat_stride(name, value, most=255):
    return check_in_range(name, value, 0, most)


def check_bool(name, value):
    if not isinstance(value, bool):
        fail(f"{name} should be bool, input type: {type(value)}", TypeError)
    return value


def check_stride_unit(stride_unit):
    check_in_range("stride_unit", stride_unit, 0, 3)
    if constant_of(stride_unit) and not chip.current().facts["stride_unit"]:
        fail(f"stride_unit should be 0 on {chip.current().name}, input value is {stride_unit}")


def check_scalar(name, value, dtype):
    """A number for elements of `dtype`: an immediate, a Scalar of that dtype, or an Expr."""
    if isinstance(value, Tensor):
        fail(f"{name} should be an immediate, Scalar or Expr, input type: {type(value)}; for an "
             "element a Scalar: s = Scalar(dtype), s.set_as(tensor[i])", TypeError)
    expr = as_expr(value, name)
    number = constant_of(value)
    if number is None:
        if isinstance(value, Operand) and not isinstance(value, Expr) and value.dtype != dtype:
            fail(f"{name}'s dtype should be {dtype}, input is {value.dtype}", TypeError)
        return cast(expr, dtype).to_json()
    if isinstance(number, float) and is_integer_dtype(dtype):
        fail(f"{name} should be int for a tensor of {dtype}, input value is {number}", TypeError)
    if dtype == "float16":
        number = clamp_float16(float(number))
    json = cast(number, dtype).to_json()
    return json if is_float_dtype(dtype) or isinstance(json, list) else [dtype, json]


# Masks.


class Mask:
    """`json` for the statement; `lanes` of a full repeat; `length`: up to the last enabled lane, if
    that is known; `counter`: Counter mode."""

    def __init__(self, json, lanes, length=None, counter=False):
        self.json = json
        self.lanes = lanes
        self.length = length
        self.counter = counter


def check_mask_mode(mask_mode):
    if mask_mode not in ("normal", "counter"):
        fail(f"mask_mode should be 'normal' or 'counter', input value is {mask_mode}")
    if mask_mode == "counter" and not chip.supports("set_mask_count"):
        fail(f"{chip.current().name} doesn't support mask_mode 'counter'")


def check_mask(mask, *dtypes, mask_mode="normal"):
    """A Mask for operands of these dtypes: the wider one decides how many lanes a repeat has."""
    check_mask_mode(mask_mode)
    size = max(size_of(dtype) for dtype in dtypes)
    lanes = VECTOR_BYTES // size
    if mask_mode == "counter":
        return _counter_mask(mask, lanes)
    if isinstance(mask, (list, tuple)):
        return _bit_mask(mask, size, lanes)
    if not is_integer(mask):
        fail(f"not support this type of mask now, input type: {type(mask)}", TypeError)
    number = constant_of(mask)
    if number is None:
        return Mask({"first": check_in_range("mask", mask, 1, lanes)}, lanes)
    if not 1 <= number <= lanes:
        fail(f"mask value should be in the range of [1, {lanes}] for b{size * 8} tensor, input "
             f"mask {number}")
    return Mask({"first": int(number)}, lanes, int(number))


def _counter_mask(mask, lanes):
    if not is_integer(mask):
        fail(f"not support this type of mask now with mask_mode 'counter', input type: "
             f"{type(mask)}", TypeError)
    return Mask({"count": check_in_range("mask", mask, 1, COUNT_MOST)}, lanes, counter=True)


def _bit_mask(mask, size, lanes):
    words = 4 if size == 1 else 2
    if len(mask) != words or not all(is_integer(word) for word in mask):
        fail(f"not support this type of mask now: a list for b{size * 8} tensor should hold "
             f"{words} int, Scalar or Expr, input is {mask}", TypeError)
    bits, known = 0, True
    for word in mask:  # from the highest lanes to the lowest
        number = constant_of(word)
        if number is None:
            known = False
        elif not 0 <= number <= WORD_MOST:
            fail(f"mask value should be in the range of [0, {WORD_MOST}], input mask {number}")
        bits = bits << 64 | int(number or 0)
    if bits >> lanes:
        fail(f"mask of a b{size * 8} tensor has {lanes} lanes, so no higher bit should be set, "
             f"input mask {[constant_of(word) for word in mask]}")
    if known and not bits:
        fail(f"mask value should not be 0 in all of its {words} words, input mask {list(mask)}")
    return Mask({"bits": [json_of(word) for word in mask]}, lanes,
                bits.bit_length() if known else None)


def check_kind(name, tensor, kinds):
    """The Tensor's dtype is one of these kinds: "int", "uint", "float", "bool"."""
    if DTYPES[tensor.dtype].kind not in kinds:
        fail(f"{name}'s dtype should be {' or '.join(kinds)}, input is {tensor.dtype}", TypeError)
