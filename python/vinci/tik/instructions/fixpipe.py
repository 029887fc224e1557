"""fixpipe: results of matmul and conv2d out of L0C, converted on the way, to GM (UB on the 310B).

Chips with a fixed pipe have it as an instruction. On the others L0C goes through UB: tensor_mov,
and vadd for a bias or an addend.
"""

from .. import chip
from ..error import fail
from ..expr import Operand, as_expr, cast
from ..operands import check_bool, check_extent, check_supported, check_tensor
from ..scope import BLOCK_BYTES, scope_cbuf, scope_cc, scope_gm, scope_ubuf, size_of
from ..tensor import Tensor
from .cube import ROWS, blocks
from .products import RESULT_FRACTAL, check_int

KEYS = ("bias", "quantize_params", "element-wise-add", "relu")
QUANTIZE_MODES = {"fp322fp16": ("float32", "float16"), "int322fp16": ("int32", "float16")}
F32_TO_F16, DEQ_F16 = 1, 11  # the engine's numbers

VADD_FRACTALS = 63  # whose repeats fit in one vadd
REPEATS_OF_FRACTAL = 4  # of 64 numbers
ADDEND = 64  # numbers of a repeat


class _Extras:
    """What extend_params asks for."""

    def __init__(self, src, dst, extend_params):
        params = {} if extend_params is None else extend_params
        if not isinstance(params, dict) or any(key not in KEYS for key in params):
            fail(f"extend_params should be a dict with some of {list(KEYS)}, input is {params}")
        self.bias, self.addend = params.get("bias"), params.get("element-wise-add")
        self.relu = params.get("relu", False)
        self.relu = False if self.relu is None else self.relu
        check_bool("relu", self.relu)
        for name, tensor in (("bias", self.bias), ("element-wise-add", self.addend)):
            self._check_addend(name, tensor, src)
        if self.bias is not None and self.addend is not None:
            fail("bias and element-wise-add are mutually exclusive")
        self.scale = None
        self._check_quantize(params.get("quantize_params"), src, dst)
        if self.relu and self.adds:
            fail("relu is not supported with bias or element-wise-add")
        if self.relu and self.scale is not None and not isinstance(self.scale, Tensor):
            fail("relu is not supported with int322fp16 and one scale for all columns")
        if isinstance(self.scale, Tensor) and self.adds:
            fail("a tensor of scales is not supported with bias or element-wise-add")

    @property
    def adds(self):
        return self.bias is not None or self.addend is not None

    @staticmethod
    def _check_addend(name, tensor, src):
        if tensor is None:
            return
        check_tensor(tensor, name, (scope_cbuf,))
        if tensor.dtype != src.dtype:
            fail(f"{name}'s dtype should be {src.dtype}, input is {tensor.dtype}", TypeError)

    def _check_quantize(self, params, src, dst):
        if params is None:
            if src.dtype != dst.dtype:
                fail(f"quantize_params is needed from {src.dtype} to {dst.dtype}")
            return
        if not isinstance(params, dict) or set(params) - {"mode", "mode_param"}:
            fail(f"quantize_params should be a dict with mode and mode_param, input is {params}")
        mode, self.scale = params.get("mode"), params.get("mode_param")
        if mode not in QUANTIZE_MODES:
            fail(f"mode should be one of {list(QUANTIZE_MODES)}, input value is {mode}")
        if (src.dtype, dst.dtype) != QUANTIZE_MODES[mode]:
            fail(f"mode {mode} doesn't fit src {src.dtype} and dst {dst.dtype}")
        if mode == "fp322fp16":
            if self.scale is not None:
                fail(f"mode_param should be None with fp322fp16, input is {self.scale}")
        elif isinstance(self.scale, Tensor):
            check_tensor(self.scale, "mode_param", (scope_cbuf,))
            if self.scale.dtype != "float16":
                fail(f"mode_param's dtype should be float16, input is {self.scale.dtype}",
                     TypeError)
            check_extent("mode_param", self.scale, ROWS)
        elif not isinstance(self.scale, float) and not (
                isinstance(self.scale, Operand) and self.scale.dtype == "float16"):
            fail("mode_param should be float, Scalar(float16) or Tensor(float16) with int322fp16, "
                 f"input type: {type(self.scale)}", TypeError)


class _Bursts:
    """`count` column blocks of `rows` rows: where each starts, in elements of src and dst."""

    def __init__(self, dst, count, burst_len, dst_stride, src_stride):
        self.count = count
        self.rows = burst_len * BLOCK_BYTES // (ROWS * 4)
        self.high = blocks(self.rows, ROWS)
        self.src_pitch = (self.high + src_stride) * RESULT_FRACTAL
        self.dst_pitch = self.rows * ROWS + dst_stride * BLOCK_BYTES // size_of(dst.dtype)


def _by_fixed_pipe(tik, dst, src, bursts, extras):
    if extras.adds or isinstance(extras.scale, Tensor):
        fail(f"{chip.current().name} doesn't support a bias, element-wise-add or a tensor of "
             "scales in fixpipe here: its fixed pipe has other forms of them")
    fields = {"relu": int(extras.relu), "row_major": 0}
    if src.dtype != dst.dtype:
        fields["quant"] = F32_TO_F16 if src.dtype == "float32" else DEQ_F16
    if extras.scale is not None:
        half = cast(as_expr(extras.scale), "float16")
        fields["scale"] = cast(half, "float32").to_json()
    tik.program.emit({
        "do": "call", "instruction": "fixpipe", "as": "fixpipe",
        "dst": dst.operand(), "src": src.operand(), "n": bursts.count * ROWS, "m": bursts.rows,
        "src_stride": bursts.src_pitch // ROWS,
        "dst_stride": bursts.dst_pitch * size_of(dst.dtype) // BLOCK_BYTES, **fields})


class _ThroughUb:
    """One column block after the other, some fractals of it at a time."""

    def __init__(self, tik, dst, src, bursts, extras):
        self.tik, self.dst, self.src = tik, dst, src
        self.bursts, self.extras = bursts, extras
        self.scale = extras.scale

    def run(self):
        tik, extras = self.tik, self.extras
        with tik.new_stmt_scope():
            if isinstance(self.scale, Tensor):
                self.scale = self._vector_of_scales()
            room = tik.get_available_buffer_size(scope_ubuf) - ADDEND * 4
            per_fractal = RESULT_FRACTAL * (size_of(self.dst.dtype) + 8 * extras.adds)
            step = min(self.bursts.high, VADD_FRACTALS, room // per_fractal)
            if step < 1:
                fail(f"fixpipe needs {per_fractal + ADDEND * 4} bytes of UB, but {room + 256} are "
                     "available")
            out = tik.Tensor(self.dst.dtype, (step * RESULT_FRACTAL,), scope_ubuf, "fixpipe_out")
            sums = addend = None
            if extras.adds:
                sums, addend = (tik.Tensor(self.src.dtype, (size,), scope_ubuf, name)
                                for size, name in ((step * RESULT_FRACTAL, "fixpipe_sums"),
                                                   (self._addend_size(step), "fixpipe_addend")))
            with tik.for_range(0, self.bursts.count, name="column_block") as column:
                for first in range(0, self.bursts.high, step):
                    self._tile(column, first, min(step, self.bursts.high - first),
                               (out, sums, addend))

    def _addend_size(self, step):
        return ADDEND if self.extras.bias is not None else step * RESULT_FRACTAL

    def _vector_of_scales(self):
        scales = self.tik.Tensor("float16", (ROWS,), scope_ubuf, "fixpipe_scales")
        self.tik.data_move(scales, self.scale, 0, 1, 1, 0, 0)
        return scales

    def _tile(self, column, first, fractals, tensors):
        out, sums, addend = tensors
        tik, bursts = self.tik, self.bursts
        at = column * bursts.src_pitch + first * RESULT_FRACTAL
        if sums is None:
            tik.tensor_mov(out, self.src.shifted(at), "m", 1, fractals, 0, 0, deqscale=self.scale,
                           relu=self.extras.relu)
        else:
            tik.tensor_mov(sums, self.src.shifted(at), "m", 1, fractals, 0, 0)
            self._add(sums, addend, column, at, fractals)
            out = self._converted(out, sums, fractals)
        rows = min(fractals * ROWS, bursts.rows - first * ROWS)
        to = self.dst.shifted(column * bursts.dst_pitch + first * RESULT_FRACTAL)
        tik.data_move(to, out, 0, 1, rows * ROWS * size_of(self.dst.dtype) // BLOCK_BYTES, 0, 0)

    def _add(self, sums, addend, column, at, fractals):
        tik, repeats = self.tik, fractals * REPEATS_OF_FRACTAL
        if self.extras.bias is None:
            tik.data_move(addend, self.extras.addend.shifted(at), 0, 1, fractals * 32, 0, 0)
            tik.vadd(ADDEND, sums, sums, addend, repeats, 1, 1, 1, 8, 8, 8)
            return
        # The 16 numbers of this column block, for the four rows of a repeat.
        for row in range(ADDEND // ROWS):
            tik.data_move(addend[row * ROWS], self.extras.bias.shifted(column * ROWS), 0, 1, 2, 0,
                          0)
        tik.vadd(ADDEND, sums, sums, addend, repeats, 1, 1, 1, 8, 8, 0)

    def _converted(self, out, sums, fractals):
        if self.dst.dtype == self.src.dtype:
            return sums
        self.tik.vec_conv(ADDEND, "none", out, sums, fractals * REPEATS_OF_FRACTAL, 4, 8,
                          self.scale)
        return out


class Fixpipe:
    """Mixin of Tik."""

    def fixpipe(self, dst, src, cburst_num, burst_len, dst_stride, src_stride, extend_params=None):
        """cburst_num column blocks of 16 columns; burst_len: of their valid rows in src, in 32
        bytes. dst_stride: a gap of 32 bytes, src_stride of fractals, after the block's last one.
        Order: bias or element-wise-add, quantize, relu."""
        if not self.program.live:
            return
        self.check_high_level("fixpipe")
        to_ub = chip.pipe_of("L0C", "UB") == "FIX"
        check_tensor(dst, "dst", (scope_ubuf if to_ub else scope_gm,), BLOCK_BYTES if to_ub else 1)
        check_tensor(src, "src", (scope_cc,), 1024)
        by_pipe = chip.supports("fixpipe")
        check_supported("fixpipe" if by_pipe else "data_copy_l0c", "fixpipe",
                        [dst.dtype, src.dtype], f"src {src.dtype} dst {dst.dtype}")
        if src.dtype == "float16" or dst.dtype not in ("float16", "float32", "int32"):
            fail(f"fixpipe doesn't support src {src.dtype} dst {dst.dtype}", TypeError)
        check_int("cburst_num", cburst_num, 1, 4095)
        check_int("burst_len", burst_len, 2, 65535)
        if burst_len % 2:
            fail(f"burst_len should be even number, input burst_len is {burst_len}")
        check_int("dst_stride", dst_stride, 0, 65535)
        check_int("src_stride", src_stride, 0, 65535)
        extras = _Extras(src, dst, extend_params)
        bursts = _Bursts(dst, cburst_num, burst_len, dst_stride, src_stride)
        check_extent("src", src, (cburst_num - 1) * bursts.src_pitch +
                     bursts.high * RESULT_FRACTAL)
        if extras.bias is not None:
            check_extent("bias", extras.bias, cburst_num * ROWS)
        if by_pipe:
            _by_fixed_pipe(self, dst, src, bursts, extras)
        else:
            _ThroughUb(self, dst, src, bursts, extras).run()
