"""Every fault code is provoked by a test, explained by a page and listed once."""

import pathlib
import re

import pytest

import harness

HEADER = harness.ROOT / "include" / "vinci" / "fault.h"
CODES = [f"V{number}" for number in re.findall(r"^\s+k\w+ = (\d{4}),", HEADER.read_text(), re.M)]
NOT_TO_BE_PROVOKED = {"V9001"}  # vinci's own mistakes


def other_tests():
    here = pathlib.Path(__file__)
    files = [path for path in (harness.ROOT / "tests").rglob("test_*.py") if path != here]
    return "\n".join(path.read_text() for path in files)


def test_the_header_has_codes():
    assert len(CODES) > 40 and len(set(CODES)) == len(CODES)


@pytest.mark.parametrize("code", [code for code in CODES if code not in NOT_TO_BE_PROVOKED])
def test_a_test_asserts_the_code(code):
    assert f'"{code}"' in other_tests()


def test_vinci_explains_every_code():
    texts = {code: harness.vinci("explain", code).stdout for code in CODES}
    assert [code for code in CODES if code not in texts[code] or len(texts[code]) < 200] == []


@pytest.mark.parametrize("page", sorted(path.stem for path in
                                        (harness.ROOT / "docs" / "fault").glob("V*.md")))
def test_no_page_explains_a_code_that_does_not_exist(page):
    assert page in CODES
