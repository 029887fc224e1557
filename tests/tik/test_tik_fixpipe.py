"""fixpipe: all conversions, extras, strides and tails on every chip; what is refused."""

import numpy as np
import pytest
from cube_kernel import (ALL, COUPLED, GM, L0C, L1, LITE, SEED, SPLIT, UB, Kernel, integers,
                         l1_matrix, refused)
from harness import times_more
from vinci import tik

PIPED = [SPLIT, LITE]
HALVES = {"mode": "fp322fp16", "mode_param": None}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def scaled(scale):
    return {"mode": "int322fp16", "mode_param": scale}


def half(values):
    """As chips saturate or do not: these tests stay below 65504."""
    assert np.abs(values).max() <= 65504
    return values.astype(np.float16)


def result_in_l0c(kernel, wide, high, dtype, rng):
    """[wide, high * 16, 16] numbers in L0C, made by matmul; and what they are."""
    source = "float16" if dtype == "float32" else "int8"
    a = integers(rng, source, (high * 16, 32))
    b = integers(rng, source, (32, wide * 16))
    tensor = kernel.local(dtype, (wide, high * 16, 16), L0C)
    left, right = kernel.load(l1_matrix(a), L1), kernel.load(l1_matrix(b.T.copy()), L1)
    kernel.tik.matmul(tensor, left, right, high * 16, 32, wide * 16)
    numbers = (a.astype(np.int64) @ b.astype(np.int64)).astype(dtype)
    return tensor, numbers.reshape(high * 16, wide, 16).transpose(1, 0, 2)


def check(soc, rng, types, bursts, **extras):
    """`bursts`: column blocks, rows, gap in dst (32 bytes), gap in src (fractals). extras: arrays
    that go to L1, and others as they are."""
    src_type, dst_type = types
    count, rows, dst_gap, src_gap = bursts
    high = -(-rows // 16)
    kernel = Kernel(soc)
    # A gap of whole fractals: rows of a higher matrix that are left out.
    source, numbers = result_in_l0c(kernel, count, high + src_gap, src_type, rng)
    want = numbers[:, :rows]
    if extras.get("bias") is not None:
        want = want + extras["bias"].reshape(count, 1, 16)
    if extras.get("addend") is not None:
        want = want + extras["addend"][:, :rows]
    scale = extras.get("scale")
    if scale is not None:
        want = half(want.astype(np.float32) * np.asarray(scale).astype(np.float16)
                    .astype(np.float32))
    want = half(want) if types == ("float32", "float16") else want
    want = np.maximum(want, 0) if extras.get("relu") else want
    params = {"relu": bool(extras.get("relu"))}
    if extras.get("bias") is not None:
        params["bias"] = kernel.load(extras["bias"], L1)
    if extras.get("addend") is not None:
        params["element-wise-add"] = kernel.load(extras["addend"], L1)
    if types == ("float32", "float16"):
        params["quantize_params"] = HALVES
    elif dst_type == "float16":
        params["quantize_params"] = scaled(
            kernel.load(scale, L1) if isinstance(scale, np.ndarray) else
            kernel.tik.Scalar("float16", "scale", init_value=float(scale))
            if isinstance(scale, np.float16) else scale)
    size = np.dtype(dst_type).itemsize
    pitch = rows * 16 + dst_gap * 32 // size
    before = np.arange(count * pitch + 32).astype(dst_type)
    target = stage(kernel, soc, before)
    kernel.tik.fixpipe(target, source, count, rows * 2, dst_gap, src_gap, params)
    if soc == LITE:
        kernel.read(target)
    got = kernel.run()[-1]
    whole = before.copy() if soc == LITE else np.zeros_like(before)
    for block in range(count):
        whole[block * pitch:block * pitch + rows * 16] = want[block].ravel()
    assert (got == whole).all(), (soc, types, bursts, extras)


def stage(kernel, soc, before):
    """dst: zeros in GM, or known numbers in UB."""
    if soc != LITE:
        return kernel.out(before.dtype, before.shape)
    return kernel.load(before, UB)


PLAIN = [("float32", "float32"), ("int32", "int32"), ("float32", "float16"), ("int32", "float16")]
BURSTS = [(1, 16, 0, 0), (2, 9, 0, 0), (3, 30, 2, 0), (2, 17, 4, 1), (1, 1, 0, 0), (4, 48, 0, 2)]


@pytest.mark.parametrize("soc", ALL)
def test_conversions(soc):
    rng = np.random.default_rng(SEED)
    for types in PLAIN:
        for bursts in BURSTS:
            scales = [0.25, np.float16(-0.37)] if types == PLAIN[3] else [None]
            for scale in scales:
                check(soc, rng, types, bursts, scale=scale)
            if types != PLAIN[3]:
                check(soc, rng, types, bursts, relu=True)


@pytest.mark.parametrize("soc", COUPLED)
def test_a_scale_for_each_column(soc):
    rng = np.random.default_rng(SEED)
    scales = np.linspace(-2, 2, 16).astype(np.float16)
    for bursts in BURSTS:
        for relu in (False, True):
            check(soc, rng, PLAIN[3], bursts, scale=scales, relu=relu)


@pytest.mark.parametrize("soc", COUPLED)
def test_bias_and_addend(soc):
    rng = np.random.default_rng(SEED)
    for types in PLAIN:
        scale = 0.25 if types == PLAIN[3] else None
        for bursts in BURSTS:
            count, rows, _, src_gap = bursts
            check(soc, rng, types, bursts, scale=scale,
                  bias=integers(rng, types[0], (count * 16,), 99))
            if not src_gap:  # the addend has the shape of src
                addend = integers(rng, types[0], (count, -(-rows // 16) * 16, 16), 99)
                check(soc, rng, types, bursts, scale=scale, addend=addend)


@pytest.mark.parametrize("soc", ALL)
def test_random_bursts(soc):
    rng = np.random.default_rng([SEED, 3])
    for case in range(times_more(15)):
        types = PLAIN[rng.integers(4)]
        bursts = (int(rng.integers(1, 8)), int(rng.integers(1, 100)), int(rng.integers(0, 9)),
                  int(rng.integers(0, 3)))
        print(f"VINCI_SEED={SEED} case {case}: {types} {bursts}")
        check(soc, rng, types, bursts, scale=0.5 if types == PLAIN[3] else None)


@pytest.mark.parametrize("soc", ["Ascend910A", SPLIT])
def test_more_than_one_piece(soc):
    """As many column blocks as L0C holds, and more rows than UB."""
    rng = np.random.default_rng(SEED)
    many = 128 if soc == SPLIT else 256
    check(soc, rng, PLAIN[0], (many, 16, 0, 0))
    check(soc, rng, PLAIN[2], (2, many * 7, 0, 0))
    if soc != SPLIT:
        check(soc, rng, PLAIN[0], (2, 1300, 0, 0), bias=integers(rng, "float32", (32,)))


def attempt(soc="Ascend910A", types=("float32", "float32"), numbers=(1, 32, 0, 0), params=None,
            scopes=None, l1=("float32", 256), scope=L1):
    def call():
        kernel = Kernel(soc)
        to = UB if soc == LITE else GM
        dst = kernel.tik.Tensor(types[1], (4096,), scopes[0] if scopes else to, "dst")
        src = kernel.tik.Tensor(types[0], (1024,), scopes[1] if scopes else L0C, "src")
        tensor = kernel.local(*[l1[0], (l1[1],)], scope)
        filled = {key: tensor if value == "L1" else
                  {**value, "mode_param": tensor} if isinstance(value, dict) and
                  value.get("mode_param") == "L1" else value
                  for key, value in (params or {}).items()}
        kernel.tik.fixpipe(dst, src, *numbers, filled if params is not None else None)
    return call


S32 = ("int32", "float16")
REFUSALS = [
    ("dst's scope must be GM", {"scopes": (UB, L0C)}),
    ("src's scope must be L0C", {"scopes": (GM, UB)}),
    ("cburst_num should be in the range of [1, 4095], input value is 0",
     {"numbers": (0, 32, 0, 0)}),
    ("cburst_num should be in the range of [1, 4095], input value is 4096",
     {"numbers": (4096, 32, 0, 0)}),
    ("cburst_num should be int", {"numbers": (1.0, 32, 0, 0)}),
    ("burst_len should be in the range of [2, 65535], input value is 1",
     {"numbers": (1, 1, 0, 0)}),
    ("burst_len should be in the range of [2, 65535], input value is 65536",
     {"numbers": (1, 65536, 0, 0)}),
    ("burst_len should be even number, input burst_len is 3", {"numbers": (1, 3, 0, 0)}),
    ("dst_stride should be in the range of [0, 65535]", {"numbers": (1, 32, -1, 0)}),
    ("dst_stride should be in the range of [0, 65535]", {"numbers": (1, 32, 65536, 0)}),
    ("src_stride should be in the range of [0, 65535]", {"numbers": (1, 32, 0, 65536)}),
    ("src tensor overflow", {"numbers": (5, 32, 0, 0)}),
    ("src tensor overflow", {"numbers": (2, 32, 0, 3)}),
    ("extend_params should be a dict", {"params": {"other": 1}}),
    ("relu should be bool", {"params": {"relu": 1}}),
    ("bias's scope must be L1", {"params": {"bias": "L1"}, "scope": UB}),
    ("bias's dtype should be float32", {"params": {"bias": "L1"}, "l1": ("int32", 256)}),
    ("bias tensor overflow", {"params": {"bias": "L1"}, "l1": ("float32", 8)}),
    ("element-wise-add's dtype should be float32",
     {"params": {"element-wise-add": "L1"}, "l1": ("int32", 256)}),
    ("bias and element-wise-add are mutually exclusive",
     {"params": {"bias": "L1", "element-wise-add": "L1"}}),
    ("relu is not supported with bias", {"params": {"bias": "L1", "relu": True}}),
    ("relu is not supported with bias", {"params": {"element-wise-add": "L1", "relu": True}}),
    ("quantize_params is needed from float32 to float16", {"types": ("float32", "float16")}),
    ("quantize_params should be a dict", {"params": {"quantize_params": 1}}),
    ("mode should be one of", {"params": {"quantize_params": {"mode": "x"}}}),
    ("mode int322fp16 doesn't fit src float32", {"params": {"quantize_params": scaled(1.0)}}),
    ("mode fp322fp16 doesn't fit src float32 and dst float32",
     {"params": {"quantize_params": HALVES}}),
    ("mode_param should be None with fp322fp16",
     {"types": ("float32", "float16"),
      "params": {"quantize_params": {"mode": "fp322fp16", "mode_param": 1.0}}}),
    ("mode_param should be float", {"types": S32, "params": {"quantize_params": scaled(None)}}),
    ("mode_param should be float", {"types": S32, "params": {"quantize_params": scaled(1)}}),
    ("mode_param's dtype should be float16",
     {"types": S32, "params": {"quantize_params": scaled("L1")}}),
    ("mode_param tensor overflow", {"types": S32, "params": {"quantize_params": scaled("L1")},
                                    "l1": ("float16", 15)}),
    ("relu is not supported with int322fp16 and one scale",
     {"types": S32, "params": {"quantize_params": scaled(1.0), "relu": True}}),
]


@pytest.mark.parametrize("text,case", REFUSALS)
def test_refusals(text, case):
    refused(text, attempt(**case))


def test_a_tensor_of_scales_goes_without_bias():
    def call():
        kernel = Kernel("Ascend910A")
        dst = kernel.tik.Tensor("float16", (256,), GM, "dst")
        bias, scales = kernel.local("int32", (16,), L1), kernel.local("float16", (16,), L1)
        kernel.tik.fixpipe(dst, kernel.local("int32", (256,), L0C), 1, 32, 0, 0,
                           {"bias": bias, "quantize_params": scaled(scales)})
    refused("a tensor of scales is not supported with bias", call)


def test_the_ends_of_the_ranges_are_legal():
    attempt(numbers=(4, 32, 65535, 0))()
    attempt(numbers=(1, 128, 0, 65535))()
    attempt(numbers=(1, 2, 0, 0), params={})()
    attempt(numbers=(1, 2, 0, 0), params={"bias": None, "quantize_params": None, "relu": None})()


@pytest.mark.parametrize("soc", PIPED)
def test_chips_with_a_fixed_pipe_have_other_forms_of_the_extras(soc):
    for params, types, l1 in (({"bias": "L1"}, PLAIN[0], ("float32", 256)),
                              ({"element-wise-add": "L1"}, PLAIN[0], ("float32", 256)),
                              ({"quantize_params": scaled("L1")}, S32, ("float16", 16))):
        refused(f"{soc} doesn't support a bias", attempt(soc, types, params=params, l1=l1))


@pytest.mark.parametrize("soc", ALL)
def test_every_pair_of_types_is_accepted_or_refused(soc):
    for src in ("float32", "int32", "float16", "int8"):
        for dst in ("float32", "int32", "float16", "int8", "uint8", "int16"):
            quantize = {PLAIN[2]: HALVES, S32: scaled(1.0)}.get((src, dst))
            call = attempt(soc, (src, dst), params={"quantize_params": quantize})
            if (src, dst) in PLAIN:
                call()
            else:
                with pytest.raises(SystemExit, match="doesn't support"):
                    call()


def test_the_310b_goes_to_ub_only():
    refused("dst's scope must be UB", attempt(LITE, scopes=(GM, L0C)))


def test_not_without_synchronisation():
    def call():
        instance = Kernel("Ascend910A").tik
        with instance.new_stmt_scope(disable_sync=True):
            instance.fixpipe(None, None, 1, 2, 0, 0)
    refused("fixpipe can't be used in new_stmt_scope with disable_sync=True", call)


def test_nothing_is_checked_where_nothing_runs():
    instance = tik.Tik()
    with instance.if_scope(False):
        instance.fixpipe(None, None, 0, 0, 0, 0)
