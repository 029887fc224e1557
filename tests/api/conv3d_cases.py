"""Cases of Conv3D, and what comes out of them, from the definition of a convolution of volumes."""

import itertools

import numpy as np

import harness
from api_kit import KERNELS
from harness import Out, check_clean
from matmul_cases import Memory, stored, up

# TConv3DApiTiling, as the documents list it.
FIELDS = """groups:u4 singleCoreDo:u8 singleCoreCo:u4 singleCoreM:u8 orgDo:u8 orgCo:u4 orgHo:u8 orgWo:u8
orgCi:u4 orgDi:u8 orgHi:u8 orgWi:u8 kernelD:u4 kernelH:u4 kernelW:u4 strideD:u4 strideH:u4 strideW:u4
dilationD:u4 dilationH:u4 dilationW:u4 padHead:u4 padTail:u4 padUp:u4 padDown:u4 padLeft:u4 padRight:u4
mL0:u4 kL0:u4 nL0:u4 kAL1:u4 kBL1:u4 nBL1:u4 mAL1:u4 al1FullLoad:u1 bl1FullLoad:u1 iterateMNOrder:u1
biasFullLoadFlag:u1"""
TILING = np.dtype([tuple(field.split(":")) for field in FIELDS.split()], align=True)
CASE = np.dtype([(name, "i8") for name in """input weight bias output first_di first_m co depth m batches
input_batch output_batch bfloat mode""".split()] + [("tiling", TILING)], align=True)
(ALL, NO_INIT, TWO_INITS, NO_INPUT, NO_WEIGHT, NO_ADDRESS, END_ONLY, REPEATS, OTHER_BIAS,
 NO_EVENT) = range(10)


def sizes_out(case):
    """Do, Ho, Wo."""
    return [(size + sum(pads) - dilation * (kernel - 1) - 1) // stride + 1
            for size, pads, kernel, stride, dilation in
            zip(case["size"], case["pads"], case["kernel"], case["stride"], case["dilation"])]


def convolution(case, x, w, bias):
    """[Co, Do, Ho, Wo] of [Ci, D, H, W] and [Co, Ci, KD, KH, KW], in whole numbers."""
    out = sizes_out(case)
    padded = np.pad(x, [(0, 0), *case["pads"]])
    y = np.zeros((w.shape[0], *out), np.int64)
    for point in itertools.product(*map(range, case["kernel"])):
        window = tuple(slice(at * dilation, at * dilation + (size - 1) * stride + 1, stride)
                       for at, dilation, size, stride in
                       zip(point, case["dilation"], out, case["stride"]))
        y += np.einsum("oi,idhw->odhw", w[(..., *point)], padded[(slice(None), *window)])
    return y + bias[:, None, None, None]


def sixteens(array, axis):
    """The axis filled up with 0 to whole blocks, and cut into blocks of 16: (..., C1, C0, ...)."""
    pads = [(0, 0)] * array.ndim
    pads[axis] = (0, -array.shape[axis] % 16)
    array = np.pad(array, pads)
    return array.reshape(*array.shape[:axis], -1, 16, *array.shape[axis + 1:])


def ndc1hwc0(x):
    """[C, D, H, W] as [D, C1, H, W, C0]."""
    return sixteens(x, 0).transpose(2, 0, 3, 4, 1)


def fractal_z_3d(w):
    """[N, C, D, H, W] as [D, C1, H, W, N1, N0, C0]."""
    blocks = sixteens(sixteens(w, 1), 0)  # N1, N0, C1, C0, D, H, W
    return blocks.transpose(4, 2, 5, 6, 0, 1, 3)


def random_case(rng):
    """Small sizes, tiles of any size; pads may be wider than the kernel reaches."""
    while True:
        draw = lambda *most: [int(rng.integers(1, high + 1)) for high in most]
        case = {"size": draw(6, 12, int(rng.choice([12, 40]))), "kernel": draw(3, 4, 4),
                "stride": draw(3, 3, 3), "dilation": draw(3, 3, 3),
                "pads": [tuple(rng.integers(0, most + 1, 2).tolist()) for most in
                         rng.choice([0, 1, 3, 6], 3)],
                "ci": draw(40)[0], "co": draw(70)[0], "batches": int(rng.choice([1, 1, 2])),
                "bfloat": int(rng.integers(2)), "bias": bool(rng.integers(2))}
        if min(sizes_out(case)) > 0:
            break
    depth, height, width = sizes_out(case)
    m_l0, n_l0 = (16 * int(rng.integers(1, 9)) for _ in range(2))
    case["tiles"] = dict(
        mL0=m_l0, nL0=n_l0, kL0=16 * int(rng.integers(1, 16)), iterateMNOrder=int(rng.integers(2)),
        kAL1=int(rng.integers(1, 9)) * int(np.prod(case["kernel"][1:])) * 16)
    case["parts"] = (16 * int(rng.integers(1, up(case["co"], 16) // 16 + 1)),
                     int(rng.integers(1, depth + 1)), int(rng.integers(1, height * width + 1)))
    return case


def parts_of(case):
    """What each core does: first channel, slice and row, and how many; at most 24 cores."""
    depth, height, width = sizes_out(case)
    wholes = (case["co"], depth, height * width)
    sizes = [max(part, -(-whole // 16 // 3) * 16 if axis == 0 else -(-whole // 3))
             for axis, (whole, part) in enumerate(zip(wholes, case["parts"]))]
    starts = [range(0, whole, size) for whole, size in zip(wholes, sizes)]
    return [(first, [min(size, whole - at) for whole, size, at in zip(wholes, sizes, first)])
            for first in itertools.product(*starts)]


def tiling_of(case):
    """All of it, as one core would do all."""
    t = np.zeros((), TILING)
    out, tiles = sizes_out(case), case.get("tiles", {})
    values = dict(groups=1, orgCi=case["ci"], orgCo=case["co"], singleCoreCo=case["co"],
                  singleCoreDo=out[0], singleCoreM=out[1] * out[2], **tiles)
    for axis, letter in enumerate("DHW"):
        values |= {f"org{letter}i": case["size"][axis], f"org{letter}o": out[axis],
                   f"kernel{letter}": case["kernel"][axis], f"stride{letter}": case["stride"][axis],
                   f"dilation{letter}": case["dilation"][axis]}
    for name, value in zip(("padHead", "padTail", "padUp", "padDown", "padLeft", "padRight"),
                           itertools.chain(*case["pads"])):
        values[name] = value
    for name, value in values.items():
        t[name] = value
    return t


def whole_numbers(case, rng):
    """Input of each batch, weights, bias, and the results."""
    draw = lambda *shape: rng.integers(-3, 4, shape)
    xs = [draw(case["ci"], *case["size"]) for _ in range(case["batches"])]
    w = draw(case["co"], case["ci"], *case["kernel"])
    bias = draw(case["co"]) if case["bias"] else np.zeros(case["co"], np.int64)
    return xs, w, bias, [convolution(case, x, w, bias) for x in xs]


def records_of(case, memory, room, rng, tiling=None):
    """The bytes of the cores' cases; and the results, as they are to lie from `room` on."""
    dtype = "bfloat16" if case["bfloat"] else "half"
    xs, w, bias, ys = whole_numbers(case, rng)
    depth, height, width = sizes_out(case)
    laid = [ndc1hwc0(y) for y in ys]
    places = [memory.put(b"".join(stored(ndc1hwc0(x), dtype) for x in xs)),
              memory.put(stored(fractal_z_3d(w), dtype)),
              memory.put(stored(bias, "float" if case["bfloat"] else "half"))]
    blocks, made = up(case["co"], 16) // 16, []
    for (co, slices, m), (count, depths, rows) in parts_of(case):
        c = np.zeros((), CASE)
        c["input"], c["weight"] = places[0], places[1] + co * 16 * 2
        c["bias"] = places[2] + co * (4 if case["bfloat"] else 2) if case["bias"] else -1
        c["output"] = room + ((slices * blocks + co // 16) * height * width + m) * 32
        c["first_di"], c["first_m"] = slices * case["stride"][0], m
        c["co"], c["depth"], c["m"] = count, depths, rows
        c["batches"], c["bfloat"], c["mode"] = case["batches"], case["bfloat"], case.get("mode", ALL)
        c["input_batch"] = ndc1hwc0(xs[0]).size
        c["output_batch"] = depth * blocks * height * width * 16
        c["tiling"] = tiling_of(case) if tiling is None else tiling
        for name, value in case.get("wrong", {}).items():
            part = c["tiling"] if name in TILING.names else c
            part[name] = value
        made.append(c.tobytes())
    return made, b"".join(stored(y, dtype) for y in laid)


def launch(cases, rng, tilings=None, extra=(), records_of=records_of, kernel="conv3d.cpp",
           cleared=False):
    """One launch of all cores of the cases: the run, and the bytes that are wanted."""
    memory, wanted, records = Memory(), b"", []
    for number, case in enumerate(cases):
        made, result = records_of(case, memory, len(wanted), rng,
                                  None if tilings is None else tilings[number])
        records += made
        wanted += result
    run = harness.run_kernel(
        KERNELS / kernel, np.frombuffer(bytes(memory.data), np.uint8),
        np.frombuffer(b"".join(records), np.uint8), Out("uint8", len(wanted), cleared=cleared), soc="Ascend910B1",
        blocks=len(records), extra=["--cores", "aic", *extra], timeout=600)
    return run, np.frombuffer(wanted, np.uint8)


def check_outputs(run, wanted):
    """The bytes of all outputs, and nothing to tell."""
    check_clean(run)
    different = np.flatnonzero(run.outputs[0] != wanted)
    assert different.size == 0, f"{different.size} bytes, from {different[0]} of {wanted.size}"
