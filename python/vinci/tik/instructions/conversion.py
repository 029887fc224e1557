"""vec_conv and vconv: from one type to another. Rules: docs/spec/vec_conv.md."""

import os
import struct

from ..error import fail, strict
from ..expr import Operand, as_expr, cast, constant_of, json_of
from ..operands import (check_bool, check_extent, check_mask, check_repeat_times, check_supported,
                        check_tensor, unsupported)
from ..tensor import Tensor
from .. import chip
from .elementwise import Strided, check_stride_units, names_of, strided_fields

# A letter for the tables of types, and the number of the engine's mode.
LETTERS = {"": "", "none": "", "round": "r", "floor": "f", "ceil": "c", "ceiling": "c",
           "away-zero": "a", "to-zero": "z", "odd": "o"}
MODES = {"": 0, "r": 1, "f": 2, "c": 3, "a": 4, "z": 5, "o": 6}

BITS_8 = ("int8", "uint8")
SIGNED = 1 << 46  # of a scale word
OFFSETS = range(-256, 256)
SCALE_MOST = (1 << 128) - (1 << 117)  # the largest float with 8 bits of exponent and 10 of fraction
SCALES = 16  # words of a Tensor of scales

# Forms of the engine's register (SetDeqScaleRecord::Form).
HALF, RAW_WORD, RAW_TABLE = 0, 3, 4


class _Scaled:
    """What deqscale becomes: the fields of set_deq_scale, and whether it is a Tensor.

    `late_word`: the Expr of a word that is not known when the script runs.
    """

    def __init__(self, is_table=False, late_word=None, **fields):
        self.is_table = is_table
        self.late_word = late_word
        self.fields = fields


def _product_in_float():
    """Whether int32 * scale becomes a float before it becomes a half: docs/spec/vec_conv.md."""
    return os.environ.get("VINCI_TIK_DEQ_IN_FLOAT32") == "1"


def _half_scale(deqscale):
    """int32 to float16: a float, or a Scalar of float16."""
    is_scalar = isinstance(deqscale, Operand) and deqscale.dtype == "float16"
    if not isinstance(deqscale, float) and not is_scalar:
        fail("Please specify your deqscale: Imm(float)/Scalar(float16) for deq-mode.", TypeError)
    return _Scaled(form=HALF, half_bits=cast(as_expr(deqscale), "float16").to_json())


def _word_of(scale, offset, is_signed):
    if isinstance(scale, bool) or not isinstance(scale, (int, float)):
        fail(f"scale of deqscale should be int or float, input type: {type(scale)}", TypeError)
    if not -SCALE_MOST <= scale <= SCALE_MOST:  # NaN neither
        fail(f"scale of deqscale should be in the range of a float of 19 bits, [-{SCALE_MOST:.8g}, "
             f"{SCALE_MOST:.8g}], input value is {scale}")
    if isinstance(offset, bool) or not isinstance(offset, int) or offset not in OFFSETS:
        fail(f"offset of deqscale should be int in the range of [-256, 255], input value is "
             f"{offset}")
    bits = struct.unpack("<I", struct.pack("<f", scale))[0]
    return (SIGNED if is_signed else 0) + (offset % 512 << 37) + bits


def _sign_bit(dst_dtype):
    """Bit 46 says whether the result is signed. Here the type of dst decides, and the engine warns;
    strict mode refuses, as the vendor does."""
    return 1 if dst_dtype == "int8" else 0


def _check_sign(word, dst_dtype):
    wanted = _sign_bit(dst_dtype)
    if strict() and (word >> 46 & 1) != wanted:
        fail(f"deqscale[46] bit should be {wanted} when converting int16 to {dst_dtype}")


def _check_sign_at_run_time(tik, api, word, dst_dtype):
    wanted = _sign_bit(dst_dtype)
    tik.program.emit({"do": "check", "as": api, "value": json_of(word >> 46 & 1),
                      "least": wanted, "most": wanted,
                      "what": f"deqscale[46] bit when converting int16 to {dst_dtype}"})


def _word_scale(deqscale, dst_dtype):
    """int16 to 8 bits: a word, a Tensor of words, or [scale, offset]."""
    if isinstance(deqscale, (list, tuple)):
        if len(deqscale) != 2:
            fail(f"deqscale should hold a scale and an offset, input is {deqscale}")
        word = _word_of(*deqscale, dst_dtype == "int8")
        return _Scaled(form=RAW_WORD, word=["uint64", word])
    if isinstance(deqscale, Tensor):
        if deqscale.dtype != "uint64":
            fail(f"deqscale's dtype should be uint64, input is {deqscale.dtype}", TypeError)
        table = check_tensor(deqscale, "deqscale")
        check_extent("deqscale", deqscale, SCALES)
        return _Scaled(True, form=RAW_TABLE, table=table)
    number = deqscale if isinstance(deqscale, (int, float)) else constant_of(deqscale)
    if number is None:
        if not isinstance(deqscale, Operand) or deqscale.dtype != "uint64":
            fail("deqscale should be int, Scalar(uint64), Expr(uint64), Tensor(uint64) or "
                 f"[scale, offset], input type: {type(deqscale)}", TypeError)
        word = as_expr(deqscale)
        return _Scaled(late_word=word, form=RAW_WORD, word=word.to_json())
    if isinstance(number, bool) or not isinstance(number, int):
        fail(f"deqscale should be int, input type: {type(deqscale)}", TypeError)
    if not 0 <= number < 1 << 64:
        fail(f"deqscale should be in the range of [0, {(1 << 64) - 1}], input value is {number}")
    _check_sign(number, dst_dtype)
    return _Scaled(form=RAW_WORD, word=["uint64", number])


def _needs_word(dst, src):
    """int16 to 8 bits with a scale word; one chip does it without."""
    return src.dtype == "int16" and dst.dtype in BITS_8 and chip.supports(
        "cast_dequant", [dst.dtype, "int16"])


def _scale_of(deqscale, dst, src):
    """A _Scaled, or None for pairs without a scale."""
    if (src.dtype, dst.dtype) == ("int32", "float16"):
        return _half_scale(deqscale)
    if _needs_word(dst, src):
        return _word_scale(deqscale, dst.dtype)
    if deqscale is not None:
        fail(f"deqscale should be None for current conv, input is {deqscale}")
    return None


def letter_of(round_mode):
    """The letter of a round_mode, which is a name."""
    if not isinstance(round_mode, str) or round_mode not in LETTERS:
        fail(f"round_mode: {round_mode} is not supported")
    return LETTERS[round_mode]


def convert(tik, api, mask, round_mode, operands, repeat_times, deqscale, ldst_high_half):
    if not tik.program.live:
        return
    check_bool("ldst_high_half", ldst_high_half)
    letter = letter_of(round_mode)
    fields = strided_fields(operands, 65535)
    fields["repeats"] = check_repeat_times(repeat_times)
    dst, src = (operand.tensor for operand in operands)
    with_word = _needs_word(dst, src)
    what = f"src {src.dtype} dst {dst.dtype} round_mode '{round_mode}'"
    if with_word and letter:
        check_supported("vec_conv", api, ["uint8", "uint8"], what)  # nobody has it
    elif not with_word:
        check_supported("vec_conv", api, [dst.dtype, src.dtype], what, letter)
    if ldst_high_half and not with_word:  # False is what a call says without it
        unsupported(api, f"{what} with ldst_high_half")
    scale = _scale_of(deqscale, dst, src)
    lanes = check_mask(mask, dst.dtype, src.dtype)
    fields["mask"] = lanes.json
    if scale is not None:
        if strict() and scale.late_word is not None:
            _check_sign_at_run_time(tik, api, scale.late_word, dst.dtype)
        tik.program.emit({"do": "call", "instruction": "set_deq_scale", "as": api, **scale.fields})
    if with_word:
        fields.update(vector=int(scale.is_table), high_half=int(ldst_high_half))
    else:
        fields["round"] = MODES[letter]
        if scale is not None and _product_in_float():
            fields["product_in_float"] = 1
    tik.program.emit({"do": "call", "instruction": "cast_dequant" if with_word else "vec_conv",
                      "as": api, **fields}, inside=None if with_word else names_of(operands),
                     overlap=True)


class Conversion:
    """Mixin of Tik."""

    def vec_conv(self, mask, round_mode, dst, src, repeat_times, dst_rep_stride, src_rep_stride,
                 deqscale=None, ldst_high_half=False):
        """dst = src in the type of dst, for each enabled element."""
        operands = [Strided("dst", dst, 1, dst_rep_stride), Strided("src", src, 1, src_rep_stride)]
        convert(self, "vec_conv", mask, round_mode, operands, repeat_times, deqscale,
                 ldst_high_half)

    def vconv(self, mask, round_mode, dst, src, repeat_times, dst_blk_stride, src_blk_stride,
              dst_rep_stride, src_rep_stride, deqscale=None, ldst_high_half=False, stride_unit=0,
              name="vconv", mask_o=None):
        """vec_conv with block strides."""
        check_stride_units(stride_unit)
        operands = [Strided("dst", dst, dst_blk_stride, dst_rep_stride),
                    Strided("src", src, src_blk_stride, src_rep_stride)]
        convert(self, "vconv", mask, round_mode, operands, repeat_times, deqscale, ldst_high_half)
