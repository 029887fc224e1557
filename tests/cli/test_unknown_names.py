"""Names that do not exist: they are told with the one that was probably meant, and with all."""

import pytest

import harness
from cli_kit import check_usage, run


@pytest.mark.parametrize("word, meant", [("lst", "list"), ("rnu", "run"), ("explian", "explain"),
                                         ("LIST", None), ("cats", "cast"), ("c+", "c++")])
def test_an_unknown_command_is_named_with_the_nearest(word, meant):
    done = harness.vinci(word, "Add")
    meant = meant or "list"
    check_usage(done, f"vinci: unknown command {word}; did you mean {meant}?\n",
                "commands: run ", " explain", " draw", " serve")


def test_a_command_that_is_near_to_none_is_named():
    done = harness.vinci("compile")
    check_usage(done, "vinci: unknown command compile\n", "commands: run ")
    assert "did you mean" not in done.stderr


@pytest.mark.parametrize("name, meant", [
    ("Ascend310P33", "Ascend310P3"), ("Ascend901B1", "Ascend910B1"), ("ascend91OA", "Ascend910A"),
    ("310P3", "Ascend310P3"), ("910_93", "Ascend910_9391"), ("Ascend310-P", "Ascend310P")])
def test_an_unknown_chip_is_named_with_the_nearest(name, meant):
    for done in (run("blocks.cpp", "nothing", "--soc", name), harness.vinci("list", "--soc", name)):
        check_usage(done, f"vinci: unknown chip {name}; did you mean {meant}?\n",
                    "chips: Ascend310 ", "families: Ascend910 ")


def test_a_chip_that_is_near_to_none_is_named():
    done = harness.vinci("list", "--soc", "X100")
    check_usage(done, "vinci: unknown chip X100\n")


@pytest.mark.parametrize("topic, meant", [
    ("Gathr", "Gather"), ("Dupliacte", "Duplicate"), ("V1099", "V1009"), ("v50001", "V5001"),
    ("datacopypadd", "DataCopyPad"), ("LoadDta", "LoadData")])
def test_an_unknown_topic_is_named_with_the_nearest(topic, meant):
    done = harness.vinci("explain", topic)
    check_usage(done, f"vinci: nothing is known about {topic}; did you mean {meant}?\n",
                "codes: V1001 ", "topics: Abs ")


def test_an_unknown_picture_is_named_with_the_nearest():
    done = harness.vinci("draw", "formt", "-o", "x.svg")
    check_usage(done, "draw formt: it draws load_data_2d ", "did you mean format?")


@pytest.mark.parametrize("option", ["--rows", "--columns"])
@pytest.mark.parametrize("number", ["0", "65536"])
def test_a_size_of_a_matrix_is_named_with_its_range(option, number):
    done = harness.vinci("draw", "format", option, number, "-o", "x.svg")
    check_usage(done, f"{option}: ", number, "1 to 65535")


@pytest.mark.parametrize("limit", ["-1", "nan", "-nan", "inf", "1e400", "x", "", "1s", "-0.001"])
def test_a_time_limit_that_is_none_is_told_with_the_range(limit):
    check_usage(run("blocks.cpp", "nothing", "--timeout", limit),
                f"--timeout: {limit} is no time limit; legal: seconds, 0 (none) or more")


@pytest.mark.parametrize("command, word, meant", [
    ("run", "--blokcs=8", "--blocks"), ("run", "--sox=Ascend910B1", "--soc"), ("op", "--expct", "--expect"),
    ("run", "--far-from-each", None)])
def test_an_unknown_option_is_named_with_the_nearest(command, word, meant):
    done = harness.vinci(command, "add.cpp", word)
    check_usage(done, f"not expected: {word}\n")
    option = word.partition("=")[0]
    assert (f"  {option}; did you mean {meant}?\n" in done.stderr) == (meant is not None)
    assert meant or "did you mean" not in done.stderr


def test_an_argument_without_its_option_is_told_how():
    done = harness.vinci("run", "add.cpp", "in:x.npy", "more")
    check_usage(done, "not expected: ", "  an argument of the kernel: --arg in:x.npy\n")
    assert "--arg more" not in done.stderr
