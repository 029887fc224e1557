"""`vinci cast`: values, bits, digits and reasons against exact fractions, and the page about it."""

import itertools
import json
import os
import re
import shlex

import numpy as np
import pytest

import cast_oracle as oracle
import harness
from cast_oracle import FLOATS, Fraction, INTEGERS, MODES, PAIRS
from cli_kit import check_ok, check_usage
from harness import CHIPS

SEED = int(os.environ.get("VINCI_SEED", "20241123"))
CAST = {"none": 0, "rint": 1, "floor": 2, "ceil": 3, "round": 4, "trunc": 5, "odd": 6}
TIK = {"": 0, "ceiling": 3, "away-zero": 4, "to-zero": 5}


def cast(source, to, *words):
    return harness.vinci("cast", "--from", source, "--to", to, *words)


def objects(source, to, *words):
    done = cast(source, to, "--json", *words)
    check_ok(done)
    return json.loads(done.stdout)


def only(source, to, *words):
    return objects(source, to, *words)[0]


def check_digits(shown, source, to, exact):
    """The cut is where the result's digits end, and its digits are the value's."""
    cut = shown["cut"]
    kept, discarded = Fraction(int(cut["kept"], 2)), cut["discarded"]
    unit = Fraction(2)**cut["unit"]
    rest = Fraction(int(discarded or "0", 2), 2**len(discarded))
    assert cut["unit"] == 0 or (to in FLOATS and to != source)
    if discarded or to in INTEGERS:
        assert (kept + rest) * unit == abs(exact)
    half = Fraction(1, 2)
    assert cut["discards"] == ("nothing" if rest == 0 else "exactly half" if rest == half else
                               "less than half" if rest < half else "more than half")
    if to in FLOATS and to != source and discarded:
        exponent, fraction = FLOATS[to]
        least = 2 - 2**(exponent - 1) - fraction
        assert len(cut["kept"]) == fraction + 1 or (cut["unit"] == least
                                                    and len(cut["kept"]) <= fraction)
    return rest


def check_neighbours(shown, source, to, exact, rest):
    """Those of the type around the value; an integer type may lack them."""
    below, above = shown["below"], shown["above"]
    beyond = to in FLOATS and abs(exact) >= oracle.magnitude(to, oracle.infinity(to))
    if rest == 0 and not beyond:
        assert below is None and above is None
        return
    if to in INTEGERS or source == to:
        floor = exact.numerator // exact.denominator
        assert (Fraction(below["value"]), Fraction(above["value"])) == (floor, floor + 1)
    else:
        low = oracle.bits_below(to, abs(exact))
        low -= low == oracle.infinity(to)
        patterns = [low, low + 1] if exact > 0 else [low + 1, low]
        wanted = [oracle.hexadecimal(to, bits + (oracle.sign_bit(to) if exact < 0 else 0))
                  for bits in patterns]
        assert [below["bits"], above["bits"]] == wanted
    for side in (below, above):
        if side["bits"] is None:
            assert not INTEGERS[to][0] <= int(side["value"]) <= INTEGERS[to][1]
        else:
            assert side["value"] == oracle.text(to, int(side["bits"], 16))
            assert source != to or side["value"] != "-0"


def check_why(result, exact, rest, cut):
    """Its words about digits fit the digits."""
    why = result["why"]
    if rest == 0:
        assert "inexact" not in why and "discarded" in why
        return
    assert why.startswith("inexact") and result["mode"] in why
    assert f"0b{cut['kept']}" in why
    assert (", a tie: " in why) == (rest == Fraction(1, 2) and result["mode"] != "CAST_ODD")
    away = oracle.choose(result["mode"], exact < 0, 0, 1, cut["kept"].endswith("1"), rest)
    assert ("adds 1 to" in why or "sets its last bit" in why) == away
    assert ("keeps" in why) == (not away or result["mode"] == "CAST_ODD")


def check_range(result, source, to, bits, exact, saturate, rounded):
    """It says that a result is out of range exactly if it is."""
    if to in INTEGERS:
        out = not INTEGERS[to][0] <= rounded <= INTEGERS[to][1]
        word = "saturated" if saturate else "its low"
    else:
        ieee = oracle.convert(source, to, bits, result["mode"], False) % oracle.sign_bit(to)
        end = oracle.magnitude(to, oracle.infinity(to))
        out = ieee == oracle.infinity(to) or abs(exact) >= end
        word = "saturated" if saturate and to != "float" else "IEEE 754"
    assert (f"is out of {to}'s range" in result["why"]) == out
    if out:
        assert word in result["why"]
    if to in FLOATS and source != to and exact != 0:
        pattern = int(result["bits"], 16) % oracle.sign_bit(to)
        subnormal = 0 < pattern < 2**FLOATS[to][1]
        assert ("subnormal" in result["why"]) == subnormal
        assert ("the smallest" in result["why"]) == (pattern == 0)


def check_no_number(result, to, exact):
    """What it says of NaN and infinity is what became of them."""
    why, name = result["why"], "NaN" if exact == "nan" else "infinity"
    assert why.startswith(f"{name} stays {name}" if result["value"] == exact else name)
    assert ("stays" in why) == (result["value"] == exact)
    assert "the low" not in why or f"end of {'int64' if to == 'int64' else 'int32'}'s range" in why


def check(shown, source, to, bits, saturate):
    """One object of --json, all modes."""
    exact = oracle.value(source, bits)
    assert (shown["value"], shown["bits"]) == (oracle.text(source, bits),
                                               oracle.hexadecimal(source, bits))
    assert (shown["from"], shown["to"], shown["text_rounded"]) == (source, to, False)
    finite = not isinstance(exact, str)
    assert (shown["cut"] is not None) == finite
    if finite:
        rest = check_digits(shown, source, to, exact)
        check_neighbours(shown, source, to, exact, rest)
    else:
        assert shown["below"] is None and shown["above"] is None
    assert [result["mode"] for result in shown["results"]] == MODES
    for result in shown["results"]:
        wanted = oracle.convert(source, to, bits, result["mode"], saturate)
        assert result["bits"] == oracle.hexadecimal(to, wanted), result["mode"]
        assert result["value"] == oracle.text(to, wanted)
        if finite:
            check_why(result, exact, rest, shown["cut"])
            rounded = oracle.to_integer("int64", exact, result["mode"], False)[0]
            check_range(result, source, to, bits, exact, saturate, rounded)
        else:
            check_no_number(result, to, exact)


def ends(kind):
    """Patterns where something changes: zeros, subnormals, ties, ends of the range, NaN."""
    if kind in INTEGERS:
        least, most = INTEGERS[kind]
        return [number % 2**oracle.width(kind) for number in
                (0, 1, -1 if least else 2, most, most - 1, least, least + 1)]
    fraction, infinity = FLOATS[kind][1], oracle.infinity(kind)
    patterns = [0, 1, 2, 2**fraction - 1, 2**fraction, infinity - 1, infinity, infinity + 1,
                oracle.nan(kind), oracle.sign_bit(kind) - 1]
    return patterns + [oracle.sign_bit(kind) + bits for bits in patterns]


@pytest.mark.parametrize("source, to", PAIRS)
@pytest.mark.parametrize("saturate", [True, False])
def test_numbers_of_all_kinds(source, to, saturate):
    generator = np.random.default_rng([SEED, PAIRS.index((source, to)), saturate])
    patterns = ends(source) + [oracle.random_bits(generator, source) for _ in range(60)]
    shown = objects(source, to, "--overflow", "saturate" if saturate else "wrap",
                    *[f"bits:{bits:#x}" for bits in patterns])
    assert len(shown) == len(patterns)
    for one, bits in zip(shown, patterns):
        try:
            check(one, source, to, bits, saturate)
        except AssertionError as error:
            raise AssertionError(f"seed {SEED}: vinci cast --from {source} --to {to} "
                                 f"bits:{bits:#x}\n{json.dumps(one, indent=1)}") from error


# --- Reading ------------------------------------------------------------------------------------


def nearest(kind, real):
    """Bits of a decimal, ties to even."""
    return oracle.to_float(kind, abs(real), real < 0, "CAST_RINT", False)


def exact_text(real):
    """A Fraction whose denominator is a power of 2."""
    shift = real.denominator.bit_length() - 1
    digits = str(abs(real.numerator) * 5**shift).rjust(shift + 1, "0")
    sign = "-" if real < 0 else ""
    return sign + (digits if shift == 0 else f"{digits[:-shift]}.{digits[-shift:]}")


@pytest.mark.parametrize("kind", FLOATS)
def test_texts_near_the_middle_of_two_numbers_are_rounded_once(kind):
    generator = np.random.default_rng([SEED, list(FLOATS).index(kind)])
    to, cases = ("half" if kind == "float" else "float"), []
    for bits in [0, oracle.infinity(kind) - 1, *generator.integers(
            0, oracle.infinity(kind) - 1, 40)]:
        low, high = (oracle.magnitude(kind, int(bits) + more) for more in (0, 1))
        middle = exact_text((low + high) / 2)
        point = middle if "." in middle else middle + "."
        almost = exact_text((low + high) / 2 - (high - low) / 2**90)
        cases += [middle, point + "0" * 50 + "1", almost, "-" + middle, exact_text(low)]
    for shown, text in zip(objects(kind, to, *cases), cases):
        bits = nearest(kind, Fraction(text.rstrip(".")))
        assert shown["text"] == text
        assert shown["bits"] == oracle.hexadecimal(kind, bits), text
        assert shown["text_rounded"] == (oracle.value(kind, bits) != Fraction(text)), text


@pytest.mark.parametrize("kind, text, bits, rounded", [
    ("half", "1.", 0x3C00, False), ("half", ".5", 0x3800, False), ("half", "+1e0", 0x3C00, False),
    ("half", "-.5E+1", 0xC500, False), ("half", "0x1.8p-3", 0x3200, False),
    ("half", "-0X.8P1", 0xBC00, False), ("half", "0x10", 0x4C00, False),
    ("half", "0x1.002p0", 0x3C00, True),
    ("half", "0x1.002000000000000000000000001p0", 0x3C01, True),
    ("half", "0x1.0060000000000000000p0", 0x3C02, True), ("half", "-0", 0x8000, False),
    ("half", "0x0p99999999999", 0, False), ("half", "0e99999999999", 0, False),
    ("half", "65519.9", 0x7BFF, True), ("half", "65520", 0x7C00, True),
    ("half", "-1e400", 0xFC00, True), ("half", "0x1p99999999999", 0x7C00, True),
    ("half", "1e-400", 0, True), ("half", "0x1p-99999999999", 0, True),
    ("half", "inf", 0x7C00, False),
    ("half", "-inf", 0xFC00, False), ("half", "nan", 0x7E00, False),
    ("float", "0.1", 0x3DCCCCCD, True), ("float", "1.7976931348623159e308", 0x7F800000, True),
    ("float", "1" + "0" * 400, 0x7F800000, True), ("float", "0." + "0" * 400 + "1", 0, True),
    ("float", "0x1p-149", 1, False), ("float", "0x1p-150", 0, True),
    ("float", "0x1.0000000000000000000000001p-150", 1, True),
    ("bfloat16", "bits:0x7FC1", 0x7FC1, False), ("half", "bits:0b11", 3, False),
    ("int8", "-128", 0x80, False), ("int8", "+127", 0x7F, False),
    ("int8", "bits:0XFF", 0xFF, False),
    ("int4", "-8", 8, False), ("int4", "bits:0B1111", 15, False),
    ("uint32", "4294967295", 2**32 - 1, False),
    ("int64", "-9223372036854775808", 2**63, False),
    ("int64", "bits:0xFFFFFFFFFFFFFFFF", 2**64 - 1, False),
])
def test_forms_of_numbers(kind, text, bits, rounded):
    shown = only(kind, "bfloat16" if kind == "float" else "float", text)
    assert (shown["bits"], shown["text_rounded"]) == (oracle.hexadecimal(kind, bits), rounded)


@pytest.mark.parametrize("kind, text, legal", [
    *[("float", text, "decimal (0.5, -1e-3), hexadecimal (0x1.8p-3), inf, -inf, nan, or the bits")
      for text in ("", " ", "x", "1,5", "1.5f", " 1", "1 ", "1e", "1e+", "e5", ".", "-", "+", "0x",
                   "0x.p1", "0x1g", "0x1p", "1.2.3", "1p3", "-nan", "infinity", "nan(1)", "Inf",
                   "1_0", "-i", "run")],
    *[("int8", text, "-128..127")
      for text in ("128", "-129", "1.5", "1e1", "0x10", "", "x", "inf", "nan",
                   "99999999999999999999", "+-1", "-", "+")],
    ("uint8", "-1", "0..255"), ("uint8", "256", "0..255"), ("int4", "8", "-8..7"),
    ("int4", "-9", "-8..7"), ("uint32", "4294967296", "0..4294967295"),
    ("int64", "9223372036854775808", "-9223372036854775808..9223372036854775807"),
    ("int4", "bits:0x10", "up to 4 bits"), ("half", "bits:0x10000", "up to 16 bits"),
    ("half", "bits:12", "bits:0x1 or bits:0b1"), ("half", "bits:0b2", "up to 16 bits"),
    ("half", "bits:", "up to 16 bits"), ("half", "bits:0x", "up to 16 bits"),
    ("half", "bits:0x-1", "up to 16 bits"), ("half", "bits:-0x1", "up to 16 bits"),
    ("int64", "bits:0x10000000000000000", "up to 64 bits"),
])
def test_what_is_no_number_is_refused_and_nothing_is_printed(kind, text, legal):
    done = cast(kind, "bfloat16", "1", text)
    check_usage(done, f"{text or chr(39) * 2} is no number of {kind}; legal: ", legal)
    assert done.stdout == ""


# --- The command line ---------------------------------------------------------------------------


def test_negative_numbers_need_no_dashes_and_keep_their_place():
    numbers = ["1", "-1.5", "-.5", "-inf", "-0x1p3", "2", "-1e3"]
    assert [shown["text"] for shown in objects("float", "half", *numbers)] == numbers
    assert [shown["text"] for shown in objects("float", "half", "-3", "--", "-4", "5")] == [
        "-3", "-4", "5"]


@pytest.mark.parametrize("name, mode", [
    *CAST.items(), *TIK.items(), *[(f"CAST_{name.upper()}", mode) for name, mode in CAST.items()]])
def test_a_mode_by_each_of_its_names(name, mode):
    results = only("float", "int8", "--mode", name, "1")["results"]
    assert [result["mode"] for result in results] == [MODES[mode]]


def test_round_is_said_to_be_cast_round():
    reminder = "round is CAST_ROUND, ties away from 0; TIK's 'round' is CAST_RINT"
    done = cast("float", "int8", "--mode", "round", "2.5")
    assert reminder in done.stdout and "result    3 = 0x03" in done.stdout
    for mode in ("CAST_ROUND", "away-zero", "rint"):
        assert reminder not in cast("float", "int8", "--mode", mode, "2.5").stdout


@pytest.mark.parametrize("name", ["ROUND", "Rint", "cast_rint", "CAST_", "zero", "CAST_round", " "])
def test_an_unknown_mode_is_refused_with_all_names(name):
    done = cast("float", "int8", "--mode", name, "2.5")
    check_usage(done, f"--mode {name}: no round mode", *CAST, *MODES, *[f"'{tik}'" for tik in TIK])
    assert done.stdout == ""


@pytest.mark.parametrize("source, to, words", [
    ("double", "half", ["--from double", *oracle.TYPES]), ("half", "uint64", ["--to uint64"]),
    ("Half", "float", ["--from Half"]), ("half", "", ["--to : no type", *oracle.TYPES]),
    ("half", "half", ["half to half: nothing to convert"]),
    ("int64", "int64", ["int64 to int64: nothing to convert"])])
def test_types_without_a_conversion_are_refused(source, to, words):
    check_usage(cast(source, to, "1"), *words)


@pytest.mark.parametrize("words, phrases", [
    (["--overflow", "clip"], ["--overflow clip", "saturate, inf"]),
    (["--soc", "Ascend999"], ["unknown chip Ascend999", "Ascend310P3"]),
    (["--soc", "Ascend999", "--overflow", "wrap"], ["unknown chip Ascend999"]),
    (["--1"], ["cast has no option --1"]), (["--fly"], ["cast has no option --fly"]),
    (["--mod=odd"], ["cast has no option --mod=odd"]),
    (["--mode"], ["--mode"]), (["-5x"], ["-5x is no number of float"])])
def test_options_without_sense_are_refused(words, phrases):
    check_usage(cast("float", "half", "1", *words), *phrases)


def test_infinity_is_no_way_for_an_integer_to_overflow():
    check_usage(cast("float", "int8", "--overflow", "inf", "1"), "--overflow inf: not for int8",
                "saturate, wrap")


def test_what_is_missing_is_named():
    check_usage(cast("float", "half"), "cast needs a NUMBER")
    check_usage(harness.vinci("cast", "--from", "half", "1"), "--to")
    check_usage(harness.vinci("cast", "--to", "half", "1"), "--from")


def test_help_names_what_there_is():
    done = harness.vinci("cast", "--help")
    check_ok(done)
    for word in ("--from", "--to", "--mode", "--overflow", "--soc", "--json", "NUMBER", "bits:0x",
                 *oracle.TYPES, *CAST):
        assert word in done.stdout
    assert "cast" in harness.vinci("--help").stdout


# --- The default of the chip --------------------------------------------------------------------


@pytest.mark.parametrize("arch, soc", CHIPS.items())
def test_floats_overflow_as_the_chip_does_and_integers_saturate(arch, soc):
    saturates = arch in ("1000", "1001", "2002")
    big, nan = objects("float", "half", "--soc", soc, "--mode", "rint", "1e6", "nan")
    assert big["results"][0]["value"] == ("65504" if saturates else "inf")
    assert nan["results"][0]["value"] == ("0" if saturates else "nan")
    assert f"the default of {soc}" in big["results"][0]["why"]
    assert big["overflow"] == ("saturate" if saturates else "inf")
    small = only("half", "int8", "--soc", soc, "--mode", "rint", "300")
    assert (small["results"][0]["value"], small["overflow"]) == ("127", "saturate")


@pytest.mark.parametrize("source, to, number, soc", [
    ("float", "half", "3.4e38", "Ascend310P3"), ("float", "bfloat16", "3.4e38", "Ascend910B1"),
    ("bfloat16", "half", "1e38", "Ascend910B1")])
def test_without_a_chip_one_that_has_the_types_counts(source, to, number, soc):
    why = only(source, to, "--mode", "rint", number)["results"][0]["why"]
    assert f"(the default of {soc})" in why


@pytest.mark.parametrize("to, how, value, overflow", [
    ("half", "saturate", "-65504", "saturate"), ("half", "wrap", "-inf", "inf"),
    ("half", "inf", "-inf", "inf"), ("float", "saturate", "-100000", "inf"),
    ("int8", "saturate", "-128", "saturate"), ("int8", "wrap", "96", "wrap")])
def test_overflow_is_what_the_option_says(to, how, value, overflow):
    shown = only("int32", to, "--overflow", how, "--mode", "rint", "-100000")
    assert (shown["results"][0]["value"], shown["overflow"]) == (value, overflow)
    assert (f"(--overflow {how})" in shown["results"][0]["why"]) == (to != "float")


# --- The examples of the vec_conv page ----------------------------------------------------------

TIK_MODES = ["round", "floor", "ceil", "away-zero", "to-zero", "odd"]
# Number on the page, types, input, results in the order of TIK_MODES; one: without a mode. Items
# 15, 16 and 18 have a scale, which this command has not.
EXAMPLES = [
    (1, "float", "float", 0.5, [0, 0, 1, 1, 0]),
    (2, "float", "half", 0.5 + 2**-12, [0.5, 0.5, 0.5 + 2**-11, 0.5 + 2**-11, 0.5, 0.5 + 2**-11]),
    (3, "float", "int64", 2**22 + 0.5, [2**22, 2**22, 2**22 + 1, 2**22 + 1, 2**22]),
    (4, "float", "int32", 2**22 + 0.5, [2**22, 2**22, 2**22 + 1, 2**22 + 1, 2**22]),
    (5, "float", "int16", 2**22 + 0.5, [2**15 - 1] * 5),
    (6, "half", "float", 1.5 - 2**-10, [1.5 - 2**-10]),
    (7, "half", "int32", -1.5, [-2, -2, -1, -2, -1]),
    (8, "half", "int16", 2**7 - 0.5, [2**7, 2**7 - 1, 2**7, 2**7, 2**7 - 1]),
    (9, "half", "int8", 2**7 - 0.5, [2**7 - 1] * 5),
    (10, "half", "uint8", 1.75, [2, 1, 2, 2, 1]),  # the page: 2 for 'to-zero', a misprint
    (11, "uint8", "half", 1, [1]),
    (12, "int8", "half", -1, [-1]),
    (13, "int16", "half", 2**12 + 2, [2**12, 2**12, 2**12 + 4, 2**12 + 4, 2**12]),
    (14, "int16", "float", 2**15 - 1, [2**15 - 1]),
    (17, "int32", "float", 2**25 + 3, [2**25 + 4, 2**25, 2**25 + 4, 2**25 + 4, 2**25]),
    (19, "int32", "int64", 2**31 - 1, [2**31 - 1]),
    (20, "int32", "int16", 2**31 - 1, [2**15 - 1]),
    (21, "int64", "int32", 2**31, [2**31 - 1]),
    # The page: 2**25 for 2**35 in all results but the first, a misprint.
    (22, "int64", "float", 2**35 + 2**12 + 2**11,
     [2**35 + 2**13, 2**35 + 2**12, 2**35 + 2**13, 2**35 + 2**13, 2**35 + 2**12]),
]


@pytest.mark.parametrize("item, source, to, given, wanted", EXAMPLES, ids=lambda x: str(x)[:12])
def test_the_examples_of_the_vec_conv_page(item, source, to, given, wanted):
    modes = [""] if len(wanted) == 1 else TIK_MODES[:len(wanted)]
    for mode, value in zip(modes, wanted):
        words = ["--mode", "rint" if mode == "round" else mode, repr(given)]
        got = Fraction(only(source, to, *words)["results"][0]["value"])
        assert got == Fraction(value), (item, mode)


# --- As text ------------------------------------------------------------------------------------


def test_the_text_shows_what_the_object_has():
    for source, to, number in [("float", "half", "0.1"), ("half", "int16", "-2.25"),
                               ("int32", "bfloat16", "257"), ("float", "float", "3.5")]:
        shown = only(source, to, number)
        lines = cast(source, to, number).stdout.splitlines()
        assert lines[0] == f"{number}, {source} to {to}"
        assert lines[1].split()[1].rstrip(",") == shown["value"]
        fields = re.split(r"[=\s]+", lines[2].strip())
        assert fields[1] == shown["bits"]
        assert int(fields[2].replace("|", ""), 2) == int(shown["bits"], 16)
        if source in FLOATS:
            assert [len(field) for field in fields[2].split("|")] == [1, *FLOATS[source]]
        for line, side in zip(lines[3:5], ("below", "above")):
            assert line.split() == [side, shown[side]["value"], "=", shown[side]["bits"]]
        cut = shown["cut"]
        assert lines[5].startswith(
            f"  cut       {'-' * number.startswith('-')}{cut['kept']}|{cut['discarded']}: "
            f"{cut['discards']} of the last kept digit, 2^{cut['unit']}, is discarded")
        rows = {line.split()[0]: line.split()[-2:] for line in lines[6:13]}
        assert rows == {one["mode"]: [one["value"], one["bits"]] for one in shown["results"]}
        for one in shown["results"]:
            done = cast(source, to, "--mode", one["mode"], number)
            assert done.stdout.splitlines()[-1] == f"  why       {one['why']}"
            assert f"  result    {one['value']} = {one['bits']} = " in done.stdout


@pytest.mark.parametrize("number, words", [
    ("1e-40", ["the float nearest to 1e-40, subnormal",
               "note      the smallest half above 0 is 2^-24",
               "note      subnormal: below 2^-14 the last digit of half is always 2^-24"]),
    ("1e39", ["value     inf: 1e39 is beyond the largest float, "
              "340282346638528859811704183484516925440"]),
    ("70000", ["note      70016 is out of half's range, -65504..65504: saturated"]),
    ("1", ["why       exact: only zeros are discarded"])])
def test_all_modes_tell_what_happens_at_the_ends_of_the_range(number, words):
    text = cast("float", "half", number).stdout
    for word in words:
        assert word in text


def blocks_of(page):
    """Indented blocks; an empty line within one belongs to it if what follows is not a command."""
    blocks = []
    for indented, lines in itertools.groupby(page.splitlines(), lambda line: line == "" or
                                             line.startswith("    ")):
        if indented:
            blocks.append("\n".join(line[4:] for line in lines).strip("\n"))
    return [block for block in blocks if block.startswith("vinci cast ")]


def test_the_examples_of_the_guide_are_what_the_program_prints():
    examples = [block.partition("\n\n") for block in
                blocks_of((harness.ROOT / "docs" / "guide" / "cast.md").read_text())]
    shown = [(command, output) for command, _, output in examples if output]
    assert len(shown) == 3
    for command, output in shown:
        done = harness.vinci(*shlex.split(command)[1:])
        check_ok(done)
        assert done.stdout == output + "\n"
