"""Between L0C and UB: data_move and tensor_mov on this path, and broadcast_ub_to_l0c.

A burst counts fractals of 16 x 16 elements of L0C ('m') or the first rows of as many fractals
('v'); gaps count fractals in L0C and blocks of 32 bytes in UB. Chips whose L0C leaves by fixpipe
have none of these.
"""

from .. import chip
from ..error import fail, unimplemented
from ..expr import Operand, as_expr, cast, constant_of
from ..operands import check_bool, check_in_range, check_supported, check_tensor
from ..scope import SHORT_NAMES, scope_cc, scope_ubuf, size_of
from ..tensor import Tensor

ROW = 16  # elements of a fractal's row, and rows of a fractal
FRACTAL = ROW * ROW

# The engine's numbers of block modes and of the ways to scale.
BLOCK_MODES = {"m": 1, "v": 2}
NOT_PUBLISHED = ("sc", "dp")
NONE, DEQ, VDEQ, DEQ8, VDEQ8, DEQ16, VDEQ16 = range(7)

# data_move's conversions: (source, destination, ReLU); None: any type, unchanged.
CONV_RELU_MODES = {
    0: (None, None, False),
    1: ("float32", "float16", False),
    2: ("float32", "float16", True),
    4: ("float16", "float32", False),
    5: (None, None, True),
}


def is_l0c_path(dst, src):
    tensors = isinstance(dst, Tensor) and isinstance(src, Tensor)
    return tensors and {dst.scope, src.scope} == {scope_cc, scope_ubuf}


def check_extras(pad_mode, pad_value, onthefly_mode, src_onthefly):
    """tensor_mov's options that nothing published describes."""
    for name, value, none in (("pad_mode", pad_mode, (None, 0)), ("pad_value", pad_value, (None,)),
                              ("onthefly_mode", onthefly_mode, (0,)),
                              ("src_onthefly", src_onthefly, (None,))):
        if isinstance(value, (Operand, Tensor)) or value not in none:
            fail(f"{name} is not there yet, only {none[0]}: no published source says what it does")


def _record_of(api, dst, src):
    record = "data_copy_l0c" if src.scope == scope_cc else "data_copy_to_l0c"
    if not chip.supports(record):
        leaves = "; results leave L0C by fixpipe" if src.scope == scope_cc else ""
        fail(f"{api} doesn't support {SHORT_NAMES[src.scope]} to {SHORT_NAMES[dst.scope]} on "
             f"{chip.current().name}{leaves}")
    return record


def _operand(tensor, name):
    align = FRACTAL * size_of(tensor.dtype) if tensor.scope == scope_cc else None
    return check_tensor(tensor, name, (tensor.scope,), align)


def _emit(tik, api, dst, src, mode, bursts, **more):
    record = _record_of(api, dst, src)
    nburst, length, src_gap, dst_gap = bursts
    length_name = "burst" if api == "data_move" else "burst_len"
    fields = {
        "dst": _operand(dst, "dst"), "src": _operand(src, "src"),
        "block_mode": BLOCK_MODES[mode],
        "bursts": check_in_range("nburst", nburst, 1, 4095),
        "length": check_in_range(length_name, length, 1, 65535),
        "src_gap": check_in_range("src_stride", src_gap, 0, 65535),
        "dst_gap": check_in_range("dst_stride", dst_gap, 0, 65535)}
    check_supported(record, api, [dst.dtype, src.dtype], f"dst {dst.dtype} src {src.dtype}")
    tik.program.emit({"do": "call", "instruction": record, "as": api, **fields, **more},
                     inside={"dst": "dst", "src": "src", "scales": "deqscale"})


# data_move.


def move_with_mode(tik, dst, src, bursts, more):
    """`more`: nothing, or a ConvReluMode."""
    if len(more) > 1:
        fail(f"data_move takes one more argument from {SHORT_NAMES[src.scope]} to "
             f"{SHORT_NAMES[dst.scope]}, a ConvReluMode, input is {more}")
    mode = more[0] if more else 0
    if isinstance(mode, bool) or not isinstance(mode, int) or mode not in CONV_RELU_MODES:
        fail(f"ConvReluMode should be one of {list(CONV_RELU_MODES)}, input value is {mode}; "
             "tensor_mov has the conversions with a scale")
    source, target, relu = CONV_RELU_MODES[mode]
    fits = (src.dtype, dst.dtype) == (source, target) if source else src.dtype == dst.dtype
    if not fits:
        fail(f"ConvReluMode {mode} is from {source or 'a type'} to {target or 'itself'}, but src "
             f"is {src.dtype} and dst {dst.dtype}", TypeError)
    if relu and dst.scope == scope_cc:
        fail(f"ConvReluMode {mode} is for L0C to UB only")
    _emit(tik, "data_move", dst, src, "m", bursts, **({"relu": 1} if relu else {}))


# tensor_mov.


def move_tensor(tik, dst, src, block_mode, bursts, deqscale, sid_store_mode, relu):
    check_bool("relu", relu)
    if block_mode in NOT_PUBLISHED:
        unimplemented(f"block_mode {block_mode!r}", "no published source gives its layout")
    if block_mode not in BLOCK_MODES:
        fail(f"block_mode should be 'm' or 'v' between L0C and UB, input value is {block_mode!r}")
    if dst.scope == scope_cc:
        if deqscale is not None or relu:
            fail("deqscale and relu are for L0C to UB only")
        _emit(tik, "tensor_mov", dst, src, block_mode, bursts)
        return
    fields = _scaling(dst, src, deqscale)
    fields["sid_store_mode"] = check_in_range("sid_store_mode", sid_store_mode, 0, 2)
    if relu:
        fields["relu"] = 1
    _emit(tik, "tensor_mov", dst, src, block_mode, bursts, **fields)


def _scaling(dst, src, deqscale):
    """The fields of the record for the types and the scale."""
    pair = (src.dtype, dst.dtype)
    if pair == ("float16", "float16") and deqscale is not None:
        return _half_scale(deqscale)
    if pair == ("int32", "float16"):
        wide = isinstance(deqscale, Tensor) and deqscale.dtype == "uint64"
        if wide or _is_word(deqscale):
            return _word_scale(deqscale, DEQ16, VDEQ16)
        return _half_scale(deqscale)
    if pair == ("int32", "int16"):
        return _word_scale(deqscale, DEQ16, VDEQ16)
    if pair in (("int32", "int8"), ("int32", "uint8")):
        return _word_scale(deqscale, DEQ8, VDEQ8)
    if deqscale is not None:
        fail(f"deqscale should be None from {src.dtype} to {dst.dtype}, input is {deqscale}")
    return {"dequant": NONE}


def _is_word(deqscale):
    if isinstance(deqscale, Operand):
        return deqscale.dtype == "uint64"
    return isinstance(deqscale, int) and not isinstance(deqscale, bool)


def _scales(deqscale, dtype):
    """A Tensor of scales: for each burst 16, one for each column."""
    if deqscale.dtype != dtype:
        fail(f"deqscale's dtype should be {dtype}, input is {deqscale.dtype}", TypeError)
    return check_tensor(deqscale, "deqscale")


def _half_scale(deqscale):
    """A float, a Scalar of float16, or a Tensor of them."""
    if isinstance(deqscale, Tensor):
        return {"dequant": VDEQ, "scales": _scales(deqscale, "float16")}
    is_scalar = isinstance(deqscale, Operand) and deqscale.dtype == "float16"
    if not isinstance(deqscale, float) and not is_scalar:
        fail("Please specify your deqscale: Imm(float)/Scalar(float16)/Tensor(float16) for "
             "deq-mode.", TypeError)
    return {"dequant": DEQ, "dequant_value": cast(as_expr(deqscale), "float16").to_json()}


def _word_scale(deqscale, scalar, vector):
    """A word of scale, shift and offset, or a Tensor of them."""
    if isinstance(deqscale, Tensor):
        return {"dequant": vector, "scales": _scales(deqscale, "uint64")}
    if not _is_word(deqscale):
        fail("deqscale should be int, Scalar(uint64), Expr(uint64) or Tensor(uint64), input type: "
             f"{type(deqscale)}", TypeError)
    number = constant_of(deqscale)
    if number is None:
        return {"dequant": scalar, "dequant_value": as_expr(deqscale).to_json()}
    if not 0 <= number < 1 << 64:
        fail(f"deqscale should be in the range of [0, {(1 << 64) - 1}], input value is {number}")
    return {"dequant": scalar, "dequant_value": ["uint64", int(number)]}


class L0C:
    """Mixin of Tik."""

    def broadcast_ub_to_l0c(self, dst, src, nburst, burst_len, *strides):
        """Each vector of 16 elements of src to all 16 rows of a fractal of dst. strides: the gap
        in src (32 bytes) and in dst (fractals) between bursts of burst_len vectors."""
        if not self.program.live:
            return
        api = "broadcast_ub_to_l0c"
        for name, tensor, scope in (("dst", dst, scope_cc), ("src", src, scope_ubuf)):
            check_tensor(tensor, name, (scope,), 1)
        if len(strides) != 2:
            fail(f"{api} takes src_stride and dst_stride, input is {list(strides)}")
        fields = {
            "dst": _operand(dst, "dst"), "src": _operand(src, "src"),
            "bursts": check_in_range("nburst", nburst, 1, 255),
            "length": check_in_range("burst_len", burst_len, 1, 255),
            "src_gap": check_in_range("src_stride", strides[0], 0, 255),
            "dst_gap": check_in_range("dst_stride", strides[1], 0, 255)}
        if dst.dtype != src.dtype:
            fail(f"dst and src should have the same dtype, input is {dst.dtype} and {src.dtype}",
                 TypeError)
        check_supported("broadcast_vec_to_mm", api, [dst.dtype], f"dst {dst.dtype}")
        self.program.emit({"do": "call", "instruction": "broadcast_vec_to_mm", "as": api, **fields},
                          inside={"dst": "dst", "src": "src"})
