"""vinci list --missing: the public names of Ascend C that no header of vinci holds."""

import re

import harness


def listed():
    done = harness.vinci("list", "--missing")
    assert done.code == 0 and done.stderr == ""
    return done.stdout.splitlines()


def test_names_stand_one_a_line_in_alphabetical_order():
    names = [line.split(" ")[0] for line in listed()]
    assert names == sorted(set(names)) and len(names) > 100


def test_what_vinci_has_is_no_line_and_what_it_lacks_is():
    """Names of functions, of types, of macros, and those that macros of the headers make."""
    lines = set(listed())
    names = {line.split(" ")[0] for line in lines}
    assert not names & {"Add", "DataCopy", "TQue", "TILING_KEY_IS", "GetTanMaxMinTmpSize",
                        "GetReduceSumMaxMinTmpSize", "aclInit", "OP_ADD", "MatmulApiTiling",
                        "GET_TPL_TILING_KEY", "Hccl", "Mc2CcTilingConfig"}
    assert {"RegTensor (newer chips only)", "Histograms (newer chips only)"} <= lines


def test_names_are_apart_from_each_other():
    for path in (harness.ROOT / "src/launch").glob("ascendc_names*.inc"):
        assert not re.search(r'"\s*"', path.read_text()), path


def test_a_chip_and_missing_names_do_not_go_together():
    done = harness.vinci("list", "--missing", "--soc", "Ascend910B1")
    assert done.code == 2 and "--missing" in done.stderr and done.stdout == ""
