"""load2dv1, load2dv2, load3dv1, load3dv2 and mmad. What a load left in L0A or L0B is seen through
a product with the identity."""

import numpy as np
import pytest
from cube_kernel import (ALL, COUPLED, GM, L0A, L0B, L0C, L1, LITE, MORE, SEED, SPLIT, UB, Kernel,
                         from_zn, integers, refused)
from fractals import to_nz, to_zn, to_zz
from vinci import tik

FRACTAL = 256  # elements of float16
ROOM = 24  # fractals of L0A and L0B
V2 = ["Ascend310P3", SPLIT, LITE]
IDENTITY = np.eye(16, dtype=np.float16)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def seen(kernel, tensor):
    """ROOM fractals of float16 in L0A or L0B, as float32 [ROOM, 16, 16] in the order of memory."""
    tik_instance = kernel.tik
    other_scope = L0B if tensor.scope == L0A else L0A
    one = kernel.local("float16", (FRACTAL,), other_scope)
    load_2d(kernel, one, kernel.identity, 0, 1, 0, 0)
    result = kernel.local("float32", (ROOM, 16, 16), L0C)
    if tensor.scope == L0A:
        tik_instance.mmad(result, tensor, one, ROOM * 16, 16, 16, 0)
    else:
        tik_instance.mmad(result, one, tensor, 16, 16, ROOM * 16, 0)
    kernel.read(result)
    blocks = kernel.run()[-1]
    return blocks if tensor.scope == L0A else blocks.transpose(0, 2, 1)


def prepared(soc, scope):
    """A kernel, and ROOM fractals of -7 in L0A or L0B."""
    kernel = Kernel(soc)
    kernel.old = soc in COUPLED[:2]
    kernel.identity = kernel.load(IDENTITY, L1)
    before = kernel.load(np.full((ROOM, 256), -7, np.float16), L1)
    target = kernel.local("float16", (ROOM * FRACTAL,), scope)
    load_2d(kernel, target, before, 0, ROOM, 0, 1)
    return kernel, target


def load_2d(kernel, dst, src, index, repeats, gap, stride, transpose=False, mode=None):
    if kernel.old:
        assert gap == 0
        kernel.tik.load2dv1(dst, src, index, repeats, stride, 0, transpose, mode)
    else:
        kernel.tik.load2dv2(dst, src, index, repeats, gap, stride, 0, transpose, mode)


@pytest.mark.parametrize("soc", ALL)
@pytest.mark.parametrize("scope", [L0A, L0B])
@pytest.mark.parametrize("source", [L1, GM])
def test_load_2d(soc, scope, source):
    rng = np.random.default_rng(SEED)
    for case in range(4 * MORE):
        repeats = int(rng.integers(1, 9))
        stride, index = int(rng.integers(0, 3)), int(rng.integers(0, 5))
        gap = 0 if soc in COUPLED[:2] else int(rng.integers(0, (ROOM - 1) // repeats))
        transpose = source == L1 and bool(rng.integers(2))
        fractals = integers(rng, "float16", (ROOM, 16, 16), 99)
        kernel, target = prepared(soc, scope)
        place = kernel.load(fractals, L1) if source == L1 else kernel.gm(fractals)
        load_2d(kernel, target, place, index, repeats, gap, stride, transpose)
        want = np.full((ROOM, 16, 16), -7.0)
        for i in range(repeats):
            fractal = fractals[index + i * stride]
            want[i * (gap + 1)] = fractal.T if transpose else fractal
        case = f"VINCI_SEED={SEED} {case}: {index} {repeats} {gap} {stride} {transpose}"
        assert (seen(kernel, target) == want).all(), case


@pytest.mark.parametrize("soc", V2)
def test_load_2d_downwards(soc):
    fractals = integers(np.random.default_rng(SEED), "float16", (ROOM, 16, 16), 99)
    kernel, target = prepared(soc, L0A)
    middle = kernel.local("float16", (4, 256), L1)
    kernel.tik.load2dv2(middle, kernel.gm(fractals), 7, 4, 0, 2, 0, False, 1)
    load_2d(kernel, target, middle, 0, 4, 0, 1)
    want = np.full((ROOM, 16, 16), -7.0)
    want[:4] = fractals[[7, 5, 3, 1]]
    assert (seen(kernel, target) == want).all()


@pytest.mark.parametrize("soc", ALL)
@pytest.mark.parametrize("m,k,n,bias", [(16, 16, 16, 0), (33, 40, 17, 0), (16, 48, 64, 1),
                                        (2, 1, 1, 0), (0, 16, 16, 0), (16, 0, 16, 0)])
def test_mmad(soc, m, k, n, bias):
    """Two products, the second over the first or added to it; sizes of 0 do nothing."""
    rng = np.random.default_rng(SEED)
    a, b = integers(rng, "float16", (48, 48)), integers(rng, "float16", (48, 64))
    kernel = Kernel(soc)
    kernel.old = soc in COUPLED[:2]
    l1 = [kernel.load(x.reshape(-1, 256), L1)
          for x in (to_zz(a), to_nz(b), to_zz(a[:m, :k]) if m * k else to_zz(a),
                    to_nz(b[:k, :n]) if k * n else to_nz(b))]
    result = kernel.local("float32", (12, 16, 16), L0C)
    operands = [kernel.local("float16", (12 * FRACTAL,), scope) for scope in (L0A, L0B)]
    for pair, sizes, add in ((l1[:2], (48, 48, 64), 0), (l1[2:], (m, k, n), bias)):
        for operand, source in zip(operands, pair):
            load_2d(kernel, operand, source, 0, source.shape[0], 0, 1)
        kernel.tik.mmad(result, *operands, *sizes, add)
    kernel.read(result)
    blocks = kernel.run()[0]
    first = a.astype(np.int64) @ b.astype(np.int64)
    if not m * k * n:
        assert (from_zn(blocks, 48, 64) == first).all()
        return
    high, wide = -(-m // 16), -(-n // 16)

    def overlaid(whole):
        """The fractals that the second product takes for its C."""
        return from_zn(whole[:high * wide].reshape(wide, high * 16, 16), m, n)

    want = a[:m, :k].astype(np.int64) @ b[:k, :n].astype(np.int64)
    if bias:
        want = want + overlaid(to_zn(first).reshape(12, 16, 16))
    assert (overlaid(blocks) == want).all()


MMAD_TYPES = {
    "Ascend310": {("float16",) * 3, ("float32", "float16", "float16"), ("int32", "int8", "int8"),
                  ("int32", "uint8", "int8"), ("uint32", "uint8", "uint8")}}
MMAD_TYPES["Ascend910A"] = MMAD_TYPES["Ascend310"]
MMAD_TYPES["Ascend310P3"] = MMAD_TYPES["Ascend310"] | {("int32", "uint8", "uint8")}
MMAD_TYPES[SPLIT] = MMAD_TYPES["Ascend310"] | {("float32",) * 3}
MMAD_TYPES[LITE] = {("float16",) * 3, ("float32", "float16", "float16"), ("float32",) * 3,
                    ("int32", "int8", "int8"), ("float32", "bfloat16", "bfloat16")}
NAMES = ["int8", "uint8", "float16", "bfloat16", "float32", "int32", "uint32"]


@pytest.mark.parametrize("soc", ALL)
def test_mmad_types(soc):
    """Every triple: run and right, or refused."""
    for dst in ("float16", "float32", "int32", "uint32"):
        for a in NAMES:
            for b in NAMES:
                if (dst, a, b) not in MMAD_TYPES[soc]:
                    refused("current chip: ", attempt_mmad(soc, (dst, a, b)))
                elif "bfloat16" not in (a, b):
                    check_types(soc, dst, a, b)


def check_types(soc, dst, a, b):
    rng = np.random.default_rng(SEED)
    k0 = 32 // np.dtype(a).itemsize
    left, right = integers(rng, a, (16, k0)), integers(rng, b, (k0, 16))
    kernel = Kernel(soc)
    kernel.old = soc in COUPLED[:2]
    operands = []
    for matrix, scope, dtype in ((left, L0A, a), (np.ascontiguousarray(right.T), L0B, b)):
        source = kernel.load(matrix, L1)
        operands.append(kernel.local(dtype, (512 // matrix.itemsize,), scope))
        load_2d(kernel, operands[-1], source, 0, 1, 0, 1)
    result = kernel.local(dst, (1, 16, 16), L0C)
    kernel.tik.mmad(result, *operands, 16, k0, 16, 0)
    if dst == "float16" and soc not in COUPLED:
        kernel.out("float16", (16,))
        kernel.run()  # no way out of L0C for halves
        return
    if dst == "float16":
        staged = kernel.local(dst, (1, 16, 16), UB)
        kernel.tik.tensor_mov(staged, result, "m", 1, 1, 0, 0)
        result = staged
    if dst == "uint32" and soc not in COUPLED:
        kernel.out("float16", (16,))
        kernel.run()
        return
    kernel.read(result)
    want = left.astype(np.int64) @ right.astype(np.int64)
    assert (kernel.run()[0][0].astype(np.int64) == want).all(), (dst, a, b)


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


def attempt_mmad(soc="Ascend910A", types=("float32", "float16", "float16"),
                 scopes=(L0C, L0A, L0B), sizes=(16, 16, 16), is_bias=0, starts=(0, 0, 0), **more):
    def call():
        kernel = Kernel(soc)
        operands = [kernel.local(dtype, (1024,), scope)[start:]
                    for dtype, scope, start in zip(types, scopes, starts)]
        kernel.tik.mmad(*operands, *sizes, is_bias, **more)
    return call


MMAD = [
    ("dst_fm's scope must be L0C", {"scopes": (UB, L0A, L0B)}),
    ("src_fm's scope must be L0A", {"scopes": (L0C, L1, L0B)}),
    ("src_filter's scope must be L0B", {"scopes": (L0C, L0A, L0A)}),
    ("Address align error, dst_fm[128]", {"starts": (128, 0, 0)}),
    ("Address align error, src_fm[16]", {"starts": (0, 16, 0)}),
    ("Address align error, src_filter[16]", {"starts": (0, 0, 16)}),
    ("matrix_m should be in the range of [0, 4095], input value is -1", {"sizes": (-1, 16, 16)}),
    ("matrix_m should be in the range of [0, 4095], input value is 4096",
     {"sizes": (4096, 16, 16)}),
    ("matrix_k should be in the range of [0, 4095], input value is 4096",
     {"sizes": (16, 4096, 16)}),
    ("matrix_n should be in the range of [0, 4095], input value is 4096",
     {"sizes": (16, 16, 4096)}),
    ("matrix_n should be int", {"sizes": (16, 16, 1.5)}),
    ("is_bias should be in the range of [0, 1], input value is 2", {"is_bias": 2}),
    ("dst_fm tensor overflow", {"sizes": (80, 16, 16)}),
    ("src_fm tensor overflow", {"sizes": (16, 80, 16)}),
    ("src_filter tensor overflow", {"sizes": (16, 16, 64), "starts": (0, 0, 512)}),
    ("current chip: Ascend910 AiCore doesn't support en_small_k", {"en_small_k": True}),
    ("current chip: Ascend910 AiCore doesn't support en_winograd_a", {"en_winograd_a": True}),
    ("current chip: Ascend910 AiCore doesn't support bias_tensor", {"bias_tensor": 1}),
]


@pytest.mark.parametrize("text,case", MMAD)
def test_mmad_refusals(text, case):
    refused(text, attempt_mmad(**case))


def test_the_ends_of_mmads_ranges_are_legal():
    attempt_mmad(sizes=(0, 0, 0))()
    attempt_mmad(sizes=(64, 16, 16))()
    attempt_mmad(sizes=(16, 64, 16), is_bias=True)()
    attempt_mmad(sizes=(2, 16, 64))()


def test_mmad_with_a_row_of_the_bias_table():
    rng = np.random.default_rng(SEED)
    bias = integers(rng, "float32", (32,), 99)
    kernel = Kernel(SPLIT)
    kernel.old = False
    left, right = (kernel.load(IDENTITY, L1) for _ in range(2))
    table_source = kernel.load(bias, L1)
    a, b = kernel.local("float16", (256,), L0A), kernel.local("float16", (256,), L0B)
    load_2d(kernel, a, left, 0, 1, 0, 0)
    load_2d(kernel, b, right, 0, 1, 0, 0)
    result = kernel.local("float32", (1, 16, 16), L0C)
    kernel.tik.matmul(result, left, right, 16, 16, 16, bias=table_source)
    kernel.tik.mmad(result, a, b, 16, 16, 16, 0, bias_tensor=result)
    kernel.read(result)
    assert (kernel.run()[0][0] == 2 * np.eye(16) + bias[:16]).all()


def attempt_load(method, *numbers, soc="Ascend910A", dst=(L0A, "float16"), src=(L1, "float16"),
                 start=0, **more):
    def call():
        kernel = Kernel(soc)
        target = kernel.local(dst[1], (2048,), dst[0])[start:]
        source = kernel.local(src[1], (2048,), src[0])
        getattr(kernel.tik, method)(target, source, *numbers, **more)
    return call


LOAD_2D = [
    ("load2d doesn't support UB to L0A", (0, 1, 1, 0), {"src": (UB, "float16")}),
    ("load2d doesn't support L1 to UB", (0, 1, 1, 0), {"dst": (UB, "float16")}),
    ("load2d doesn't support L1 to L1", (0, 1, 1, 0), {"dst": (L1, "float16")}),
    ("Address align error, dst[16]", (0, 1, 1, 0), {"start": 16}),
    ("dst and src should have the same dtype", (0, 1, 1, 0), {"src": (L1, "int8")}),
    ("if_transpose should be bool", (0, 1, 1, 0, 1), {}),
    ("if_transpose is for 16-bit types", (0, 1, 1, 0, True),
     {"src": (L1, "int8"), "dst": (L0A, "int8")}),
    ("addr_mode should be 0 or 1", (0, 1, 1, 0, False, 2), {}),
    ("sid should be in the range of [0, 15]", (0, 1, 1, 16), {}),
    ("index should be in the range of [0, 65535], input value is -1", (-1, 1, 1, 0), {}),
    ("index should be in the range of [0, 65535], input value is 65536", (65536, 1, 1, 0), {}),
    ("repeat_times should be in the range of [1, 255], input value is 0", (0, 0, 1, 0), {}),
    ("repeat_times should be in the range of [1, 255], input value is 256", (0, 256, 1, 0), {}),
    ("src_stride should be in the range of [0, 65535]", (0, 1, 65536, 0), {}),
    ("src tensor overflow", (8, 1, 1, 0), {}),
    ("src tensor overflow", (0, 3, 4, 0), {}),
    ("dst tensor overflow", (0, 9, 0, 0), {}),
    ("current chip: Ascend910 AiCore doesn't support dst uint64", (0, 1, 1, 0),
     {"src": (L1, "uint64"), "dst": (L0A, "uint64")}),
    ("current chip: Ascend910B AiCore doesn't support load2dv1", (0, 1, 1, 0), {"soc": SPLIT}),
]


@pytest.mark.parametrize("text,numbers,more", LOAD_2D)
def test_load_2d_refusals(text, numbers, more):
    refused(text, attempt_load("load2dv1", *numbers, **more))


def test_load_2d_v2_refusals():
    for text, numbers in (("dst_gap should be in the range of [0, 65535]", (0, 1, 65536, 1, 0)),
                          ("dst tensor overflow", (0, 2, 7, 0, 0))):
        refused(text, attempt_load("load2dv2", *numbers, soc="Ascend310P3"))
    attempt_load("load2dv2", 0, 2, 6, 7, 15, soc="Ascend310P3")()
    for soc in COUPLED[:2]:
        refused(f"current chip: {soc.rstrip('A')} AiCore doesn't support load2dv2",
                attempt_load("load2dv2", 0, 1, 0, 1, 0, soc=soc))


def test_the_ends_of_load_2ds_ranges_are_legal():
    attempt_load("load2dv1", 7, 8, 0, 15)()
    attempt_load("load2dv1", 0, 8, 1, 0)()
    attempt_load("load2dv1", 0, 1, 65535, 0)()


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


def test_col2img_says_that_it_is_missing():
    refused("col2img is not there yet", attempt_load("col2img", [0] * 4, *[1] * 13))


@pytest.mark.parametrize("method,count", [("mmad", 5), ("load2dv1", 4), ("load2dv2", 5),
                                          ("load3dv1", 17), ("load3dv2", 14), ("col2img", 14)])
def test_nothing_is_checked_where_nothing_runs(method, count):
    instance = tik.Tik()
    with instance.if_scope(False):
        getattr(instance, method)(None, None, *[None] * count)
