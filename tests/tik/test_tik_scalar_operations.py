"""Operations on Scalars, run on the engine against Python's integers and numpy."""

import math
import random

import numpy as np
import pytest
from kernels import CHIPS, Call, refusal, run, same, use

SEED = 31
MOST, LEAST = 2**63 - 1, -2**63
WORD = 2**64 - 1
INTEGERS = [0, 1, -1, 2, 3, 4, 99, 100, 2**31, 2**32 - 1, -2**31, 2**52 + 1, 2**53 + 1, 2**62,
            (2**31 + 7)**2, (2**31 + 7)**2 - 1, MOST - 1, MOST, LEAST + 1, LEAST]
FLOATS = [0.0, 1.0, -1.0, 2.0, 0.1, -0.1, 4.0, 1e-45, 1e-38, 3.4e38, -3.4e38, 16777217.0, np.inf,
          -np.inf, 7.25]
WORDS = [0, 1, 2, 3, 2**31, 2**32, 2**63, WORD, WORD - 1, 0x5555555555555555, 2**40 - 1, 12345]


def wrapped(value):
    return (value - LEAST) % 2**64 + LEAST


def root(value):
    if isinstance(value, int):
        return math.isqrt(max(value, 0))
    with np.errstate(invalid="ignore"):
        return np.sqrt(np.float32(value))


def magnitude(value):
    return wrapped(abs(value)) if isinstance(value, int) else abs(np.float32(value))


BINARY = {"scalar_max": max, "scalar_min": min}
UNARY = {"scalar_abs": magnitude, "scalar_sqrt": root}
COUNTS = {"scalar_countbit0": lambda word: 64 - bin(word).count("1"),
          "scalar_countbit1": lambda word: bin(word).count("1"),
          "scalar_countleading0": lambda word: 64 - word.bit_length()}


def padded(values, dtype):
    """An array of whole datablocks."""
    array = np.array(values, dtype)
    per_block = 32 // array.itemsize
    return np.resize(array, -(-len(array) // per_block) * per_block)


def over(name, dtype, *columns):
    """A Call that leaves in dst what the operation makes of each row of the columns."""
    arrays = {f"src{i}": padded(column, dtype) for i, column in enumerate(columns)}

    def call(instance, ub):
        scalars = [instance.Scalar(dtype, f"x{i}") for i in range(len(columns))]
        result = instance.Scalar(dtype, "result")
        with instance.for_range(0, len(arrays["src0"])) as i:
            for scalar, column in zip(scalars, arrays):
                scalar.set_as(getattr(ub, column)[i])
            getattr(instance, name)(result, *scalars)
            ub.dst[i].set_as(result)

    return Call(call, ["dst"], dst=np.zeros_like(arrays["src0"]), **arrays), arrays


def some(source, dtype):
    if dtype == "float32":
        return FLOATS + [float(np.float32(source.gauss(0, 1000))) for _ in range(49)]
    if dtype == "int64":
        return INTEGERS + [source.getrandbits(64) + LEAST >> source.randrange(64)
                           for _ in range(60)]
    return WORDS + [source.getrandbits(64) >> source.randrange(64) for _ in range(60)]


@pytest.mark.parametrize("soc", CHIPS)
def test_values(soc, tmp_path, monkeypatch):
    use(soc)
    source, cases = random.Random(SEED), []
    for dtype in ("int64", "float32"):
        for name in BINARY:
            column = some(source, dtype)
            cases.append((name, BINARY[name], dtype, [column, source.sample(column, len(column))]))
        for name in UNARY:
            cases.append((name, UNARY[name], dtype, [some(source, dtype)]))
    for name in COUNTS:
        cases.append((name, COUNTS[name], "uint64", [some(source, "uint64")]))
    calls = [over(name, dtype, *columns) for name, _, dtype, columns in cases]
    found = run([call for call, _ in calls], tmp_path, monkeypatch)
    for (name, oracle, dtype, _), (_, arrays), left in zip(cases, calls, found):
        rows = zip(*(array.tolist() for array in arrays.values()), left["dst"].tolist())
        for *values, got in rows:
            wanted = np.array([oracle(*values)], dtype)
            agree = same(np.array([got], dtype), wanted) or got != got and wanted[0] != wanted[0]
            assert agree, (soc, SEED, name, dtype, values, got, wanted)


def test_immediates_expressions_and_one_scalar_twice(tmp_path, monkeypatch):
    use("910")

    def call(instance, ub):
        number = instance.Scalar("int64", "number", -9)
        result = instance.Scalar("int64", "result", 5)
        steps = [("scalar_max", 3, number), ("scalar_max", number, -10), ("scalar_max", 3, 4),
                 ("scalar_min", number * 2, number + 1), ("scalar_min", LEAST, number),
                 ("scalar_abs", number - 1), ("scalar_abs", -7), ("scalar_sqrt", 99),
                 ("scalar_max", number, number)]
        for i, (name, *sources) in enumerate(steps):
            getattr(instance, name)(result, *sources)
            ub.dst[i].set_as(result)
        instance.scalar_abs(number, number)
        ub.dst[9].set_as(number)
        word = instance.Scalar("uint64", "word")
        for i, (name, source) in enumerate([("countbit0", WORD), ("countbit1", 2**63),
                                            ("countleading0", 0)]):
            getattr(instance, "scalar_" + name)(word, source)
            ub.words[i].set_as(word)
        part = instance.Scalar("float32", "part")
        instance.scalar_max(part, 0.5, -2)
        ub.parts[0].set_as(part)

    left, = run([Call(call, ["dst", "words", "parts"], dst=np.zeros(12, "int64"),
                      words=np.zeros(4, "uint64"), parts=np.zeros(8, "float32"))],
                tmp_path, monkeypatch)
    assert left["dst"].tolist() == [3, -9, 4, -18, LEAST, 10, 7, 9, -9, 9, 0, 0]
    assert left["words"].tolist() == [0, 1, 64, 0]
    assert left["parts"][0] == 0.5


ALL_TYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
             "float32"]


@pytest.mark.parametrize("soc", CHIPS)
def test_types(soc):
    use(soc)
    for name in (*BINARY, *UNARY, *COUNTS):
        legal = ("uint64",) if name in COUNTS else ("int64", "float32")
        for dtype in ALL_TYPES:
            text = refusal(lambda instance, ub: getattr(instance, name)(
                instance.Scalar(dtype, "d"), *[1] * (1 + (name in BINARY))))
            if dtype in legal:
                assert text is None, (name, dtype, text)
            else:
                assert text.startswith("dst's dtype should be " + " or ".join(legal)), text


def test_operands():
    use("910")

    def text(name, *arguments):
        return refusal(lambda instance, ub: getattr(instance, name)(*(
            instance.Scalar(one, f"s{i}", 1) if one in ALL_TYPES else one
            for i, one in enumerate(arguments))))

    assert text("scalar_max", "int64", "int64", "int64") is None
    assert text("scalar_max", "int64", "int64", "int32") == (
        "src1's dtype should be int64, input is int32")
    assert text("scalar_min", "float32", "int64", 1) == (
        "src0's dtype should be float32, input is int64")
    assert text("scalar_max", "int64", 1.5, 1).startswith("src0 should be int")
    assert text("scalar_abs", 1, 1).startswith("dst should be Scalar, input type: ")
    assert text("scalar_sqrt", "float32", "2") is not None
    assert text("scalar_countbit1", "uint64", "int64") == (
        "src's dtype should be uint64, input is int64")


# scalar_conv.

HALVES = {"r": lambda x: np.rint(x), "f": np.floor, "c": np.ceil, "z": np.trunc,
          "a": lambda x: np.copysign(np.floor(abs(x) + 0.5), x)}
MODES = {"round": "r", "floor": "f", "ceil": "c", "ceiling": "c", "away-zero": "a", "to-zero": "z"}
PARTS = [0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999997, -0.49999997, 1e-30, -1e-30, 8388607.5,
         -8388607.5, 2147483520.0, 2147483648.0, -2147483648.0, -2147483904.0, 1e20, -1e20, np.inf,
         -np.inf, 3.7, -3.7]


def converting(mode, dtype, values, wanted):
    """A Call of scalar_conv(mode) from the dtype of values to `dtype`."""
    src = padded(values, values.dtype)

    def call(instance, ub):
        source = instance.Scalar(str(src.dtype), "source")
        result = instance.Scalar(dtype, "result")
        with instance.for_range(0, len(src)) as i:
            source.set_as(ub.src[i])
            instance.scalar_conv(mode, result, source)
            ub.dst[i].set_as(result)

    return Call(call, ["dst"], src=src, dst=padded(np.zeros(len(src)), dtype)), wanted


def odd_half(values):
    """Halves whose last bit says that something was cut off."""
    values = np.array(values, "float32")
    with np.errstate(over="ignore"):
        half = values.astype("float16")
    toward = np.where(abs(half.astype("float64")) > abs(values.astype("float64")),
                      half.view("uint16") - 1, half.view("uint16")).astype("uint16")
    exact = toward.view("float16").astype("float32") == values
    return np.where(exact, toward, toward | 1).astype("uint16").view("float16")


def conversions(source):
    parts = np.array(PARTS + [source.gauss(0, 1000) for _ in range(40)], "float32")
    clip = {mode: np.clip(HALVES[letter](parts.astype("float64")), -2**31, 2**31 - 1)
            for mode, letter in MODES.items()}
    cases = [converting(mode, "int32", parts, clip[mode].astype("int64").astype("int32"))
             for mode in MODES]
    whole = np.array([0, 1, -1, 2**24 + 1, 2**31 - 1, -2**31, 2**25 + 2, 2**25 + 6]
                     + [source.getrandbits(32) - 2**31 for _ in range(40)], "int32")
    half = np.array([0.0, -0.0, 6e-8, 65504, -65504, 0.1], "float16")
    small = np.array([0.0, 1.0, 0.1, -0.1, 2049, 2051, 6e-8, 1e-7, 65504, -1000.3]
                     + [source.gauss(0, 100) for _ in range(40)], "float32")
    for mode in ("", "none"):
        cases += [converting(mode, "float32", whole, whole.astype("float32")),
                  converting(mode, "float32", half, half.astype("float32")),
                  converting(mode, "float16", small, small.astype("float16"))]
    return cases + [converting("odd", "float16", small, odd_half(small))]


@pytest.mark.parametrize("soc", [name for name in CHIPS if name != "310"])
def test_conversions(soc, tmp_path, monkeypatch):
    use(soc)
    cases = conversions(random.Random(SEED))
    found = run([call for call, _ in cases], tmp_path, monkeypatch)
    for number, ((call, wanted), left) in enumerate(zip(cases, found)):
        got = left["dst"][:len(wanted)]
        wrong = [(x, a, b) for x, a, b in zip(call.arrays["src"], got, wanted)
                 if a.tobytes() != b.tobytes()]
        assert not wrong, (soc, SEED, number, wrong)


LEGAL = {("float32", "int32"): set(MODES), ("int32", "float32"): {"", "none"},
         ("float16", "float32"): {"", "none"}, ("float32", "float16"): {"", "none", "odd"}}


@pytest.mark.parametrize("soc", CHIPS)
def test_pairs_and_modes_of_conversions(soc):
    use(soc)
    for src in ALL_TYPES:
        for dst in ("float16", "float32", "int32"):
            for mode in ("", "none", "odd", *MODES):
                text = refusal(lambda instance, ub: instance.scalar_conv(
                    mode, instance.Scalar(dst, "d"), instance.Scalar(src, "s", 1)))
                if soc != "310" and mode in LEGAL.get((src, dst), ()):
                    assert text is None, (src, dst, mode, text)
                else:
                    assert text.startswith("current chip: ") and "scalar_conv" in text, text


def test_what_conversions_refuse():
    use("910")

    def text(mode, dst, src):
        return refusal(lambda instance, ub: instance.scalar_conv(mode, dst(instance),
                                                                 src(instance)))

    def scalar(dtype, name):
        return lambda instance: instance.Scalar(dtype, name, 1)

    assert text("near", scalar("int32", "d"), scalar("float32", "s")) == (
        "round_mode: near is not supported")
    assert text([], scalar("int32", "d"), scalar("float32", "s")) is not None
    assert text("", scalar("int64", "d"), scalar("float32", "s")).startswith("dst's dtype should")
    assert text("", lambda i: 1, scalar("float32", "s")).startswith("dst should be Scalar")
    assert text("", scalar("float32", "d"), lambda i: 1).startswith("src should be Scalar")
    assert text("", scalar("float32", "d"), lambda i: i.Scalar("int32", "s", 1) + 1) is None


@pytest.mark.parametrize("soc, source, target, mode, instead", [
    ("910", "float16", "int32", "none", "; legal: float32 to int32, int32 to float32, float16 to float32, "
                                        "float32 to float16"),
    ("910", "float32", "int32", "none", "; legal round_mode: round, away-zero, floor, ceil, to-zero"),
    ("910", "float32", "float16", "round", "; legal round_mode: none, odd"),
    ("910", "int32", "float32", "round", "; legal round_mode: none"),
    ("310", "int32", "float32", "none", "")])
def test_what_scalar_conv_has_instead(soc, source, target, mode, instead):
    use(soc)
    text = refusal(lambda instance, ub: instance.scalar_conv(
        mode, instance.Scalar(target, "to"), instance.Scalar(source, "from", 1)))
    assert text.endswith(f"for Instruction scalar_conv{instead}"), text
