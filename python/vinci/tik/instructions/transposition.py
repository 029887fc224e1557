"""vec_trans, vtranspose: squares of 16 x 16; vec_trans_scatter, vnchwconv: 16 datablocks anywhere;
v4dtrans: images. Rules: docs/spec/transpose.md, docs/spec/trans_data_to_5hd.md,
docs/spec/v4dtrans.md."""

from ..error import fail
from ..operands import (check_bool, check_in_range, check_repeat_stride,
                        check_repeat_times, check_same_dtype, check_supported, check_tensor)
from ..scope import size_of

SQUARES_MOST = 4095  # repeats and strides of vec_trans
BLOCKS = 16        # tensors in a list
STRIDE_MOST = 65535
IMAGE_MOST = 4095  # places, and channels


def _trans(tik, api, dst, src, repeat_times, dst_rep_stride, src_rep_stride):
    if not tik.program.live:
        return
    fields = {
        "dst": check_tensor(dst, "dst"), "src": check_tensor(src, "src"),
        "repeats": check_in_range("repeat_times", repeat_times, 1, SQUARES_MOST),
        "dst_repeat": check_in_range("dst_rep_stride", dst_rep_stride, 0, SQUARES_MOST),
        "src_repeat": check_in_range("src_rep_stride", src_rep_stride, 0, SQUARES_MOST)}
    check_same_dtype(dst=dst, src=src)
    check_supported("transpose", api, [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
    tik.program.emit({"do": "call", "instruction": "transpose", "as": api, **fields},
                     inside={"dst": "dst", "src": "src"})


def _check_list(name, tensors):
    if not isinstance(tensors, (list, tuple)):
        fail(f"{name} should be list or tuple, input type: {type(tensors)}", TypeError)
    if len(tensors) != BLOCKS:
        fail(f"{name} should hold {BLOCKS} tensors, input length is {len(tensors)}")
    return [check_tensor(tensor, f"{name}[{i}]") for i, tensor in enumerate(tensors)]


def _scatter(tik, api, dst_high_half, src_high_half, dst_list, src_list, repeat_times,
             dst_rep_stride, src_rep_stride):
    if not tik.program.live:
        return
    halves = check_bool("dst_high_half", dst_high_half), check_bool("src_high_half", src_high_half)
    fields = {
        "dst": _check_list("dst_list", dst_list), "src": _check_list("src_list", src_list),
        "repeats": check_repeat_times(repeat_times),
        "dst_repeat": check_repeat_stride("dst_rep_stride", dst_rep_stride, STRIDE_MOST),
        "src_repeat": check_repeat_stride("src_rep_stride", src_rep_stride, STRIDE_MOST)}
    dtype = dst_list[0].dtype
    for name, tensors in (("dst_list", dst_list), ("src_list", src_list)):
        check_same_dtype(**{"dst_list[0]": dst_list[0]},
                         **{f"{name}[{i}]": tensor for i, tensor in enumerate(tensors)
                            if tensor is not dst_list[0]})
    check_supported("trans_data_to_5hd", api, [dtype],
                    f"dst {dtype} src {src_list[0].dtype}")
    if size_of(dtype) == 1:  # of wider elements whole datablocks are turned
        fields.update(dst_high=int(halves[0]), src_high=int(halves[1]))
    tik.program.emit({"do": "call", "instruction": "trans_data_to_5hd", "as": api, **fields},
                     inside={"dst": "dst_list", "src": "src_list"})


def _image(tik, chw2hwc, dst, src, m_len, channels):
    to_places = check_bool("chw2hwc", chw2hwc)
    fields = {"dst": check_tensor(dst, "dst"), "src": check_tensor(src, "src"),
              "places": check_in_range("m_len", m_len, 1, IMAGE_MOST),
              "channels": check_in_range("channels", channels, 1, IMAGE_MOST),
              "to_places": int(to_places)}
    check_same_dtype(dst=dst, src=src)
    check_supported("v4dtrans", "v4dtrans", [dst.dtype], f"dst {dst.dtype} src {src.dtype}")
    tik.program.emit({"do": "call", "instruction": "v4dtrans", "as": "v4dtrans", **fields},
                     inside={"dst": "dst", "src": "src"})


class Transposition:
    """Mixin of Tik."""

    def v4dtrans(self, chw2hwc, dst, src, m_len, channels):
        """An image of m_len places: channel by channel to place by place, or back if False."""
        if self.program.live:
            _image(self, chw2hwc, dst, src, m_len, channels)

    def vec_trans(self, dst, src, repeat_times, dst_rep_stride, src_rep_stride):
        """Turns squares of 16 x 16 elements of 16 bits; strides count squares of 512 bytes."""
        _trans(self, "vec_trans", dst, src, repeat_times, dst_rep_stride, src_rep_stride)

    def vtranspose(self, dst, src):
        """Turns one square of 16 x 16 elements of 16 bits."""
        _trans(self, "vtranspose", dst, src, 1, 0, 0)

    def vec_trans_scatter(self, dst_high_half, src_high_half, dst_list, src_list, repeat_times,
                          dst_rep_stride, src_rep_stride):
        """Turns 16 datablocks into 16 others; strides count datablocks."""
        _scatter(self, "vec_trans_scatter", dst_high_half, src_high_half, dst_list, src_list,
                 repeat_times, dst_rep_stride, src_rep_stride)

    def vnchwconv(self, dst_high_half, src_high_half, dst_list, src_list, repeat_times,
                  dst_rep_stride, src_rep_stride, name=None):
        """Turns 16 datablocks into 16 others; strides count datablocks."""
        _scatter(self, "vnchwconv", dst_high_half, src_high_half, dst_list, src_list,
                 repeat_times, dst_rep_stride, src_rep_stride)
