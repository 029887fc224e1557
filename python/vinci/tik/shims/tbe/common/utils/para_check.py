"""Checks of operators' parameters, and the names of the kinds of parameter.

A check that fails raises RuntimeError({"errCode": ..., "param_name": ...}, text), where the text
has the parameter's name, the value and what is legal.
Sources: the names and meanings in the CANN 8.x TBE reference.
"""

import re
import sys
from enum import Enum

from vinci.tik.absent import make_getattr
from vinci.tik.op_params import (DTYPE, FORMAT, RANGE, RANK, SIZE, TYPE, check_input_type, checker,
                                 is_integer, refuse)

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
# Of an operator's parameters: also what no TIK Tensor can hold.
KNOWN_DTYPES = ALL_DTYPE_LIST + ("float64", "double", "float", "int4", "uint1", "string",
                                 "complex32", "complex64", "complex128", "resource", "hifloat8",
                                 "float8_e5m2", "float8_e4m3fn")
ALL_FORMAT_LIST = ("ND", "NCHW", "NHWC", "HWCN", "NC1HWC0", "FRACTAL_Z", "FRACTAL_NZ", "NDHWC",
                   "NCDHW", "NDC1HWC0", "FRACTAL_Z_3D", "C1HWNCoC0", "DHWCN", "DHWNC",
                   "FRACTAL_Z_3D_TRANSPOSE", "FRACTAL_Z_C04", "FRACTAL_ZN_LSTM", "FRACTAL_ZN_RNN",
                   "ND_RNN_BIAS", "NC1HWC0_C04", "NC1KHKWHWC0", "CHWN", "HWC", "NC", "NCL",
                   "BN_WEIGHT", "HASHTABLE_LOOKUP_LOOKUPS", "FRACTAL_Z_WINO", "NULL", "NUMBER")

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


check_op_params = checker(sys.modules[__name__])


def _refuse(code, name, text):
    refuse(code, text, param_name=name)


def check_dtype(dtype, check_list=ALL_DTYPE_LIST, param_name=""):
    """The type, in any case, is one of check_list."""
    what = param_name or "dtype"
    if not isinstance(dtype, str):
        _refuse(TYPE, what, f"{what}: the type is given as a str, not {dtype!r}")
    if dtype.lower() not in check_list:
        _refuse(DTYPE, what, f"{what}: {dtype} is not one of {', '.join(check_list)}")


def check_format(data_format, check_list=ALL_FORMAT_LIST, param_name=""):
    """The format is one of check_list."""
    what = param_name or "format"
    if not isinstance(data_format, str):
        _refuse(TYPE, what, f"{what}: the format is given as a str, not {data_format!r}")
    # FRACTAL_Z:16 has a group.
    if data_format not in check_list and data_format.split(":")[0] not in check_list:
        _refuse(FORMAT, what, f"{what}: {data_format} is not one of {', '.join(check_list)}")


def check_shape(shape, min_dim=0, max_dim=DIM_LIMIT, min_rank=0, max_rank=MAX_RANK, min_size=0,
                max_size=SHAPE_SIZE_LIMIT, param_name=""):
    """A list or tuple of integers, and rank, dimensions and size lie in the ranges. min_size: None
    if some dimensions are not known yet (-1), or not even their number (-2)."""
    what = param_name or "shape"
    if not isinstance(shape, (list, tuple)):
        _refuse(TYPE, what, f"{what}: the shape is a list or tuple, not {shape!r}")
    if not min_rank <= len(shape) <= max_rank:
        _refuse(RANK, what, f"{what}: {len(shape)} dimensions, legal: {min_rank}..{max_rank}")
    size = 1
    for number in shape:
        if not is_integer(number):
            _refuse(TYPE, what, f"{what}: a dimension of {number!r} in {tuple(shape)}, "
                    "legal: int")
        if not min_dim <= number <= max_dim:
            _refuse(RANGE, what, f"{what}: a dimension of {number!r} in {tuple(shape)}, "
                    f"legal: {min_dim}..{max_dim}")
        size *= number
    if min_size is None:
        return
    if not min_size <= size <= max_size:
        _refuse(SIZE, what, f"{what}: {size} elements in {tuple(shape)}, "
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
        _refuse(TYPE, "kernel_name", "kernel_name is made of letters, digits and underscores, at "
                f"most 200, with no digit first; not {kernel_name!r}")


def check_range(value, low, high, param_name=""):
    """low <= value <= high."""
    if not low <= value <= high:
        _refuse(RANGE, param_name or "value",
                f"{param_name or 'value'}: {value}, legal: {low}..{high}")


def check_elewise_shape_range(*_arguments, **_named):
    """Of dynamic shapes: nothing to check here."""


__getattr__ = make_getattr(__name__)
