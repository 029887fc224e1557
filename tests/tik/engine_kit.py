"""Statement files for tests of the engine: their parts, and what a run of one leaves."""

import json

import numpy as np
from vinci import _engine

SIZES = {"int8": 1, "uint8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8,
         "uint64": 8, "float16": 2, "float32": 4, "bfloat16": 2}


def gm(name, dtype="int64", elements=64, role="output", **more):
    """Zeros that count as written, unless `more` says otherwise."""
    return {"name": name, "scope": "global", "dtype": dtype, "role": role, "elements": elements,
            "cleared": True, **more}


def ub(name, dtype="int64", elements=64, address=0):
    return {"name": name, "scope": "local.UB", "dtype": dtype, "address": address,
            "bytes": elements * SIZES[dtype]}


def program(body, buffers, scalars=(), soc="Ascend910B1"):
    text = {"vinci_statements": 1, "kernel": "test", "soc": soc, "files": ["script.py"],
            "buffers": buffers, "scalars": list(scalars), "body": body}
    return _engine.Program(json.dumps(text))


def at(line, **statement):
    return {"at": [0, line], **statement}


def scalar(name, dtype="int64", **more):
    return {"name": name, "dtype": dtype, **more}


def store(buffer, index, value, dtype="int64", line=1):
    return at(line, do="store", to=[buffer, index, dtype], value=value)


def out_of(result, name="out", dtype=np.int64):
    return np.frombuffer(result["outputs"][name][0], dtype)


def values_of(expressions, dtype="int64"):
    """What expressions are, as elements of a type, on a chip whose scalar unit writes GM."""
    body = [store(0, i, expression, dtype) for i, expression in enumerate(expressions)]
    result = program(body, [gm("out", dtype, len(expressions))]).run({})
    assert result["faults"] == [] and result["finished"]
    return out_of(result, dtype=np.dtype(dtype))


def loop(var, begin, end, *body, **more):
    return at(9, do="for", var=var, to=end, body=list(body), **{"from": begin}, **more)


def only_fault(result):
    fault, = result["faults"]
    return fault
