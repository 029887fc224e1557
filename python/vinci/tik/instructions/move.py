"""Copies between memories: data_move, tensor_mov, data_move_pad. Those to and from L0C are in
l0c.py."""

from .. import chip
from ..addresses import arrays_at, move_addresses, moves_addresses
from ..error import fail, unimplemented
from ..expr import constant_of
from ..operands import (check_in_range, check_scalar, check_supported, check_tensor,
                        check_unused)
from ..scope import SHORT_NAMES, scope_cbuf, scope_gm, scope_ubuf, size_of
from ..tensor import Tensor
from .l0c import check_extras, is_l0c_path, move_tensor, move_with_mode

PATHS = {(scope_gm, scope_ubuf), (scope_gm, scope_cbuf), (scope_ubuf, scope_gm),
         (scope_ubuf, scope_ubuf), (scope_ubuf, scope_cbuf), (scope_cbuf, scope_ubuf)}
L1_TO_GM = (scope_cbuf, scope_gm)  # on chips that have this way
PAD_PATHS = {(scope_gm, scope_ubuf), (scope_ubuf, scope_gm)}
GAP_MOST = (1 << 32) - 1


def check_path(api, src, dst, paths):
    for name, tensor in (("dst", dst), ("src", src)):
        if not isinstance(tensor, Tensor):
            fail(f"{name} should be tensor, input type: {type(tensor)}", TypeError)
    path = src.scope, dst.scope
    if path not in paths and not (path == L1_TO_GM and paths is PATHS and chip.pipe_of("L1", "GM")):
        fail(f"{api} doesn't support {SHORT_NAMES[src.scope]} to {SHORT_NAMES[dst.scope]}")


def operand_of(tensor, name):
    return check_tensor(tensor, name, (tensor.scope,))


def of_one_dtype(dst, src):
    """The two Tensors as bytes of the narrower type: the copy does not care."""
    if dst.dtype == src.dtype:
        return dst, src
    dtype = min(dst.dtype, src.dtype, key=size_of)
    return dst.reinterpret_cast_to(dtype), src.reinterpret_cast_to(dtype)


def _check_more(dst, src, args, argv):
    """What data_move gets behind dst_stride: a PadMode from GM to L1, nothing on other paths. 0, as
    scripts pass it, asks for nothing anywhere."""
    for name, value in [*((f"argument {8 + i}", one) for i, one in enumerate(args)), *argv.items()]:
        if value is None or constant_of(value) == 0:
            continue
        if (src.scope, dst.scope) == (scope_gm, scope_cbuf):
            unimplemented(f"PadMode {value}", "no published source says where its bytes go")
        fail(f"data_move takes no {name} from {SHORT_NAMES[src.scope]} to "
             f"{SHORT_NAMES[dst.scope]}, input value is {value}")


def plain_copy(tik, api, dst, src, nburst, burst, src_stride, dst_stride):
    """`burst`: (its name, blocks of 32 bytes)."""
    check_path(api, src, dst, PATHS)
    dst_operand, src_operand = operand_of(dst, "dst"), operand_of(src, "src")
    if dst.dtype != src.dtype:
        dst, src = of_one_dtype(dst, src)
        dst_operand, src_operand = dst.operand(), src.operand()
    tik.program.emit({
        "do": "call", "instruction": "data_copy", "as": api,
        "dst": dst_operand, "src": src_operand,
        "bursts": check_in_range("nburst", nburst, 1, 4095),
        "length": check_in_range(*burst, 1, 65535),
        "src_gap": check_in_range("src_stride", src_stride, 0, 65535),
        "dst_gap": check_in_range("dst_stride", dst_stride, 0, 65535)})


class Move:
    """Mixin of Tik."""

    def data_move(self, dst, src, sid, nburst, burst, src_stride, dst_stride, *args, **argv):
        """Copies nburst times burst blocks of 32 bytes; strides are the gaps between bursts.
        Between L0C and UB a burst counts fractals, and one more argument converts."""
        if not self.program.live:
            return
        more = [value for value in (*args, *argv.values()) if value is not None]
        dst, src = arrays_at(dst, src)
        if moves_addresses(dst, src):
            move_addresses(dst, src, nburst, burst)
            return
        if is_l0c_path(dst, src):
            check_unused(self, "data_move", "sid", sid, 0, 15)
            move_with_mode(self, dst, src, (nburst, burst, src_stride, dst_stride), more)
            return
        check_path("data_move", src, dst, PATHS)
        _check_more(dst, src, args, argv)
        check_unused(self, "data_move", "sid", sid, 0, 15)
        plain_copy(self, "data_move", dst, src, nburst, ("burst", burst), src_stride, dst_stride)

    def tensor_mov(self, dst, src, block_mode, nburst, burst_len, dst_stride, src_stride,
                   deqscale=None, sid_store_mode=0, relu=False, pad_mode=None, pad_value=None,
                   onthefly_mode=0, src_onthefly=None, src_onthefly_stride=0):
        """data_move with the strides in the other order; between L0C and UB it converts as the
        types say. block_mode: '' elsewhere, 'm' fractals, 'v' their first rows."""
        if not self.program.live:
            return
        check_extras(pad_mode, pad_value, onthefly_mode, src_onthefly)
        if is_l0c_path(dst, src):
            move_tensor(self, dst, src, block_mode, (nburst, burst_len, src_stride, dst_stride),
                        deqscale, sid_store_mode, relu)
            return
        check_path("tensor_mov", src, dst, PATHS)
        if block_mode != "":
            fail(f"block_mode should be '' from {SHORT_NAMES[src.scope]} to "
                 f"{SHORT_NAMES[dst.scope]}, input value is {block_mode!r}")
        if deqscale is not None or relu:
            fail("deqscale and relu are for L0C to UB only")
        plain_copy(self, "tensor_mov", dst, src, nburst, ("burst_len", burst_len), src_stride,
                   dst_stride)

    def data_move_pad(self, dst, src, nburst, burst, dst_gap, src_gap, right_padding=0,
                      left_padding=0, padding_value=None):
        """Copies nburst times burst bytes between GM and UB; gaps are bytes of GM and blocks of 32
        bytes of UB. In UB each burst starts at a block, between paddings of so many elements."""
        if not self.program.live:
            return
        check_path("data_move_pad", src, dst, PAD_PATHS)
        check_supported("data_copy_pad", "data_move_pad", [dst.dtype], f"dst {dst.dtype}")
        if dst.dtype != src.dtype:
            fail(f"dst and src should have the same dtype, input is {dst.dtype} and {src.dtype}",
                 TypeError)
        fields = {
            "dst": operand_of(dst, "dst"), "src": operand_of(src, "src"),
            "bursts": check_in_range("nburst", nburst, 1, 4095),
            "length": check_in_range("burst", burst, 1, 2097151),
            "dst_gap": check_in_range("dst_gap", dst_gap, 0, GAP_MOST),
            "src_gap": check_in_range("src_gap", src_gap, 0, GAP_MOST)}
        fields.update(_paddings(dst, right_padding, left_padding, padding_value))
        self.program.emit({"do": "call", "instruction": "data_copy_pad", "as": "data_move_pad",
                           **fields})


def _paddings(dst, right, left, value):
    most = 32 // size_of(dst.dtype) if dst.scope == scope_ubuf else 0
    fields = {"right": check_in_range("right_padding", right, 0, most),
              "left": check_in_range("left_padding", left, 0, most)}
    none = constant_of(right) == 0 and constant_of(left) == 0
    if none != (value is None):
        fail("padding_value should be None if right_padding and left_padding are 0, and else a "
             f"number, input value is {value}")
    if value is not None:
        fields.update(has_value=1, value=check_scalar("padding_value", value, dst.dtype))
    return fields
