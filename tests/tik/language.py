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


def touched(bits, lanes, size, start, repeats, block, repeat, count=None):
    """The bytes of each repeat, lane by lane."""
    per = 32 // size
    result = []
    left = count
    for r in range(repeats if count is None else -(-count // lanes)):
        now = bits if count is None else (1 << min(left, lanes)) - 1
        left = None if count is None else left - lanes
        at = [start + r * repeat * 32 + lane // per * block * 32 + lane % per * size
              for lane in range(lanes) if now >> lane & 1]
        result.append({byte + i for byte in at for i in range(size)})
    return result


def random_bits(rng, lanes):
    return rng.choice([rng.getrandbits(lanes), 1 << rng.randrange(lanes),
                       (1 << rng.randint(1, lanes)) - 1]) or 1


def words(bits, size):
    count = 4 if size == 1 else 2
    return [bits >> 64 * i & 2**64 - 1 for i in reversed(range(count))]
