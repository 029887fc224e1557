"""The engine tells faults in the words of Ascend C; scripts know memories and parameters by TIK's."""

import re

MEMORIES = {"VECCALC": "UB", "A1": "L1", "A2": "L0A", "B2": "L0B", "CO1": "L0C", "C2": "BT",
            "C2PIPE2GM": "FB"}
PARAMETERS = {"sharedTmpBuffer": "work_tensor", "selMask": "sel", "srcOffsetLocal": "src_offset",
              "dstOffset": "dst_offset", "src1Pattern": "src1_pattern", "srcList": "src_list",
              "dstList": "dst_list"}

_POSITION = "|".join(MEMORIES)
_WITH_MEMORY = re.compile(rf"\b(?:{_POSITION}) \((\w+)\)")  # "VECCALC (UB)"
_ALONE = re.compile(rf"\b(in|from|to) ({_POSITION})\b")
_FLAG = re.compile(r"\b(Set|Wait)Flag<HardEvent::([A-Z0-9]+)_([A-Z0-9]+)>")
_BARRIER = re.compile(r"\bPipeBarrier<(PIPE_\w+)>\(\)")
_REPLACED = {
    "nothing: the tensor is empty": "a start before that end",
    "copies into GM still combine with what is there": "copies to GM still add to what is there",
    "SetAtomicNone(), or DisableDmaAtomic(), after the last copy that combines":
        "set_atomic_add(0) after the last copy that adds",
    "the same type, or DisableDmaAtomic before the copy":
        "the same type in set_atomic_add, or set_atomic_add(0) before the copy",
    "what the host has copied or set there, or a kernel has written":
        "what a statement has written before, or a Tensor with is_atomic_add=True, which is cleared "
        "before the kernel runs",
}
_COMBINES = re.compile(r"(\w+) holds (\w+), while copies into GM combine (\w+)")
_DTYPES = {"half": "float16", "float": "float32", "bfloat16_t": "bfloat16"}
_OUTSIDE = re.compile(r"(\w+): (\w+)(?:\[(\d+)\])? (?:reads|writes) bytes \S+ of (a tensor of \d+ bytes)")
# An offset of as many elements as there are: the engine sees a view of what is left, nothing.
_BEHIND_GM = re.compile(r"of a view without elements, which begins at byte (\d+) of (GM buffer \w+)")
_BEHIND = re.compile(r"of a tensor of 0 bytes (?:\((Tensor \w+)\) )?in (\w+), t\[i\] behind the "
                     r"elements of t")
_PARAMETER = re.compile(rf"\b({'|'.join(PARAMETERS)})\b")


def in_tik(text):
    """A fault's text, or a parameter's name."""
    text = _FLAG.sub(_flag_call, text)
    text = _BARRIER.sub(r'pipe_barrier("\1")', text)
    for theirs, ours in _REPLACED.items():
        text = text.replace(theirs, ours)
    text = _COMBINES.sub(_adds, text)
    text = _WITH_MEMORY.sub(r"\1", text)
    text = _BEHIND_GM.sub(r"behind the end of \2, at byte \1", text)
    text = _BEHIND.sub(_behind, text)
    text = _ALONE.sub(lambda found: f"{found[1]} {MEMORIES[found[2]]}", text)
    return _PARAMETER.sub(lambda found: PARAMETERS[found[1]], text)


def _flag_call(found):
    name, pipe, trigger = found.groups()
    return f'{name.lower()}_flag("PIPE_{pipe}", "PIPE_{trigger}", event_id)'


def _behind(found):
    return f"behind the end of {found[1] or 'a Tensor'} in {found[2]}"


def _dtype(name):
    return _DTYPES.get(name) or name.removesuffix("_t")


def _adds(found):
    return f"{found[1]} holds {_dtype(found[2])}, while set_atomic_add adds {_dtype(found[3])}"


def with_tensor(fault, program):
    """A fault's text and its message, with the name of the Tensor that a call has left, if all calls of
    its line with its callers name one there. `program`: the statements, decoded."""
    text, message = fault["text"], fault["message"]
    found = _OUTSIDE.match(message)
    if found is None or "GM buffer" in message:
        return text, message
    api, field, number, room = found.groups()
    names = {program["buffers"][operand[0]]["name"] for call in _calls(program["body"])
             if call["as"] == api and (operand := _operand(call, field, number))
             and (program["files"][call["at"][0]], call["at"][1]) == (fault["file"], fault["line"])
             and fault["callers"] in (-1, *call["at"][2:])}
    if len(names) != 1:
        return text, message
    named = message.replace(room, f"{room} (Tensor {names.pop()})", 1)
    return text.replace(message, named, 1), named


def _operand(call, field, number):
    """[buffer, ...] of a call's field, or of one of its list; None where it has no such Tensor."""
    found = call.get(field, call.get(field.removesuffix("List")))
    if number is not None:
        found = found[int(number)] if isinstance(found, list) and len(found) > int(number) else None
    return found if isinstance(found, list) and found and isinstance(found[0], int) else None


def _calls(body):
    for statement in body:
        if statement["do"] == "call":
            yield statement
        for inner in ("body", "then", "else"):
            yield from _calls(statement.get(inner, ()))
