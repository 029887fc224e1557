"""api_check_support: whether the chip in force has a TIK function.

What the engine runs is answered from the engine's tables. The rest are facts about the chips from
the CANN 8.x API reference (`functions` of chip_table.KINDS): a script that asks may take another
way on a chip without them.
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
    "vscatter": "scatter", "vbi": "vbi",
    "vcadd": "whole_reduce_sum", "vcmax": "whole_reduce_max", "vcmin": "whole_reduce_min",
    "vcgadd": "block_reduce_sum", "vcgmax": "block_reduce_max", "vcgmin": "block_reduce_min",
    "vcpadd": "pair_reduce_sum", "vreduce_add": "reduce_sum", "vreduce_max": "reduce_max",
    "vreduce_min": "reduce_min", "vtranspose": "transpose", "vnchwconv": "trans_data_to_5hd",
    "v4dtrans": "v4dtrans", "vreduce": "gather_mask", "vgatherb": "gatherb", "vcopy": "copy",
    "vbcb": "brcb", "vsel": "select", "vconcat": "proposal_concat", "vextract": "proposal_extract",
    "vrpsort16": "rp_sort16", "vmrgsort4": "mrg_sort4", "vsort32": "sort32", "vmrgsort": "mrg_sort",
    "vmla": "mul_add_dst", "vmadd": "fused_mul_add", "vmaxs": "maxs", "vmins": "mins",
    "vlrelu": "leaky_relu", "vaddrelu": "add_relu", "vsubrelu": "sub_relu",
    "set_atomic_add": "set_atomic_add",
    "viou": "viou", "vaadd": "vaadd", "vrpac": "vrpac", "rpn_cor": "rpn_cor",
    "rpn_cor_diag": "rpn_cor_diag", "col2img": "col2img",
}
INSTRUCTIONS |= {form + letters: instruction
                 for form, instruction in (("vcmp_", "compare_register"), ("vcmpv_", "compare"),
                                           ("vcmpvs_", "compare_scalar"))
                 for letters in ("lt", "le", "gt", "ge", "eq", "ne")}
TWINS = {"vec_trans": "vtranspose", "vec_trans_scatter": "vnchwconv", "vec_dup": "vector_dup",
         "vec_conv": "vconv", "vec_axpy": "vaxpy"}

CONV_TYPES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16", "s64": "int64",
              "s32": "int32", "s16": "int16", "s8": "int8", "u8": "uint8", "s4": "int4"}
_NAMES = "|".join(CONV_TYPES)
CONVERSION = re.compile(f"({_NAMES})2({_NAMES})(deq)?([rfcazo]?)")

# Functions that are asked for without a type, and the instruction that they are made of.
WITHOUT_TYPES = {
    "data_move": "data_copy", "tensor_mov": "data_copy", "data_move_pad": "data_copy_pad",
    "mmad": "mmad", "matmul": "mmad", "conv2d": "mmad",
    "load3dv1": "load_data_3d_v1", "load3dv2": "load_data_3d_v2",
    # TIK has the two versions of both loads on the same chips.
    "load2dv1": "load_data_3d_v1", "load2dv2": "load_data_3d_v2",
    "broadcast_ub_to_l0c": "broadcast_vec_to_mm",
    "set_rpn_offset": "set_rpn_offset", "set_rpn_cor_ir": "set_rpn_cor_ir",
}
FIXPIPE_TYPES = ("f32f32", "f32f16", "s32s32", "s32f16")


# Paths that operators ask about under the compiler's names, and an instruction of the engine that
# the same chips have.
INTRINSICS = {
    "fix_pipe_l0c2out": "fixpipe", "data_move_l0c2ub": "load_data_3d_v1",
    "data_move_out2l1_nd2nz": "data_copy_bt", "data_move_l12bt": "data_copy_bt",
}


def old_name(name):
    """vadd for vec_add."""
    name = TWINS.get(name, name)
    return "v" + name[4:] if name.startswith("vec_") else name


def api_check_support(intrinsic, dtype=""):
    """Whether the chip in force has the function, for a type if one is named.

    Conversions name both types and the rounding: "f322s32r". Queries about the operator language
    (tbe.dsl.vadd) are answered as those about the function of the same name. False for names that
    nobody knows.
    """
    if not isinstance(intrinsic, str) or not isinstance(dtype, str):
        raise RuntimeError("api_check_support takes the name of a function and of a type")
    name = old_name(intrinsic.rpartition(".")[2])
    if name == "vconv":
        return _conversion(dtype)
    chip.require_engine()
    if name in INSTRUCTIONS:
        asked = (dtype,) if dtype in DTYPES else () if dtype else DTYPES
        return any(_supports(name, one) for one in asked)
    if name in WITHOUT_TYPES:
        return chip.supports(WITHOUT_TYPES[name])
    if name == "fixpipe":
        return not dtype or dtype in FIXPIPE_TYPES
    return name == "pipe_barrier" or name in chip.current().facts["functions"].split()


def _supports(name, dtype):
    if not name.startswith("vcmpv"):
        return chip.supports(INSTRUCTIONS[name], [dtype])
    equal_only = dtype == "int32" and not name.endswith("eq")
    return not equal_only and chip.supports(INSTRUCTIONS[name], ["uint8", dtype])


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


def intrinsic_check_support(intrinsic, dtype=""):
    """api_check_support under the compiler's name: Intrinsic_vconv."""
    if not isinstance(intrinsic, str):
        raise RuntimeError("intrinsic_check_support takes the name of an intrinsic and of a type")
    name = intrinsic.removeprefix("Intrinsic_")
    if name in INTRINSICS:
        return chip.supports(INTRINSICS[name])
    return api_check_support(f"tik.{name}", dtype)
