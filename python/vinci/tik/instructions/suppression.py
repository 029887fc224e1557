"""Region proposals that overlap better ones: vrpac, viou, vaadd, rpn_cor, rpn_cor_diag and their
registers. Rules: docs/spec/viou.md and its neighbours."""

from ..error import fail, warn_of_inference
from ..operands import (check_in_range, check_repeat_times, check_same_dtype, check_scalar,
                        check_supported, check_tensor)

STRIDE_MOST = 65535


class SuppressionRegister:
    """What set_rpn_cor_ir and rpn_cor return: RPN_COR_IR, which rpn_cor_diag reads."""


def _boxes(tik, api, tensors, repeat_times):
    """`tensors` by name, dst first."""
    if not tik.program.live:
        return
    names = dict(zip(("dst", "src0", "src1"), tensors))
    fields = {field: check_tensor(tensors[name], name) for field, name in names.items()}
    fields["repeats"] = check_repeat_times(repeat_times)
    check_same_dtype(**tensors)
    shown = " ".join(f"{name} {tensor.dtype}" for name, tensor in tensors.items())
    check_supported(api, api, [tensors["dst"].dtype], shown)
    warn_of_inference(api)
    tik.program.emit({"do": "call", "instruction": api, "as": api, **fields}, inside=names)


def _bits(tik, api, matrix, vector, names, **more):
    """Rows of bits, and a number for each proposal."""
    fields = {"matrix": check_tensor(matrix, names["matrix"]),
              "vector": check_tensor(vector, names["vector"]), **more}
    shown = " ".join(f"{names[one]} {tensor.dtype}"
                     for one, tensor in (("matrix", matrix), ("vector", vector)))
    check_same_dtype(**{names["matrix"]: matrix, names["vector"]: vector})
    check_supported(api, api, [matrix.dtype], shown)
    warn_of_inference(api)
    tik.program.emit({"do": "call", "instruction": api, "as": api, **fields}, inside=names)


class Suppression:
    """Mixin of Tik."""

    def vrpac(self, dst, src, repeat_times):
        """The areas of 16 proposals a repeat."""
        _boxes(self, "vrpac", {"dst": dst, "src": src}, repeat_times)

    def viou(self, dst, src0, src1, repeat_times):
        """The areas that each of 16 proposals of src0 a repeat has in common with each of 16 of
        src1, which are the same in all repeats."""
        _boxes(self, "viou", {"dst": dst, "src0": src0, "src1": src1}, repeat_times)

    def vaadd(self, dst, src0, src1, repeat_times):
        """The sum of each of 16 areas of src0 a repeat and each of 16 of src1, which are the same
        in all repeats."""
        _boxes(self, "vaadd", {"dst": dst, "src0": src0, "src1": src1}, repeat_times)

    def set_rpn_offset(self, offset, offset_dtype="float16"):
        """How much longer a box is than its corners are apart, for vrpac and viou."""
        if not self.program.live:
            return
        if offset_dtype != "float16":
            fail(f"offset_dtype should be float16, input value is {offset_dtype}")
        check_supported("set_rpn_offset", "set_rpn_offset", [], "offset")
        self.program.emit({"do": "call", "instruction": "set_rpn_offset", "as": "set_rpn_offset",
                           "value": check_scalar("offset", offset, "float16")})

    def set_rpn_cor_ir(self, number):
        """RPN_COR_IR = number: a bit for each of 16 proposals that is suppressed."""
        if self.program.live:
            check_supported("set_rpn_cor_ir", "set_rpn_cor_ir", [], "number")
            self.program.emit({"do": "call", "instruction": "set_rpn_cor_ir",
                               "as": "set_rpn_cor_ir",
                               "value": check_in_range("number", number, 0, 65535)})
        return SuppressionRegister()

    def rpn_cor(self, src0, src1, src0_rep_stride, src1_rep_stride, repeat_times):
        """RPN_COR_IR also has the rows of src0 whose proposal is not suppressed in src1."""
        if self.program.live:
            _bits(self, "rpn_cor", src0, src1, {"matrix": "src0", "vector": "src1"},
                  matrix_repeat=check_in_range("src0_rep_stride", src0_rep_stride, 0, STRIDE_MOST),
                  vector_repeat=check_in_range("src1_rep_stride", src1_rep_stride, 0, STRIDE_MOST),
                  repeats=check_repeat_times(repeat_times))
        return SuppressionRegister()

    def rpn_cor_diag(self, dst, src, src_register):
        """dst = 1 for each of 16 proposals that RPN_COR_IR has, or that an earlier one of them
        suppresses by its row of src; 0 for the others."""
        if not self.program.live:
            return
        if not isinstance(src_register, SuppressionRegister):
            fail(f"src_register should be what rpn_cor returned, input type: {type(src_register)}",
                 TypeError)
        _bits(self, "rpn_cor_diag", src, dst, {"matrix": "src", "vector": "dst"})
