"""What tests of the language share."""

import contextlib
import io

import pytest
import vinci.tik as tik
from vinci.tik import chip

UB = tik.scope_ubuf
GM = tik.scope_gm


def on(name):
    """From now on the checks are those of this chip, until the test ends."""
    chip.use(chip.make(name))


def refused(call, *words, kind=SystemExit):
    """`call` reports a mistake whose text has these words; gives the text."""
    heard = io.StringIO()
    with contextlib.redirect_stderr(heard), pytest.raises(kind) as caught:
        call()
    text = str(caught.value)
    for word in words:
        assert word in text, text
    assert f"Error: {text}" in heard.getvalue()
    return text


def plain(statements):
    """Statements without their places."""
    if isinstance(statements, list):
        return [plain(one) for one in statements]
    if isinstance(statements, dict):
        return {key: plain(value) for key, value in statements.items() if key != "at"}
    return statements


def body(instance):
    return plain(instance.program.body)
