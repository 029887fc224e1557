"""vreduce, vreducev2, vgatherb, vcopy and vbcb, run on the engine against numpy."""

import random

import numpy as np
import pytest
from kernels import CHIPS, Call, any_mask, fault, lanes, numbers, places, refusal, run, same, use

SEED = 25
WIDE = ("int16", "uint16", "int32", "uint32", "float16", "float32")
REDUCING = ("310P", "310P vector", "910B", "310B")
NEWEST = ("910B", "310B")
PATTERNS = {1: [1, 0], 2: [0, 1], 3: [1, 0, 0, 0], 4: [0, 1, 0, 0], 5: [0, 0, 1, 0],
            6: [0, 0, 0, 1], 7: [1]}
BLOCK_TYPES = {"910B": WIDE,
               "310B": ("int8", "uint8", "float16", "int32", "float32", "int64")}


def element_at(array, index, block_stride, start):
    """Element `index` of a repeat that starts at a datablock."""
    block = 32 // array.itemsize
    return array[start * block + index // block * block_stride * block + index % block]


def reducing_call(source, soc, name, dtype, tensor, counter):
    size = np.dtype(dtype).itemsize
    repeats, block = source.choice([1, 2, 3]), source.choice([0, 1, 2])
    rep, bits_rep = source.choice([8, 16, 3]), source.choice([0, 1, 2])
    src = numbers(source, dtype, 96 * 32 // size)
    bits = np.frombuffer(source.randbytes(256), f"uint{8 * size}").copy()
    pattern = source.randint(1, 6 if soc.startswith("310P") else 7)
    mask, counts = None, [256 // size] * repeats
    if counter:
        mask = source.randint(1, 300 // size)
        counts = [mask] * repeats
        if soc.startswith("310P"):  # of all repeats, however many they are
            counts = [256 // size] * (mask * size // 256) + [mask % (256 // size)]
    kept = []
    for repeat, count in enumerate(counts):
        flags = np.unpackbits(bits.view(np.uint8)[repeat * bits_rep * 32:], bitorder="little")
        for i in range(count):
            if flags[i] if tensor else PATTERNS[pattern][i % len(PATTERNS[pattern])]:
                kept.append(element_at(src, i, block, repeat * rep))
    dst = numbers(source, dtype, 1024)
    wanted = dst.copy()
    wanted[:len(kept)] = kept
    more = {"mask_mode": "counter"} if counter else {}

    def call(instance, ub):
        count = instance.Scalar("uint32", "count", 77)
        getattr(instance, name)(mask, ub.dst, ub.src, ub.bits if tensor else pattern, repeats,
                                block, rep, bits_rep, rsvd_scalar=count, **more)
        ub.count[0].set_as(count)

    what = (name, dtype, tensor or pattern, repeats, block, rep, bits_rep, mask)
    return Call(call, ["dst", "count"], dst=dst, src=src, bits=bits,
                count=np.zeros(8, "uint32")), (wanted, len(kept)), what


@pytest.mark.parametrize("soc", REDUCING)
def test_packing_by_bits(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    names = ("vreduce", "vreducev2") if soc in NEWEST else ("vreduce",)
    cases = [reducing_call(source, soc, name, dtype, tensor, counter)
             for name in names for dtype in WIDE for tensor in (False, True)
             for counter in (False, True) for _ in range(2)]
    found = run([case[0] for case in cases], tmp_path, monkeypatch)
    for (_, (wanted, count), what), left in zip(cases, found):
        assert left["count"][0] == count, (soc, SEED, what)
        assert same(left["dst"], wanted), (soc, SEED, what)


def test_a_count_in_an_array_of_scalars(tmp_path, monkeypatch):
    """The number of the Scalar is known at run time only."""
    use("310P")

    def call(instance, ub):
        counts, place = instance.ScalarArray("uint32", 3, "counts", 9), instance.Scalar("int32")
        place.set_as(1)
        instance.vreduce(None, ub.dst, ub.src, 3, 1, 1, 8, 0, 0, counts[place])
        for i in range(3):
            ub.count[i].set_as(counts[i])

    left, = run([Call(call, ["count"], src=np.zeros(128, "int16"), dst=np.zeros(128, "int16"),
                      count=np.zeros(8, "uint32"))], tmp_path, monkeypatch)
    assert left["count"].tolist() == [9, 32, 9, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("soc", CHIPS)
def test_types(soc):
    use(soc)
    tensors = {"at": ("uint32", 8)}
    for dtype in WIDE + ("int8", "uint8", "int64"):
        for name, legal, call in [
                ("vreduce", soc in REDUCING and dtype in WIDE,
                 lambda i, ub: i.vreduce(None, ub.dst, ub.src, 1, 1, 1, 8, 0)),
                ("vreducev2", soc in NEWEST and dtype in WIDE,
                 lambda i, ub: i.vreducev2(None, ub.dst, ub.src, 1, 1, 1, 8, 0)),
                ("vgatherb", dtype in BLOCK_TYPES.get(soc, ()) or soc == "310B",
                 lambda i, ub: i.vgatherb(ub.dst, ub.src, ub.at, 1, 1, 8)),
                ("vcopy", soc in NEWEST and dtype in WIDE,
                 lambda i, ub: i.vcopy(16, ub.dst, ub.src, 1, 1, 1, 8, 8)),
                ("vbcb", soc in NEWEST and dtype in WIDE,
                 lambda i, ub: i.vbcb(ub.dst, ub.src, 1, 1, 8))]:
            text = refusal(call, dst=(dtype, 512), src=(dtype, 512), **tensors)
            assert (text is None) == legal, (soc, name, dtype, text)
            assert legal or text.startswith("current chip: ") and name in text


def reduce_refusal(soc="310P", src=256, kinds=("float16", "float16"), pattern=1,
                   bits=("uint16", 16), name="vreduce", **changes):
    use(soc)
    arguments = {"mask": None, "repeat_times": 1, "src0_blk_stride": 1, "src0_rep_stride": 8,
                 "src1_rep_stride": 0, **changes}
    return refusal(lambda instance, ub: getattr(instance, name)(
        dst=ub.dst, src0=ub.src, src1_pattern=ub.bits if pattern is None else pattern,
        **arguments), dst=(kinds[0], 256), src=(kinds[1], src), bits=bits)


@pytest.mark.parametrize("changes,words", [
    ({"kinds": ("float16", "int16")}, "dst and src0 should have the same dtype"),
    ({"pattern": 0}, "src1_pattern should be in the range of [1, 6]"),
    ({"pattern": 7}, "src1_pattern should be in the range of [1, 6]"),
    ({"pattern": 8, "soc": "910B"}, "src1_pattern should be in the range of [1, 7]"),
    ({"pattern": 1.0}, "src1_pattern should be int"),
    ({"pattern": None, "bits": ("uint32", 16)}, "src1_pattern's dtype should be uint16"),
    ({"repeat_times": 0}, "repeat_times should be in the range of [1, 255]"),
    ({"repeat_times": 256}, "repeat_times should be in the range of [1, 255]"),
    ({"src0_blk_stride": 256}, "src0_blk_stride should be in the range of [0, 255]"),
    ({"src0_rep_stride": 65536}, "src0_rep_stride should be in the range of [0, 65535]"),
    ({"src1_rep_stride": 256}, "src1_rep_stride should be in the range of [0, 255]"),
    ({"repeat_times": 3}, "src0 tensor overflow"),
    ({"pattern": None, "bits": ("uint16", 7)}, "src1_pattern tensor overflow"),
    ({"pattern": None, "repeat_times": 2, "src1_rep_stride": 1}, "src1_pattern tensor overflow"),
    ({"mask_mode": "counter"}, "not support this type of mask now with mask_mode 'counter'"),
    ({"mask_mode": "counter", "mask": 0}, "mask should be in the range of [1, 4294967295]"),
    ({"mask_mode": "counter", "mask": 257, "soc": "910B"}, "src0 tensor overflow"),
    ({"rsvd_scalar": 1}, "rsvd_scalar should be Scalar(int/uint)"),
    ({"name": "vreducev2"}, "current chip: "),
    ({"stride_unit": 4}, "stride_unit should be in the range of [0, 3]"),
], ids=str)
def test_packings_that_are_refused(changes, words, monkeypatch):
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")  # to the element
    text = reduce_refusal(**changes)
    assert text is not None and text.startswith(words), text


@pytest.mark.parametrize("changes", [
    {}, {"pattern": 6}, {"pattern": 7, "soc": "910B"}, {"pattern": None}, {"repeat_times": 2},
    {"pattern": None, "bits": ("uint16", 8)}, {"repeat_times": 255, "src0_rep_stride": 0},
    {"pattern": None, "repeat_times": 2, "src1_rep_stride": 1, "bits": ("uint16", 24)},
    {"mask_mode": "counter", "mask": 256, "soc": "910B"}, {"mask": 128},
    {"mask_mode": "counter", "mask": 257, "src0_rep_stride": 0, "src": 128},
    {"src0_rep_stride": 65535}, {"src0_blk_stride": 0, "src": 16}], ids=str)
def test_packings_that_are_accepted(changes):
    assert reduce_refusal(**changes) is None


def blocks_call(source, dtype):
    block = 32 // np.dtype(dtype).itemsize
    repeats, stride, rep = source.choice([1, 2]), source.choice([0, 1, 2]), source.choice([8, 16])
    src, dst = numbers(source, dtype, 64 * block), numbers(source, dtype, 64 * block)
    at = np.array([32 * source.randrange(64) for _ in range(16)], "uint32")
    wanted = dst.copy().reshape(-1, block)
    for i in range(8 * repeats):
        wanted[i // 8 * rep + i % 8 * (stride or 1)] = src.reshape(-1, block)[at[i] // 32]
    return Call(lambda instance, ub: instance.vgatherb(ub.dst, ub.src, ub.at, repeats, stride, rep),
                ["dst"], dst=dst, src=src, at=at), wanted.ravel(), (dtype, repeats, stride, rep)


def spreading_call(source, dtype):
    block = 32 // np.dtype(dtype).itemsize
    repeats, stride, rep = source.choice([1, 2]), source.choice([0, 1, 2]), source.choice([8, 16])
    src, dst = numbers(source, dtype, 16), numbers(source, dtype, 64 * block)
    wanted = dst.copy().reshape(-1, block)
    for i in range(8 * repeats):
        wanted[i // 8 * rep + i % 8 * (stride or 1)] = src[i]
    return Call(lambda instance, ub: instance.vbcb(ub.dst, ub.src, repeats, stride, rep),
                ["dst"], dst=dst, src=src), wanted.ravel(), ("vbcb", dtype, repeats, stride, rep)


def copying_call(source, dtype):
    counter = source.random() < 0.4
    mask = source.randint(1, lanes(dtype)) if counter else any_mask(source, dtype)
    repeats = source.choice([1, 2, 3])
    blocks = source.choice([1, 2]), source.choice([0, 1, 2])
    reps = source.choice([8, 16, 17]), source.choice([0, 8, 9])
    size = np.dtype(dtype).itemsize
    src, dst = numbers(source, dtype, 64 * 32 // size), numbers(source, dtype, 64 * 32 // size)
    wanted = dst.copy()
    for repeat in range(repeats):
        wanted[places(mask, dtype, repeat, blocks[0], reps[0])] = \
            src[places(mask, dtype, repeat, blocks[1], reps[1])]
    more = {"mask_mode": "counter"} if counter else {}
    return Call(lambda instance, ub: instance.vcopy(mask, ub.dst, ub.src, repeats, *blocks, *reps,
                                                    **more),
                ["dst"], dst=dst, src=src), wanted, (dtype, mask, repeats, blocks, reps, counter)


@pytest.mark.parametrize("soc", NEWEST)
def test_blocks_copies_and_spreads(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = [blocks_call(source, dtype) for dtype in BLOCK_TYPES[soc] for _ in range(4)]
    cases += [make(source, dtype) for make in (spreading_call, copying_call) for dtype in WIDE
              for _ in range(4)]
    for (_, wanted, what), left in zip(cases, run([c[0] for c in cases], tmp_path, monkeypatch)):
        assert same(left["dst"], wanted), (soc, SEED, what)


def test_limits():
    use("910B")
    tensors = {"dst": ("uint16", 256), "src": ("uint16", 256), "at": ("uint32", 8)}

    def text(call, **changed):
        return refusal(call, **{**tensors, **changed})

    for call in [lambda i, ub: i.vgatherb(ub.dst, ub.src, ub.at, 1, 2, 255),
                 lambda i, ub: i.vbcb(ub.dst, ub.src, 2, 1, 8),
                 lambda i, ub: i.vbcb(ub.dst[128:], ub.src, 1, 0, 8),
                 lambda i, ub: i.vbcb(ub.dst, ub.src, 32, 1, 0),
                 lambda i, ub: i.vcopy(128, ub.dst, ub.src, 2, 1, 1, 8, 8),
                 lambda i, ub: i.vcopy(128, ub.dst, ub.src, 2, 1, 1, 8, 8, "counter"),
                 lambda i, ub: i.vcopy(128, ub.dst, ub.src, 1, 1, 1, 4095, 4095)]:
        assert text(call) is None
    for call, words in [
            (lambda i, ub: i.vgatherb(ub.dst, ub.src, ub.at, 1, 3, 8), "dst tensor overflow"),
            (lambda i, ub: i.vgatherb(ub.dst, ub.src, ub.at, 2, 1, 8), "src_offsets tensor over"),
            (lambda i, ub: i.vgatherb(ub.dst, ub.src, ub.dst, 1, 1, 8), "src_offsets's dtype"),
            (lambda i, ub: i.vgatherb(ub.dst, ub.src, ub.at, 1, 256, 8), "dst_blk_stride should"),
            (lambda i, ub: i.vgatherb(ub.dst, ub.src, ub.at, 1, 1, 256), "dst_rep_stride should"),
            (lambda i, ub: i.vbcb(ub.dst, ub.src, 3, 1, 8), "dst tensor overflow"),
            (lambda i, ub: i.vbcb(ub.dst, ub.src, 33, 1, 0), "src tensor overflow"),
            (lambda i, ub: i.vbcb(ub.dst, ub.src, 1, 1, 65536), "dst_rep_stride should be in the"),
            (lambda i, ub: i.vbcb(ub.dst[144:], ub.src, 1, 0, 8), "dst tensor overflow"),
            (lambda i, ub: i.vcopy(128, ub.dst, ub.src, 3, 1, 1, 8, 8), "dst tensor overflow"),
            (lambda i, ub: i.vcopy(129, ub.dst, ub.src, 1, 1, 1, 8, 8, "counter"), "mask should"),
            (lambda i, ub: i.vcopy(128, ub.dst, ub.src, 1, 1, 1, 4096, 8), "dst_rep_stride should"),
            (lambda i, ub: i.vcopy(128, ub.dst, ub.src, 1, 65536, 1, 8, 8), "dst_blk_stride")]:
        got = text(call)
        assert got is not None and got.startswith(words), (words, got)


def test_offsets_are_checked_when_the_kernel_runs(tmp_path, monkeypatch):
    use("910B")
    call = Call(lambda instance, ub: instance.vgatherb(ub.dst, ub.src, ub.at, 1, 1, 8), ["dst"],
                dst=np.zeros(128, "uint16"), src=np.zeros(128, "uint16"),
                at=np.full(8, 2, "uint32"))
    assert "V2005" in fault(call, tmp_path, monkeypatch)
