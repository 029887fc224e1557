"""Cases of the gradients of convolutions of volumes, from the definition of the convolution: each
product of an element and a weight is added to one result, whose gradient both get."""

import itertools

import numpy as np

from conv3d_cases import fractal_z_3d, launch, ndc1hwc0, random_case, sizes_out
from matmul_cases import stored, up

# TConv3DBackpropInputTiling, in the order of the documents.
INPUT_FIELDS = """batch cin cout cout1 cin1 cout1G cin1G c0 c0Bits dout ho wo di hi wi dk hk wk group strideD
strideH strideW padFront padBack padUp padDown padLeft padRight backpropPadTail backpropPadUp backpropPadDown
backpropPadLeft backpropPadRight dilationD dilationH dilationW al0Pbuffer bl0Pbuffer cl0Pbuffer al1Pbuffer
bl1Pbuffer singleCoreGroup singleCoreCout singleCoreCout1 singleCoreCin1 singleCoreDin singleCoreHo baseM baseK
baseN baseD baseBatch baseGroup stepM stepN stepKa stepKb stepBatch stepGroup iterateOrder hf32Flag
initOutputFlag reserved singleCoreBatch:u8 singleCoreM:u8 singleCoreCin:u8"""

# TConv3DBpFilterTiling.
FILTER_FIELDS = """batch cin cout cin1G cout1G dout ho wo di hi wi dk hk wk group strideD strideH strideW
padFront padBack padUp padDown padLeft padRight dilationD dilationH dilationW channelSize al0Pbuffer bl0Pbuffer
cl0Pbuffer al1Pbuffer bl1Pbuffer baseM baseK baseN m0 k0 n0 stepM stepN stepKa stepKb iterateOrder bl1Bound
hf32Flag singleCoreDK singleCoreGroup singleCoreCout singleCoreHo singleCoreBatch:u8 singleCoreCin:u8 totalL1Size:u8
singleCoreM:u8 singleCoreN:u8 singleCoreK:u8"""


def fields(text):
    return np.dtype([(name, kind or ("i4" if name.startswith("backprop") else "u4"))
                     for name, _, kind in (field.partition(":") for field in text.split())], align=True)


INPUT_TILING = fields(INPUT_FIELDS)
INPUT_CASE = np.dtype([(name, "i8") for name in """weight grad_output output first_din first_ho m k n
batches in_batch out_batch bfloat atomic mode""".split()] + [("tiling", INPUT_TILING)], align=True)
FILTER_TILING = fields(FILTER_FIELDS)
FILTER_CASE = np.dtype([(name, "i8") for name in """input grad_output output first_ho m n k first_dk
slices c1 n1 bfloat atomic mode""".split()] + [("tiling", FILTER_TILING)], align=True)
(ALL, DEFAULTS, TWO_OBJECTS, NO_INIT, TWO_INITS, NO_GRAD_OUTPUT, NO_WEIGHT, NO_ADDRESS, END_ONLY, REPEATS,
 EARLY, NOT_AGAIN, NO_EVENT, NCDHW) = range(14)
NO_INPUT, FILTER_NO_GRAD_OUTPUT = 5, 6  # of the other kernel, whose other modes are the same


def windows(case):
    """Of each point of the kernel: the point, and the elements of the padded input over it."""
    out = sizes_out(case)
    for point in itertools.product(*map(range, case["kernel"])):
        yield point, tuple(slice(at * dilation, at * dilation + (size - 1) * stride + 1, stride)
                           for at, dilation, size, stride in
                           zip(point, case["dilation"], out, case["stride"]))


def gradient_of_input(case, dy, w):
    """[Ci, D, H, W] of [Co, Do, Ho, Wo] and [Co, Ci, KD, KH, KW], in whole numbers."""
    padded = np.zeros((w.shape[1], *(size + sum(pads) for size, pads in zip(case["size"], case["pads"]))),
                      np.int64)
    for point, window in windows(case):
        padded[(slice(None), *window)] += np.einsum("oi,odhw->idhw", w[(..., *point)], dy)
    inside = (slice(before, before + size) for size, (before, _) in zip(case["size"], case["pads"]))
    return padded[(slice(None), *inside)]


def gradient_of_weights(case, xs, dys):
    """[Co, Ci, KD, KH, KW] of the inputs and the gradients of the output of all batches."""
    dw = np.zeros((case["co"], case["ci"], *case["kernel"]), np.int64)
    for x, dy in zip(xs, dys):
        padded = np.pad(x, [(0, 0), *case["pads"]])
        for point, window in windows(case):
            dw[(..., *point)] += np.einsum("odhw,idhw->oi", dy, padded[(slice(None), *window)])
    return dw


def gradient_case(rng):
    """A shape, and into what its gradient is cut."""
    case = random_case(rng)
    case["tiles"] = {f"base{letter}": 16 * int(rng.integers(1, most))
                     for letter, most in (("M", 8), ("K", 16), ("N", 9))}
    case["tiles"] |= {"stepKa": int(rng.integers(1, 40))}
    # Slices, lines, and blocks of channels of the input; blocks of channels that are summed.
    wholes = [case["size"][0], case["size"][1], up(case["ci"], 16) // 16, up(case["co"], 16) // 16]
    case["parts"] = [max(int(rng.integers(1, whole + 1)), -(-whole // 3)) for whole in wholes]
    if rng.integers(4):
        case["parts"][3] = wholes[3]
    return case


def parts_of(case, wholes):
    """What each core does: where it begins along each axis, and how far it goes."""
    starts = [range(0, whole, size) for whole, size in zip(wholes, case["parts"])]
    return [(first, [min(size, whole - at) for whole, size, at in zip(wholes, case["parts"], first)])
            for first in itertools.product(*starts)]


def shape_fields(case):
    """What both tilings have alike."""
    out = sizes_out(case)
    values = dict(batch=case["batches"], cin=case["ci"], cout=case["co"], group=1)
    for axis, letter in enumerate("dhw"):
        big = letter.upper()
        values |= {f"{letter}i": case["size"][axis], f"{letter}o": out[axis],
                   f"{letter}k": case["kernel"][axis], f"stride{big}": case["stride"][axis],
                   f"dilation{big}": case["dilation"][axis]}
    values["dout"] = values.pop("do")
    return values | dict(zip(("padFront", "padBack", "padUp", "padDown", "padLeft", "padRight"),
                             itertools.chain(*case["pads"])))


def up_of(case):
    """Lines of zeros over the spread gradient of the output."""
    return case["dilation"][1] * (case["kernel"][1] - 1) - case["pads"][1][0]


def input_tiling(case):
    """All of it, as one core would do all."""
    t = np.zeros((), INPUT_TILING)
    values = shape_fields(case) | dict(
        backpropPadUp=up_of(case), singleCoreDin=case["size"][0], singleCoreCin=case["ci"],
        singleCoreCout=case["co"], singleCoreM=case["size"][1] * case["size"][2], **case.get("tiles", {}))
    for name, value in values.items():
        t[name] = value
    return t


def input_numbers(case, rng):
    """Gradients of the output of each batch, weights, and the results. Sums of parts stay exact."""
    draw = lambda *shape: rng.integers(-3, 4, shape)
    if is_summed(case):
        draw = lambda *shape: rng.choice([-1, 0, 0, 0, 0, 1], shape)
    dys = [draw(case["co"], *sizes_out(case)) for _ in range(case["batches"])]
    w = draw(case["co"], case["ci"], *case["kernel"])
    return dys, w, [gradient_of_input(case, dy, w) for dy in dys]


def input_records(case, memory, room, rng, tiling=None):
    """The bytes of the cores' cases; and the results, as they are to lie from `room` on."""
    dtype = "bfloat16" if case["bfloat"] else "half"
    dys, w, dxs = input_numbers(case, rng)
    laid, weights = [ndc1hwc0(dy) for dy in dys], fractal_z_3d(w)
    places = [memory.put(b"".join(stored(dy, dtype) for dy in laid)), memory.put(stored(weights, dtype))]
    results = [ndc1hwc0(dx) for dx in dxs]
    slices, c1, height, width, _ = results[0].shape
    out_plane, points = laid[0].shape[2] * laid[0].shape[3] * 32, case["kernel"][1] * case["kernel"][2]
    n1, made = laid[0].shape[1], []
    for (d, line, c, n), (depth, lines, blocks, summed) in parts_of(case, (slices, height, c1, n1)):
        r = np.zeros((), INPUT_CASE)
        r["grad_output"] = places[0] + n * out_plane
        r["weight"] = places[1] + (c * points * n1 + n) * 512
        r["output"] = room + ((d * c1 + c) * height + line) * width * 32
        r["first_din"], r["first_ho"] = d, line - up_of(case)
        r["m"], r["n"] = lines * width, min(blocks * 16, case["ci"] - c * 16)
        r["k"] = min(summed * 16, case["co"] - n * 16) * points
        r["batches"], r["bfloat"], r["mode"] = case["batches"], case["bfloat"], case.get("mode", ALL)
        r["in_batch"], r["out_batch"] = laid[0].size, results[0].size
        r["atomic"] = case.get("atomic", 1 if summed < n1 else -1)
        r["tiling"] = input_tiling(case) if tiling is None else tiling
        r["tiling"]["singleCoreDin"] = depth
        for name, value in case.get("wrong", {}).items():
            part = r["tiling"] if name in INPUT_TILING.names else r
            part[name] = value
        made.append(r.tobytes())
    return made, b"".join(stored(result, dtype) for result in results)


def is_summed(case):
    """Several cores add to the same results."""
    return case["parts"][3] * 16 < case["co"]


def launch_input(cases, rng, tilings=None, extra=()):
    return launch(cases, rng, tilings, extra, input_records, "conv3d_backprop_input.cpp",
                  any(map(is_summed, cases)))


def filter_case(rng):
    """The same shapes, cut into slices of the kernel, blocks of both channels, and lines of the output."""
    case = gradient_case(rng)
    wholes = [case["kernel"][0], up(case["ci"], 16) // 16, up(case["co"], 16) // 16, sizes_out(case)[1]]
    case["parts"] = [max(int(rng.integers(1, whole + 1)), -(-whole // 3)) for whole in wholes]
    return case


def filter_tiling(case):
    """A slice of each, as one core would do all."""
    t = np.zeros((), FILTER_TILING)
    points, (_, height, width) = case["kernel"][1] * case["kernel"][2], sizes_out(case)
    values = shape_fields(case) | dict(
        singleCoreM=case["co"], singleCoreN=up(case["ci"], 16) * points, singleCoreK=height * width,
        **case.get("tiles", {}))
    for name, value in values.items():
        t[name] = value
    return t


def filter_records(case, memory, room, rng, tiling=None):
    """The bytes of the cores' cases; and the results, as they are to lie from `room` on."""
    dtype = "bfloat16" if case["bfloat"] else "half"
    draw = lambda *shape: rng.integers(-3, 4, shape)
    xs = [draw(case["ci"], *case["size"]) for _ in range(case["batches"])]
    dys = [draw(case["co"], *sizes_out(case)) for _ in range(case["batches"])]
    result = fractal_z_3d(gradient_of_weights(case, xs, dys))
    slices, c1, height, width, n1, _, _ = result.shape
    places = [memory.put(b"".join(stored(ndc1hwc0(x), dtype) for x in of)) for of in (xs, dys)]
    points, (_, lines_out, line), made = height * width, sizes_out(case), []
    for (d, c, n, h), (depth, blocks, summed, lines) in parts_of(case, (slices, c1, n1, lines_out)):
        r = np.zeros((), FILTER_CASE)
        r["input"] = places[0] + c * case["size"][1] * case["size"][2] * 32
        r["grad_output"] = places[1] + n * lines_out * line * 32
        r["output"] = room + ((d * c1 + c) * points * n1 + n) * 1024
        r["first_ho"], r["k"] = h, lines * line
        r["m"], r["n"] = min(summed * 16, case["co"] - n * 16), min(blocks * 16, case["ci"] - c * 16) * points
        r["first_dk"], r["slices"], r["c1"], r["n1"] = d, depth, c1, n1
        r["bfloat"], r["mode"], r["atomic"] = case["bfloat"], case.get("mode", ALL), case.get("atomic", -1)
        r["tiling"] = filter_tiling(case) if tiling is None else tiling
        for name, value in case.get("wrong", {}).items():
            part = r["tiling"] if name in FILTER_TILING.names else r
            part[name] = value
        made.append(r.tobytes())
    return made, stored(result, "float")


def launch_filter(cases, rng, tilings=None, extra=(), cleared=True):
    return launch(cases, rng, tilings, extra, filter_records, "conv3d_backprop_filter.cpp", cleared)


def large_cases(make, rng, count):
    """Of any magnitude, to be divided; `make` gives what their sizes leave open."""
    cases = []
    while len(cases) < count:
        case = make(rng)
        case |= {"size": [int(most ** rng.random()) for most in (100, 2000, 2000)],
                 "kernel": [int(most ** rng.random()) for most in (9, 20, 20)],
                 "ci": int(3000 ** rng.random()), "co": int(3000 ** rng.random())}
        if min(sizes_out(case)) > 0:
            cases.append(case)
    return cases
