"""vcmp, vcmpv, vcmpvs, vsel and CMPMASK, run on the engine against numpy."""

import operator
import random

import numpy as np
import pytest
from kernels import (CHIPS, Call, any_mask, enabled, fault, lanes, numbers, places, refusal, run,
                     same, use)

SEED = 24
HALF, FLOAT = "float16", "float32"
COMPARISONS = {"lt": operator.lt, "gt": operator.gt, "eq": operator.eq, "le": operator.le,
               "ge": operator.ge, "ne": operator.ne}
BITS = ("uint8", "uint16", "uint32", "uint64")
TYPES = {"310": (HALF,)}
NEWER = ("310P", "310P vector", "910B", "310B")


def types_of(soc):
    return TYPES.get(soc, (HALF, FLOAT))


def few(source, dtype, count):
    """Numbers of which many are equal."""
    return np.array([source.randrange(-3, 4) for _ in range(count)]).astype(dtype)


def packed(bits, dtype, after):
    """Bits one after the other, over the start of an array."""
    found = np.packbits(np.array(bits, np.uint8), bitorder="little")
    return np.concatenate([found, after.view(np.uint8)[len(found):]]).view(dtype)


def compared_call(source, form, comparison, bits_type, dtype):
    repeats = source.choice([1, 2, 3])
    strides = [(1 if form == "vec_cmpv" else source.choice([1, 2, 0]), source.choice([8, 9, 16, 0]))
               for _ in range(1 if form == "vcmpvs" else 2)]
    size = np.dtype(dtype).itemsize
    sources = [few(source, dtype, 64 * 32 // size) for _ in strides]
    dst = numbers(source, bits_type, 64 // np.dtype(bits_type).itemsize)
    scalar = float(source.randrange(-3, 4))
    values = [[array[place] for repeat in range(repeats)
               for place in places(lanes(dtype), dtype, repeat, *stride)]
              for array, stride in zip(sources, strides)]
    bits = [COMPARISONS[comparison](a, b) for a, b in
            zip(values[0], values[1] if len(values) > 1 else [scalar] * len(values[0]))]

    def call(instance, ub):
        blocks, reps = ([stride[i] for stride in strides] for i in (0, 1))
        operands = [ub.a, scalar] if form == "vcmpvs" else [ub.a, ub.b]
        getattr(instance, f"{form}_{comparison}")(
            ub.dst, *operands, repeats, *([] if form == "vec_cmpv" else blocks), *reps)

    arrays = dict(zip("ab", sources))
    what = (form, comparison, bits_type, dtype, repeats, strides)
    return Call(call, ["dst"], dst=dst, **arrays), packed(bits, bits_type, dst), what


@pytest.mark.parametrize("soc", CHIPS)
def test_bits_in_ub(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    forms = ("vec_cmpv", "vcmpv") + (("vcmpvs",) if soc in NEWER else ())
    cases = [compared_call(source, form, comparison, source.choice(BITS), dtype)
             for form in forms for comparison in COMPARISONS for dtype in types_of(soc)
             for _ in range(2)]
    cases += [compared_call(source, "vec_cmpv", "lt", bits, HALF) for bits in BITS]
    for (_, wanted, what), left in zip(cases, run([c[0] for c in cases], tmp_path, monkeypatch)):
        assert same(left["dst"], wanted), (soc, SEED, what)


@pytest.mark.parametrize("soc", ["910B", "310B"])
def test_int32_is_compared_for_equality_only(soc, tmp_path, monkeypatch):
    use(soc)
    a, b = np.arange(64, dtype="int32"), np.full(64, 5, "int32")
    call = Call(lambda instance, ub: instance.vcmpv_eq(ub.dst, ub.a, ub.b, 1, 1, 1, 8, 8), ["dst"],
                dst=np.zeros(32, "uint8"), a=a, b=b)
    assert run([call], tmp_path, monkeypatch)[0]["dst"].tolist() == [32] + [0] * 31
    for comparison in COMPARISONS:
        text = refusal(lambda instance, ub: getattr(instance, "vcmpv_" + comparison)(
            ub.dst, ub.a, ub.a, 1, 1, 1, 8, 8), dst=("uint8", 32), a=("int32", 64))
        assert (text is None) == (comparison == "eq"), text


@pytest.mark.parametrize("soc", CHIPS)
def test_types(soc):
    use(soc)
    tensors = {"dst": ("uint8", 256), "words": ("uint16", 16)}
    for dtype in (HALF, FLOAT, "int16", "uint32", "int64"):
        for name, legal, call in [
                ("vcmpv_ge", dtype in types_of(soc),
                 lambda i, ub: i.vcmpv_ge(ub.dst, ub.a, ub.a, 1, 1, 1, 8, 8)),
                ("vcmpvs_ge", dtype in types_of(soc) and soc in NEWER,
                 lambda i, ub: i.vcmpvs_ge(ub.dst, ub.a, 1, 1, 1, 8)),
                ("vcmp_ge", dtype in types_of(soc), lambda i, ub: i.vcmp_ge(1, ub.a, ub.a, 1, 1)),
                ("vec_sel", dtype in types_of(soc),
                 lambda i, ub: i.vec_sel(16, 0, ub.a[0:], i.mov_tensor_to_cmpmask(ub.words), ub.a,
                                         ub.a, 1))]:
            text = refusal(call, a=(dtype, 256), **tensors)
            assert (text is None) == legal, (soc, name, dtype, text)
            assert legal or text.startswith("current chip: ") and name in text
    for bits in BITS + ("int8", HALF):
        text = refusal(lambda i, ub: i.vec_cmpv_eq(ub.dst, ub.a, ub.a, 1, 8, 8), dst=(bits, 64),
                       a=(HALF, 128))
        assert (text is None) == (bits in BITS), text


def selecting_call(source, name, mode, bits_type, dtype):
    repeats, mask = source.choice([1, 2, 3]), any_mask(source, dtype)
    strides = [(1 if name == "vec_sel" else source.choice([1, 2]), source.choice([8, 16, 17]))
               for _ in range(3)]
    size, count = np.dtype(dtype).itemsize, lanes(dtype)
    arrays = [numbers(source, dtype, 64 * 32 // size) for _ in range(3)]
    bits = [source.randrange(2) for _ in range(count * repeats)]
    sel = packed(bits, bits_type, np.zeros(96 // np.dtype(bits_type).itemsize, bits_type))
    if mode == 0:
        bits = (bits[:count]) * repeats
    scalar = float(source.randrange(-9, 9))
    wanted = arrays[0].copy()
    for repeat in range(repeats):
        at = [places(mask, dtype, repeat, *stride) for stride in strides]
        for i, lane in enumerate(enabled(mask, dtype)):
            yes = bits[repeat * count + lane]
            no = scalar if mode == 1 else arrays[2][at[2][i]]
            wanted[at[0][i]] = arrays[1][at[1][i]] if yes else no

    register = mode == 0 and source.random() < 0.5

    def call(instance, ub):
        chosen = instance.mov_tensor_to_cmpmask(ub.sel) if register else ub.sel
        blocks, reps = ([stride[i] for stride in strides] for i in (0, 1))
        getattr(instance, name)(mask, mode, ub.dst, chosen, ub.a, scalar if mode == 1 else ub.b,
                                repeats, *([] if name == "vec_sel" else blocks), *reps)

    what = (name, mode, bits_type, dtype, mask, repeats, strides, register)
    return Call(call, ["dst"], dst=arrays[0], a=arrays[1], b=arrays[2], sel=sel), wanted, what


@pytest.mark.parametrize("soc", CHIPS)
def test_selecting(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = [selecting_call(source, name, mode, source.choice(BITS), dtype)
             for name in ("vec_sel", "vsel") for mode in ((0, 1, 2) if soc in NEWER else (0,))
             for dtype in types_of(soc) for _ in range(4)]
    for (_, wanted, what), left in zip(cases, run([c[0] for c in cases], tmp_path, monkeypatch)):
        assert same(left["dst"], wanted), (soc, SEED, what)


@pytest.mark.parametrize("soc", CHIPS)
def test_comparing_into_the_register(soc, tmp_path, monkeypatch):
    """vcmp leaves the bits of lanes that are not enabled; its result selects."""
    use(soc)
    source, cases = random.Random(SEED), []
    for comparison in COMPARISONS:
        for dtype in types_of(soc):
            mask, strides = any_mask(source, dtype), [source.choice([1, 2, 0]) for _ in "ab"]
            a, b = (few(source, dtype, 2 * lanes(dtype)) for _ in "ab")
            before = numbers(source, "uint64", 4)
            bits = np.unpackbits(before.view(np.uint8), bitorder="little")
            at = [places(mask, dtype, 0, stride, 8) for stride in strides]
            for i, lane in enumerate(enabled(mask, dtype)):
                bits[lane] = COMPARISONS[comparison](a[at[0][i]], b[at[1][i]])
            zeros, ones = np.zeros(lanes(dtype), dtype), np.ones(lanes(dtype), dtype)

            def call(instance, ub, comparison=comparison, mask=mask, strides=strides, n=len(ones)):
                instance.mov_tensor_to_cmpmask(ub.bits)
                cmpmask = getattr(instance, "vcmp_" + comparison)(mask, ub.a, ub.b, *strides)
                instance.vec_sel(n, 0, ub.dst, cmpmask, ub.ones, ub.zeros, 1)
                instance.mov_cmpmask_to_tensor(ub.bits, cmpmask)

            cases.append((Call(call, ["bits", "dst"], bits=before, dst=zeros, ones=ones,
                               zeros=zeros, a=a, b=b), bits, (comparison, dtype, mask, strides)))
    for (_, bits, what), left in zip(cases, run([c[0] for c in cases], tmp_path, monkeypatch)):
        got = np.unpackbits(left["bits"].view(np.uint8), bitorder="little")
        assert (got == bits).all(), (soc, SEED, what)
        assert (left["dst"] == bits[:len(left["dst"])]).all(), (soc, SEED, what)


@pytest.mark.parametrize("at, legal", [(0, True), (8, True), (4, False), (1, False)])
def test_the_register_is_copied_at_sixteen_bytes(at, legal, tmp_path, monkeypatch):
    use("910")
    before = np.arange(32, dtype=np.uint16)

    def call(instance, ub):
        instance.mov_cmpmask_to_tensor(ub.dst[at], instance.mov_tensor_to_cmpmask(ub.src[at]))

    if not legal:
        text = refusal(call, dst=("uint16", 32), src=("uint16", 32))
        assert text == f"Address align error, src[{at}] is not 16 Byte align"
        return
    left, = run([Call(call, ["dst"], dst=np.zeros(32, np.uint16), src=before)], tmp_path, monkeypatch)
    assert (left["dst"][at:at + 8] == before[at:at + 8]).all() and left["dst"].sum() == before[at:at + 8].sum()


def test_modes_of_the_oldest_chips():
    for soc in CHIPS:
        use(soc)
        for mode in (1, 2):
            text = refusal(lambda instance, ub: instance.vec_sel(
                128, mode, ub.dst, ub.sel, ub.a, 0.5 if mode == 1 else ub.a, 1),
                           dst=(HALF, 128), sel=("uint8", 32), a=(HALF, 128))
            assert text is None if soc in NEWER else text == f"v100 doesn't support mode {mode}"


def selecting_refusal(mode=2, **changes):
    use("310P")
    arguments = {"mask": 128, "repeat_times": 1, "dst_rep_stride": 8, "src0_rep_stride": 8,
                 "src1_rep_stride": 8, **changes}
    sel, src1 = arguments.pop("sel", "sel"), arguments.pop("src1", "b")
    kinds = {"sel": ("uint8", 32), "b": (HALF, 256), **arguments.pop("kinds", {})}
    at = arguments.pop("at", 0)

    def call(instance, ub):
        chosen = instance.mov_tensor_to_cmpmask(ub.words) if sel == "cmpmask" else \
            sel and getattr(ub, sel)
        instance.vec_sel(mode=mode, dst=ub.dst[at:], sel=chosen, src0=ub.a,
                         src1=getattr(ub, src1, src1) if isinstance(src1, str) else src1,
                         **arguments)

    return refusal(call, dst=(HALF, 256), a=(HALF, 256), words=("uint64", 4), **kinds)


@pytest.mark.parametrize("changes,words", [
    ({"mode": 3}, "mode should be in the range of [0, 2]"),
    ({"mode": True}, "mode should be int"),
    ({"mode": 0, "sel": None}, "sel should be tensor"),
    ({"mode": 0, "kinds": {"sel": ("uint8", 15)}}, "sel tensor overflow"),
    ({"sel": "cmpmask"}, "sel should be tensor"),
    ({"mode": 0, "sel": "cmpmask", "src1": 1.0}, "src1 should be tensor"),
    ({"mode": 1}, "src1 should be int, float, Scalar or Expr in mode 1"),
    ({"kinds": {"sel": ("int8", 32)}}, "sel's dtype should be one of"),
    ({"kinds": {"sel": ("uint8", 31)}, "repeat_times": 2}, "sel tensor overflow"),
    ({"kinds": {"b": (FLOAT, 256)}}, "dst and src1 should have the same dtype"),
    ({"repeat_times": 3}, "dst tensor overflow"),
    ({"mask": 129}, "mask value should be in the range of [1, 128]"),
    ({"repeat_times": 256}, "repeat_times should be in the range of [1, 255]"),
    ({"src1_rep_stride": 256}, "src1_rep_stride should be in the range of [0, 255]"),
    ({"mode": 1, "src1": 1.0, "src1_rep_stride": 256}, "src1_rep_stride should be in the range"),
    ({"at": 1}, "Address align error, dst"),
], ids=str)
def test_selections_that_are_refused(changes, words, monkeypatch):
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")  # to the element
    text = selecting_refusal(**changes)
    assert text is not None and text.startswith(words), text


@pytest.mark.parametrize("changes", [
    {}, {"mode": 0, "sel": "cmpmask"}, {"mode": 1, "src1": 1.0}, {"mode": 1, "src1": 2},
    {"mode": 0, "kinds": {"sel": ("uint8", 16)}, "repeat_times": 2},
    {"repeat_times": 2}, {"kinds": {"sel": ("uint64", 4)}, "repeat_times": 2},
    {"repeat_times": 2, "dst_rep_stride": 0, "mask": 1}, {"at": 128}], ids=str)
def test_selections_that_are_accepted(changes):
    assert selecting_refusal(**changes) is None


def test_dst_over_a_source():
    use("310P")
    for at, legal in ((0, True), (1, False), (8, True)):
        text = refusal(lambda instance, ub: instance.vec_sel(
            128, 1, ub.a[at * 16:], ub.sel, ub.a, 0.0, 1), a=(HALF, 512), sel=("uint8", 32))
        assert (text is None) == legal, text


def compare_refusal(repeats=1, dst=32, a=(HALF, 256), b=(HALF, 256), stride=8, at=0, block=1):
    use("910")
    return refusal(lambda instance, ub: instance.vcmpv_lt(
        ub.dst[at:], ub.a, ub.b, repeats, block, 1, stride, 8), dst=("uint8", dst), a=a, b=b)


@pytest.mark.parametrize("changes,words", [
    ({"repeats": 0}, "repeat_times should be in the range of [1, 255]"),
    ({"repeats": 256}, "repeat_times should be in the range of [1, 255]"),
    ({"repeats": 3}, "dst tensor overflow"), ({"repeats": 3, "dst": 48}, "src0 tensor overflow"),
    ({"dst": 15}, "dst tensor overflow"), ({"b": (FLOAT, 256)}, "src0 and src1 should have the"),
    ({"stride": 256}, "src0_rep_stride should be in the range of [0, 255]"),
    ({"block": 256}, "src0_blk_stride should be in the range of [0, 255]"),
    ({"at": 16}, "Address align error, dst"), ({"b": (HALF, 127)}, "src1 tensor overflow"),
], ids=str)
def test_comparisons_that_are_refused(changes, words, monkeypatch):
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")  # to the element
    text = compare_refusal(**changes)
    assert text is not None and text.startswith(words), text


@pytest.mark.parametrize("changes", [{}, {"repeats": 2}, {"dst": 16}, {"stride": 255}], ids=str)
def test_comparisons_that_are_accepted(changes):
    assert compare_refusal(**changes) is None


def test_limits_of_the_register(monkeypatch):
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")  # to the element
    use("910")

    def text(call, **tensors):
        return refusal(call, **tensors)

    assert text(lambda i, ub: i.mov_tensor_to_cmpmask(ub.a), a=("uint16", 8)) is None
    for call, kind, words in [
            (lambda i, ub: i.mov_tensor_to_cmpmask(ub.a), ("uint16", 7), "src tensor overflow"),
            (lambda i, ub: i.mov_tensor_to_cmpmask(ub.a[4:]), ("uint16", 32), "Address align"),
            (lambda i, ub: i.mov_cmpmask_to_tensor(ub.a, ub.a), ("uint16", 8),
             "Please assure src_cmpmask is cmpmask."),
            (lambda i, ub: i.mov_cmpmask_to_tensor(ub.a, i.mov_tensor_to_cmpmask(ub.a)),
             ("int16", 8), "dst's dtype should be one of"),
            (lambda i, ub: i.vcmp_lt(129, ub.a, ub.a, 1, 1), (HALF, 128), "mask value should be"),
            (lambda i, ub: i.vcmp_lt(128, ub.a, ub.a, 1, 256), (HALF, 128),
             "src1_stride should be in the range of [0, 255]"),
            (lambda i, ub: i.vcmp_lt(128, ub.a, ub.a, 1, 2), (HALF, 128), "src1 tensor overflow")]:
        got = text(call, a=kind)
        assert got is not None and got.startswith(words), got


def test_bits_that_lie_over_the_result(tmp_path, monkeypatch):
    use("310P")
    call = Call(lambda instance, ub: instance.vec_sel(
        128, 1, ub.a, ub.a.reinterpret_cast_to("uint16"), ub.b, 0.0, 1), ["a"],
                a=np.zeros(128, HALF), b=np.zeros(128, HALF))
    assert "vec_sel dst and sel address overlapping error" in fault(call, tmp_path, monkeypatch)
