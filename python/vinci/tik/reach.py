"""Whether a call stays inside its Tensors. The engine says so while the script runs, as far as the
numbers are known then; it looks again when the call runs."""

import json

from . import chip, engine
from .error import fail, strict
from .scope import scope_gm, size_of

ENDLESS = 1 << 40  # bytes of a Tensor whose start or size is not known
VALUES = ("scalar", "dequant_value")  # fields that say nothing of what is touched


def check_reach(buffers, statement, names):
    """`buffers`: the program's; `statement`: a call; `names`: the fields to look at, each with the
    name that the page has for it."""
    question = _Question(buffers)
    fields = {key: question.known(key, value) for key, value in statement.items()}
    if None in fields.values() or chip.current().engine is None:
        return
    needed = {}
    for field, index, bytes_ in engine.load().overreaches(question.text(fields)):
        needed[field, index] = max(bytes_, needed.get((field, index), 0))
    for field, name in names.items():
        for (found, index), bytes_ in sorted(needed.items()):
            if found == field:
                operand = statement[field] if index < 0 else statement[field][index]
                _report(buffers[operand[0]], operand, bytes_,
                        name if index < 0 else f"{name}[{index}]")


def _report(buffer, operand, needed, name):
    _, offset, dtype = operand
    size = size_of(dtype)
    total = buffer.elements * size_of(buffer.dtype) if buffer.bytes is None else buffer.bytes
    fail(f"{name} tensor overflow, {offset - -needed // size} elements are needed, but Tensor "
         f"{buffer.name} has {total // size} of {dtype}")


def _is_known(value):
    if isinstance(value, dict):
        return all(map(_is_known, value.values()))
    if isinstance(value, list):
        return value[:1] != ["scalar"] and all(map(_is_known, value))
    return True


class _Question:
    """A statement file with one call and without scalars."""

    def __init__(self, buffers):
        self._buffers = buffers
        self._used = []

    def known(self, field, value):
        """The value of a field, or one that asks no less of any Tensor; None if there is none."""
        if type(value) in (int, str):
            return value
        if isinstance(value, list) and value and isinstance(value[0], int):
            return self._operand(*value)
        if isinstance(value, list) and value and isinstance(value[0], list):
            return [self._operand(*one) for one in value]
        if _is_known(value):
            return value
        return 0 if field in VALUES else None

    def _operand(self, number, offset, dtype, *_):
        buffer = self._buffers[number]
        known = isinstance(offset, int)
        if buffer.scope == scope_gm:
            elements = buffer.elements
            size = elements if known and isinstance(elements, int) and not buffer.is_list else \
                ENDLESS
            place = {"role": "workspace", "elements": size}
        elif known and isinstance(buffer.address, int) and isinstance(buffer.bytes, int):
            place = {"address": buffer.address, "bytes": buffer.bytes}
        else:
            place = {"address": 0, "bytes": ENDLESS}
        self._used.append({"name": "", "scope": buffer.scope, "dtype": buffer.dtype, **place})
        return [len(self._used) - 1, offset if known else 0, dtype]

    def text(self, statement):
        """The file."""
        return json.dumps({
            "vinci_statements": 1, "strict": strict(), "kernel": "", "files": [],
            "soc": chip.current().engine, "buffers": self._used, "scalars": [],
            "body": [statement]})
