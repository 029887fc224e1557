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
_PARAMETER = re.compile(rf"\b({'|'.join(PARAMETERS)})\b")


def in_tik(text):
    """A fault's text, or a parameter's name."""
    text = _WITH_MEMORY.sub(r"\1", text)
    text = _ALONE.sub(lambda found: f"{found[1]} {MEMORIES[found[2]]}", text)
    return _PARAMETER.sub(lambda found: PARAMETERS[found[1]], text)
