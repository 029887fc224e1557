"""vinci list, vinci explain, --soc, --version, --help and calls without sense."""

import re

import pytest

import harness
from cast_table import MODE_NAMES, MODES, TABLE
from cli_kit import check_ok, check_usage, run

CHIPS = """Ascend310 Ascend910A Ascend910B-C100 Ascend910ProA Ascend910ProB Ascend910PremiumA
Ascend310P1 Ascend310P3 Ascend310P5 Ascend310P7 Ascend310P1-VectorCore Ascend310P3-VectorCore
Ascend310P5-VectorCore Ascend310P7-VectorCore Ascend910B1 Ascend910B2 Ascend910B2C Ascend910B3
Ascend910B4 Ascend910B4-1 Ascend910_9391 Ascend910_9392 Ascend910_9381 Ascend910_9382 Ascend910_9372
Ascend910_9362 Ascend310B1 Ascend310B2 Ascend310B3 Ascend310B4""".split()

FAMILIES = {"Ascend910": "Ascend910A", "Ascend310P": "Ascend310P3", "Ascend910B": "Ascend910B1",
            "Ascend910_93": "Ascend910_9391", "Ascend310B": "Ascend310B1",
            "Ascend310P-VectorCore": "Ascend310P3-VectorCore"}


def test_list_shows_every_chip_once():
    done = harness.vinci("list")
    check_ok(done)
    table = done.stdout.split("\n\n")[0]
    assert sorted(re.findall(r"\bAscend\S+", table)) == sorted(CHIPS)


def test_list_shows_every_instruction_with_its_types():
    text = harness.vinci("list").stdout
    for source in (harness.ROOT / "src" / "isa").glob("*/*.cpp"):
        if not source.with_suffix(".h").exists():  # else it is shared, and no instruction
            names = [source.stem]
            if source.parent.name == "library":  # several to a file
                names = re.findall(r"^extern constinit const Instruction (\w+)",
                                   source.read_text(), re.M)
            assert names and all(f"({name})\n" in text for name in names)
    assert "2002              half float int16 int32" in text


@pytest.mark.parametrize("chip", CHIPS)
def test_list_shows_a_chips_memories(chip):
    done = harness.vinci("list", "--soc", chip)
    check_ok(done)
    first = done.stdout.splitlines()[0]
    assert first.startswith(f"{chip} (") and re.search(r" UB \d+", first) and "InitBuffer" in first


def test_list_of_one_chip_shows_its_generation_only():
    done = harness.vinci("list", "--soc", "Ascend310")
    assert "  1000 " in done.stdout and "  2201 " not in done.stdout
    assert re.search(r"Gather \(gather\)\n  1000 +none", done.stdout)


@pytest.mark.parametrize("family, chip", FAMILIES.items())
def test_a_family_stands_for_one_of_its_chips(tmp_path, family, chip):
    done = run("blocks.cpp", "nothing", "--soc", family, cwd=tmp_path)
    check_ok(done)
    assert done.stdout.startswith(f"nothing on {chip}, ")


@pytest.mark.parametrize("name, chip", [("ascend310p3", "Ascend310P3"), ("ASCEND910B", "Ascend910B1"),
                                        ("aScEnD310p-vectorCORE", "Ascend310P3-VectorCore")])
def test_upper_and_lower_case_do_not_matter(tmp_path, name, chip):
    assert run("blocks.cpp", "nothing", "--soc", name, cwd=tmp_path).stdout.startswith(
        f"nothing on {chip}, ")


def test_the_chip_is_ascend310p3_unless_told(tmp_path):
    assert "on Ascend310P3, " in run("blocks.cpp", "nothing", cwd=tmp_path).stdout


@pytest.mark.parametrize("name", ["Ascend999", "", "310P3", "Ascend310P33", "Ascend310P "])
def test_an_unknown_chip_is_refused_with_all_there_are(tmp_path, name):
    done = run("blocks.cpp", "nothing", "--soc", name, cwd=tmp_path)
    check_usage(done, f"unknown chip {name}", *CHIPS, *FAMILIES)


@pytest.mark.parametrize("command", [["list"], ["explain", "Add"], ["c++", "-c", "x.cpp"]])
def test_every_command_refuses_an_unknown_chip_with_all_there_are(command):
    done = harness.vinci(command[0], "--soc", "Ascend999", *command[1:])
    check_usage(done, "unknown chip Ascend999", *CHIPS)


def test_explain_shows_a_faults_page():
    done = harness.vinci("explain", "V1001")
    check_ok(done)
    assert "V1001" in done.stdout


@pytest.mark.parametrize("topic", ["Gather", "gather", "GATHER"])
def test_explain_shows_an_instruction_with_its_types(topic):
    done = harness.vinci("explain", topic)
    check_ok(done)
    assert "Gather (gather)\n" in done.stdout and "2002" in done.stdout and "uint16" in done.stdout


def test_explain_shows_all_instructions_behind_one_name():
    done = harness.vinci("explain", "LoadData")
    check_ok(done)
    assert "(load_data_2d)" in done.stdout and "(load_data_3d_v1)" in done.stdout


def test_explain_can_show_one_chip_only():
    text = harness.vinci("explain", "Add", "--soc", "Ascend910A").stdout
    assert "  1001 " in text and "  2201 " not in text


def modes_shown(text):
    """{generation: {(dst, src): round modes}} of the tables that explain prints, in 80 columns."""
    tables, columns = {}, []
    for line in text.partition("\nTypes:\n")[2].splitlines():
        assert len(line) <= 80 and line == line.rstrip()
        name, *cells = line.split() or [""]
        if cells == [mode.removeprefix("CAST_") for mode in MODE_NAMES]:
            columns = cells
            rows = tables[name] = {}
        elif "<-" in name:
            assert len(cells) == len(columns) and set(cells) <= {"yes", "-"}
            dst, src = name.split("<-")
            rows[dst, src] = {f"CAST_{mode}" for mode, cell in zip(columns, cells) if cell == "yes"}
    return tables


def modes_wanted(arch):
    return {pair: {MODE_NAMES[MODES[letter]] for letter in letters}
            for pair, letters in TABLE[arch].items()}


@pytest.mark.parametrize("chip, arch", [("Ascend310", "1000"), ("Ascend910A", "1001"),
                                        ("Ascend310P3", "2002"), ("Ascend910B1", "2201"),
                                        ("Ascend310B1", "3002")])
def test_explain_shows_the_round_modes_of_a_chip(chip, arch):
    done = harness.vinci("explain", "Cast", "--soc", chip)
    check_ok(done)
    assert modes_shown(done.stdout) == {arch: modes_wanted(arch)}


def test_explain_shows_the_round_modes_of_every_generation():
    shown = modes_shown(harness.vinci("explain", "cast").stdout)
    assert shown == {arch: modes_wanted(arch) for arch in TABLE if TABLE[arch]}


def test_explain_says_where_there_is_no_cast():
    text = harness.vinci("explain", "Cast", "--soc", "Ascend310P3-VectorCore").stdout
    assert modes_shown(text) == {} and re.search(r"Cast \(cast\)\n  2002 Vector Core +none\n", text)


def test_list_shows_conversions_in_one_line_for_each_generation():
    text = harness.vinci("list").stdout
    lines = text.partition("Cast (cast)\n")[2].split("\n  1001")[0].splitlines()
    assert lines[0].split() == ["1000", *(f"{dst}<-{src}" for dst, src in TABLE["1000"])]
    assert len(lines) == 1 and "RINT" not in text


@pytest.mark.parametrize("topic", ["V0000", "V9999", "Frobnicate", "", "1001"])
def test_an_unknown_topic_is_refused_with_those_there_are(topic):
    done = harness.vinci("explain", topic)
    check_usage(done, f"nothing is known about {topic}", "V1001", "Gather", "Mmad")


def test_version_is_one_line():
    done = harness.vinci("--version")
    assert done.code == 0 and re.fullmatch(r"vinci \d+\.\d+\.\d+\n", done.stdout)


@pytest.mark.parametrize("arguments, words", [
    (["--help"], ["run", "c++", "list", "explain"]),
    (["run", "--help"], ["--kernel", "--soc", "--blocks", "--check", "--json", "--arg", "--expect",
                         "--timeout", "--no-cache", "--quiet", "in:FILE.npy[:DTYPE[:SHAPE]]"]),
    (["list", "--help"], ["--soc"]), (["explain", "--help"], ["TOPIC"]), (["c++", "--help"], ["--soc"]),
])
def test_help_names_what_there_is(arguments, words):
    done = harness.vinci(*arguments)
    assert done.code == 0 and done.stderr == ""
    for word in words:
        assert word in done.stdout


@pytest.mark.parametrize("arguments", [[], ["fly"], ["run"], ["run", "--fly"], ["explain"],
                                       ["list", "more"], ["run", "a.cpp", "b.cpp"],
                                       ["run", "a.cpp", "--arg"], ["--fly"]], ids=str)
def test_a_call_without_sense_is_exit_2_with_a_message(arguments):
    done = harness.vinci(*arguments)
    check_usage(done)
    assert done.stderr.strip() != "" and done.stdout == ""


def test_list_says_where_tik_has_other_types():
    lines = harness.vinci("list", "--soc", "Ascend910A").stdout.splitlines()
    at = lines.index("vec_conv (vec_conv)")
    assert lines[at + 1].split() == ["1001", "none"]  # in Ascend C
    assert lines[at + 2].split()[:2] == ["1001", "TIK:"] and "int32<-half" in lines[at + 2]
    at = lines.index("Exp (exp)")  # the same for both
    assert lines[at + 1].split() == ["1001", "half", "float"]
    assert not lines[at + 2].startswith(" ")


def test_explain_shows_the_modes_of_tik():
    text = harness.vinci("explain", "vec_conv", "--soc", "Ascend310P3-VectorCore").stdout
    assert "int16<-float      -     yes   -     -     -     yes   -" in text


def test_explain_names_the_pages_that_tell_of_a_name():
    run = harness.vinci("explain", "vec_adds")
    assert run.code == 0 and "tik_arithmetic" in run.stdout
    assert harness.vinci("explain", "vec_ad").code == 2


def numbers_of(done):
    """A table's numbers by name."""
    rows = re.findall(r"^  (\w+) +(\d+) ", done.stdout, re.M)
    return {name: int(number) for name, number in rows}


def test_explain_gettiling_prints_and_draws_a_matmul(tmp_path):
    """Of what host code's samples rely on: 512 x 512 x 128 over two cores."""
    picture = tmp_path / "tiling.svg"
    done = harness.vinci("explain", "GetTiling", "--shape", "512,512,128", "--cores", "2", "-o", picture)
    check_ok(done)
    numbers = numbers_of(done)
    assert [numbers[name] for name in ("usedCoreNum", "singleCoreM", "singleCoreN", "baseM",
                                            "baseN", "baseK")] == [2, 256, 512, 128, 256, 64]
    parts = re.findall(r'data-side="(.)" data-row="(\d)" data-column="(\d)"', picture.read_text())
    assert sorted(parts) == [("A", "0", "0"), ("A", "1", "0"), ("B", "0", "0"), ("C", "0", "0"),
                             ("C", "1", "0")]
    fixed = harness.vinci("explain", "GetTiling", "--shape", "512,128,128", "--cores", "2", "--fixSplit",
                "128,64,128", "--soc", "Ascend310P3")
    assert numbers_of(fixed)["singleCoreN"] == 64 and numbers_of(fixed)["transLength"] == 32768


@pytest.mark.parametrize("words, text", [
    (["--cores", "2"], "--shape"), (["--shape", "1,2,3", "--cin", "5"], "GetConv2dTiling"),
    (["--shape", "64,64,64", "--fixSplit", "24,16,16"], "sixteens"),
    (["--shape", "64,64,64", "--fixSplit", "256,256,256"], "L0C"),
    (["--shape", "64,64,64", "--type", "int64"], "half, bfloat16"),
    (["--shape", "64,64,64", "--soc", "Ascend910A"], "no Matmul")])
def test_explain_gettiling_refuses(words, text):
    check_usage(harness.vinci("explain", "GetTiling", *words), text)


def test_options_of_tilings_belong_to_their_topics():
    check_usage(harness.vinci("explain", "Matmul", "--shape", "1,2,3"), "GetTiling")
