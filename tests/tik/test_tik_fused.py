"""vmla, vmadd, vmaddrelu, vaddrelu, vsubrelu, vmulconv, vaxpy, vmaxs, vmins, vlrelu, vshl
and vshr, run on the engine against
numpy and Python's integers."""

import random

import numpy as np
import pytest
from kernels import (CHIPS, Call, any_mask, fault, lanes, numbers, places, refusal, run, same, use)
from vinci import tik

HALF, FLOAT = "float16", "float32"
SEED = 34
OLDER = ("310", "910")
NEWER = ("310P", "310P vector", "910B", "310B")
ALL_TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", HALF, FLOAT]
FUSED = {"mla": lambda d, a, b: (a, b, d), "madd": lambda d, a, b: (a, d, b),
         "maddrelu": lambda d, a, b: (a, d, b)}  # factors and addend


def saturated(values):
    """Halves of floats: rounded, then within their range, and no NaN."""
    with np.errstate(all="ignore"):
        half = values.astype(HALF)
    return np.nan_to_num(half, nan=0, posinf=65504, neginf=-65504).astype(HALF)


def rounded(values, dtype):
    with np.errstate(all="ignore"):
        return saturated(values) if dtype == HALF else values.astype(FLOAT)


def fused(name, dst, src0, src1):
    """The product, then the sum, each in the type of dst."""
    dtype = str(dst.dtype)
    x, y, z = (array.astype("float64") for array in FUSED[name](dst, src0, src1))
    with np.errstate(all="ignore"):
        result = rounded(rounded(x * y, dtype).astype("float64") + z, dtype)
    return np.where(result > 0, result, np.zeros_like(result)) if name == "maddrelu" else result


def with_scalar(name, values, scalar):
    if name in ("maxs", "mins"):
        return np.array([(max if name == "maxs" else min)(x, scalar) for x in values.tolist()],
                        values.dtype)
    return np.array([shifted(name, int(x), scalar, values.dtype) for x in values], values.dtype)


def shifted(name, value, amount, dtype):
    """`name`: shl, shr, or rounding: shr with round_en."""
    info = np.iinfo(dtype)
    if name == "shl":
        low = (value << amount) & info.max
        return low + info.min if value < 0 else low
    carry = name == "rounding" and info.min < 0 and amount and value >> amount - 1 & 1
    return (value >> amount) + carry


def chosen_strides(source, operands, spelling):
    """(block strides, repeat strides), dst without overlap."""
    block = [1] * operands if spelling == "vec_" else (
        [source.choice([1, 2])] + [source.choice([1, 2, 0]) for _ in range(operands - 1)])
    return block, [8 * block[0] + source.choice([0, 1])] + [
        source.choice([0, 1, 8, 16]) for _ in range(operands - 1)]


def elements_of(repeats, block, repeat, size):
    return ((repeats - 1) * repeat + 7 * block + 1) * 32 // size


def fused_call(source, name, dtype, from_dtype):
    mask, repeats = any_mask(source, dtype), source.choice([1, 2, 4])
    block, repeat = chosen_strides(source, 3, "v")
    arrays = {operand: numbers(source, kind, elements_of(repeats, block[i], repeat[i],
                                                         np.dtype(kind).itemsize))
              for i, (operand, kind) in enumerate([("dst", dtype), ("src0", from_dtype),
                                                   ("src1", from_dtype)])}
    if dtype != from_dtype:  # 64 lanes, in 4 blocks of a source
        mask = source.randint(1, 64)
    if source.random() < 0.3:
        with np.errstate(over="ignore"):
            arrays["src0"] *= np.array(3000, from_dtype)
    wanted = arrays["dst"].copy()
    for i in range(repeats):
        at = places(mask, dtype, i, block[0], repeat[0])
        a, b = (arrays[f"src{j}"][places(mask, from_dtype, i, block[j + 1], repeat[j + 1])]
                for j in range(2))
        wanted[at] = fused(name, wanted[at], a, b)

    def call(instance, ub):
        getattr(instance, "v" + name)(mask, ub.dst, ub.src0, ub.src1, repeats, *block, *repeat)

    return (Call(call, ["dst", "src0", "src1"], **arrays), wanted,
            (name, dtype, from_dtype, mask, repeats, block, repeat))


def fused_types(name, soc):
    """(dst, sources)"""
    mixed = [(FLOAT, HALF)] if name == "mla" and soc != "310B" else []
    return [(HALF, HALF), (FLOAT, FLOAT)] + mixed


@pytest.mark.parametrize("soc", CHIPS)
def test_products_and_sums(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = [fused_call(source, name, *kinds) for name in FUSED for kinds in fused_types(name, soc)
             for _ in range(8)]
    check(cases, soc, tmp_path, monkeypatch)


def check(cases, soc, tmp_path, monkeypatch):
    found = run([case[0] for case in cases], tmp_path, monkeypatch)
    for (call, wanted, what), left in zip(cases, found):
        assert same(left.pop("dst"), wanted), (soc, SEED, what)
        for name, array in left.items():
            assert same(array, call.arrays[name]), (soc, SEED, what)


def test_a_dst_that_stays_sums_up(tmp_path, monkeypatch):
    use("310P")
    a, b = np.arange(256, dtype=FLOAT), np.arange(256, dtype=FLOAT)[::-1] % 7

    def call(instance, ub):
        instance.vmla(64, ub.dst, ub.a, ub.b, 4, 1, 1, 1, 0, 8, 8)

    left, = run([Call(call, ["dst"], dst=np.ones(64, FLOAT), a=a, b=b.copy())], tmp_path,
                monkeypatch)
    assert same(left["dst"], 1 + (a * b).reshape(4, 64).sum(0))


def amounts(source, name, dtype):
    if name in ("maxs", "mins"):
        value = numbers(source, dtype, 1)[0]
        return source.choice([0, value.item(), -1])
    bits = 8 * np.dtype(dtype).itemsize
    return source.choice([0, 1, bits - 1, bits, source.randrange(bits)])


def scalar_call(source, name, dtype):
    vec = name in ("maxs", "mins") and source.random() < 0.5
    api = "vshr" if name == "rounding" else ("vec_" if vec else "v") + name
    mask, repeats = any_mask(source, dtype), source.choice([1, 2, 4])
    block, repeat = chosen_strides(source, 2, "vec_" if vec else "v")
    size, scalar = np.dtype(dtype).itemsize, amounts(source, name, dtype)
    dst, src = (numbers(source, dtype, elements_of(repeats, block[i], repeat[i], size))
                for i in range(2))
    wanted = dst.copy()
    for i in range(repeats):
        at = places(mask, dtype, i, block[0], repeat[0])
        wanted[at] = with_scalar(name, src[places(mask, dtype, i, block[1], repeat[1])], scalar)
    strides = repeat if vec else block + repeat
    more = {"round_en": True} if name == "rounding" else {}
    given = source.choice(["immediate", "scalar", "expression"])

    def call(instance, ub):
        number = scalar
        if given != "immediate":
            kind = dtype if name in ("maxs", "mins") else source.choice(["int32", "uint64", dtype])
            number = instance.Scalar(kind, "number", scalar)
            if given == "expression" and kind != HALF:
                number = number + 0
        getattr(instance, api)(mask, ub.dst, ub.src, number, repeats, *strides, **more)

    return (Call(call, ["dst", "src"], dst=dst, src=src), wanted,
            (api, dtype, scalar, given, mask, repeats, strides, more))


SHIFTS = ("shl", "shr", "rounding")
SHIFT_TYPES = ("int16", "uint16", "int32", "uint32")
WITH_SHIFTS = ("310P vector", "910B", "310B")
EXTREME_TYPES = (HALF, FLOAT, "int16", "int32")


@pytest.mark.parametrize("soc", NEWER)
def test_with_a_scalar(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    rows = [("maxs", EXTREME_TYPES), ("mins", EXTREME_TYPES)]
    if soc in WITH_SHIFTS:
        rows += [(name, SHIFT_TYPES) for name in SHIFTS]
    check([scalar_call(source, name, dtype) for name, dtypes in rows for dtype in dtypes
           for _ in range(9)], soc, tmp_path, monkeypatch)


def test_shifts_as_the_documents_print_them(tmp_path, monkeypatch):
    use("910B")
    pattern = np.full(16, 0xAAAA, "uint16")
    steps = [("vshl", "int16", 1, 0xD554), ("vshl", "int16", 3, 0xD550), ("vshl", "uint16", 1,
             0x5554), ("vshr", "int16", 3, 0xF555), ("vshr", "int16", 16, 0xFFFF)]
    calls = [Call(lambda instance, ub, api=api, amount=amount: getattr(instance, api)(
        16, ub.dst, ub.src, amount, 1, 1, 1, 8, 8), ["dst"], dst=np.zeros(16, dtype),
        src=pattern.view(dtype)) for api, dtype, amount, _ in steps]
    for step, left in zip(steps, run(calls, tmp_path, monkeypatch)):
        assert (left["dst"].view("uint16") == step[-1]).all(), step


@pytest.mark.parametrize("soc", ["310P", "910B", "310B"])
def test_leaky_relu(soc, tmp_path, monkeypatch):
    use(soc)
    calls, wanted = [], []
    for dtype in (HALF, FLOAT):
        src = numbers(random.Random(SEED), dtype, 4 * lanes(dtype))
        for name, strides in (("vlrelu", (1, 1, 8, 8)), ("vec_lrelu", (8, 8))):
            calls.append(Call(lambda instance, ub, name=name, strides=strides, mask=lanes(dtype):
                              getattr(instance, name)(mask, ub.dst, ub.src, 0.25, 4, *strides),
                              ["dst"], dst=np.zeros_like(src), src=src))
            wanted.append(np.where(src < 0, src * src.dtype.type(0.25), src))
    for values, left in zip(wanted, run(calls, tmp_path, monkeypatch)):
        assert same(left["dst"], values)


@pytest.mark.parametrize("soc", [*OLDER, "310P vector"])
def test_leaky_relu_is_not_everywhere(soc):
    use(soc)
    text = refusal(lambda instance, ub: instance.vlrelu(64, ub.a, ub.a, 0.1, 1, 1, 1, 8, 8),
                   a=(HALF, 128))
    assert text.startswith("current chip: ") and "vlrelu" in text


@pytest.mark.parametrize("soc", NEWER)
def test_sums_above_zero(soc, tmp_path, monkeypatch):
    use(soc)
    calls, wanted = [], []
    for dtype in (HALF, FLOAT, "int16")[:2 if soc == "310B" else 3]:
        a, b = (numbers(random.Random(SEED + i), dtype, 4 * lanes(dtype)) for i in range(2))
        for name, combine in (("vaddrelu", np.add), ("vsubrelu", np.subtract)):
            calls.append(Call(lambda instance, ub, name=name, mask=lanes(dtype): getattr(
                instance, name)(mask, ub.dst, ub.a, ub.b, 4, 1, 1, 1, 8, 8, 8), ["dst"],
                              dst=np.zeros_like(a), a=a, b=b))
            with np.errstate(all="ignore"):
                result = combine(a.astype("float64"), b.astype("float64"))
            result = combine(a, b) if dtype == "int16" else rounded(result, dtype)
            wanted.append(np.where(result > 0, result, np.zeros_like(result)))
    for values, left in zip(wanted, run(calls, tmp_path, monkeypatch)):
        assert same(left["dst"], values)


@pytest.mark.parametrize("soc", ["310P", "910B", "310B"])
def test_products_as_integers(soc, tmp_path, monkeypatch):
    """A repeat takes 8 datablocks of each source and makes 4."""
    use(soc)
    source = np.random.default_rng(SEED)
    a, b = (source.uniform(-20, 20, 256).astype(HALF) for _ in range(2))
    product = np.rint((a * b).astype(FLOAT))
    kinds = ("int8", "uint8")
    calls = [Call(lambda instance, ub: instance.vmulconv(128, ub.dst, ub.a, ub.b, 2, 1, 1, 1, 4,
                                                         8, 8),
                  ["dst"], dst=np.zeros(256, kind), a=a, b=b) for kind in kinds]
    for kind, left in zip(kinds, run(calls, tmp_path, monkeypatch)):
        info = np.iinfo(kind)
        assert (left["dst"] == np.clip(product, info.min, info.max).astype(kind)).all()


@pytest.mark.parametrize("name, chips", [
    ("vaddrelu", OLDER), ("vsubrelu", OLDER), ("vmulconv", (*OLDER, "310P vector"))])
def test_fused_steps_are_not_everywhere(name, chips):
    for soc in chips:
        use(soc)
        text = refusal(lambda instance, ub: getattr(instance, name)(
            64, ub.dst, ub.a, ub.a, 1, 1, 1, 1, 8, 8, 8), a=(HALF, 128),
            dst=("int8" if name == "vmulconv" else HALF, 128))
        assert text.startswith("current chip: ") and name in text


@pytest.mark.parametrize("soc", NEWER)
def test_counter_mode(soc, tmp_path, monkeypatch):
    """The mask counts elements, repeat_times does not count."""
    use(soc)
    src = np.arange(-100, 412).astype("int16")
    names = ["vec_maxs", "vmins"] + (["vshl", "vshr"] if soc in WITH_SHIFTS else [])
    results = [np.maximum(src, 5), np.minimum(src, 5), None, src >> 5]
    calls = [Call(lambda instance, ub, name=name: getattr(instance, name)(
        300, ub.dst, ub.src, 5, 1, *([] if name == "vec_maxs" else [1, 1]), 8, 8,
        mask_mode="counter"), ["dst"], dst=np.full(512, 77, "int16"), src=src) for name in names]
    for name, wanted, left in zip(names, results, run(calls, tmp_path, monkeypatch)):
        if name == "vshl":
            wanted = with_scalar("shl", src, 5)
        assert same(left["dst"], np.concatenate([wanted[:300], np.full(212, 77, "int16")])), name


# What is refused.

TWO = ("vmla", "vmadd", "vmaddrelu")


def strides_of(api, operands):
    return [8] * operands if api.startswith("vec_") else [1] * operands + [8] * operands


@pytest.mark.parametrize("soc", CHIPS)
def test_types(soc):
    use(soc)
    for name in FUSED:
        api = "v" + name
        for dst in ALL_TYPES:
            for src in ALL_TYPES:
                text = refusal(lambda instance, ub: getattr(instance, api)(
                    16, ub.dst, ub.src, ub.src, 1, *strides_of(api, 3)), dst=(dst, 512),
                    src=(src, 512))
                legal = (dst, src) in fused_types(name, soc)
                assert (text is None) == legal, (api, dst, src, text)
                assert legal or text.startswith("current chip: ") and api in text, text
    for api in ("vec_maxs", "vmaxs", "vec_mins", "vmins", "vshl", "vshr"):
        for dtype in ALL_TYPES:
            shifts = api in ("vshl", "vshr")
            text = refusal(lambda instance, ub: getattr(instance, api)(
                16, ub.dst, ub.src, 1, 1, *strides_of(api, 2)), dst=(dtype, 512), src=(dtype, 512))
            legal = (dtype in SHIFT_TYPES and soc in WITH_SHIFTS if shifts
                     else dtype in EXTREME_TYPES and soc in NEWER)
            assert (text is None) == legal, (api, dtype, text)
            if shifts and dtype in (HALF, FLOAT):
                assert text.startswith("src's dtype should be int or uint"), text
            else:
                assert legal or text.startswith("current chip: ") and api in text, text


def changed(api, dtype="int16", **changes):
    """One call with some of its arguments changed; how it is refused."""
    sources = ["src0", "src1"] if api in TWO else ["src"]
    arguments = {"mask": lanes(dtype), "repeat_times": 1, "dst": 0, **dict.fromkeys(sources, 0)}
    for name in ("dst", *sources):
        arguments[name + "_rep_stride"] = 8
        if not api.startswith("vec_"):
            arguments[name + "_blk_stride"] = 1
    if len(sources) == 1:
        arguments["scalar"] = 1
    arguments.update(changes)

    def call(instance, ub):
        tensors = {name: getattr(ub, name)[arguments[name]:] for name in ("dst", *sources)}
        getattr(instance, api)(**{**arguments, **tensors})

    return refusal(call, dst=(dtype, 1024), **{name: (dtype, 1024) for name in sources})


ONE = ("vmaxs", "vmins", "vec_maxs", "vec_mins", "vshl", "vshr", "vaxpy", "vec_axpy")


@pytest.mark.parametrize("name", FUSED)
def test_names_that_tik_does_not_have(name):
    with pytest.raises(AttributeError, match=f"has no attribute 'vec_{name}'"):
        getattr(tik.Tik(), "vec_" + name)


@pytest.mark.parametrize("api", TWO + ONE)
def test_limits(api):
    use("910B")
    dtype = HALF if api in TWO or api.endswith("axpy") else "int16"
    source = "src1" if api in TWO else "src"
    limits = {"repeat_times": (1, 255, {"dst_rep_stride": 0, **{
        name + "_rep_stride": 0 for name in (("src0", "src1") if api in TWO else ("src",))}}),
        "dst_rep_stride": (0, 255, {}), source + "_rep_stride": (0, 255, {}),
        "mask": (1, 128, {})}
    if not api.startswith("vec_"):
        most = 255 if api in TWO else 65535
        limits["dst_blk_stride"] = limits[source + "_blk_stride"] = (0, most, {"mask": 16})
    for name, (least, most, more) in limits.items():
        for value in (least, most):
            assert changed(api, dtype, **{**more, name: value}) is None, (name, value)
        for value in (least - 1, most + 1):
            text = changed(api, dtype, **{**more, name: value})
            shown = "mask value" if name == "mask" else name
            assert text is not None and text.startswith(
                f"{shown} should be in the range of [{least}, {most}]"), (name, value, text)
    for changes, words in [({"dst": 1}, "Address align error, dst"),
                           ({source: 1}, f"Address align error, {source}"),
                           ({"dst": 912}, "dst tensor overflow"),
                           ({source: 912}, f"{source} tensor overflow")]:
        assert changed(api, dtype, **changes).startswith(words), changes
    for changes in ({"dst": 896}, {source: 896}, {"dst": 16}):
        assert changed(api, dtype, **changes) is None, changes


@pytest.mark.parametrize("api", [api for api in TWO + ONE if not api.startswith("vec_")])
def test_stride_unit(api):
    dtype = HALF if api in TWO or api.endswith("axpy") else "int16"
    use("910B")
    assert changed(api, dtype, stride_unit=0) is None
    assert changed(api, dtype, stride_unit=4).startswith("stride_unit should be in the range of")
    assert changed(api, dtype, stride_unit=1).startswith("stride_unit should be 0")
    use("310P vector")
    assert changed(api, dtype, stride_unit=1).startswith("stride_unit 1 is not there yet")


def test_scalars():
    use("910B")
    for api in ("vmaxs", "vmins", "vec_maxs", "vec_mins"):
        for dtype in ("int16", "int32"):
            assert changed(api, dtype, scalar=1.5).startswith("scalar should be int")
        assert changed(api, FLOAT, scalar=1.5) is None and changed(api, HALF, scalar=7) is None
        assert "scalar's dtype should be int16, input is int32" in scalar_refusal(api, "int32")
        assert scalar_refusal(api, "int16") is None
        assert changed(api, scalar="1") is not None
    for api in ("vshl", "vshr"):
        for dtype, bits in (("int16", 16), ("uint16", 16), ("int32", 32), ("uint32", 32)):
            assert changed(api, dtype, scalar=0) is None
            assert changed(api, dtype, scalar=bits) is None
            for amount in (-1, bits + 1):
                assert changed(api, dtype, scalar=amount).startswith(
                    f"scalar should be in the range of [0, {bits}]")
        assert changed(api, scalar=1.0).startswith("scalar should be int")
        for kind in ("int32", "uint64", "int16"):
            assert scalar_refusal(api, kind) is None
        assert scalar_refusal(api, FLOAT).startswith("scalar should be int")
    assert changed("vshr", round_en=1).startswith("round_en should be bool")
    assert changed("vshr", round_en=True) is None


def scalar_refusal(api, kind):
    return refusal(lambda instance, ub: getattr(instance, api)(
        16, ub.dst, ub.src, instance.Scalar(kind, "n", 1), 1, *strides_of(api, 2)),
        dst=("int16", 128), src=("int16", 128))


@pytest.mark.parametrize("api", ["vshl", "vshr"])
@pytest.mark.parametrize("amount", [-1, 17, 65537])
def test_an_amount_of_run_time(api, amount, tmp_path, monkeypatch):
    use("910B")
    zeros = np.zeros(16, "int16")
    text = fault(Call(lambda instance, ub: getattr(instance, api)(
        16, ub.dst, ub.src, instance.Scalar("int32", "n", amount), 1, 1, 1, 8, 8), ["dst"],
        dst=zeros, src=zeros), tmp_path, monkeypatch)
    assert "scalar" in text and f"{amount}" in text


@pytest.mark.parametrize("soc", OLDER)
def test_no_counter_mode(soc):
    use(soc)
    assert "doesn't support mask_mode 'counter'" in refusal(
        lambda instance, ub: instance.vec_muls(16, ub.dst, ub.src, 1, 1, 8, 8, "counter"),
        dst=(HALF, 128), src=(HALF, 128))


def test_types_that_differ():
    use("910B")

    def text(api, src0, src1):
        return refusal(lambda instance, ub: getattr(instance, api)(
            16, ub.dst, ub.src0, ub.src1, 1, *strides_of(api, 3)), dst=(FLOAT, 128),
            src0=(src0, 128), src1=(src1, 128))

    for api in TWO:
        assert "src0 and src1 should have the same dtype" in text(api, HALF, FLOAT)
        assert "src0 and src1 should have the same dtype" in text(api, FLOAT, HALF)
    for api in ("vmaxs", "vshl"):
        assert "dst and src should have the same dtype" in refusal(
            lambda instance, ub: getattr(instance, api)(
                16, ub.dst, ub.src, 1, 1, *strides_of(api, 2)), dst=("int32", 128),
            src=("int16", 128))
