"""Copies between memories: data_move, data_move_pad."""

from ..error import fail
from ..expr import constant_of
from ..operands import check_in_range, check_scalar, check_supported, check_tensor
from ..scope import (SHORT_NAMES, scope_cbuf, scope_cc, scope_gm, scope_ubuf, size_of)
from ..tensor import Tensor

PATHS = {(scope_gm, scope_ubuf), (scope_gm, scope_cbuf), (scope_ubuf, scope_gm),
         (scope_ubuf, scope_ubuf), (scope_ubuf, scope_cbuf), (scope_cbuf, scope_ubuf)}
PAD_PATHS = {(scope_gm, scope_ubuf), (scope_ubuf, scope_gm)}
GAP_MOST = (1 << 32) - 1
ALIGNMENT = {scope_gm: 1, scope_ubuf: 32, scope_cbuf: 32, scope_cc: 1024}


def check_path(api, src, dst, paths):
    for name, tensor in (("dst", dst), ("src", src)):
        if not isinstance(tensor, Tensor):
            fail(f"{name} should be tensor, input type: {type(tensor)}", TypeError)
    if (src.scope, dst.scope) not in paths:
        fail(f"{api} doesn't support {SHORT_NAMES[src.scope]} to {SHORT_NAMES[dst.scope]}")


def operand_of(tensor, name):
    return check_tensor(tensor, name, (tensor.scope,), ALIGNMENT[tensor.scope])


class Move:
    """Mixin of Tik."""

    def data_move(self, dst, src, sid, nburst, burst, src_stride, dst_stride, *args, **argv):
        """Copies nburst times burst blocks of 32 bytes; strides are the gaps between bursts."""
        if not self.program.live:
            return
        check_path("data_move", src, dst, PATHS)
        if args or any(value is not None for value in argv.values()):
            fail("data_move takes no more arguments on this path")
        check_in_range("sid", sid, 0, 15)
        self.program.emit({
            "do": "call", "instruction": "data_copy", "as": "data_move",
            "dst": operand_of(dst, "dst"), "src": operand_of(src, "src"),
            "bursts": check_in_range("nburst", nburst, 1, 4095),
            "length": check_in_range("burst", burst, 1, 65535),
            "src_gap": check_in_range("src_stride", src_stride, 0, 65535),
            "dst_gap": check_in_range("dst_stride", dst_stride, 0, 65535)})

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
