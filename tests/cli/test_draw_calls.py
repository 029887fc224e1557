"""`vinci draw` as a command: options, refusals, files, and what every picture has."""

import pathlib
import subprocess
import sys

import pytest

import harness
from draw_kit import CHIP_310P, CHIP_910A, CHIP_910B, Picture, SVG, draw

LOAD_2D, V1, V2 = "load_data_2d", "load_data_3d_v1", "load_data_3d_v2"
TRANSPOSE = "load_data_with_transpose"
INSTRUCTIONS = [LOAD_2D, V1, V2, TRANSPOSE, "format", "mmad"]

# Each option with a value other than the default, and what else it needs to have an effect.
OPTIONS = [(what, {}, {"--type": "int8"}) for what in INSTRUCTIONS]
OPTIONS += [(what, {}, {"--excerpt": 3}) for what in (LOAD_2D, V1, V2, TRANSPOSE, "format")]
OPTIONS += [(what, {}, {"--most": 1}) for what in (LOAD_2D, V1, V2, TRANSPOSE)]
OPTIONS += [(what, {}, {"--to": "B2"}) for what in (LOAD_2D, V1, V2, TRANSPOSE)]
OPTIONS += [(what, {}, {"--from": "B1"}) for what in (LOAD_2D, V1, V2, TRANSPOSE)]
OPTIONS += [(what, {}, {"--soc": "Ascend310B1"}) for what in (LOAD_2D, V2, TRANSPOSE, "mmad")]
OPTIONS += [(LOAD_2D, {}, {name: value}) for name, value in [
    ("--startIndex", 2), ("--repeatTimes", 2), ("--srcStride", 3), ("--dstGap", 2),
    ("--ifTranspose", True), ("--sid", 1)]]
OPTIONS += [(LOAD_2D, {"--to": "A1", "--startIndex": 9}, {"--addrMode": 1})]
OPTIONS += [(TRANSPOSE, {"--type": "int8"}, {name: value}) for name, value in [
    ("--startIndex", 2), ("--repeatTimes", 1), ("--srcStride", 3), ("--dstGap", 4),
    ("--dstFracGap", 1)]]
OPTIONS += [(what, {}, {name: value}) for what in (V1, V2) for name, value in [
    ("--padList", [0, 1, 2, 1]), ("--l1H", 5), ("--l1W", 5), ("--strideH", 2), ("--strideW", 2),
    ("--filterH", 2), ("--filterW", 2), ("--dilationFilterH", 2), ("--dilationFilterW", 2),
    ("--padValue", 7)]]
OPTIONS += [(V1, {"--repeatMode": 1, "--l1H": 8}, {name: value}) for name, value in [
    ("--c1Index", 1), ("--fetchFilterH", 1), ("--fetchFilterW", 1), ("--leftTopH", 0),
    ("--leftTopW", 0), ("--jumpStride", 3), ("--repeatTime", 2), ("--repeatMode", 0)]]
OPTIONS += [(V2, {"--l1H": 8}, {name: value}) for name, value in [
    ("--channelSize", 8), ("--kExtension", 16), ("--mExtension", 16), ("--kStartPt", 16),
    ("--mStartPt", 16), ("--enTranspose", True), ("--enSmallK", True), ("--fMatrixCtrl", True)]]
OPTIONS += [("format", {}, {name: value}) for name, value in [
    ("--name", "zN"), ("--rows", 50), ("--columns", 50), ("--element", [4, 21])]]
OPTIONS += [("mmad", {}, {name: value}) for name, value in [
    ("--m", 30), ("--n", 50), ("--k", 40), ("--result", "half"), ("--element", [4, 21])]]


@pytest.mark.parametrize("what, base, change", OPTIONS, ids=str)
def test_every_option_changes_the_picture(what, base, change):
    changed = Picture(what, base | change)
    assert changed.text != Picture(what, base).text


@pytest.mark.parametrize("change", [{"--filterSizeW": True}, {"--filterSizeH": True}], ids=str)
def test_a_filter_larger_than_255(change):
    side = "--l1W" if "--filterSizeW" in change else "--l1H"
    picture = Picture(V2, change | {side: 300, "--kExtension": 16, "--mExtension": 16})
    assert "filterSize" in picture.words()


@pytest.mark.parametrize("what", INSTRUCTIONS)
def test_a_picture_without_options_is_whole_and_the_same_each_time(what):
    picture = Picture(what)
    assert picture.text == Picture(what).text
    _, _, width, height = map(int, picture.root.get("viewBox").split())
    assert picture.root.get("role") == "img"
    assert picture.root.find(SVG + "title").text and picture.root.find(SVG + "desc").text
    background = picture.root.find(SVG + "rect")
    assert (background.get("fill"), background.get("width")) == ("#ffffff", str(width))
    assert 700 < width < 1300
    texts = picture.elements("text")
    assert len(texts) > 20
    for text in texts:  # no text begins or ends outside; 6.5 pixels are more than its characters
        kind, x, y = text.get("class").split()[0], int(text.get("x")), int(text.get("y"))
        size = len(text.text) * (10 if kind == "title" else 6.5)
        middle = kind in ("cell", "axis", "note-middle")
        start = x - size / 2 if middle else x - size if kind.endswith("-end") else x
        assert 0 <= start and start + size <= width and 0 < y < height, text.text


def test_cells_of_a_picture_do_not_lie_on_each_other():
    for what in INSTRUCTIONS:
        boxes = set()
        for text in Picture(what).elements("text"):
            if text.get("data-side"):
                boxes.add((int(text.get("x")), int(text.get("y"))))
        places = sorted(boxes)
        for (x1, y1), (x2, y2) in zip(places, places[1:]):
            assert x1 != x2 or y2 - y1 >= 14, what


# --- One name for the three forms ---------------------------------------------------------------


@pytest.mark.parametrize("options, form", [
    ({}, LOAD_2D), ({"--repeatTimes": 2}, LOAD_2D), ({"--form": "3dv1"}, V1),
    ({"--form": "3dv2"}, V2), ({"--form": "2d", "--dstGap": 3}, LOAD_2D), ({"--l1H": 6}, V2),
    ({"--l1H": 6, "--repeatMode": 1}, V1), ({"--kExtension": 16}, V2),
    ({"--form": "3dv1", "--l1H": 6}, V1)], ids=str)
def test_load_data_takes_the_form_of_its_parameters(options, form):
    own = {name: value for name, value in options.items() if name != "--form"}
    assert Picture("load_data", options).text == Picture(form, own).text


@pytest.mark.parametrize("options", [
    {"--startIndex": 1, "--l1H": 6}, {"--form": "2d", "--l1H": 6}, {"--kExtension": 16, "--cSize": 0},
    {"--form": "3dv1", "--kExtension": 16}, {"--form": "3dv3"}], ids=str)
def test_parameters_of_two_forms_are_refused(options):
    done = draw("load_data", options)
    assert done.code == 2 and done.stdout == "" and done.stderr != ""


# --- Refusals -----------------------------------------------------------------------------------

FAULTS = [
    (LOAD_2D, {"--startIndex": 60000}, "V1001"), (LOAD_2D, {"--repeatTimes": 100}, "V1001"),
    (LOAD_2D, {"--from": "GM", "--startIndex": 60000}, "V1001"),
    (LOAD_2D, {"--ifTranspose": True, "--type": "int8"}, "V2004"),
    (LOAD_2D, {"--addrMode": 2}, "V2001"), (LOAD_2D, {"--addrMode": 1, "--to": "A1"}, "V2004"),
    (LOAD_2D, {"--from": "A1", "--to": "B1"}, "V1005"),
    (V1, {"--strideW": 0}, "V2001"), (V1, {"--fetchFilterW": 3}, "V2004"),
    (V1, {"--repeatMode": 2}, "V2001"), (V1, {"--repeatMode": 1, "--jumpStride": 0}, "V2001"),
    (V2, {"--l1H": 0}, "V2001"), (V2, {"--mExtension": 0}, "V2001"),
    (V2, {"--strideH": 64}, "V2001"), (V2, {"--channelSize": 5}, "V2002"),
    (V2, {"--kExtension": 200}, "V2004"), (V2, {"--kStartPt": 3}, "V2002"),
    (V2, {"--filterH": 9}, "V2004"),
    (TRANSPOSE, {"--type": "int4"}, "V2004"), (TRANSPOSE, {"--dstGap": 65535}, "V1001"),
    ("mmad", {"--m": 5000}, "V2001"), ("mmad", {"--m": 4000, "--k": 100}, "V1001"),
    ("mmad", {"--type": "int4", "--k": 35}, "V2002"),
]


@pytest.mark.parametrize("what, options, code", FAULTS, ids=str)
def test_a_faulty_call_is_reported_and_not_drawn(what, options, code, tmp_path):
    done = draw(what, options)
    assert done.code == 1 and done.stdout == "" and f"error[{code}]" in done.stderr
    assert "= see: vinci explain" in done.stderr and "-->" not in done.stderr


@pytest.mark.parametrize("what, options, code, exit_code", [
    (TRANSPOSE, {"--soc": CHIP_310P}, "V6001", 4), (V1, {"--soc": CHIP_910B}, "V6001", 4),
    (LOAD_2D, {"--soc": CHIP_910A, "--type": "float"}, "V6002", 4), (V1, {"--cSize": 1}, "V7001", 4),
    ("mmad", {"--result": "half", "--type": "int8"}, "V6002", 4)], ids=str)
def test_what_a_chip_or_vinci_lacks_has_the_exit_code_of_run(what, options, code, exit_code):
    done = draw(what, options)
    assert done.code == exit_code and f"error[{code}]" in done.stderr and done.stdout == ""


@pytest.mark.parametrize("what, options, phrase", [
    ("frobnicate", {}, "load_data_with_transpose"), (LOAD_2D, {"--startIndex": 65536}, "65536"),
    (LOAD_2D, {"--repeatTimes": 256}, "256"), (LOAD_2D, {"--fly": 1}, "--fly"),
    (LOAD_2D, {"--l1H": 4}, "--l1H"), (LOAD_2D, {"--to": "CO1"}, "CO1"),
    (V1, {"--to": "A1"}, "A2, B2"), (V1, {"--padList": [1, 1, 1]}, "padList"),
    (V1, {"--padList": [1, 1, 1, 256]}, "256"), (V2, {"--type": "int64"}, "int64"),
    (V2, {"--type": "quad"}, "quad"), (V2, {"--soc": "Ascend999"}, "Ascend999"),
    (V2, {"--padValue": "much"}, "much"), ("format", {"--name": "zz"}, "zz"),
    ("format", {"--element": [32, 0]}, "outside"), ("format", {"--element": [0, -1]}, "outside"),
    ("format", {"--element": [1]}, "row,column"), ("format", {"--rows": 0}, "0"),
    ("mmad", {"--element": [20, 0]}, "outside"), ("mmad", {"--result": "int8"}, "int8")], ids=str)
def test_a_call_without_sense_is_exit_2(what, options, phrase):
    done = draw(what, options)
    assert done.code == 2 and done.stdout == "" and phrase in done.stderr


@pytest.mark.parametrize("words", [[], [LOAD_2D], [LOAD_2D, "more", "-o", "-"], ["-o", "-"]], ids=str)
def test_an_incomplete_command_is_exit_2(words):
    done = harness.vinci("draw", *words)
    assert done.code == 2 and done.stdout == "" and done.stderr != ""


def test_help_names_the_parameters():
    assert "load_data_3d_v2" in harness.vinci("draw", "--help").stdout
    text = harness.vinci("draw", V1, "--help").stdout
    for name in ("--padList", "--leftTopW", "--dilationFilterH", "--jumpStride", "--excerpt"):
        assert name in text


# --- Files and limits ---------------------------------------------------------------------------


def test_the_file_is_what_stdout_would_be(tmp_path):
    path = tmp_path / "a.svg"
    done = harness.vinci("draw", LOAD_2D, "-o", path)
    assert done.code == 0 and done.stdout == "" and path.read_text() == Picture(LOAD_2D).text


def test_a_fault_leaves_the_file_alone(tmp_path):
    path = tmp_path / "a.svg"
    path.write_text("before")
    assert harness.vinci("draw", V1, "--strideW", 0, "-o", path).code == 1
    assert path.read_text() == "before"


@pytest.mark.parametrize("path", ["missing/a.svg", "."])
def test_a_file_that_cannot_be_written_is_exit_2(path, tmp_path):
    done = harness.vinci("draw", LOAD_2D, "-o", path, cwd=tmp_path)
    assert done.code == 2 and "cannot be written" in done.stderr


@pytest.mark.parametrize("what, options", [
    (LOAD_2D, {"--repeatTimes": 127, "--srcStride": 16, "--dstGap": 0, "--type": "int8"}),
    (V1, {"--l1H": 150, "--l1W": 200, "--padList": [255, 255, 255, 255], "--repeatTime": 120}),
    (V1, {"--repeatMode": 1, "--leftTopH": -255, "--filterH": 255, "--filterW": 20, "--l1W": 99,
          "--repeatTime": 100}),
    (V2, {"--l1H": 100, "--l1W": 300, "--channelSize": 16, "--mExtension": 224}),
    (V2, {"--l1H": 32767, "--l1W": 1, "--channelSize": 16, "--filterH": 1, "--filterW": 1,
          "--padList": [0, 0, 0, 0], "--mStartPt": 32000, "--mExtension": 64}),
    (TRANSPOSE, {"--repeatTimes": 60, "--dstGap": 1, "--type": "int8", "--srcStride": 8}),
    ("format", {"--rows": 65535, "--columns": 65535, "--element": [65534, 65534]}),
    ("mmad", {"--m": 256, "--n": 128, "--k": 128, "--element": [255, 127]})], ids=str)
def test_large_calls_stay_readable(what, options):
    picture = Picture(what, options)
    _, _, width, height = map(int, picture.root.get("viewBox").split())
    assert width < 2500 and height < 2500 and len(picture.text) < 400_000
    assert "drawn" in picture.words()


@pytest.mark.parametrize("what, options, warning", [
    (LOAD_2D, {"--repeatTimes": 0}, "V2008"), (TRANSPOSE, {"--repeatTimes": 0}, "V2008"),
    (V1, {"--repeatTime": 0}, "V2008"), ("mmad", {"--k": 0}, None)], ids=str)
def test_a_call_that_does_nothing_says_so(what, options, warning):
    assert "does nothing" in Picture(what, options, warning).words()


def test_the_figures_of_the_guide_are_up_to_date():
    script = pathlib.Path(harness.ROOT) / "scripts/draw_figures.py"
    done = subprocess.run([sys.executable, script, "--vinci", harness.VINCI, "--check"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
