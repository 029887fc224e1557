"""Every method of TIK that scripts call takes the arguments that it is published with, in their
order and with their defaults, so that calls with optional trailing arguments bind."""

import inspect
import pathlib

import pytest
from vinci import tik

DATA = pathlib.Path(__file__).resolve().parent / "data" / "signatures.txt"
SIGNATURES = dict(line.rstrip(")\n").split("(", 1) for line in DATA.read_text().splitlines())


def written(parameter):
    """As the published signature has it."""
    stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    default = "" if parameter.default is parameter.empty else f"={parameter.default!r}"
    return f"{stars}{parameter.name}{default}"


@pytest.mark.parametrize("name", SIGNATURES)
def test_signature(name):
    _, *parameters = inspect.signature(getattr(tik.Tik, name)).parameters.values()
    assert ", ".join(map(written, parameters)) == SIGNATURES[name]


def test_there_are_some():
    assert len(SIGNATURES) > 150
