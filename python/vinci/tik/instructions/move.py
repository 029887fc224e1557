"""Copies between memories: data_move."""

from ..error import fail
from ..operands import check_in_range, check_tensor
from ..scope import (SHORT_NAMES, scope_cbuf, scope_cc, scope_gm, scope_ubuf)
from ..tensor import Tensor

PATHS = {(scope_gm, scope_ubuf), (scope_gm, scope_cbuf), (scope_ubuf, scope_gm),
         (scope_ubuf, scope_ubuf), (scope_ubuf, scope_cbuf), (scope_cbuf, scope_ubuf)}
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
