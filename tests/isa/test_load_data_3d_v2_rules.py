"""LoadData 3D v2, SetFmatrix and SetLoadDataPaddingValue: every limit from both sides."""

import pytest

from batches import check_rules, check_told
from cases import TYPES, check, check_refused, verdict
from fractals import FRACTAL
from harness import CHIPS
from image_to_column import A2, B1, B2, SET_LEFT, SET_PADDING, SET_RIGHT, SUPPORTED, WITH
from image_to_column import ImageToColumn, c0_of, ends_in_a_fractal
from test_load_data_3d_v2 import EVERYWHERE, LOAD, elements, plain

GM, CO1, VECIN = 0, 7, 9

# One pixel, one point of the filter, one fractal.
SMALL = {"h": 1, "w": 1, "filter_w": 1, "filter_h": 1, "left": 0, "right": 0, "top": 0, "bottom": 0,
         "m_ext": 16, "k_ext": 16}
PADS = {"left": 255, "right": 255, "top": 255, "bottom": 255}
# The 6x6 map with its 3x3 filter has 36 rows, up to 48, and 144 columns.
WHOLE = {"m_ext": 36, "k_ext": 16}
RULES = [
    ("h 1", {"h": 1, "m_ext": 6}, None),
    ("h 32767", SMALL | {"h": 32767}, None), ("h 32768", SMALL | {"h": 32768}, "V2001"),
    ("w 1", {"w": 1, "m_ext": 6}, None),
    ("w 32767", SMALL | {"w": 32767}, None), ("w 32768", SMALL | {"w": 32768}, "V2001"),
    ("h 0", {"h": 0}, "V2001"), ("w 0", {"w": 0}, "V2001"),
    ("channels 0", {"channels": 0}, "V2001"), ("channels 4", {"channels": 4, "k_ext": 16}, None),
    ("mExtension 0", {"m_ext": 0}, "V2001"), ("kExtension 0", {"k_ext": 0}, "V2001"),
    ("filterW 0", {"filter_w": 0}, "V2001"), ("filterW 1", {"filter_w": 1}, None),
    ("filterH 0", {"filter_h": 0}, "V2001"), ("filterH 1", {"filter_h": 1}, None),
    ("strideW 0", {"stride_w": 0}, "V2001"), ("strideH 0", {"stride_h": 0}, "V2001"),
    ("strideW 63", {"stride_w": 63, "m_ext": 6}, None),
    ("strideH 63", {"stride_h": 63, "m_ext": 6}, None),
    ("strideW 64", {"stride_w": 64, "m_ext": 6}, "V2001"),
    ("strideH 64", {"stride_h": 64, "m_ext": 6}, "V2001"),
    ("filterW 255", PADS | {"filter_w": 255}, None),
    ("filterH 255", PADS | {"filter_h": 255}, None),
    ("filterW 511", PADS | {"filter_w": 255, "size_w": 1}, None),
    ("filterH 511", PADS | {"filter_h": 255, "size_h": 1}, None),
    ("filterW as wide as the padded map", {"filter_w": 8, "m_ext": 6}, None),
    ("filterW wider than the padded map", {"filter_w": 9, "m_ext": 6}, "V2004"),
    ("filterH as high as the padded map", {"filter_h": 8, "m_ext": 6}, None),
    ("filterH higher than the padded map", {"filter_h": 9, "m_ext": 6}, "V2004"),
    ("filterW dilated as wide", {"dilation_w": 3, "w": 5, "m_ext": 6}, None),
    ("filterW dilated wider", {"dilation_w": 4, "w": 5, "m_ext": 6}, "V2004"),
    ("filterH dilated as high", {"dilation_h": 3, "h": 5, "m_ext": 6}, None),
    ("filterH dilated higher", {"dilation_h": 4, "h": 5, "m_ext": 6}, "V2004"),
    ("filterW wider by far, with a long stride",
     {"filter_w": 20, "stride_w": 63, "m_ext": 6}, "V2004"),
    ("dilationFilterW 0", {"dilation_w": 0}, "V2001"),
    ("dilationFilterH 0", {"dilation_h": 0}, "V2001"),
    ("dilationFilterW 255", PADS | {"filter_w": 2, "dilation_w": 255}, None),
    ("dilationFilterH 255", PADS | {"filter_h": 2, "dilation_h": 255}, None),
    ("pads 255", PADS, None),
    ("kStartPt 16", {"k_start": 16}, None), ("kStartPt 8", {"k_start": 8}, "V2002"),
    ("kStartPt of the last block", {"k_start": 128, "k_ext": 16}, None),
    ("kExtension to the last column", {"k_start": 96, "k_ext": 48}, None),
    ("kExtension beyond the last column", {"k_start": 112, "k_ext": 48}, "V2004"),
    ("kExtension that ends inside", {"k_ext": 40}, "V2002"),
    ("kExtension that ends before the last block", {"k_start": 96, "k_ext": 24}, "V2002"),
    ("kExtension that ends in the last block", {"k_start": 96, "k_ext": 33}, None),
    ("kExtension in the last block alone", {"k_start": 128, "k_ext": 1}, None),
    ("mStartPt 16", {"m_start": 16}, None),
    ("mExtension to the last row", WHOLE, None),
    ("mExtension to the end of the last fractal", WHOLE | {"m_ext": 48}, None),
    ("mExtension beyond the last fractal", WHOLE | {"m_ext": 49}, "V2004"),
    ("mStartPt and mExtension to the end", WHOLE | {"m_start": 32, "m_ext": 16}, None),
    ("mStartPt and mExtension beyond the end", WHOLE | {"m_start": 32, "m_ext": 17}, "V2004"),
    ("dst just enough", {"dst_n": 6 * 256}, None),
    ("dst one short", {"dst_n": 6 * 256 - 1}, "V1001"),
    ("dst of a partial row block one short",
     {"m_start": 16, "m_ext": 17, "dst_n": 6 * 256 - 1}, "V1001"),
    ("dst of transposition just enough", {"transpose": 1, "dst_n": 6 * 256}, None),
    ("dst of transposition one short", {"transpose": 1, "dst_n": 6 * 256 - 1}, "V1001"),
    ("dst in B2 just enough", {"dst_pos": B2, "dst_n": 6 * 256}, None),
    ("dst in B2 one short", {"dst_pos": B2, "dst_n": 6 * 256 - 1}, "V1001"),
    ("src just enough", {"m_ext": 48, "src_n": 36 * 16}, None),
    ("src one short", {"m_ext": 48, "src_n": 36 * 16 - 1}, "V1001"),
    ("src of the upper part only", {"m_ext": 16, "k_ext": 16, "src_n": 15 * 16}, None),
    ("src of the upper part one short", {"m_ext": 16, "k_ext": 16, "src_n": 9 * 16 - 1}, "V1001"),
    ("only the pad", SMALL | {"top": 4, "src_n": 0, "w": 4, "h": 1, "m_ext": 16}, None),
    ("dst misaligned", {"dst": 256}, "V1004"), ("dst aligned", {"dst": 512}, None),
    ("src misaligned", {"src": 16, "src_n": 4096}, "V1004"),
    ("src aligned", {"src": 32, "src_n": 4096}, None),
    ("src in B1", {"src_pos": B1}, None),
    ("src in UB", {"src_pos": VECIN}, "V1005"), ("src in GM", {"src_pos": GM}, "V1005"),
    ("src in A2", {"src_pos": A2}, "V1005"),
    ("dst in UB", {"dst_pos": VECIN, "visible": 0}, "V1005"),
    ("dst in L1", {"dst_pos": B1, "visible": 0}, "V1005"),
    ("dst in L0C", {"dst_pos": CO1, "visible": 0}, "V1005"),
    ("bytes transposed", {"type": TYPES.index("int8"), "transpose": 1, "channels": 32, "k_ext": 32},
     "V2004"),
    ("enTranspose has no effect in B2", {"transpose": 1, "dst_pos": B2}, None),
]


@pytest.mark.parametrize("chip", WITH)
def test_rules(chip):
    check_rules(LOAD, chip, [(plain(chip, **changes), code) for _, changes, code in RULES])


@pytest.mark.parametrize("chip", WITH)
def test_no_field_hides_another(chip):
    """Each number that is 0 where ranges start at 1 is told, if no field is set at all too."""
    names = {"h": "l1H", "w": "l1W", "channels": "channelSize", "m_ext": "mExtension",
             "k_ext": "kExtension"}
    for zeros in (names, names | {"stride_w": "strideW", "filter_h": "filterH"},
                  {"h": "l1H", "stride_w": "strideW"}):
        run = verdict(LOAD, chip, plain(chip, **dict.fromkeys(zeros, 0)))
        assert {*run.codes} == {"V2001"} and run.code == 1
        assert sorted(fault["message"] for fault in run.faults) == sorted(
            f"LoadData (3D v2): {name} 0 is not legal on {CHIPS[chip]}" for name in zeros.values())


PACKED = [({"stride_w": 64}, "V2001"), ({"stride_h": 0}, "V2001"), ({"dilation_w": 0}, "V2001"),
          ({"dilation_h": 0}, "V2001"), ({"filter_w": 9}, "V2004"), ({"filter_h": 9}, "V2004"),
          ({"k_start": 8}, "V2002"), ({"k_ext": 40}, "V2002"), ({"m_ext": 49}, "V2004"),
          ({"m_start": 32}, "V2004"), ({"channels": 17}, "V2002"),
          ({"filter_w": 0}, "V2001"), ({"filter_h": 0}, "V2001"), ({"m_ext": 0}, "V2001"),
          ({"k_ext": 0}, "V2001"), ({"channels": 0}, "V2001"), ({}, None)]


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("form", (3, 4))
def test_the_packed_form_has_the_same_limits(chip, form):
    """Each field of LoadData3DParamsV2Pro, one step too far."""
    base = plain(chip, form=form, setup=SET_LEFT | SET_PADDING)
    check_rules(LOAD, chip, [(base | changes, code) for changes, code in PACKED])


@pytest.mark.parametrize("chip, dtype", EVERYWHERE)
def test_channels(chip, dtype):
    """Every number from 1 to two blocks and a half: legal, or refused."""
    c0 = c0_of(plain(chip, dtype))
    rests = {64: (0, 8, 16, 32), 32: (0, 4, 8, 16), 16: (0, 4, 8), 8: (0, 4)}[c0]
    rules = []
    for channels in range(1, 5 * c0 // 2):
        whole = -(-9 * (channels % c0) // c0) * c0 + channels // c0 * 9 * c0
        rules.append((plain(chip, dtype, channels=channels, k_ext=min(2 * c0, whole), m_ext=16),
                      None if channels % c0 in rests else "V2002"))
    check_rules(LOAD, chip, rules)


@pytest.mark.parametrize("chip", WITH)
@pytest.mark.parametrize("dst_pos, transpose", ((A2, 0), (A2, 1), (B2, 0)))
def test_rows_that_are_not_whole_fractals(chip, dst_pos, transpose):
    """Of 36 rows the last fractal starts at 32: rows that end above it are told, and computed."""
    def case(m_start, m_ext):
        return plain(chip, m_start=m_start, m_ext=m_ext, dst_pos=dst_pos, transpose=transpose)

    told = [case(*rows) for rows in ((1, 16), (8, 16), (15, 16), (17, 15), (0, 1), (0, 8), (0, 15),
                                     (0, 17), (16, 1), (3, 29), (31, 1))]
    assert all(ends_in_a_fractal(rows, chip) for rows in told)
    check_told(LOAD, chip, told, "V2011")
    check_rules(LOAD, chip, [(case(*rows), None) for rows in (
        (0, 16), (16, 16), (16, 17), (17, 16), (31, 2), (1, 35), (0, 33), (0, 36), (33, 3), (35, 1),
        (40, 8))] + [(case(40, 9), "V2004")])


def test_the_text_on_rows_that_are_not_whole_fractals():
    """With the numbers, once for a line."""
    run = check_told(LOAD, "2201", [plain("2201", m_start=8, m_ext=16)] * 3, "V2011")
    assert [fault["message"] for fault in run.faults] == [
        "LoadData (3D v2): mStartPt 8 and mExtension 16 are not whole fractals, and end above the "
        "last one of 36 rows; the last fractal is made whole"]
    assert run.faults[0]["legal"] == "multiples of 16, or a sum above 32"
    assert run.faults[0]["count"] == 3


@pytest.mark.parametrize("chip", WITH)
def test_small_k_is_told_and_ignored(chip):
    for form in (0, 1, 2):
        check_told(LOAD, chip, [plain(chip, small_k=1, form=form)], "V2008")
    check_told(LOAD, chip, [plain(chip, small_k=1, form=3, setup=SET_LEFT | SET_PADDING)], "V2008")


@pytest.mark.parametrize("chip", WITH)
def test_narrow_elements_to_b2(chip):
    """The documents list bytes for the 310P and not how they lie; others do not take them."""
    for dtype in SUPPORTED[chip]:
        case = plain(chip, dtype, dst_pos=B2)
        if dtype in ("int8", "uint8", "int4"):
            run = check_refused(LOAD, chip, case, "V7001" if chip == "2002" else "V2004")
            assert f"{dtype} to B2" in run.faults[0]["message"]
            assert run.faults[0]["legal"] == (f"half to B2, or {dtype} to A2" if chip == "2002" else
                                              "16- and 32-bit elements to B2")
        else:
            check(LOAD, chip, [case])


@pytest.mark.parametrize("chip", WITH)
def test_extent_faults_name_the_parameters(chip):
    """A destination or source that is too small: what decides how far the bytes reach."""
    run = verdict(LOAD, chip, plain(chip, dst_n=6 * 256 - 1))
    assert run.faults[0]["message"].endswith(" (mExtension 32, kExtension 48)")
    run = verdict(LOAD, chip, plain(chip, src_n=16))
    assert run.faults[0]["message"].endswith(
        " (channelSize 16, mStartPt 0, mExtension 32, kStartPt 0, kExtension 48)")


# 65536 rows of pads alone, but for a map of 200 rows.
TALL = SMALL | {"h": 200, "w": 1, "left": 127, "top": 255, "bottom": 57, "m_ext": 16}


@pytest.mark.parametrize("chip", WITH)
def test_the_largest_m_start(chip):
    """All of 16 bits, as the page has it for every chip."""
    check_rules(LOAD, chip, [(plain(chip, **TALL, m_start=65520), None),
                             (plain(chip, **TALL, m_start=32768), None),
                             (plain(chip, **TALL | {"m_ext": 1}, m_start=65535), None)])
    check_told(LOAD, chip, [plain(chip, **TALL, m_start=32767)], "V2011")


@pytest.mark.parametrize("chip", WITH)
def test_the_largest_k_start(chip):
    wide = plain(chip, **SMALL) | {"filter_w": 64, "filter_h": 64, "left": 63, "top": 63,
                                   "k_start": 65520, "k_ext": 16}
    check_rules(LOAD, chip, [(wide, None), (wide | {"k_ext": 32}, "V2004")])


@pytest.mark.parametrize("chip", WITH)
def test_all_of_l0(chip):
    """128 fractals of L0A or L0B, and one row block more."""
    full = ImageToColumn(128, 16384)
    for place in (A2, B2):
        case = plain(chip, subject=full, dst_pos=place, h=8, w=8, filter_w=4, filter_h=8, top=3,
                     bottom=4, left=1, right=2, m_ext=64, k_ext=512)
        check(full, chip, [case, case | {"transpose": 1}])
        check_refused(full, chip, case | {"dst": FRACTAL, "dst_n": 1 << 15}, "V1002")


@pytest.mark.parametrize("chip", WITH)
def test_the_end_of_l1(chip):
    size = (512 if chip == "2201" else 1024) << 10
    case = plain(chip, **SMALL, visible=0, src_n=16)
    assert verdict(LOAD, chip, case | {"src": size - 32}).codes == []
    check_refused(LOAD, chip, case | {"src": size}, "V1002")


class AfterRefusedSetting(ImageToColumn):
    """The setting is refused; the load after it, which does not use it, is right all the same."""

    def untouched(self, case, chip, before):
        return self.expected(case, chip, before)


@pytest.mark.parametrize("chip", WITH)
def test_set_fmatrix_limits(chip):
    subject = AfterRefusedSetting()
    check_rules(subject, chip, [
        (plain(chip, setup=bit) | {prefix + side: value}, code)
        for side in "hw" for bit, prefix in ((SET_LEFT, "l_"), (SET_RIGHT, "r_"))
        for value, code in ((0, "V2001"), (1, None), (32767, None), (32768, "V2001"))])


@pytest.mark.parametrize("chip", WITH)
def test_types(chip):
    for dtype in TYPES:
        if dtype not in SUPPORTED[chip]:
            check_refused(LOAD, chip, plain(chip, visible=0, type=TYPES.index(dtype)), "V6002")


PADDING_TYPES = {"2002": ["int8", "uint8", "int16", "uint16", "half", "int64", "uint64"],
                 "2201": TYPES}
PADDING_TYPES["3002"], PADDING_TYPES["1001"] = PADDING_TYPES["2201"], PADDING_TYPES["2002"]


@pytest.mark.parametrize("chip", PADDING_TYPES)
def test_types_of_the_padding_value(chip):
    """The first fault of its class ends the kernel: of the setting, or of the load behind it."""
    for dtype in TYPES:
        case = plain(chip, visible=0, setup=SET_PADDING) | {"type": TYPES.index(dtype)}
        case |= {"channels": c0_of(case), "k_ext": c0_of(case), "m_ext": 16,
                 "dst_n": elements(dtype, LOAD.dst_bytes), "src_n": elements(dtype, LOAD.src_bytes)}
        run = verdict(LOAD, chip, case)
        if dtype not in PADDING_TYPES[chip]:
            assert run.codes == ["V6002"] and "SetLoadDataPaddingValue" in run.faults[0]["message"]
        elif chip in WITH and dtype in SUPPORTED[chip]:
            assert run.codes == []
        else:
            assert run.codes == ["V6001" if chip == "1001" else "V6002"]
            assert "LoadData" in run.faults[0]["message"]


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(WITH)))
def test_chip_without_3d_v2(chip):
    """The 910 has the two settings, for 3D v1."""
    for setup, name in ((0, "LoadData"), (SET_LEFT, "SetFmatrix"), (SET_RIGHT, "SetFmatrix"),
                        (SET_PADDING, "SetLoadDataPaddingValue")):
        run = check_refused(LOAD, chip, plain(chip, setup=setup), "V6001")
        assert ("LoadData (3D v2)" if chip == "1001" else name) in run.faults[0]["message"]
