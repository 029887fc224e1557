"""tensor_mov and data_move between L0C and UB, and broadcast_ub_to_l0c: units, gaps, conversions,
what stays as it was; both sides of each range."""

import numpy as np
import pytest
from cube_kernel import (ALL, COUPLED, GM, L0C, L1, LITE, SEED, SPLIT, UB, Kernel, integers,
                         refused)
from harness import times_more
from vinci import tik

FRACTALS = 12  # of L0C
UB_BYTES = 16384
SIGNED = 1 << 46


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def word(scale, offset=0, shift=None, signed=False):
    bits = int(np.float32(scale).view(np.uint32)) | offset % 512 << 37 | (SIGNED if signed else 0)
    return bits if shift is None else bits | 1 << 36 | shift - 1 << 32


def shifted(values, bits, always=False):
    if always or bits >> 36 & 1:
        return np.clip(values.astype(np.int64) >> (bits >> 32 & 15) + 1, -32768, 32767)
    return values.astype(np.int64)


def halves(values):
    return np.clip(values.astype(np.float64), -65504, 65504).astype(np.float16)


def scaled(values, bits, dst, relu):
    """The 16-word table `bits` (one for each column), as the pages' tables of bits say."""
    out = np.empty(values.shape, dst)
    for column, w in enumerate(bits):
        x = values[..., column]
        if dst == np.int16:
            y = shifted(x, w, always=True)
            out[..., column] = np.maximum(y, 0) if relu else y
            continue
        scale = np.uint32(w & 0xFFFFFFFF).view(np.float32)
        y = shifted(x, w).astype(np.float32) * scale
        y = np.maximum(y, 0) if relu else y
        if dst == np.float16:
            out[..., column] = halves(y)
            continue
        offset = (w >> 37 & 511) - (512 if w >> 45 & 1 else 0)
        signed = w >> 46 & 1 or dst == np.int8 and len(set(bits)) == 1
        y = np.rint(np.clip(y.astype(np.float64), -256, 255)) + offset
        low, high = (-128, 127) if signed else (0, 255)
        out[..., column] = np.clip(y, low, high).astype(np.int64).astype(dst)
    return out


def converted(values, dst, scale, relu):
    """`values`: [..., 16] of the source's type. `scale`: None, a float, or 16 words."""
    if isinstance(scale, float):
        half = np.float32(np.float16(scale))
        y = values.astype(np.float32) * half
        y = np.maximum(y, 0) if relu and values.dtype == np.int32 else y
        return halves(y)
    if scale is not None:
        return scaled(values, scale, np.dtype(dst), relu)
    y = np.maximum(values, 0) if relu else values
    return halves(y) if dst == "float16" else y.astype(dst)


def expected(before, l0c, dst, mode, bursts, scale, relu, sid):
    """UB after L0C to UB: each unit where the formula says."""
    ub = before.copy()
    nburst, length, src_gap, dst_gap = bursts
    size = np.dtype(dst).itemsize
    pitch = max(16 * size, 32) if sid != 2 else 16 * size
    start = 16 if size == 1 and sid == 1 else 0
    rows = 16 if mode == "m" else 1
    at = 0
    for burst in range(nburst):
        for unit in range(length):
            fractal = l0c[burst * (length + src_gap) + unit]
            for row in converted(fractal[:rows], dst, oracle_scale(scale, burst), relu):
                ub[at + start:at + start + 16 * size] = row.view(np.uint8)
                at += pitch
        at += dst_gap * 32
    return ub


def moved(soc, l0c, dst, before, call):
    """UB after call(kernel, UB, L0C)."""
    kernel = Kernel(soc)
    source = kernel.load(l0c, L0C)
    target = kernel.load(before, UB)
    call(kernel, target.reinterpret_cast_to(dst), source)
    kernel.read(target)
    return kernel.run()[-1]


# (source, destination, scale for tensor_mov, the scale as the oracle takes it)
WORDS = [word(0.25 * (i + 1), i - 8, None if i % 2 else i // 2 + 1, bool(i % 3)) for i in range(16)]
SCALES = {
    ("float32", "float32"): [None], ("float16", "float16"): [None, 0.3],
    ("int32", "int32"): [None], ("uint32", "uint32"): [None], ("float32", "float16"): [None],
    ("int32", "float16"): [0.37, 40.0, word(0.3), word(-1.5, shift=3), "halves", "words"],
    ("int32", "int16"): [word(1, shift=1), word(1, shift=16), "words"],
    ("int32", "int8"): [word(0.5, 3), word(0.1, -200, 4), "words"],
    ("int32", "uint8"): [word(0.5, 3), word(3.0, -256), "words"],
}


HALVES = np.linspace(-2, 2, 16).astype(np.float16)


def scale_tensor(kernel, scale, nburst):
    """The scale that stands for a name, brought to UB: each burst has 16, in another order."""
    table = {"halves": HALVES, "words": np.array(WORDS, np.uint64)}.get(scale)
    if table is None:
        return scale
    return kernel.load(np.concatenate([np.roll(table, burst) for burst in range(nburst)]), UB)


def oracle_scale(scale, burst):
    if scale == "halves":
        return [int(x.view(np.uint32)) for x in np.roll(HALVES, burst).astype(np.float32)]
    if scale == "words":
        return [int(x) for x in np.roll(np.array(WORDS, np.uint64), burst)]
    return [scale] * 16 if isinstance(scale, int) else scale


def source_numbers(rng, dtype):
    shape = (FRACTALS, 16, 16)
    if dtype == "int32":
        return (rng.integers(-2000, 2000, shape) * rng.choice([1, 1, 30], shape)).astype(np.int32)
    if dtype == "uint32":
        return rng.integers(0, 1 << 32, shape, np.uint32)
    return (rng.normal(size=shape) * 10.0 ** rng.integers(-3, 4, shape)).astype(dtype)


def check_move(soc, rng, pair, scale, mode, bursts, relu, sid):
    l0c = source_numbers(rng, pair[0])
    before = rng.integers(0, 256, UB_BYTES).astype(np.uint8)

    def call(kernel, ub, source):
        nburst, length, src_gap, dst_gap = bursts
        kernel.tik.tensor_mov(ub, source, mode, nburst, length, dst_gap, src_gap,
                              deqscale=scale_tensor(kernel, scale, nburst), relu=relu,
                              sid_store_mode=sid)

    # The engine says that ReLU has no effect from half to half with a scale.
    want = expected(before, l0c, pair[1], mode, bursts, scale, relu and scale != 0.3, sid)
    got = moved(soc, l0c, pair[1], before, call)
    assert (got == want).all(), (soc, pair, scale, mode, bursts, relu, sid)


@pytest.mark.parametrize("soc", COUPLED)
def test_conversions(soc):
    rng = np.random.default_rng(SEED)
    for pair, scales in SCALES.items():
        for scale in scales:
            for relu in (False, True):
                if relu and scale == "words" and pair[1] != "float16":
                    continue  # the words have a bit of their own
                check_move(soc, rng, pair, scale, "m", (2, 2, 1, 3), relu, 0)


@pytest.mark.parametrize("soc", COUPLED)
def test_random_moves(soc):
    rng = np.random.default_rng([SEED, 2])
    for case in range(times_more(25)):
        pair = list(SCALES)[rng.integers(len(SCALES))]
        scales = SCALES[pair]
        scale = scales[rng.integers(len(scales))]
        nburst, length = int(rng.integers(1, 4)), int(rng.integers(1, 4))
        gap = int(rng.integers(0, (FRACTALS - nburst * length) // nburst + 1))
        bursts = (nburst, length, gap, int(rng.integers(0, 9)))
        sid = int(rng.integers(0, 3)) if pair[1] in ("int8", "uint8") else 0
        mode = str(rng.choice(["m", "v"]))
        print(f"VINCI_SEED={SEED} case {case}: {pair} {scale} {mode} {bursts} {sid}")
        check_move(soc, rng, pair, scale, mode, bursts, False, sid)


@pytest.mark.parametrize("soc", COUPLED)
@pytest.mark.parametrize("pair", [("float32", "float32"), ("float16", "float16"),
                                  ("int32", "int32"), ("float16", "float32")])
@pytest.mark.parametrize("mode", ["m", "v"])
def test_to_l0c(soc, pair, mode):
    """Of each unit 16 rows, or its first one; the rest stays."""
    rng = np.random.default_rng(SEED)
    src, dst = pair
    before = integers(rng, dst, (FRACTALS, 16, 16))
    ub = integers(rng, src, (UB_BYTES // np.dtype(src).itemsize,), 100)
    kernel = Kernel(soc)
    target, source = kernel.load(before, L0C), kernel.load(ub, UB)
    kernel.tik.tensor_mov(target[1, 0, 0], source, mode, 2, 3, 1, 4)
    out = kernel.out(dst, before.shape)
    staged = kernel.local(dst, before.shape, UB)
    kernel.tik.tensor_mov(staged, target, "m", 1, FRACTALS, 0, 0)
    kernel.tik.data_move(out, staged, 0, 1, before.nbytes // 32, 0, 0)
    want, at = before.copy(), 0
    rows = 16 if mode == "m" else 1
    for burst in range(2):
        for unit in range(3):
            place = want[1 + burst * 4 + unit]
            place[:rows] = ub[at:at + rows * 16].reshape(rows, 16)
            at += rows * 16
        at += 4 * 32 // np.dtype(src).itemsize
    assert (kernel.run()[0] == want).all()


DATA_MOVES = [("float32", "float32", (), False), ("int32", "int32", (0,), False),
              ("float16", "float16", (), False), ("float32", "float16", (1,), False),
              ("float32", "float16", (2,), True), ("float32", "float32", (5,), True)]


@pytest.mark.parametrize("soc", COUPLED)
def test_data_move_out(soc):
    rng = np.random.default_rng(SEED)
    for src, dst, mode, relu in DATA_MOVES:
        l0c = source_numbers(rng, src)
        before = rng.integers(0, 256, UB_BYTES).astype(np.uint8)
        want = expected(before, l0c, dst, "m", (3, 2, 1, 5), None, relu, 0)
        got = moved(soc, l0c, dst, before,
                    lambda k, ub, source: k.tik.data_move(ub, source, 0, 3, 2, 1, 5, *mode))
        assert (got == want).all(), (src, dst, mode)


@pytest.mark.parametrize("soc", COUPLED)
@pytest.mark.parametrize("src,dst,mode", [("float32", "float32", ()), ("float16", "float32", (4,))])
def test_data_move_in(soc, src, dst, mode):
    numbers = np.arange(512).reshape(2, 16, 16).astype(src)
    kernel = Kernel(soc)
    source = kernel.load(numbers, UB)
    target = kernel.local(dst, (2, 16, 16), L0C)
    kernel.tik.data_move(target, source, 0, 1, 2, 0, 0, *mode)
    kernel.read(target)
    assert (kernel.run()[0] == numbers).all()


def test_a_scale_known_at_run_time():
    for dtype, number, scale in (("float16", 0.5, 0.5), ("uint64", word(0.25), word(0.25))):
        l0c = np.arange(256, dtype=np.int32).reshape(1, 16, 16)

        def call(kernel, ub, source):
            scalar = kernel.tik.Scalar(dtype, "scale", init_value=number)
            kernel.tik.tensor_mov(ub, source, "m", 1, 1, 0, 0, deqscale=scalar)
        before = np.zeros(UB_BYTES, np.uint8)
        want = expected(before, l0c, "float16", "m", (1, 1, 0, 0), scale, False, 0)
        assert (moved("Ascend910A", l0c, "float16", before, call) == want).all()


@pytest.mark.parametrize("soc", COUPLED)
@pytest.mark.parametrize("dtype", ["float16", "float32", "int32"])
def test_broadcast(soc, dtype):
    """A vector to 16 rows, into the columns of a matrix three row blocks high, as a bias goes."""
    rng = np.random.default_rng(SEED)
    before = integers(rng, dtype, (FRACTALS, 16, 16))
    vectors = integers(rng, dtype, (2, 64), 100)
    kernel = Kernel(soc)
    target, source = kernel.load(before, L0C), kernel.load(vectors, UB)
    kernel.tik.broadcast_ub_to_l0c(target[1, 0, 0], source, 2, 3, 2, 1)
    staged = kernel.local(dtype, before.shape, UB)
    kernel.tik.tensor_mov(staged, target, "m", 1, FRACTALS, 0, 0)
    kernel.read(staged)
    want, flat = before.copy(), vectors.ravel()
    for burst in range(2):
        for unit in range(3):
            first = burst * (3 * 16 + 64 // np.dtype(dtype).itemsize) + unit * 16
            want[1 + burst * 4 + unit] = flat[first:first + 16]
    assert (kernel.run()[0] == want).all()


def test_tensor_mov_elsewhere_is_data_move_with_the_strides_exchanged():
    numbers = np.arange(96, dtype=np.float16)
    kernel = Kernel("Ascend910A")
    source = kernel.gm(numbers)
    ub = kernel.load(np.zeros(160, np.float16), UB)
    kernel.tik.tensor_mov(ub, source, "", 2, 2, 3, 1)
    kernel.read(ub)
    want = np.zeros(160, np.float16)
    want[:32], want[80:112] = numbers[:32], numbers[48:80]
    assert (kernel.run()[0] == want).all()


@pytest.mark.parametrize("src,dst", [("float16", "int16"), ("int32", "uint8"), ("int8", "float32")])
def test_data_move_copies_bytes_whatever_the_types(src, dst):
    numbers = np.arange(64).astype(src)
    kernel = Kernel("Ascend310P3")
    source = kernel.gm(numbers)
    ub = kernel.local(dst, (numbers.nbytes // np.dtype(dst).itemsize,), UB)
    kernel.tik.data_move(ub, source, 0, 1, numbers.nbytes // 32, 0, 0)
    kernel.read(ub)
    assert (kernel.run()[0].view(np.uint8) == numbers.view(np.uint8)).all()


def attempt(method, *numbers, soc="Ascend910A", dst=(UB, "float32"), src=(L0C, "float32"), **more):
    def call():
        kernel = Kernel(soc)
        tensors = [kernel.local(dtype, (2048,), scope) for scope, dtype in (dst, src)]
        if more.get("deqscale") == "short":
            more["deqscale"] = kernel.local("float16", (16,), UB)
        getattr(kernel.tik, method)(*tensors, *numbers, **more)
    return call


TENSOR_MOV = [
    ("block_mode should be 'm' or 'v'", ("", 1, 1, 0, 0), {}),
    ("block_mode should be 'm' or 'v'", ("x", 1, 1, 0, 0), {}),
    ("unimplemented: block_mode 'sc' is not there yet", ("sc", 1, 1, 0, 0), {}),
    ("unimplemented: block_mode 'dp' is not there yet", ("dp", 1, 1, 0, 0), {}),
    ("nburst should be in the range of [1, 4095], input value is 0", ("m", 0, 1, 0, 0), {}),
    ("nburst should be in the range of [1, 4095], input value is 4096", ("m", 4096, 1, 0, 0), {}),
    ("burst_len should be in the range of [1, 65535], input value is 0", ("m", 1, 0, 0, 0), {}),
    ("burst_len should be in the range of [1, 65535]", ("m", 1, 65536, 0, 0), {}),
    ("dst_stride should be in the range of [0, 65535]", ("m", 1, 1, -1, 0), {}),
    ("dst_stride should be in the range of [0, 65535]", ("m", 1, 1, 65536, 0), {}),
    ("src_stride should be in the range of [0, 65535]", ("m", 1, 1, 0, 65536), {}),
    ("relu should be bool", ("m", 1, 1, 0, 0), {"relu": 1}),
    ("sid_store_mode should be in the range of [0, 2]", ("m", 1, 1, 0, 0), {"sid_store_mode": 3}),
    ("deqscale should be None from float32", ("m", 1, 1, 0, 0), {"deqscale": 1.0}),
    ("onthefly_mode is not there yet", ("m", 1, 1, 0, 0), {"onthefly_mode": 1}),
    ("pad_mode is not there yet", ("m", 1, 1, 0, 0), {"pad_mode": 1}),
    ("dst tensor overflow", ("m", 1, 9, 0, 0), {}),
    ("src tensor overflow", ("m", 2, 4, 0, 1), {}),
    ("dst tensor overflow", ("m", 2, 4, 1, 0), {}),
    ("src tensor overflow", ("v", 1, 9, 0, 0), {}),
    ("Please specify your deqscale", ("m", 1, 1, 0, 0),
     {"src": (L0C, "int32"), "dst": (UB, "float16")}),
    ("deqscale should be int", ("m", 1, 1, 0, 0),
     {"src": (L0C, "int32"), "dst": (UB, "int8"), "deqscale": 1.0}),
    ("deqscale should be in the range", ("m", 1, 1, 0, 0),
     {"src": (L0C, "int32"), "dst": (UB, "int8"), "deqscale": -1}),
    ("deqscale tensor overflow", ("m", 2, 1, 0, 0),
     {"src": (L0C, "int32"), "dst": (UB, "float16"), "deqscale": "short"}),
    ("deqscale and relu are for L0C to UB only", ("m", 1, 1, 0, 0),
     {"dst": (L0C, "float32"), "src": (UB, "float32"), "relu": True}),
    ("block_mode should be '' from UB to L1", ("m", 1, 1, 0, 0),
     {"dst": (L1, "float32"), "src": (UB, "float32")}),
    ("deqscale and relu are for L0C to UB only", ("", 1, 1, 0, 0),
     {"dst": (L1, "float32"), "src": (UB, "float32"), "relu": True}),
    ("tensor_mov doesn't support L0C to L1", ("m", 1, 1, 0, 0), {"dst": (L1, "float32")}),
    ("current chip: Ascend910 AiCore doesn't support dst float16 src uint32", ("m", 1, 1, 0, 0),
     {"dst": (UB, "float16"), "src": (L0C, "uint32")}),
]
DATA_MOVE = [
    ("ConvReluMode should be one of", (0, 1, 1, 0, 0, 3), {}),
    ("ConvReluMode should be one of", (0, 1, 1, 0, 0, True), {}),
    ("ConvReluMode 1 is from float32 to float16", (0, 1, 1, 0, 0, 1), {}),
    ("ConvReluMode 0 is from a type to itself", (0, 1, 1, 0, 0), {"dst": (UB, "float16")}),
    ("data_move takes one more argument", (0, 1, 1, 0, 0, 1, 2), {}),
    ("sid should be in the range of [0, 15]", (16, 1, 1, 0, 0), {}),
    ("burst should be in the range of [1, 65535]", (0, 1, 0, 0, 0), {}),
    ("dst tensor overflow", (0, 1, 9, 0, 0), {}),
    ("src tensor overflow", (0, 2, 4, 1, 0), {}),
]
BROADCAST = [
    ("nburst should be in the range of [1, 255], input value is 0", (0, 1, 0, 0), {}),
    ("nburst should be in the range of [1, 255], input value is 256", (256, 1, 0, 0), {}),
    ("burst_len should be in the range of [1, 255], input value is 0", (1, 0, 0, 0), {}),
    ("burst_len should be in the range of [1, 255], input value is 256", (1, 256, 0, 0), {}),
    ("src_stride should be in the range of [0, 255]", (1, 1, 256, 0), {}),
    ("dst_stride should be in the range of [0, 255]", (1, 1, 0, 256), {}),
    ("broadcast_ub_to_l0c takes src_stride and dst_stride", (1, 1, 0), {}),
    ("dst tensor overflow", (1, 9, 0, 0), {}),
    ("src tensor overflow", (2, 1, 255, 0), {}),
    ("dst and src should have the same dtype", (1, 1, 0, 0), {"src": (UB, "float16")}),
    ("current chip: Ascend910 AiCore doesn't support dst uint32", (1, 1, 0, 0),
     {"dst": (L0C, "uint32"), "src": (UB, "uint32")}),
    ("current chip: Ascend910B AiCore doesn't support", (1, 1, 0, 0), {"soc": SPLIT}),
    ("dst's scope must be L0C", (1, 1, 0, 0), {"dst": (UB, "float32")}),
]


@pytest.mark.parametrize("text,numbers,more", TENSOR_MOV)
def test_tensor_mov_refusals(text, numbers, more):
    refused(text, attempt("tensor_mov", *numbers, **more))


@pytest.mark.parametrize("text,numbers,more", DATA_MOVE)
def test_data_move_refusals(text, numbers, more):
    refused(text, attempt("data_move", *numbers, **more))


@pytest.mark.parametrize("text,numbers,more", BROADCAST)
def test_broadcast_refusals(text, numbers, more):
    more = {"dst": (L0C, "float32"), "src": (UB, "float32"), **more}
    refused(text, attempt("broadcast_ub_to_l0c", *numbers, **more))


def test_the_ends_of_the_ranges_are_legal():
    attempt("tensor_mov", "m", 1, 8, 65535, 65535)()
    attempt("tensor_mov", "m", 2, 4, 0, 0)()
    attempt("tensor_mov", "v", 1, 8, 0, 0)()
    attempt("data_move", 15, 8, 1, 0, 0)()
    attempt("broadcast_ub_to_l0c", 1, 8, 255, 255, dst=(L0C, "float32"), src=(UB, "float32"))()


@pytest.mark.parametrize("soc", [SPLIT, LITE])
def test_chips_with_a_fixed_pipe_have_no_such_path(soc):
    refused("tensor_mov doesn't support L0C to UB on " + soc, attempt("tensor_mov", "m", 1, 1, 0, 0, soc=soc))
    refused("data_move doesn't support L0C to UB on " + soc, attempt("data_move", 0, 1, 1, 0, 0, soc=soc))


@pytest.mark.parametrize("soc", COUPLED)
def test_every_pair_of_types_is_moved_or_refused(soc):
    names = ["float16", "float32", "int32", "uint32", "int16", "uint16", "int8", "uint8"]
    for src in names:
        for dst in names:
            scales = SCALES.get((src, dst), [None])
            call = attempt("tensor_mov", "m", 1, 1, 0, 0, soc=soc, dst=(UB, dst), src=(L0C, src),
                           deqscale=scales[0])
            if (src, dst) in SCALES:
                call()
            else:
                refused("current chip: ", call)


def test_arguments_behind_the_last():
    def call(scope, *more, **named):
        kernel = Kernel("Ascend910A")
        source = kernel.tik.Tensor("float16", (64,), GM, "source")
        kernel.tik.data_move(kernel.local("float16", (64,), scope), source, 0, 1, 1, 0, 0, *more,
                             **named)
    for scope in (L1, UB):
        for more in ((0,), (None,), (0, 0)):
            call(scope, *more)
        call(scope, pad_mode=0)
    refused("unimplemented: PadMode 1 is not there yet", lambda: call(L1, 1))
    refused("data_move takes no argument 8 from GM to UB, input value is 1", lambda: call(UB, 1))
    refused("data_move takes no argument 9 from GM", lambda: call(UB, 0, 2))
    refused("data_move takes no burst_length from GM", lambda: call(UB, burst_length=2))


@pytest.mark.parametrize("method", ["tensor_mov", "data_move", "broadcast_ub_to_l0c"])
def test_nothing_is_checked_where_nothing_runs(method):
    instance = tik.Tik()
    with instance.if_scope(False):
        getattr(instance, method)(None, None, *[None] * 5)
    assert len(ALL) == 5
