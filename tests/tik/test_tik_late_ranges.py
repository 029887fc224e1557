"""What is known at run time only obeys the ranges of immediates: a fault with the name of the
parameter, on both sides of each range; the ends themselves are legal."""

import functools
import types

import kernels
import numpy as np
import pytest
from tik_harness import run_script
from vinci import tik

L1, L0A, L0B, L0C = tik.scope_cbuf, tik.scope_ca, tik.scope_cb, tik.scope_cc


def tensor(instance, dtype, elements, scope):
    return instance.Tensor(dtype, (elements,), scope, f"{dtype}_{scope[6:]}_{elements}")


class Numbers(dict):
    """The numbers of a call by name: legal ones, but for the one that a case is about."""

    __getattr__ = dict.__getitem__


def vec_conv(tik_, ub, n):
    tik_.vec_conv(16, "round", ub.i32, ub.f16, n.repeat_times, n.dst_rep_stride, n.src_rep_stride)


def vec_exp(tik_, ub, n):
    tik_.vec_exp(n.mask, ub.f16b, ub.f16, 1, 8, 8)


def vconv(tik_, ub, n):
    tik_.vconv(16, "round", ub.i32, ub.f16, 1, n.dst_blk_stride, n.src_blk_stride, 0, 0)


def vec_abs(tik_, ub, n):
    tik_.vec_abs(16, ub.f16b, ub.f16, n.repeat_times, n.dst_rep_stride, n.src_rep_stride)


def vadd(tik_, ub, n):
    tik_.vadd(16, ub.f16b, ub.f16, ub.f16, n.repeat_times, n.dst_blk_stride, n.src0_blk_stride,
              n.src1_blk_stride, n.dst_rep_stride, n.src0_rep_stride, n.src1_rep_stride)


def vec_adds(tik_, ub, n):
    tik_.vec_adds(n.mask, ub.f16b, ub.f16, 1.0, 1, 8, 8, mask_mode="counter")


def vector_dup(tik_, ub, n):
    tik_.vector_dup(16, ub.f16b, 1.0, n.repeat_times, n.dst_blk_stride, n.dst_rep_stride)


def vshl(tik_, ub, n):
    tik_.vshl(16, ub.i32b, ub.i32, n.scalar, 1, 1, 1, 8, 8)


def vec_rec_high_preci(tik_, ub, n):
    work = tensor(tik_, "float32", 64 * 255, tik.scope_ubuf)
    tik_.vec_rec_high_preci(16, ub.f16b, ub.f16, work, n.repeat_times, n.dst_rep_stride,
                            n.src_rep_stride)


def vcadd(tik_, ub, n):
    tik_.vcadd(16, ub.f16b, ub.f16, n.repeat_times, n.dst_rep_stride, n.src_blk_stride,
               n.src_rep_stride)


def vec_reduce_add(tik_, ub, n):
    tik_.vec_reduce_add(16, ub.f16b, ub.f16, ub.f16c, n.repeat_times, n.src_rep_stride)


def vec_cmpv_lt(tik_, ub, n):
    tik_.vec_cmpv_lt(ub.u8, ub.f16, ub.f16b, n.repeat_times, n.src0_rep_stride, n.src1_rep_stride)


def vcmp_lt(tik_, ub, n):
    tik_.vcmp_lt(16, ub.f16, ub.f16b, n.src0_stride, n.src1_stride)


def vsel(tik_, ub, n):
    tik_.vsel(16, 1, ub.f16b, ub.u8, ub.f16, 0.5, n.repeat_times, 1, 1, n.src1_blk_stride, 0, 0,
              n.src1_rep_stride)


def vgather(tik_, ub, n):
    tik_.vgather(16, ub.f16b, ub.f16, ub.zeros, n.repeat_times, n.dst_rep_stride)


def vreduce(tik_, ub, n):
    tik_.vreduce(128, ub.f16b, ub.f16, n.src1_pattern, n.repeat_times, n.src0_blk_stride,
                 n.src0_rep_stride, n.src1_rep_stride)


def vec_trans(tik_, ub, n):
    tik_.vec_trans(ub.f16b, ub.f16, n.repeat_times, n.dst_rep_stride, n.src_rep_stride)


def vnchwconv(tik_, ub, n):
    rows = [[t[16 * i] for i in range(16)] for t in (ub.f16b, ub.f16)]
    tik_.vnchwconv(False, False, *rows, n.repeat_times, n.dst_rep_stride, n.src_rep_stride)


def v4dtrans(tik_, ub, n):
    tik_.v4dtrans(False, ub.f16b, ub.f16, n.m_len, n.channels)


def vrpsort16(tik_, ub, n):
    tik_.vrpsort16(ub.f16b, ub.f16, n.repeat_times)


def vconcat(tik_, ub, n):
    tik_.vconcat(ub.f16b, ub.f16, 1, n.mode_number)


def data_move(tik_, ub, n):
    tik_.data_move(ub.i32b, ub.i32, n.sid, n.nburst, n.burst, n.src_stride, n.dst_stride)


def data_move_pad(tik_, ub, n):
    tik_.data_move_pad(ub.i32b, ub.gm, n.nburst, n.burst, n.dst_gap, n.src_gap)


def vcopy(tik_, ub, n):
    tik_.vcopy(16, ub.f16b, ub.f16, n.repeat_times, n.dst_blk_stride, n.src_blk_stride,
               n.dst_rep_stride, n.src_rep_stride)


def vcopy_counter(tik_, ub, n):
    tik_.vcopy(n.mask, ub.f16b, ub.f16, 1, 1, 1, 8, 8, mask_mode="counter")


def vbcb(tik_, ub, n):
    tik_.vbcb(ub.f16b, ub.f16, n.repeat_times, n.dst_blk_stride, n.dst_rep_stride)


def load2dv2(tik_, ub, n):
    l1, l0a = (tensor(tik_, "float16", size, scope) for size, scope in ((1 << 19, L1),
                                                                       (1 << 15, L0A)))
    tik_.load2dv2(l0a, l1, n.index, n.repeat_times, n.dst_gap, n.src_stride, n.sid)


def load3dv1(tik_, ub, n):
    l1, l0a = (tensor(tik_, "float16", size, scope) for size, scope in ((1 << 18, L1),
                                                                       (1 << 15, L0A)))
    tik_.load3dv1(l0a, l1, [n.pad_left, 0, 0, 0], 8, 8, n.c1_index, 0, 0, n.left_top_w, 0,
                  n.stride_w, 1, 1, 1, 1, 1, n.jump_offset, n.repeat_mode, n.repeat_time)


def mmad(tik_, ub, n):
    a, b = (tensor(tik_, "float16", 1 << 15, scope) for scope in (L0A, L0B))
    c = tensor(tik_, "float32", 1 << 16, L0C)
    tik_.mmad(c, a, b, n.matrix_m, n.matrix_k, n.matrix_n, n.is_bias)


REPEATS, STRIDE, WIDE = (1, 0, 255), (0, 0, 255), (0, 0, 65535)


def ranges(repeats=REPEATS, **others):
    return {"repeat_times": repeats, **others}


def strides(*names, form=STRIDE):
    return {name: form for name in names}


# Of each call: a number that is legal beside the others, the least and the most.
CALLS = [
    (vec_conv, ranges(**strides("dst_rep_stride", "src_rep_stride"))),
    (vec_exp, {"mask": (1, 1, 128)}),
    (vconv, strides("dst_blk_stride", "src_blk_stride", form=(1, 0, 65535))),
    (vec_abs, ranges(**strides("dst_rep_stride", "src_rep_stride"))),
    (vadd, ranges(**strides("dst_blk_stride", "src0_blk_stride", "src1_blk_stride",
                            form=(1, 0, 255)),
                  **strides("dst_rep_stride", "src0_rep_stride", "src1_rep_stride"))),
    (vec_adds, {"mask": (1, 1, (1 << 32) - 1)}),
    (vector_dup, ranges(dst_blk_stride=(1, 0, 65535), dst_rep_stride=STRIDE)),
    (vshl, {"scalar": (1, 0, 32)}),
    (vec_rec_high_preci, ranges(**strides("dst_rep_stride", "src_rep_stride"))),
    (vcadd, ranges(**strides("dst_rep_stride", "src_blk_stride", "src_rep_stride", form=WIDE))),
    (vec_reduce_add, ranges((1, 1, 4095), src_rep_stride=WIDE)),
    (vec_cmpv_lt, ranges(**strides("src0_rep_stride", "src1_rep_stride"))),
    (vcmp_lt, strides("src0_stride", "src1_stride")),
    (vsel, ranges(**strides("src1_blk_stride", "src1_rep_stride"))),
    (vgather, ranges(dst_rep_stride=STRIDE)),
    (vreduce, ranges(src1_pattern=(3, 1, 6), src0_blk_stride=(1, 0, 255), src0_rep_stride=WIDE,
                     src1_rep_stride=STRIDE)),
    (vec_trans, ranges((1, 1, 4095), **strides("dst_rep_stride", "src_rep_stride",
                                               form=(0, 0, 4095)))),
    (vnchwconv, ranges(**strides("dst_rep_stride", "src_rep_stride", form=WIDE))),
    (v4dtrans, {"m_len": (16, 1, 4095), "channels": (16, 1, 4095)}),
    (vrpsort16, ranges()),
    (vconcat, {"mode_number": (0, 0, 5)}),
    (data_move, {"sid": (0, 0, 15), "nburst": (1, 1, 4095), "burst": (1, 1, 65535),
                 "src_stride": WIDE, "dst_stride": WIDE}),
    (data_move_pad, {"nburst": (1, 1, 4095), "burst": (1, 1, 2097151),
                     "dst_gap": (0, 0, (1 << 32) - 1), "src_gap": (0, 0, (1 << 32) - 1)}),
    (vcopy, ranges(dst_blk_stride=(1, 0, 65535), src_blk_stride=(1, 0, 65535),
                   dst_rep_stride=(0, 0, 4095), src_rep_stride=(0, 0, 4095))),
    (vcopy_counter, {"mask": (1, 1, 128)}),
    (vbcb, ranges(dst_blk_stride=(1, 0, 65535), dst_rep_stride=WIDE)),
    (load2dv2, ranges((1, 1, 255), index=WIDE, dst_gap=WIDE, src_stride=WIDE, sid=(0, 0, 15))),
    (load3dv1, {"c1_index": (0, 0, 4095), "pad_left": (0, 0, 255), "left_top_w": (0, -255, 32767),
                "stride_w": (1, 1, 63), "jump_offset": (1, 1, 127), "repeat_mode": (0, 0, 1),
                "repeat_time": (1, 1, 255)}),
    (mmad, {"matrix_m": (16, 0, 4095), "matrix_k": (16, 0, 4095), "matrix_n": (16, 0, 4095),
            "is_bias": (0, 0, 1)}),
]
CASES = [pytest.param(call, name, low, high, form, id=f"{call.__name__}-{name}")
         for call, form in CALLS for name, (_, low, high) in form.items()]
NEWER = {"data_move_pad", "vcopy", "vcopy_counter", "vbcb", "vshl"}  # not on the 310P
SHOWN = {"pad_left": "pad left"}  # as the fault names them


ELEMENTS = 4096  # of each Tensor


def record(call, form, name, value, dtype):
    """A script in which parameter `name` of a call is a Scalar of this value."""
    kernels.use("910B" if call.__name__ in NEWER else "310P")
    instance = tik.Tik()
    gm = instance.Tensor("int32", (ELEMENTS,), tik.scope_gm, "gm")
    ub = types.SimpleNamespace(gm=gm, **{
        name: instance.Tensor(dtype, (ELEMENTS,), tik.scope_ubuf, name)
        for name, dtype in (("f16", "float16"), ("f16b", "float16"), ("f16c", "float16"),
                            ("i32", "int32"), ("i32b", "int32"), ("u8", "uint8"),
                            ("zeros", "int32"))})
    instance.data_move(ub.zeros, gm, 0, 1, ELEMENTS // 8, 0, 0)
    numbers = Numbers({key: number for key, (number, _, _) in form.items()})
    numbers[name] = instance.Scalar(dtype, "late", value)
    call(instance, ub, numbers)
    instance.BuildCCE("late", [gm], [])
    return instance


def api_of(call):
    return call.__name__.removesuffix("_counter")


def found(call, form, name, value, folder, monkeypatch, dtype="int32"):
    """The fault, or None."""
    monkeypatch.chdir(folder)
    instance = record(call, form, name, value, dtype)
    try:
        instance.tikdb.start_debug({"gm": np.zeros(ELEMENTS, np.int32)}, interactive=False)
    except SystemExit as stop:
        return str(stop)
    return None


@pytest.mark.parametrize("call,name,low,high,form", CASES)
def test_a_number_out_of_range_is_a_fault(call, name, low, high, form, tmp_path, monkeypatch):
    dtype = "int32" if -2**31 < low and high < 2**31 - 1 else "int64"
    run = functools.partial(found, call, form, name, folder=tmp_path, monkeypatch=monkeypatch,
                            dtype=dtype)
    prefix = f"V2001: {api_of(call)}: {SHOWN.get(name, name)} is "
    for value in (low - 1, high + 1):
        assert run(value=value) == f"{prefix}{value}", value
    for value in (low, high):  # legal; where it reaches too far, another fault says so
        text = run(value=value)
        assert text is None or not text.startswith("V2001"), text


@pytest.mark.parametrize("call,name,value,dtype", [
    (vec_conv, "repeat_times", 0, "int32"), (vec_conv, "repeat_times", 255, "uint64"),
    (vec_abs, "dst_rep_stride", 255, "uint8"), (data_move, "nburst", 1, "int16"),
    (vcopy_counter, "mask", 128, "uint32"), (mmad, "matrix_m", 0, "int64")])
def test_the_ends_run(call, name, value, dtype, tmp_path, monkeypatch):
    form = dict(CALLS)[call]
    assert found(call, form, name, value, tmp_path, monkeypatch, dtype) is None


@pytest.mark.parametrize("value,dtype", [(-1, "int8"), (256, "int16"), (299, "uint16"),
                                         (1000, "uint32"), (2**63 + 1, "uint64"),
                                         (-2**63, "int64")])
def test_any_integer_type(value, dtype, tmp_path, monkeypatch):
    text = found(vec_conv, dict(CALLS)[vec_conv], "src_rep_stride", value, tmp_path, monkeypatch,
                 dtype)
    assert text == f"V2001: vec_conv: src_rep_stride is {value}"


def test_no_repeat_at_run_time_does_nothing(tmp_path, monkeypatch):
    """As the documents have it: 0 is legal but as an immediate."""
    def convert(instance, ub):
        none = instance.Scalar("int32", "none", 0)
        instance.vec_conv(64, "round", ub.dst, ub.src, none, 8, 4)
        instance.vec_conv(64, "round", ub.dst[64:], ub.src, none + 1, 8, 4)

    kernels.use("310P")
    left, = kernels.run([kernels.Call(convert, ["dst"], dst=np.full(128, 7, np.int32),
                                      src=np.full(64, 2, np.float16))], tmp_path, monkeypatch)
    assert (left["dst"] == [7] * 64 + [2] * 64).all()
    text = kernels.refusal(lambda instance, ub: instance.vec_conv(64, "round", ub.dst, ub.src, 0, 8,
                                                                  4),
                           dst=("int32", 64), src=("float16", 64))
    assert text.startswith("repeat_times should be in the range of [1, 255]")


def test_a_scalar_as_stride_unit_is_refused():
    kernels.use("310P")
    text = kernels.refusal(
        lambda instance, ub: instance.vabs(64, ub.dst, ub.src, 1, 1, 1, 8, 8,
                                           instance.Scalar("int32", "unit", 0)),
        dst=("float16", 64), src=("float16", 64))
    assert text.startswith("stride_unit of a Scalar or Expr is not there yet")


def test_a_loop_whose_end_has_wrapped_is_a_fault_and_ends(tmp_path):
    done = run_script(tmp_path, """
from tbe import tik
t = tik.Tik()
n = t.Scalar("uint32", init_value=3)
with t.for_range(0, n - 4):
    pass
t.BuildCCE("k", [], [])
t.tikdb.start_debug({})
""")
    assert done.returncode == 1 and "for_range: endt is 4294967295" in done.stderr
    assert "script.py:5" in done.stderr and "up to 2147483647" in done.stderr
