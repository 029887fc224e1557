"""load3dv1 and load3dv2: the walk of the filter's window, to L0A, L0B and UB; what is refused."""

import numpy as np
import pytest
from cube_kernel import (COUPLED, L0A, L0B, L0C, L1, LITE, SEED, SPLIT, UB, Kernel, integers,
                         refused)
from cube_loads import ROOM, V2, attempt_load, prepared, seen
from fractals import to_nz, to_zz
from vinci import tik


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


# Feature maps.

MAPS = [  # h, w, pad, stride (w, h), filter (w, h), dilation (w, h), pad value
    (6, 6, (1, 1, 1, 1), (1, 1), (3, 3), (1, 1), 0),
    (5, 9, (2, 0, 1, 3), (2, 1), (2, 3), (2, 1), 7),
    (8, 4, (0, 1, 2, 0), (1, 3), (3, 2), (1, 3), -3),
    (3, 3, (1, 0, 2, 0), (1, 1), (2, 2), (1, 1), 7),
]


def window_size(size, low, high, filter_size, dilation, stride):
    return (size + low + high - (filter_size - 1) * dilation - 1) // stride + 1


def pixel(fm, c1, y, x, pad_value):
    inside = 0 <= y < fm.shape[1] and 0 <= x < fm.shape[2]
    return fm[c1, y, x] if inside else np.full(fm.shape[3], pad_value, fm.dtype)


def columns_v1(fm, case, start, mode, jump, repeats, room):
    """The fractals of load3dv1, by the walk of the documents; what is not written is -7."""
    (h, w, pad, stride, size, dilation, pad_value) = case
    c1, kw, kh, left, top = start
    out = np.full((room, 16, fm.shape[3]), -7, fm.dtype)
    corner = (top, left)
    for i in range(repeats):
        y, x = corner
        for row in range(16):
            out[i * (jump if mode else 1), row] = pixel(
                fm, c1, y + kh * dilation[1], x + kw * dilation[0], pad_value)
            x += stride[0]
            if x > w + pad[1] - ((size[0] - 1) * dilation[0] + 1):
                x, y = -pad[0], y + stride[1]
        if mode:
            corner = (y, x)
            continue
        kw += 1
        if kw == size[0]:
            kw, kh = 0, kh + 1
        if kh == size[1]:
            kh, c1 = 0, c1 + 1
    return out


def load_3d_v1(kernel, dst, src, case, start, mode, jump, repeats):
    h, w, pad, stride, size, dilation, pad_value = case
    c1, kw, kh, left, top = start
    kernel.tik.load3dv1(dst, src, list(pad), h, w, c1, kw, kh, left, top, *stride, *size,
                        *dilation, jump, mode, repeats, 0, pad_value)


def random_start(rng, case):
    """Block of channels, filter point, corner of a window."""
    h, w, pad, stride, size, dilation, _ = case
    wo = window_size(w, pad[0], pad[1], size[0], dilation[0], stride[0])
    return (int(rng.integers(2)), int(rng.integers(size[0])), int(rng.integers(size[1])),
            int(rng.integers(wo)) * stride[0] - pad[0], int(rng.integers(3)) * stride[1] - pad[2])


@pytest.mark.parametrize("soc", COUPLED)
@pytest.mark.parametrize("scope", [L0A, L0B, UB])
def test_load_3d_v1(soc, scope):
    rng = np.random.default_rng(SEED)
    for case in MAPS:
        for mode in (0, 1):
            fm = integers(rng, "float16", (4, case[0], case[1], 16), 99)
            start, repeats = random_start(rng, case), int(rng.integers(1, 5))
            jump = int(rng.integers(1, 5))
            want = columns_v1(fm, case, start, mode, jump, repeats, ROOM)
            if scope == UB:
                kernel = Kernel(soc)
                target = kernel.load(np.full((ROOM, 256), -7, np.float16), UB)
            else:
                kernel, target = prepared(soc, scope)
            load_3d_v1(kernel, target, kernel.load(fm, L1), case, start, mode, jump, repeats)
            if scope == UB:
                kernel.read(target)
                got = kernel.run()[-1].reshape(ROOM, 16, 16)
            else:
                got = seen(kernel, target)
            if scope == L0B:  # a fractal is turned there
                want = want.transpose(0, 2, 1)
            assert (got == want).all(), (case, start, mode, jump, repeats)


@pytest.mark.parametrize("soc", COUPLED)
@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_load_3d_v1_of_bytes_to_ub(soc, dtype):
    rng = np.random.default_rng(SEED)
    for case in MAPS:
        case = (*case[:6], abs(case[6]))
        fm = integers(rng, dtype, (4, case[0], case[1], 32))
        start = random_start(rng, case)
        kernel = Kernel(soc)
        target = kernel.local(dtype, (5, 16, 32), UB)
        load_3d_v1(kernel, target, kernel.load(fm, L1), case, start, 0, 1, 5)
        kernel.read(target)
        want = columns_v1(fm, case, start, 0, 1, 5, 5)
        assert (kernel.run()[0] == want).all(), (case, start)


def test_load_3d_v1_with_scalars():
    """Numbers that are known at run time only."""
    case = MAPS[0]
    fm = integers(np.random.default_rng(SEED), "float16", (4, 6, 6, 16))
    kernel = Kernel("Ascend910A")
    source = kernel.load(fm, L1)
    target = kernel.local("float16", (9, 256), UB)
    with kernel.tik.for_range(0, 9) as i:
        top = kernel.tik.Scalar("int32", "top", init_value=-1)
        load_3d_v1(kernel, target[i, 0], source, case, (1, i % 3, i // 3, -1, top), 0, 1, 1)
    kernel.read(target)
    want = columns_v1(fm, case, (1, 0, 0, -1, -1), 0, 1, 9, 9)
    assert (kernel.run()[0].reshape(9, 16, 16) == want).all()


def matrix_of(fm, case):
    """The whole image-to-column matrix [Ho * Wo, C1 * Kh * Kw * C0]."""
    h, w, pad, stride, size, dilation, pad_value = case
    ho = window_size(h, pad[2], pad[3], size[1], dilation[1], stride[1])
    wo = window_size(w, pad[0], pad[1], size[0], dilation[0], stride[0])
    rows = []
    for i in range(ho):
        for j in range(wo):
            rows.append(np.concatenate([
                pixel(fm, c1, i * stride[1] - pad[2] + y * dilation[1],
                      j * stride[0] - pad[0] + x * dilation[0], pad_value)
                for c1 in range(fm.shape[0]) for y in range(size[1]) for x in range(size[0])]))
    return np.array(rows)


@pytest.mark.parametrize("soc", V2)
@pytest.mark.parametrize("scope,turned", [(L0A, False), (L0A, True), (L0B, False)])
def test_load_3d_v2(soc, scope, turned):
    rng = np.random.default_rng(SEED)
    for case in MAPS:
        fm = integers(rng, "float16", (2, case[0], case[1], 16), 99)
        whole = matrix_of(fm, case)
        rows = len(whole) // 16 * 16 or len(whole)
        m_start = 16 if rows >= 32 else 0
        m_size, k_start, k_size = min(rows - m_start, 32), 16, 48
        block = whole[m_start:m_start + m_size, k_start:k_start + k_size]
        kernel, target = prepared(soc, scope)
        h, w, pad, stride, size, dilation, pad_value = case
        kernel.tik.load3dv2(target, kernel.load(fm, L1), list(pad), h, w, 32, k_size, m_size,
                            k_start, m_start, *stride, *size, *dilation, turned,
                            pad_value=pad_value)
        got = seen(kernel, target)
        want = to_nz(block) if scope == L0B else to_zz(block.T.copy() if turned else block)
        want = want.reshape(-1, 16, 16)
        if len(block) % 16 == 0:
            assert (got[:len(want)] == want).all(), (case, m_start)
            assert (got[len(want):] == -7).all()
        elif not turned and scope == L0A:  # a last fractal is whole
            assert (from_rows(got[:len(want)], 3)[:len(block)] == block).all()


def from_rows(fractals, wide):
    return fractals.reshape(-1, wide, 16, 16).transpose(0, 2, 1, 3).reshape(-1, wide * 16)


V1_NAMES = ("pad", "l1_h", "l1_w", "c1_index", "fetch_filter_w", "fetch_filter_h", "left_top_w",
            "left_top_h", "stride_w", "stride_h", "filter_w", "filter_h", "dilation_filter_w",
            "dilation_filter_h", "jump_offset", "repeat_mode", "repeat_time")
V1_LEGAL = dict(zip(V1_NAMES, ([0] * 4, 4, 4, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1)))
V1_ENDS = {
    "l1_h": (1, 32767), "l1_w": (1, 32767), "c1_index": (0, 4095), "fetch_filter_w": (0, 254),
    "fetch_filter_h": (0, 254), "left_top_w": (-255, 32767), "left_top_h": (-255, 32767),
    "stride_w": (1, 63), "stride_h": (1, 63), "filter_w": (1, 255), "filter_h": (1, 255),
    "dilation_filter_w": (1, 255), "dilation_filter_h": (1, 255), "jump_offset": (1, 127),
    "repeat_mode": (0, 1), "repeat_time": (1, 255)}
V2_NAMES = ("pad", "l1_h", "l1_w", "channel_size", "k_extension", "m_extension", "k_start_pt",
            "m_start_pt", "stride_w", "stride_h", "filter_w", "filter_h", "dilation_filter_w",
            "dilation_filter_h")
V2_LEGAL = dict(zip(V2_NAMES, ([0] * 4, 4, 4, 16, 16, 16, 0, 0, 1, 1, 1, 1, 1, 1)))
V2_ENDS = {name: ends for name, ends in V1_ENDS.items() if name in V2_LEGAL}
V2_ENDS.update(channel_size=(1, 65535), k_extension=(1, 65535), m_extension=(1, 65535),
               k_start_pt=(0, 65535), m_start_pt=(0, 65535))


@pytest.mark.parametrize("method,soc,legal,ends", [
    ("load3dv1", "Ascend910A", V1_LEGAL, V1_ENDS), ("load3dv2", "Ascend310P3", V2_LEGAL, V2_ENDS)])
def test_both_sides_of_each_range_of_a_3d_load(method, soc, legal, ends):
    for name, (least, most) in ends.items():
        for value in (least, most):
            attempt_load(method, soc=soc, **{**legal, name: value})()
        for value in (least - 1, most + 1):
            refused(f"{name} should be in the range of [{least}, {most}], input value is {value}",
                    attempt_load(method, soc=soc, **{**legal, name: value}))
    for pad in ([256, 0, 0, 0], [0, -1, 0, 0]):
        refused("pad ", attempt_load(method, soc=soc, **{**legal, "pad": pad}))
    refused("pad should hold left", attempt_load(method, soc=soc, **{**legal, "pad": [0] * 3}))
    attempt_load(method, soc=soc, **{**legal, "pad": (255, 255, 255, 255)})()


@pytest.mark.parametrize("method,soc,legal", [("load3dv1", "Ascend910A", V1_LEGAL),
                                              ("load3dv2", "Ascend310P3", V2_LEGAL)])
def test_3d_refusals(method, soc, legal):
    def attempt(**more):
        return attempt_load(method, **{"soc": soc, **legal, **more})
    refused("src's scope must be L1", attempt(src=(UB, "float16")))
    refused("dst's scope must be ", attempt(dst=(L0C, "float16")))
    refused("dst and src should have the same dtype", attempt(src=(L1, "int8")))
    refused("current chip: ", attempt(src=(L1, "int16"), dst=(L0A, "int16")))
    refused(f"{method} doesn't support int8 to L0B",
            attempt(src=(L1, "int8"), dst=(L0B, "int8")))
    refused("Address align error, dst[16]", attempt(start=16))
    refused("pad_value should be int", attempt(src=(L1, "int8"), dst=(L0A, "int8"), pad_value=0.5))


def test_3d_loads_that_a_chip_lacks():
    for soc in (SPLIT, LITE):
        refused("current chip: ", attempt_load("load3dv1", soc=soc, **V1_LEGAL))
    for soc in COUPLED[:2]:
        refused("current chip: ", attempt_load("load3dv2", soc=soc, **V2_LEGAL))
    refused("_csize 1 is not there yet", attempt_load("load3dv1", **V1_LEGAL, _csize=1))
    refused("current chip: ", attempt_load("load3dv2", soc=SPLIT, **V2_LEGAL, en_small_k=True))


@pytest.mark.parametrize("method,count", [("load3dv1", 17), ("load3dv2", 14)])
def test_nothing_is_checked_where_nothing_runs(method, count):
    instance = tik.Tik()
    with instance.if_scope(False):
        getattr(instance, method)(None, None, *[None] * count)
