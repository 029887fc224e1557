"""The matrix unit: mmad, and the loads that bring its operands to L0A and L0B."""

from .. import chip
from ..api_support import api_check_support
from ..error import fail, warn_of_inference
from ..operands import (check_bool, check_in_range, check_same_dtype, check_scalar, check_supported,
                        check_tensor, check_unused, unsupported)
from ..scope import (BLOCK_BYTES, SHORT_NAMES, scope_bt, scope_ca, scope_cb, scope_cbuf, scope_cc,
                     scope_gm, scope_ubuf, size_of)
from ..tensor import Tensor

FRACTAL_BYTES = 512
ROWS = 16  # of a fractal of L0A; columns of one of L0B

LOAD_2D_PATHS = {(scope_cbuf, scope_ca), (scope_cbuf, scope_cb), (scope_gm, scope_cbuf),
                 (scope_gm, scope_ca), (scope_gm, scope_cb)}


def row_elements(dtype):
    """K0 and C0: elements of 32 bytes."""
    return BLOCK_BYTES // size_of(dtype)


def fractal_elements(dtype):
    return FRACTAL_BYTES // size_of(dtype)


def blocks(size, unit):
    return -(-size // unit)


def check_generation(api):
    if not api_check_support(api):
        now = chip.current()
        fail(f"current chip: {now.family} {now.core_type} doesn't support {api}")


def result_alignment(dtype):
    """Of mmad's dst: a fractal of 16 x 16 elements."""
    return ROWS * ROWS * size_of(dtype)


# Loads of fractals.


def load_2d(api, dst, src, index, repeats, src_stride, **more):
    """The statement."""
    return {
        "do": "call", "instruction": "load_data_2d", "as": api,
        "dst": dst.operand(), "src": src.operand(),
        "start_index": check_in_range("index", index, 0, 65535),
        "repeats": check_in_range("repeat_times", repeats, 1, 255),
        "src_stride": check_in_range("src_stride", src_stride, 0, 65535), **more}


def _check_load_2d(dst, src, if_transpose, addr_mode):
    for name, tensor in (("dst", dst), ("src", src)):
        if not isinstance(tensor, Tensor):
            fail(f"{name} should be tensor, input type: {type(tensor)}", TypeError)
    if (src.scope, dst.scope) not in LOAD_2D_PATHS:
        fail(f"load2d doesn't support {SHORT_NAMES[src.scope]} to {SHORT_NAMES[dst.scope]}")
    check_tensor(dst, "dst", (dst.scope,))
    check_tensor(src, "src", (src.scope,))
    check_same_dtype(dst=dst, src=src)
    check_bool("if_transpose", if_transpose)
    if if_transpose and src.scope != scope_cbuf:
        fail("if_transpose should be False unless src's scope is L1")
    if if_transpose and size_of(dst.dtype) != 2:
        fail(f"if_transpose is for 16-bit types, input is {dst.dtype}")
    if addr_mode not in (None, 0, 1):
        fail(f"addr_mode should be 0 or 1, input value is {addr_mode}")


def _load_2d(tik, api, dst, src, index, repeats, dst_gap, src_stride, sid, if_transpose,
             addr_mode):
    check_generation(api)
    _check_load_2d(dst, src, if_transpose, addr_mode)
    check_unused(tik, api, "sid", sid, 0, 15)
    check_supported("load_data_2d", api, [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
    gap = {"dst_gap": check_in_range("dst_gap", dst_gap, 0, 65535)} if api == "load2dv2" else {}
    statement = load_2d(api, dst, src, index, repeats, src_stride, transpose=int(if_transpose),
                        addr_mode=addr_mode or 0, **gap)
    tik.program.emit(statement, inside={"src": "src", "dst": "dst"})


# Loads of feature maps.

MAP_RANGES = {
    "l1_h": (1, 32767), "l1_w": (1, 32767), "stride_w": (1, 63), "stride_h": (1, 63),
    "filter_w": (1, 255), "filter_h": (1, 255), "dilation_filter_w": (1, 255),
    "dilation_filter_h": (1, 255)}
START_RANGES = {
    "fetch_filter_w": (0, 254), "fetch_filter_h": (0, 254), "left_top_w": (-255, 32767),
    "left_top_h": (-255, 32767)}
REPEAT_RANGE = {"repeat_time": (1, 255)}
V1_RANGES = {"c1_index": (0, 4095), **START_RANGES, "jump_offset": (1, 127),
             "repeat_mode": (0, 1), **REPEAT_RANGE}
V2_RANGES = {
    "channel_size": (1, 65535), "k_extension": (1, 65535), "m_extension": (1, 65535),
    "k_start_pt": (0, 65535), "m_start_pt": (0, 65535)}
FIELDS = {  # where the record has another name than TIK
    "dilation_filter_w": "dilation_w", "dilation_filter_h": "dilation_h",
    "jump_offset": "jump_stride", "repeat_time": "repeats", "channel_size": "channels",
    "k_start_pt": "k_start", "m_start_pt": "m_start"}


def _map_fields(pad, pad_value, dtype, ranges, values):
    """The fields of a load of a feature map, each in its range."""
    if not isinstance(pad, (list, tuple)) or len(pad) != 4:
        fail(f"pad should hold left, right, top and bottom, input is {pad}")
    fields = {}
    for side, value in zip(("left", "right", "top", "bottom"), pad):
        fields["pad_" + side] = check_in_range(f"pad {side}", value, 0, 255)
    for name, (least, most) in ranges.items():
        fields[FIELDS.get(name, name)] = check_in_range(name, values[name], least, most)
    fields["pad_value"] = check_scalar("pad_value", 0 if pad_value is None else pad_value, dtype)
    return fields


def emit_load_3d(tik, api, record, dst, src, pad, pad_value, ranges, values):
    """`values`: each parameter by its name; "more": fields without a range."""
    fields = _map_fields(pad, pad_value, src.dtype, {**MAP_RANGES, **ranges}, values)
    tik.program.emit({"do": "call", "instruction": record, "as": api, "dst": dst.operand(),
                      "src": src.operand(), **fields, **values.get("more", {})})


def _check_load_3d(api, record, dst, src, scopes):
    check_generation(api)
    check_tensor(dst, "dst", scopes)
    check_tensor(src, "src", (scope_cbuf,))
    check_same_dtype(dst=dst, src=src)
    check_supported(record, api, [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
    if dst.scope == scope_cb and size_of(dst.dtype) == 1:
        fail(f"{api} doesn't support {dst.dtype} to L0B")


# mmad.


def product(api, dst, a, b, sizes, is_bias, bias=None):
    """The statement of an mmad. `sizes`: of m, k and n."""
    statement = {"do": "call", "instruction": "mmad", "as": api, "dst": dst.operand(),
                 "a": a.operand(), "b": b.operand(), "is_bias": is_bias}
    for name, size in zip("mkn", sizes):
        statement[name] = check_in_range(f"matrix_{name}", size, 0, 4095)
    if bias is not None:
        statement["bias"] = bias.operand()
    return statement


def check_product(api, dst, a, b):
    check_supported("mmad", api, [dst.dtype, a.dtype, b.dtype],
                    f"dst {dst.dtype} src {a.dtype} and {b.dtype}")


class Cube:
    """Mixin of Tik."""

    def mmad(self, dst_fm, src_fm, src_filter, matrix_m, matrix_k, matrix_n, is_bias, fm_offset=0,
             en_weight_offset=False, smask=None, en_small_channel=False, en_small_k=False,
             en_ssparse=False, en_winograd_a=False, en_winograd_b=False, bias_tensor=None):
        """dst_fm = src_fm * src_filter; is_bias 1 adds it to dst_fm. With bias_tensor, a row of
        the bias table is added, or a matrix in L0C."""
        if not self.program.live:
            return
        check_tensor(dst_fm, "dst_fm", (scope_cc,), 1)
        check_tensor(dst_fm, "dst_fm", (scope_cc,), result_alignment(dst_fm.dtype))
        check_tensor(src_fm, "src_fm", (scope_ca,))
        check_tensor(src_filter, "src_filter", (scope_cb,))
        check_product("mmad", dst_fm, src_fm, src_filter)
        for name, value in (("en_weight_offset", en_weight_offset),
                            ("en_small_channel", en_small_channel), ("en_small_k", en_small_k),
                            ("en_ssparse", en_ssparse), ("en_winograd_a", en_winograd_a),
                            ("en_winograd_b", en_winograd_b), ("smask", smask)):
            if value is not None and not (isinstance(value, int) and value == 0):
                unsupported("mmad", name)
        is_bias = check_in_range("is_bias", int(is_bias) if isinstance(is_bias, bool) else is_bias,
                                 0, 1)
        if bias_tensor is not None:
            if not chip.supports("data_copy_bt"):
                unsupported("mmad", "bias_tensor")
            check_tensor(bias_tensor, "bias_tensor", (scope_bt, scope_cc))
            check_same_dtype(dst_fm=dst_fm, bias_tensor=bias_tensor)
            is_bias = 1
        sizes = (matrix_m, matrix_k, matrix_n)
        statement = product("mmad", dst_fm, src_fm, src_filter, sizes, is_bias, bias_tensor)
        self.program.emit(statement, inside={"dst": "dst_fm", "a": "src_fm", "b": "src_filter",
                                             "bias": "bias_tensor"})

    def load2dv1(self, dst, src, index, repeat_times, src_stride, sid, if_transpose=False,
                 addr_mode=None):
        """Fractals of 512 bytes: number index, index + src_stride, ... to adjacent ones."""
        if self.program.live:
            _load_2d(self, "load2dv1", dst, src, index, repeat_times, 0, src_stride, sid,
                     if_transpose, addr_mode)

    def load2dv2(self, dst, src, start_index, repeat_times, dst_gap, src_stride, sid,
                 if_transpose=False, addr_mode=None):
        """load2dv1 with a gap between the fractals of dst."""
        if self.program.live:
            _load_2d(self, "load2dv2", dst, src, start_index, repeat_times, dst_gap, src_stride,
                     sid, if_transpose, addr_mode)

    def load3dv1(self, dst, src, pad, l1_h, l1_w, c1_index, fetch_filter_w, fetch_filter_h,
                 left_top_w, left_top_h, stride_w, stride_h, filter_w, filter_h,
                 dilation_filter_w, dilation_filter_h, jump_offset, repeat_mode, repeat_time,
                 _csize=0, pad_value=0):
        """Image to column: one fractal, 16 windows at one point of the filter, in each repeat."""
        if not self.program.live:
            return
        values = dict(locals())
        _check_load_3d("load3dv1", "load_data_3d_v1", dst, src, (scope_ca, scope_cb, scope_ubuf))
        if _csize not in (0, False):
            fail(f"_csize {_csize} is not there yet, only 0: no published source gives the order "
                 "of the elements in a fractal")
        emit_load_3d(self, "load3dv1", "load_data_3d_v1", dst, src, pad, pad_value, V1_RANGES,
                     values)

    def load3dv2(self, dst, src, pad, l1_h, l1_w, channel_size, k_extension, m_extension,
                 k_start_pt, m_start_pt, stride_w, stride_h, filter_w, filter_h,
                 dilation_filter_w, dilation_filter_h, if_transpose=False, en_small_k=False,
                 pad_value=0):
        """Image to column: a block of the whole matrix, from a row and a column on."""
        if not self.program.live:
            return
        values = dict(locals())
        _check_load_3d("load3dv2", "load_data_3d_v2", dst, src, (scope_ca, scope_cb))
        check_bool("if_transpose", if_transpose)
        if en_small_k:
            unsupported("load3dv2", "en_small_k")
        values["more"] = {"transpose": int(if_transpose)}
        emit_load_3d(self, "load3dv2", "load_data_3d_v2", dst, src, pad, pad_value, V2_RANGES,
                     values)

    def col2img(self, dst, src, pad, l1_h, l1_w, fetch_filter_w, fetch_filter_h, left_top_w,
                left_top_h, stride_w, stride_h, filter_w, filter_h, dilation_filter_w,
                dilation_filter_h, repeat_time):
        """Column to image: 16 windows a repeat add their channels at one point of the filter to the
        pixels that they see."""
        if not self.program.live:
            return
        values = dict(locals())
        check_generation("col2img")
        for name, tensor in (("dst", dst), ("src", src)):
            check_tensor(tensor, name, (scope_ubuf,))
        check_same_dtype(dst=dst, src=src)
        check_supported("col2img", "col2img", [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
        warn_of_inference("col2img")
        values["more"] = {"c1_index": 0, "repeat_mode": 1, "jump_stride": 1}
        emit_load_3d(self, "col2img", "col2img", dst, src, pad, 0,
                     {**START_RANGES, **REPEAT_RANGE}, values)
