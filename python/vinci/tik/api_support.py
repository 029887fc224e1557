"""api_check_support: whether the chip in force has a TIK function.

What the engine runs is answered from the engine's tables. The rest are facts about the chips from
the CANN 8.x API reference: a script that asks may take another way on a chip without them.
"""

import re

from . import chip
from .scope import DTYPES

# TIK functions and the engine's instructions. All operands have the type that is asked for.
INSTRUCTIONS = {
    "vadd": "add", "vsub": "sub", "vmul": "mul", "vdiv": "div", "vmax": "max", "vmin": "min",
    "vand": "bitwise_and", "vor": "bitwise_or", "vnot": "bitwise_not", "vadds": "adds",
    "vmuls": "muls", "vabs": "abs", "vexp": "exp", "vln": "ln", "vrelu": "relu",
    "vrec": "reciprocal", "vsqrt": "sqrt", "vrsqrt": "rsqrt", "vector_dup": "duplicate",
    "vaxpy": "axpy", "vshl": "shift_left", "vshr": "shift_right", "vgather": "gather",
    "vcadd": "whole_reduce_sum", "vcmax": "whole_reduce_max", "vcmin": "whole_reduce_min",
    "vcgadd": "block_reduce_sum", "vcgmax": "block_reduce_max", "vcgmin": "block_reduce_min",
    "vcpadd": "pair_reduce_sum", "vreduce_add": "reduce_sum", "vreduce_max": "reduce_max",
    "vreduce_min": "reduce_min", "vtranspose": "transpose", "vnchwconv": "trans_data_to_5hd",
    "v4dtrans": "v4dtrans", "vreduce": "gather_mask", "vgatherb": "gatherb", "vcopy": "copy",
    "vbcb": "brcb", "vsel": "select", "vconcat": "proposal_concat", "vextract": "proposal_extract",
    "vrpsort16": "rp_sort16", "vmrgsort4": "mrg_sort4", "vsort32": "sort32", "vmrgsort": "mrg_sort",
}
INSTRUCTIONS |= {"vcmp_" + letters: "compare_register"
                 for letters in ("lt", "le", "gt", "ge", "eq", "ne")}
TWINS = {"vec_trans": "vtranspose", "vec_trans_scatter": "vnchwconv", "vec_dup": "vector_dup",
         "vec_conv": "vconv", "vec_axpy": "vaxpy"}

CONV_TYPES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16", "s64": "int64",
              "s32": "int32", "s16": "int16", "s8": "int8", "u8": "uint8", "s4": "int4"}
_NAMES = "|".join(CONV_TYPES)
CONVERSION = re.compile(f"({_NAMES})2({_NAMES})(deq)?([rfcazo]?)")

ALL_ARCHES = {1000, 1001, 2002, 2201, 3002}
NEWER = ALL_ARCHES - {1000, 1001}
LATEST = {2201, 3002}
COUPLED = {1000, 1001, 2002}
FLOATS, HALF = {"float16", "float32"}, {"float16"}

# Functions without an engine instruction of their own, or several: the generations that have them,
# or the types for each generation.
GENERATIONS = {
    "data_move": ALL_ARCHES, "pipe_barrier": ALL_ARCHES, "matmul": ALL_ARCHES,
    "mmad": ALL_ARCHES, "data_move_pad": LATEST, "vreducev2": LATEST, "vbi": LATEST,
    "viou": COUPLED, "load2dv1": COUPLED, "load2dv2": NEWER, "load3dv1": COUPLED,
    "load3dv2": NEWER, "conv2d": ALL_ARCHES, "tensor_mov": ALL_ARCHES,
    "broadcast_ub_to_l0c": COUPLED,
    "fixpipe": {arch: {"f32f32", "f32f16", "s32s32", "s32f16"} for arch in ALL_ARCHES},
    "vmla": {arch: FLOATS for arch in ALL_ARCHES},
    "vmadd": {arch: FLOATS for arch in ALL_ARCHES},
    "vmaxs": {arch: FLOATS | {"int32", "int16"} for arch in NEWER},
    "vmins": {arch: FLOATS | {"int32", "int16"} for arch in NEWER},
    "set_atomic_add": {
        1001: {"float32"}, 2002: {"float32", "float16", "int16"},
        2201: {"float32", "float16", "int16", "int32", "int8", "bfloat16"},
        3002: {"float32", "float16", "int16", "int32"}},
}
for _letters in ("lt", "le", "gt", "ge", "eq", "ne"):
    GENERATIONS[f"vcmpv_{_letters}"] = {
        arch: HALF if arch == 1000 else
        FLOATS | {"int32"} if arch in LATEST and _letters == "eq" else FLOATS
        for arch in ALL_ARCHES}
    GENERATIONS[f"vcmpvs_{_letters}"] = {arch: FLOATS for arch in NEWER}


def api_check_support(intrinsic, dtype=""):
    """Whether the chip in force has the function, for a type if one is named.

    Conversions name both types and the rounding: "f322s32r". Queries about the operator language
    (tbe.dsl.vadd) are answered as those about the function of the same name. False for names that
    nobody knows.
    """
    if not isinstance(intrinsic, str) or not isinstance(dtype, str):
        raise RuntimeError("api_check_support takes the name of a function and of a type")
    name = intrinsic.rpartition(".")[2]
    name = TWINS.get(name, name)
    if name.startswith("vec_"):
        name = "v" + name[4:]
    if name == "vconv":
        return _conversion(dtype)
    chip.require_engine()
    if name in INSTRUCTIONS:
        asked = (dtype,) if dtype in DTYPES else () if dtype else DTYPES
        return any(chip.supports(INSTRUCTIONS[name], [one]) for one in asked)
    types = GENERATIONS.get(name, ())
    arch = chip.current().arch
    if arch not in types:
        return False
    return not dtype or not isinstance(types, dict) or dtype in types[arch]


def _conversion(query):
    """vconv for "f322s32r": from f32 to s32 with mode r; "deq" stands for a scale."""
    chip.require_engine()
    if not query:
        return True  # all chips convert
    parts = CONVERSION.fullmatch(query)
    if parts is None:
        return False
    source, target, scaled, letter = parts.groups()
    # int16 with a scale is an instruction of its own.
    instruction = "cast_dequant" if scaled and source == "s16" else "vec_conv"
    return chip.supports(instruction, [CONV_TYPES[target], CONV_TYPES[source]], letter)
