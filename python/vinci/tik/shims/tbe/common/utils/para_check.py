"""Checks of operators' parameters, and the names of the kinds of parameter.

A check that fails raises RuntimeError with the parameter's name, the value and what is legal.
Sources: the names and meanings in the CANN 8.x TBE reference.
"""

import re
from enum import Enum

from vinci.tik.absent import make_getattr

MAX_RANK = 8
SHAPE_SIZE_LIMIT = 2**31 - 1
DIM_LIMIT = 2**31 - 1
DEFAULT_MIN_SHAPE_DIM, DEFAULT_MAX_SHAPE_DIM = 1, 8  # of check_shape_rule
DEFAULT_MAX_SHAPE_NUM = 200000000
RANK_LIMIT = MAX_RANK
RANK_ZERO = 0
ALL_DTYPE_LIST = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
                  "float16", "bfloat16", "float32")
ALL_FLOAT_DTYPE_LIST = ("float16", "float32", "float64")
ALL_FORMAT_LIST = ("ND", "NCHW", "NHWC", "HWCN", "NC1HWC0", "FRACTAL_Z", "FRACTAL_NZ", "NDHWC",
                   "NCDHW", "NDC1HWC0", "FRACTAL_Z_3D", "C1HWNCoC0")

KERNEL_NAME = "kernel_name"
REQUIRED_INPUT, OPTION_INPUT, DYNAMIC_INPUT = "required_input", "option_input", "dynamic_input"
REQUIRED_OUTPUT, OPTION_OUTPUT = "required_output", "option_output"
DYNAMIC_OUTPUT = "dynamic_output"
for _kind in ("INT", "FLOAT", "STR", "BOOL", "TYPE", "LIST_INT", "LIST_FLOAT", "LIST_STR",
              "LIST_BOOL", "LIST_LIST_INT"):
    globals()[f"REQUIRED_ATTR_{_kind}"] = f"required_attr_{_kind.lower()}"
    globals()[f"OPTION_ATTR_{_kind}"] = f"option_attr_{_kind.lower()}"


class OpParamInfoKey(Enum):
    """The keys of a description of a tensor."""

    SHAPE = "shape"
    FORMAT = "format"
    ORI_SHAPE = "ori_shape"
    ORI_FORMAT = "ori_format"
    D_TYPE = "dtype"
    RANGE = "range"


TensorFormat = Enum("TensorFormat", {name: name for name in ALL_FORMAT_LIST})


def _is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def check_op_params(*_kinds, **_named):
    """Decorator: passed through."""
    return lambda function: function


check_input_type = check_op_params


def check_dtype(dtype, check_list=ALL_DTYPE_LIST, param_name=""):
    """The type, in any case, is one of check_list."""
    what = param_name or "dtype"
    if not isinstance(dtype, str):
        raise RuntimeError(f"{what}: the type is given as a str, not {dtype!r}")
    if dtype.lower() not in check_list:
        raise RuntimeError(f"{what}: {dtype} is not one of {', '.join(check_list)}")


def check_format(data_format, check_list=ALL_FORMAT_LIST, param_name=""):
    """The format is one of check_list."""
    if data_format not in check_list:
        raise RuntimeError(f"{param_name or 'format'}: {data_format} is not one of "
                           f"{', '.join(check_list)}")


def check_shape(shape, min_dim=0, max_dim=DIM_LIMIT, min_rank=0, max_rank=MAX_RANK, min_size=0,
                max_size=SHAPE_SIZE_LIMIT, param_name=""):
    """A list or tuple of integers, and rank, dimensions and size lie in the ranges."""
    what = param_name or "shape"
    if not isinstance(shape, (list, tuple)):
        raise RuntimeError(f"{what}: the shape is a list or tuple, not {shape!r}")
    if not min_rank <= len(shape) <= max_rank:
        raise RuntimeError(f"{what}: {len(shape)} dimensions, legal: {min_rank}..{max_rank}")
    size = 1
    for number in shape:
        if not _is_integer(number) or not min_dim <= number <= max_dim:
            raise RuntimeError(f"{what}: a dimension of {number!r} in {tuple(shape)}, "
                               f"legal: {min_dim}..{max_dim}")
        size *= number
    if not min_size <= size <= max_size:
        raise RuntimeError(f"{what}: {size} elements in {tuple(shape)}, "
                           f"legal: {min_size}..{max_size}")


def check_shape_rule(shape, min_dim=None, max_dim=None, max_shape_num=None):
    """1 to 8 dimensions, or as many as min_dim and max_dim say, each of at least 1; their product is
    at most max_shape_num.

    Here, unlike in check_shape, min_dim and max_dim count dimensions.
    """
    check_shape(shape, min_dim=1, min_rank=DEFAULT_MIN_SHAPE_DIM if min_dim is None else min_dim,
                max_rank=DEFAULT_MAX_SHAPE_DIM if max_dim is None else max_dim,
                max_size=DEFAULT_MAX_SHAPE_NUM if max_shape_num is None else max_shape_num)


def check_shape_size(shape, limit=SHAPE_SIZE_LIMIT + 1):
    """The number of elements is at most `limit`; returns it."""
    check_shape(shape, max_size=limit)
    size = 1
    for number in shape:
        size *= number
    return size


check_tensor_shape_size = check_shape_size


def check_dtype_rule(dtype, check_list, param_name=""):
    """As check_dtype; the type may not be None."""
    if dtype is None:
        raise RuntimeError(f"{param_name or 'dtype'} is None")
    check_dtype(dtype, check_list, param_name)


def is_scalar(shape):
    """Whether a tensor of this shape is one number: () or (1,)."""
    return tuple(shape) in ((), (1,))


def check_kernel_name(kernel_name):
    """Letters, digits, underscores, no digit first, at most 200 characters."""
    if not isinstance(kernel_name, str) or not 0 < len(kernel_name) <= 200 \
            or not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", kernel_name):
        raise RuntimeError("kernel_name is made of letters, digits and underscores, at most 200, "
                           f"with no digit first; not {kernel_name!r}")


def check_range(value, low, high, param_name=""):
    """low <= value <= high."""
    if not low <= value <= high:
        raise RuntimeError(f"{param_name or 'value'}: {value}, legal: {low}..{high}")


def check_elewise_shape_range(*_arguments, **_named):
    """Of dynamic shapes: nothing to check here."""


__getattr__ = make_getattr(__name__)
