"""vec_conv: every row of the page's six tables is accepted and right, everything else refused; the
page's two samples, and the refusals of each parameter."""

import contextlib
import fractions
import io
import math
import pathlib
import subprocess
import sys

import kernels
import numpy as np
import pytest
import tik_harness

sys.path.append(str(tik_harness.ROOT / "tests"))
sys.path.append(str(tik_harness.ROOT / "tests" / "isa"))
import conversions  # noqa: E402
from vinci import tik  # noqa: E402
from vinci.tik import chip  # noqa: E402

DATA = pathlib.Path(__file__).resolve().parent / "data" / "vec_conv_tables.txt"
ENGINE_NAMES = {"float16": "half", "float32": "float"}  # the oracle's names
TYPES = ["uint8", "int8", "uint16", "int16", "float16", "uint32", "int32", "float32", "uint64",
         "int64"]
MODES = {"": 0, "none": 0, "round": 1, "floor": 2, "ceil": 3, "ceiling": 3, "away-zero": 4,
         "to-zero": 5, "odd": 6}
SCALE = 0.37  # of int32 to float16
COUNT = 512  # numbers of each conversion


def tables():
    """{(chip, kind of core): {(src, dst): (round modes, kind of deqscale)}}"""
    found = {}
    for line in DATA.read_text().splitlines():
        if line.startswith("["):
            table = found[tuple(line[1:-1].split())] = {}
        elif not line.startswith("#"):
            src, dst, modes, scale = line.split()
            table[src, dst] = ([mode.strip("'") for mode in modes.split(",")], scale)
    return found


TABLES = tables()
CHIPS = list(TABLES)


def use(soc):
    chip.use(chip.make(*soc))


def deqscale_of(kind, dst):
    word = 1 << 46 if dst == "int8" else 0
    return {"None": None, "half": SCALE, "word": word | 5 << 37 | 0x3F400000}[kind]


def numbers(dtype):
    """Numbers of a type: its ends, ties, and random ones; the same each time."""
    random = np.random.default_rng(7)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        special = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 127.5, 255.5, -128.5, 32767.5, 65504, 2**31,
                   -2**31, 2.0**40, -2.0**40, np.inf, -np.inf, np.nan, 2.0**-24, 0.499999]
        with np.errstate(over="ignore"):
            values = np.concatenate([special, random.normal(0, 300, COUNT - len(special))])
            return values.astype(dtype)
    info = np.iinfo(dtype)
    special = [info.min, info.min + 1, info.max, info.max - 1, 0, 1]
    rest = random.integers(info.min, info.max, COUNT - len(special), dtype, endpoint=True)
    return np.concatenate([np.array(special, dtype), rest])


def lanes(src, dst):
    return 256 // max(np.dtype(src).itemsize, np.dtype(dst).itemsize)


def convert_all(instance, rows):
    """Records one conversion of COUNT numbers for each (src, dst, mode, deqscale kind)."""
    inputs = {src: instance.Tensor(src, (COUNT,), tik.scope_gm, f"in_{src}")
              for src in sorted({row[0] for row in rows})}
    outputs = [instance.Tensor(row[1], (COUNT,), tik.scope_gm, f"out_{i}")
               for i, row in enumerate(rows)]
    for (src, dst, mode, kind), target in zip(rows, outputs):
        with instance.new_stmt_scope():
            from_ub = instance.Tensor(src, (COUNT,), tik.scope_ubuf, "from_ub")
            to_ub = instance.Tensor(dst, (COUNT,), tik.scope_ubuf, "to_ub")
            n = lanes(src, dst)
            instance.data_move(from_ub, inputs[src], 0, 1, COUNT * np.dtype(src).itemsize // 32, 0,
                               0)
            instance.vec_conv(n, mode, to_ub, from_ub, COUNT // n, n * np.dtype(dst).itemsize // 32,
                              n * np.dtype(src).itemsize // 32, deqscale_of(kind, dst))
            instance.data_move(target, to_ub, 0, 1, COUNT * np.dtype(dst).itemsize // 32, 0, 0)
    return inputs, outputs


def halves_of_exact(values, scale):
    """Bits of the halves nearest to the exact products, ties to even; saturated."""
    found = []
    for value in values:
        product = fractions.Fraction(int(value)) * fractions.Fraction(float(scale))
        exponent = -14  # the unit of the last digit is 2 ** (exponent - 10)
        while abs(product) >= fractions.Fraction(2) ** (exponent + 1):
            exponent += 1
        unit = fractions.Fraction(2) ** (exponent - 10)
        nearest = float(round(product / unit) * unit)  # round() of a Fraction: ties to even
        if nearest == 0 and product < 0:
            nearest = -0.0
        found.append(np.float16(np.clip(nearest, -65504, 65504)))
    return np.array(found).view(np.uint16)


def expected(src, dst, mode, kind, values):
    names = [ENGINE_NAMES.get(name, name) for name in (dst, src)]
    if kind == "half":
        return halves_of_exact(values, np.float16(SCALE))
    return conversions.converted(*names, values, MODES[mode], True)


@pytest.mark.parametrize("soc", CHIPS, ids=" ".join)
def test_every_row_of_the_table_is_right(soc, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    use(soc)
    rows = [(src, dst, mode, kind) for (src, dst), (modes, kind) in TABLES[soc].items()
            for mode in modes if kind != "word"]
    instance = tik.Tik()
    inputs, outputs = convert_all(instance, rows)
    instance.BuildCCE("conversions", list(inputs.values()), outputs)
    feeds = {tensor.name: numbers(src) for src, tensor in inputs.items()}
    results = instance.tikdb.start_debug(feeds, interactive=False)
    for (src, dst, mode, kind), result in zip(rows, results):
        wanted = expected(src, dst, mode, kind, feeds[f"in_{src}"])
        got = result.view(wanted.dtype) if result.dtype.kind == "f" else result
        assert (got == wanted).all(), (src, dst, mode, result[got != wanted][:4])


def one_call(src, dst, mode, deqscale=None, mask=None, repeats=1, dst_rep=None, src_rep=None,
             high=False, **offsets):
    """Traces one vec_conv of its own."""
    instance = tik.Tik()
    from_ub = instance.Tensor(src, (COUNT,), tik.scope_ubuf, "from_ub")
    to_ub = instance.Tensor(dst, (COUNT,), tik.scope_ubuf, "to_ub")
    if "src_at" in offsets:
        from_ub = from_ub[offsets["src_at"]:]
    if "dst_at" in offsets:
        to_ub = to_ub[offsets["dst_at"]:]
    n = lanes(src, dst)
    instance.vec_conv(n if mask is None else mask, mode, to_ub, from_ub, repeats,
                      8 if dst_rep is None else dst_rep, 8 if src_rep is None else src_rep,
                      deqscale, high)
    return instance


def refusal(*arguments, **named):
    """The text with which a call is refused, or None."""
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            one_call(*arguments, **named)
    except SystemExit as stop:
        return str(stop)
    return None


@pytest.mark.parametrize("soc", CHIPS, ids=" ".join)
def test_what_is_not_in_the_table_is_refused(soc):
    """All pairs of types in all modes. bfloat16 is not on the page."""
    use(soc)
    for src in TYPES:
        for dst in TYPES:
            modes, kind = TABLES[soc].get((src, dst), ([], "None"))
            for mode in MODES:
                text = refusal(src, dst, mode, deqscale_of(kind, dst))
                if mode in modes:
                    assert text is None, (src, dst, mode, text)
                    continue
                assert text is not None and "doesn't support" in text, (src, dst, mode, text)
                assert f"src {src} dst {dst} round_mode '{mode}'" in text
                assert soc[1] in text and text.startswith("current chip: ")


@pytest.mark.parametrize("soc", CHIPS, ids=" ".join)
def test_deqscale_is_there_where_it_must_be(soc):
    use(soc)
    for (src, dst), (modes, kind) in TABLES[soc].items():
        for scale in (None, 0.5, 1, 2**46, [0.5, 3]):
            good = {"None": scale is None, "half": isinstance(scale, float),
                    "word": isinstance(scale, (int, list))}[kind]
            text = refusal(src, dst, modes[0], scale)
            assert (text is None) == good, (src, dst, scale, text)
            if kind == "None" and text:
                assert text.startswith("deqscale should be None for current conv")


@pytest.mark.parametrize("soc", CHIPS, ids=" ".join)
def test_high_half_is_there_where_the_table_has_it(soc):
    """True is an error for every other pair, and on chips without; False is the default."""
    use(soc)
    for (src, dst), (modes, kind) in TABLES[soc].items():
        scale = deqscale_of(kind, dst)
        assert refusal(src, dst, modes[0], scale, high=False) is None
        text = refusal(src, dst, modes[0], scale, high=True)
        if kind == "word":
            assert text is None, (src, dst, text)
            continue
        assert text.startswith("current chip: ") and "doesn't support" in text, text
        assert f"src {src} dst {dst}" in text and "ldst_high_half" in text


# Products that a float rounds onto the middle of two halves, or off it.
TIES = [(57354, 0.1, 5732, 5736), (-57354, 0.1, -5732, -5736), (1025, 3.0, 3076, 3076)]


@pytest.mark.parametrize("in_float", [False, True])
def test_how_often_a_product_is_rounded(in_float, tmp_path, monkeypatch):
    """Once as the page says, or to float32 before."""
    monkeypatch.setenv("VINCI_TIK_DEQ_IN_FLOAT32", str(int(in_float)))
    use(("Ascend310P3",))
    random = np.random.default_rng(11)
    source = np.array([x for x, *_ in TIES] + [0] * 5, np.int32)
    more = random.integers(-600000, 600000, 64 - len(source), np.int32)
    source = np.concatenate([source, more])

    def conversion(scale):
        return kernels.Call(lambda instance, ub: instance.vec_conv(64, "", ub.dst, ub.src, 1, 4, 8,
                                                                   deqscale=scale),
                            ["dst"], dst=np.zeros(64, np.float16), src=source)

    scales = (0.1, 3.0, 2.0**-24)
    for scale, left in zip(scales, kernels.run([conversion(scale) for scale in scales], tmp_path,
                                               monkeypatch)):
        got = left["dst"]
        half = np.float16(scale)
        if in_float:
            wanted = conversions.scaled_halves(source, half, True)
        else:
            wanted = halves_of_exact(source, half)
        assert (got.view(np.uint16) == wanted).all(), scale
        for place, (_, of, once, twice) in enumerate(TIES):
            if of == scale:
                assert got[place] == (twice if in_float else once)


REFUSED = [
    (dict(mode="nearest"), "round_mode: nearest is not supported"),
    (dict(mask=0), "mask value should be in the range of [1, 64]"),
    (dict(mask=65), "mask value should be in the range of [1, 64]"),
    (dict(mask=[0, 0]), "mask value should not be 0"),
    (dict(mask=[1, 1]), "mask of a b32 tensor"),
    (dict(mask=1.0), "not support this type of mask now"),
    (dict(repeats=0), "repeat_times should be in the range of [1, 255]"),
    (dict(repeats=256), "repeat_times should be in the range of [1, 255]"),
    (dict(repeats=1.0), "repeat_times should be int"),
    (dict(dst_rep=-1), "dst_rep_stride should be in the range of [0, 255]"),
    (dict(dst_rep=256), "dst_rep_stride should be in the range of [0, 255]"),
    (dict(src_rep=256), "src_rep_stride should be in the range of [0, 255]"),
    (dict(src_at=1), "Address align error, src"),
    (dict(dst_at=1), "Address align error, dst"),
    (dict(high=1), "ldst_high_half should be bool"),
    (dict(repeats=9), "dst tensor overflow"),
]
ACCEPTED = [dict(mask=1), dict(mask=64), dict(mask=[0, 2**64 - 1]), dict(repeats=8, src_rep=4),
            dict(repeats=255, dst_rep=0, src_rep=0), dict(dst_rep=255), dict(src_rep=255),
            dict(src_at=16), dict(dst_at=8), dict(high=False)]


@pytest.mark.parametrize("changes,words", REFUSED, ids=str)
def test_what_is_refused(changes, words):
    text = refusal("float16", "int32", **{"mode": "round", **changes})
    assert text is not None and text.startswith(words), text


@pytest.mark.parametrize("changes", ACCEPTED, ids=str)
def test_what_is_accepted(changes):
    assert refusal("float16", "int32", "round", **changes) is None


MOST_SCALE = 2**128 - 2**117  # 8 bits of exponent, 10 of fraction


@pytest.mark.parametrize("scale", [MOST_SCALE, -MOST_SCALE, float(MOST_SCALE), 0, -7, 2.0**-149])
def test_scales_that_are_accepted(scale):
    use(("Ascend310P3",))
    assert refusal("int16", "int8", "", [scale, 3]) is None


@pytest.mark.parametrize("scale,words", [
    (["1", 3], "scale of deqscale should be int or float"),
    ([True, 3], "scale of deqscale should be int or float"),
    ([float("inf"), 3], "scale of deqscale should be in the range of a float of 19 bits"),
    ([-float("inf"), 3], "scale of deqscale should be in the range"),
    ([float("nan"), 3], "scale of deqscale should be in the range"),
    ([3.4025e38, 3], "scale of deqscale should be in the range"),
    ([-3.4025e38, 3], "scale of deqscale should be in the range"),
    ([1e39, 3], "scale of deqscale should be in the range"),
    ([10**400, 3], "scale of deqscale should be in the range"),
    ([MOST_SCALE + 1, 3], "scale of deqscale should be in the range"),
    ([math.nextafter(MOST_SCALE, math.inf), 3], "scale of deqscale should be in the range"),
    ([0.5, 3.0], "offset of deqscale should be int"),
    ([0.5, 256], "offset of deqscale"), ([0.5, -257], "offset of deqscale"),
    ([0.5], "deqscale should hold a scale and an offset"), (-1, "deqscale should be in the range"),
    (2**64, "deqscale should be in the range"), (0.5, "deqscale should be int")], ids=str)
def test_scales_that_are_refused(scale, words):
    use(("Ascend310P3",))
    text = refusal("int16", "int8", "", scale)
    assert text is not None and text.startswith(words), text


def test_a_table_of_scales_has_16():
    use(("Ascend310P3",))
    instance = tik.Tik()
    source, result, table = (
        instance.Tensor(dtype, (n,), tik.scope_ubuf, name)
        for name, dtype, n in (("source", "int16", 128), ("result", "int8", 128),
                               ("table", "uint64", 28)))
    instance.vec_conv(128, "", result, source, 1, 8, 8, table[12:])
    with contextlib.redirect_stderr(io.StringIO()), pytest.raises(SystemExit) as caught:
        instance.vec_conv(128, "", result, source, 1, 8, 8, table[16:])
    assert str(caught.value) == (
        "deqscale tensor overflow, 32 elements are needed, but Tensor table has 28 of uint64")


@pytest.mark.parametrize("dst", ["int8", "uint8"])
@pytest.mark.parametrize("high", [False, True])
@pytest.mark.parametrize("form", ["word", "pair", "pair of int", "scalar", "table"])
@pytest.mark.parametrize("soc", [key for key in CHIPS if ("int16", "int8") in TABLES[key]],
                         ids=" ".join)
def test_scale_words(soc, form, dst, high, tmp_path, monkeypatch):
    """int16 to 8 bits with a word in each of its forms; the other half of a block stays."""
    monkeypatch.chdir(tmp_path)
    use(soc)
    random = np.random.default_rng(5)
    sign = 1 << 46 if dst == "int8" else 0
    scales = random.normal(0, 1, 16).astype(np.float32)
    offsets = random.integers(-256, 256, 16)
    words = np.array([sign | int(offset) % 512 << 37 | int(bits)
                      for offset, bits in zip(offsets, scales.view(np.uint32))], np.uint64)
    if form == "pair of int":
        words[0] = sign | int(offsets[0]) % 512 << 37 | 0x40000000
    if form != "table":
        words = np.full(16, words[0])
    source = random.integers(-400, 400, 256).astype(np.int16)

    instance = tik.Tik()
    gm = [instance.Tensor(dtype, (n,), tik.scope_gm, name) for name, dtype, n in
          (("source", "int16", 256), ("words", "uint64", 16), ("before", dst, 512),
           ("after", dst, 512))]
    ub = [instance.Tensor(tensor.dtype, tensor.shape, tik.scope_ubuf, tensor.name + "_ub")
          for tensor in gm[:3]]
    for tensor, target, blocks in zip(gm, ub, (16, 4, 16)):
        instance.data_move(target, tensor, 0, 1, blocks, 0, 0)
    scalar = instance.Scalar("uint64", "word")
    scalar.set_as(ub[1][0])
    scale = {"word": int(words[0]), "pair": [float(scales[0]), int(offsets[0])], "scalar": scalar,
             "pair of int": [2, int(offsets[0])], "table": ub[1]}[form]
    instance.vec_conv(128, "", ub[2], ub[0], 2, 8, 8, scale, high)
    instance.data_move(gm[3], ub[2], 0, 1, 16, 0, 0)
    instance.BuildCCE("dequantize", gm[:3], gm[3:])
    before = random.integers(0, 100, 512).astype(dst)
    after, = instance.tikdb.start_debug({"source": source, "words": words, "before": before}, False)

    wanted = before.reshape(16, 2, 16).copy()
    # Only 19 bits of a scale count.
    wanted[:, int(high)] = conversions.dequantized(
        source, np.tile(words, 16), dst == "int8").reshape(16, 16)
    assert (after.reshape(16, 2, 16) == wanted).all()


SIGN_FORMS = {"scalar": lambda word: word, "expression": lambda word: word | 5 << 37}


@pytest.mark.parametrize("form", SIGN_FORMS)
@pytest.mark.parametrize("dst", ["int8", "uint8"])
@pytest.mark.parametrize("api", ["vec_conv", "vconv"])
def test_a_sign_that_the_run_finds_wrong(api, dst, form, tmp_path, monkeypatch, capsys):
    """Bit 46 of a word that only the run knows: a warning, or a fault with VINCI_TIK_STRICT=1."""
    use(("Ascend310P3",))
    strides = [8, 8] if api == "vec_conv" else [1, 1, 8, 8]

    def conversion(sign):
        def call(instance, ub):
            word = instance.Scalar("uint64", "word", sign << 46 | 0x3F800000)
            getattr(instance, api)(16, "", ub.dst, ub.src, 1, *strides,
                                   deqscale=SIGN_FORMS[form](word))
        return kernels.Call(call, ["dst"], dst=np.zeros(32, dst), src=np.arange(16, dtype="int16"))

    right = int(dst == "int8")
    wanted = np.arange(16) + (5 if form == "expression" else 0)
    for strict, sign in [("0", right), ("0", 1 - right), ("1", right)]:
        monkeypatch.setenv("VINCI_TIK_STRICT", strict)
        left, = kernels.run([conversion(sign)], tmp_path, monkeypatch)
        assert (left["dst"][:16] == wanted).all(), (strict, sign)
        assert ("warning[V2008]" in capsys.readouterr().err) == (sign != right)
    text = kernels.fault(conversion(1 - right), tmp_path, monkeypatch)
    assert text == f"V2001: {api}: deqscale[46] bit when converting int16 to {dst} is {1 - right}"


@pytest.mark.parametrize("sample,count", [(1, 192), (2, 384)])
def test_the_samples_of_the_page(sample, count, tmp_path):
    script = tik_harness.ROOT / "examples" / "vec_conv" / f"sample_{sample}.py"
    run = subprocess.run([sys.executable, "-m", "vinci.tik", "--soc", "Ascend310P3", script],
                         cwd=tmp_path, env=tik_harness.environment(), capture_output=True,
                         text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert f"{count} of {count} values as printed" in run.stdout
    assert ("warning[V2008]" in run.stderr) == (sample == 2)
    strict = subprocess.run([sys.executable, "-m", "vinci.tik", "--soc", "Ascend310P3", script],
                            cwd=tmp_path, env=tik_harness.environment(VINCI_TIK_STRICT="1"),
                            capture_output=True, text=True, check=False)
    assert (strict.returncode == 0) == (sample == 1)
    if sample == 2:
        assert "deqscale[46] bit should be 1 when converting int16 to int8" in strict.stderr
