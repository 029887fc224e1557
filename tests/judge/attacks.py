"""Attacks on vinci and its host that kernels/attacks.cpp has by number, and results that nobody
computed, of kernels/cheats.cpp, each with its verdict."""

import functools
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# `int $0x80`, the way of 32-bit programs into the system, attack 7. Hosts without it end the process.
INTERRUPT = """
import ctypes, mmap
code = mmap.mmap(-1, 4096, prot=7)
code.write(bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3]))  # getpid
ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
"""
# Asking the system, by a call or past one.
SYSTEM = {number: "hostile" for number in range(1, 30)}
# Ending, stopping, filling and overwriting the own process. Threads, exit handlers and noise change
# nothing; so do messages that nobody reads.
PROCESS = {30: "stopped", 31: "stopped", 32: "stopped", 33: "stopped", 34: "stopped", 35: "stopped",
           36: "stopped", 37: "stopped", 38: "right", 39: "right", 40: "stopped", 41: "right",
           42: "stopped", 43: "stopped", 44: "stopped", 45: "right", 46: "right", 47: "stopped",
           48: "stopped", 49: "faulty", 50: "hostile", 51: "stopped", 52: "stopped", 53: "stopped",
           54: "faulty", 55: "wrong", 56: "stopped"}
# Forging the report, from 63 on with the seal that stands in memory: what nobody computed is wrong
# all the same.
REPORT = {60: "hostile", 61: "hostile", 62: "hostile", 63: "hostile", 64: "hostile", 65: "hostile",
          66: "wrong", 67: "wrong", 68: "right", 69: "hostile"}
# The network, other processes, files of the judge.
HOST = {number: "hostile" for number in range(70, 80)}
# Asking it quietly; threads, memory and outputs of the own process.
QUIET = {**{number: "hostile" for number in range(80, 91)}, 81: "right", 89: "stopped",
         91: "stopped", 92: "right", 93: "stopped", 94: "wrong", 95: "stopped", 96: "stopped",
         97: "stopped"}
VERDICTS = {0: "right", **SYSTEM, **PROCESS, **REPORT, **HOST, **QUIET}
SAMPLE = (0, 1, 4, 5, 7, 14, 36, 39, 47, 60, 63, 67, 69, 80, 81, 94)


@functools.cache
def has_interrupt():
    return subprocess.run([sys.executable, "-c", INTERRUPT], check=False).returncode == 0


def verdict(number):
    return "stopped" if number == 7 and not has_interrupt() else VERDICTS[number]


def task(number):
    """z = x + y, after an attack."""
    return {"id": f"attack {number}", "source": str(HERE / "kernels" / "attacks.cpp"),
            "parameters": [{"in": "float", "name": "x", "shape": [256]},
                           {"in": "float", "name": "y", "shape": [256]},
                           {"out": "float", "name": "z", "shape": [256]},
                           {"value": "int32", "name": "number", "is": number}],
            "reference": f"{HERE}/references.py:add", "schedules": ["eager"], "special": False,
            "timeout": 1 if number in (31, 33, 34, 40, 48, 51, 56) else 60}


# z = x + y by ways that are not what was asked for: kernels/cheats.cpp.
CHEATS = {0: "right", 1: "bypassed", 2: "bypassed", 3: "bypassed", 4: "bypassed", 5: "bypassed",
          6: "right", 7: "imprecise", 8: "wrong", 9: "wrong", 10: "right", 11: "imprecise"}


def cheat(number, **changes):
    """The task for one of them."""
    fields = {"id": f"cheat {number}", "source": str(HERE / "kernels" / "cheats.cpp"),
              "parameters": [{"in": "float", "name": "x", "shape": ["n"]},
                             {"in": "float", "name": "y", "shape": ["n"]},
                             {"out": "float", "name": "z", "shape": ["n"]},
                             {"zeros": "float", "name": "workspace", "shape": ["n"]},
                             {"value": "uint32", "name": "n", "is": "n"},
                             {"value": "int32", "name": "number", "is": number}],
              "sizes": {"n": [100, 2000]}, "tolerance": {"z": 1e-3} if number in (7, 11) else {},
              "reference": f"{HERE}/references.py:add"}
    return {**fields, **changes}
