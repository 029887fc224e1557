"""conv2d against a convolution written down with loops; what is refused."""

import numpy as np
import pytest
from cube_kernel import ALL, COUPLED, L0A, L0C, L1, SEED, SPLIT, UB, Kernel, integers, refused
from harness import times_more
from vinci import tik

TYPES = [("int8", "int8", "int32"), ("uint8", "int8", "int32"), ("float16", "float16", "float32")]
# C1, (h, w), (kh, kw), Cout, stride, pad, dilation, pad value
CASES = [
    (1, (4, 4), (2, 2), 32, (1, 1), (0, 0, 0, 0), (1, 1), 0),
    (2, (4, 4), (2, 2), 16, (1, 1), (0, 0, 0, 0), (2, 2), 0),
    (2, (7, 9), (3, 2), 48, (2, 1), (1, 0, 2, 1), (1, 2), 3),
    (1, (1, 30), (1, 1), 16, (1, 1), (0, 0, 0, 0), (1, 1), 0),
    (3, (12, 11), (5, 3), 16, (1, 3), (2, 2, 1, 0), (2, 1), 1),
    (4, (18, 16), (3, 3), 64, (1, 1), (1, 1, 1, 1), (1, 1), 0),
    (1, (3, 3), (3, 3), 16, (1, 1), (0, 0, 0, 0), (1, 1), 0),
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def convolution(fm, weight, stride, pad, dilation, pad_value):
    """[Cout / 16, Ho * Wo, 16] of fm [C1, H, W, C0] and weight [C1, Kh, Kw, Cout, C0]."""
    (_, kh, kw, cout, _) = weight.shape
    padded = np.pad(fm.astype(np.int64), ((0, 0), (pad[2], pad[3]), (pad[0], pad[1]), (0, 0)),
                    constant_values=pad_value)
    ho = (padded.shape[1] - (kh - 1) * dilation[0] - 1) // stride[0] + 1
    wo = (padded.shape[2] - (kw - 1) * dilation[1] - 1) // stride[1] + 1
    out = np.zeros((ho, wo, cout), np.int64)
    for i in range(ho):
        for j in range(wo):
            y, x = i * stride[0], j * stride[1]
            window = padded[:, y:y + (kh - 1) * dilation[0] + 1:dilation[0],
                            x:x + (kw - 1) * dilation[1] + 1:dilation[1]]
            out[i, j] = np.einsum("cyxk,cyxok->o", window, weight.astype(np.int64))
    return out.reshape(ho * wo, cout // 16, 16).transpose(1, 0, 2)


def run(soc, types, case, taken=0, twice=False, bias=None):
    """The valid rows of dst, and what they should be."""
    c1, size, kernel_size, cout, stride, pad, dilation, pad_value = case
    rng = np.random.default_rng(SEED)
    c0 = 16 if types[0] == "float16" else 32
    fm = integers(rng, types[0], (c1, *size, c0), 4)
    weight = integers(rng, types[1], (c1, *kernel_size, cout, c0), 4)
    want = convolution(fm, weight, stride, pad, dilation, pad_value)
    kernel = Kernel(soc)
    image, filters = kernel.load(fm, L1), kernel.load(weight, L1)
    rows = -(-want.shape[1] // 16) * 16
    result = kernel.local(types[2], (cout // 16, rows, 16), L0C)
    if taken:
        kernel.local("int8", (taken,), L0A)
    more = {} if bias is None else {"bias": kernel.load(bias, L1)}
    for init in (True, False)[:1 + twice]:
        kernel.tik.conv2d(result, image, filters, fm.shape, list(weight.shape), stride, pad,
                          dilation, pad_value, init, **more)
    kernel.read(result)
    return kernel.run()[0][:, :want.shape[1]], want


@pytest.mark.parametrize("soc", ALL)
def test_geometries(soc):
    for types in TYPES:
        if types[0] == "uint8" and soc == "Ascend310B1":
            continue
        for case in CASES:
            got, want = run(soc, types, case)
            assert (got == want).all(), (types, case)


@pytest.mark.parametrize("soc", ALL)
def test_tiles_and_sums(soc):
    """L0A with a few fractals left, and a second call that adds."""
    for case in CASES:
        got, want = run(soc, TYPES[2], case, taken=60 * 1024)
        assert (got == want).all(), case
        got, want = run(soc, TYPES[2], case, twice=True)
        assert (got == 2 * want).all(), case


@pytest.mark.parametrize("soc", ALL)
def test_random_geometries(soc):
    rng = np.random.default_rng([SEED, 4])
    for number in range(times_more(10)):
        kernel = tuple(int(rng.integers(1, 5)) for _ in "hw")
        dilation = tuple(int(rng.integers(1, 4)) for _ in "hw")
        size = tuple(int(rng.integers((k - 1) * d + 1, 16)) for k, d in zip(kernel, dilation))
        case = (int(rng.integers(1, 4)), size, kernel, 16 * int(rng.integers(1, 4)),
                tuple(int(rng.integers(1, 4)) for _ in "hw"),
                tuple(int(rng.integers(0, 4)) for _ in "lrtb"), dilation, int(rng.integers(0, 9)))
        got, want = run(soc, TYPES[number % 3 if number % 3 != 1 else 2], case)
        assert (got == want).all(), f"VINCI_SEED={SEED} case {number}: {case}"


@pytest.mark.parametrize("types", [TYPES[0], TYPES[2]])
def test_bias(types):
    for case in CASES:
        bias = np.arange(case[3]).astype(types[2])
        got, want = run(SPLIT, types, case, bias=bias)
        assert (got == want + np.arange(case[3]).reshape(-1, 1, 16)).all(), case


def attempt(soc="Ascend910A", types=("float16", "float16", "float32"), scopes=(L1, L1, L0C),
            elements=(4096, 8192, 4096), fm=(1, 4, 4, 16), weight=(1, 2, 2, 16, 16), stride=(1, 1),
            pad=(0, 0, 0, 0), dilation=(1, 1), **more):
    def call():
        kernel = Kernel(soc)
        image, filters, dst = (kernel.local(*x) for x in zip(types, [(n,) for n in elements],
                                                             scopes))
        kernel.tik.conv2d(dst, image, filters, fm, weight, stride, pad, dilation, **more)
    return call


REFUSALS = [
    ("dst's scope must be L0C", {"scopes": (L1, L1, UB)}),
    ("feature_map's scope must be L1", {"scopes": (UB, L1, L0C)}),
    ("weight's scope must be L1", {"scopes": (L1, UB, L0C)}),
    ("current chip: ", {"types": ("float16", "float16", "float16")}),
    ("current chip: ", {"types": ("int8", "uint8", "int32")}),
    ("fm_shape should hold 4 int", {"fm": (1, 4, 4)}),
    ("kernel_shape should hold 5 int", {"weight": (1, 2, 2, 16)}),
    ("fm_shape C1 should be in the range of [1, 256], input value is 0", {"fm": (0, 4, 4, 16)}),
    ("fm_shape C1 should be in the range of [1, 256]", {"fm": (257, 4, 4, 16)}),
    ("fm_shape H should be in the range of [1, 4096]", {"fm": (1, 0, 4, 16)}),
    ("fm_shape H should be in the range of [1, 4096]", {"fm": (1, 4097, 4, 16)}),
    ("fm_shape W should be in the range of [1, 4096]", {"fm": (1, 4, 4097, 16)}),
    ("fm_shape C0 should be 16, input value is 32", {"fm": (1, 4, 4, 32)}),
    ("kernel_shape C0 should be 16", {"weight": (1, 2, 2, 16, 8)}),
    ("fm_shape and kernel_shape should have the same C1", {"weight": (2, 2, 2, 16, 16)}),
    ("C1 * C0 should be in the range of [32, 4096]",
     {"types": ("int8", "int8", "int32"), "fm": (129, 4, 4, 32), "weight": (129, 2, 2, 16, 32)}),
    ("kernel_shape Kh should be in the range of [1, 255]", {"weight": (1, 0, 2, 16, 16)}),
    ("kernel_shape Kw should be in the range of [1, 255]", {"weight": (1, 2, 256, 16, 16)}),
    ("kernel_shape Cout should be in the range of [16, 4096]", {"weight": (1, 2, 2, 0, 16)}),
    ("kernel_shape Cout should be in the range of [16, 4096]", {"weight": (1, 2, 2, 4112, 16)}),
    ("kernel_shape Cout should be a multiple of 16", {"weight": (1, 2, 2, 24, 16)}),
    ("stride should be in the range of [1, 63], input value is 0", {"stride": (0, 1)}),
    ("stride should be in the range of [1, 63], input value is 64", {"stride": (1, 64)}),
    ("stride should hold 2 int", {"stride": 1}),
    ("pad should be in the range of [0, 255], input value is 256", {"pad": (0, 0, 0, 256)}),
    ("pad should be in the range of [0, 255], input value is -1", {"pad": (-1, 0, 0, 0)}),
    ("dilation should be in the range of [1, 255], input value is 0", {"dilation": (0, 1)}),
    ("dilation should be in the range of [1, 255], input value is 256", {"dilation": (1, 256)}),
    ("pad_value should be in the range of [-65504, 65504]", {"pad_value": 65505}),
    ("pad_value should be int, input type", {"types": ("int8", "int8", "int32"),
                                            "fm": (1, 4, 4, 32), "weight": (1, 2, 2, 16, 32),
                                            "pad_value": 0.5}),
    ("pad_value should be in the range of [-128, 127]",
     {"types": ("int8", "int8", "int32"), "fm": (1, 4, 4, 32), "weight": (1, 2, 2, 16, 32),
      "pad_value": 128}),
    ("pad_value should be in the range of [0, 255]",
     {"types": ("uint8", "int8", "int32"), "fm": (1, 4, 4, 32), "weight": (1, 2, 2, 16, 32),
      "pad_value": -1}),
    ("init_l1out should be bool", {"init_l1out": 0}),
    ("the dilated kernel is larger than the padded feature map", {"dilation": (4, 1)}),
    ("dst tensor overflow", {"elements": (4096, 8192, 128)}),
    ("feature_map tensor overflow", {"elements": (128, 8192, 4096)}),
    ("weight tensor overflow", {"elements": (4096, 512, 4096)}),
    ("current chip: Ascend910 AiCore doesn't support bias", {"bias": 1}),
]


@pytest.mark.parametrize("text,case", REFUSALS)
def test_refusals(text, case):
    refused(text, attempt(**case))


def test_the_ends_of_the_ranges_are_legal():
    attempt(stride=(63, 63))()
    attempt(pad=(255, 0, 0, 0), stride=(1, 63), pad_value=-65504.0)()
    attempt(fm=(1, 1, 255, 16), weight=(1, 1, 255, 16, 16), elements=(4096, 65280, 256))()
    attempt(fm=(1, 256, 1, 16), dilation=(255, 1), weight=(1, 2, 1, 16, 16))()
    attempt(fm=(256, 1, 1, 16), weight=(256, 1, 1, 16, 16), elements=(4096, 65536, 256))()


@pytest.mark.parametrize("soc", COUPLED[1:])
def test_not_without_synchronisation(soc):
    def call():
        instance = Kernel(soc).tik
        with instance.new_stmt_scope(disable_sync=True):
            instance.conv2d(None, None, None, *[None] * 5)
    refused("conv2d can't be used in new_stmt_scope with disable_sync=True", call)


def test_nothing_is_checked_where_nothing_runs():
    instance = tik.Tik()
    with instance.if_scope(False):
        instance.conv2d(None, None, None, *[None] * 5)
