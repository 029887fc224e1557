"""Small helpers of operators."""

from vinci.tik.absent import make_getattr


def is_unknown_rank_input(input_list):
    """Whether one of the operators' inputs has shape (-2,)."""
    inputs = input_list if isinstance(input_list, (list, tuple)) else [input_list]
    return any(list(one.get("shape", ())) == [-2] for one in inputs)


def is_unknown(operands):
    """Whether one of the operands has a shape that is known at run time only."""
    operands = operands if isinstance(operands, (list, tuple)) else [operands]
    return any(number < 0 for one in operands for number in one.get("shape", ()))


is_dynamic_input = is_unknown


def ceil(value, block):
    """value / block, rounded up; block 0 is an error."""
    if block == 0:
        raise RuntimeError("ceil: the divisor is 0")
    return (value + block - 1) // block


def align(value, block):
    """The next multiple of block."""
    return ceil(value, block) * block


def floor(value, block):
    """value / block, rounded down."""
    if block == 0:
        raise RuntimeError("floor: the divisor is 0")
    return value // block


__getattr__ = make_getattr(__name__)
