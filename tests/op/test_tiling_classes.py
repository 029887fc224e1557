"""Tiling data that host code lays out: bytes, sizes and fields of random classes.

The oracle places the same fields as a C struct has them, each at a multiple of its alignment in C,
and classes at multiples of 8: that is what a kernel reads. Every byte is compared, padding included.
"""

import ctypes
import json
import os
import pathlib
import random
import subprocess

import numpy as np
import pytest

from harness import ROOT, VINCI, preloaded, times_more

TYPES = {
    "int8_t": (ctypes.c_int8, np.int8), "uint8_t": (ctypes.c_uint8, np.uint8),
    "int16_t": (ctypes.c_int16, np.int16), "uint16_t": (ctypes.c_uint16, np.uint16),
    "int32_t": (ctypes.c_int32, np.int32), "uint32_t": (ctypes.c_uint32, np.uint32),
    "int64_t": (ctypes.c_int64, np.int64), "uint64_t": (ctypes.c_uint64, np.uint64),
    "float": (ctypes.c_float, np.float32), "double": (ctypes.c_double, np.float64),
    "bool": (ctypes.c_bool, np.bool_),
}
LIBRARY = pathlib.Path(VINCI).resolve().parent.parent / "lib"


class Field:
    def __init__(self, name, kind, count=None):
        self.name, self.kind, self.count = name, kind, count  # count: None for one, not an array

    def values(self, rng):
        number = TYPES[self.kind][1]
        size = self.count or 1
        if number == np.bool_:
            return np.array([rng.random() < 0.5 for _ in range(size)])
        if issubclass(number, np.floating):
            return np.array([rng.uniform(-1e4, 1e4) for _ in range(size)], number)
        limits = np.iinfo(number)
        return np.array([rng.randint(int(limits.min), int(limits.max)) for _ in range(size)], number)


class Class:
    def __init__(self, name, fields):
        self.name, self.fields = name, fields

    def text(self):
        lines = [f"BEGIN_TILING_DATA_DEF({self.name})"]
        for field in self.fields:
            if isinstance(field.kind, Class):
                lines.append(f"TILING_DATA_FIELD_DEF_STRUCT({field.kind.name}, {field.name});")
            elif field.count is None:
                lines.append(f"TILING_DATA_FIELD_DEF({field.kind}, {field.name});")
            else:
                lines.append(
                    f"TILING_DATA_FIELD_DEF_ARR({field.kind}, {field.count}, {field.name});")
        lines += ["END_TILING_DATA_DEF;", f"REGISTER_TILING_DATA_CLASS({self.name}Op, {self.name})"]
        return "\n".join(lines)

    def place(self, values, base=0):
        """Bytes of the fields by the rules for C structs, and where each lies."""
        at, pieces, where = 0, [], []
        for field in self.fields:
            inner = isinstance(field.kind, Class)
            alignment = 8 if inner else ctypes.alignment(TYPES[field.kind][0])
            padding = -at % alignment
            pieces.append(bytes(padding))
            at += padding
            where.append((base + at, field))
            if inner:
                data, _ = field.kind.place(values[field.name], base + at)
            else:
                data = values[field.name].tobytes()
            pieces.append(data)
            at += len(data)
        pieces.append(bytes(-at % 8))
        return b"".join(pieces), where


def random_class(rng, name, inner):
    fields = []
    for i in range(rng.randint(1, 12)):
        choice = rng.random()
        if inner and choice < 0.2:
            fields.append(Field(f"f{i}", rng.choice(inner)))
        elif choice < 0.45:
            fields.append(Field(f"f{i}", rng.choice(list(TYPES)), rng.randint(1, 9)))
        else:
            fields.append(Field(f"f{i}", rng.choice(list(TYPES))))
    return Class(name, fields)


def random_values(rng, made):
    return {field.name: random_values(rng, field.kind) if isinstance(field.kind, Class)
            else field.values(rng) for field in made.fields}


def literal(value):
    if isinstance(value, np.bool_):
        return "true" if value else "false"
    if isinstance(value, np.floating):
        return "%.9ef" % value if value.dtype == np.float32 else "%.17e" % value
    if value == -2**63:
        return "INT64_MIN"
    return f"{int(value)}" + ("ull" if value.dtype == np.uint64 else "ll")


def setters(made, values, path):
    """Statements in any order, since order must not matter."""
    for field in made.fields:
        own = values[field.name]
        if isinstance(field.kind, Class):
            yield from setters(field.kind, own, f"{path}{field.name}.")
        elif field.count is None:
            yield f"{path}set_{field.name}({literal(own[0])});"
        else:
            numbers = ", ".join(literal(value) for value in own)
            yield (f"{{ const {field.kind} list[] = {{{numbers}}}; "
                   f"{path}set_{field.name}(list); }}")


def bytes_of(classes, rng, folder):
    """What SaveToBuffer gives of each class with random values, the values, and what was registered."""
    values = [random_values(rng, made) for made in classes]
    bodies = []
    for made, own in zip(classes, values):
        statements = list(setters(made, own, "t."))
        rng.shuffle(statements)
        # Functions of their own: a compiler takes long over a large one.
        bodies.append("static void dump_%s() { optiling::%s t; %s dump(t); }" %
                      (made.name, made.name, " ".join(statements)))
    source = folder / "classes.cpp"
    source.write_text("""#include <cstdint>
#include <cstdio>
#include <vector>
#include "register/tilingdata_base.h"
namespace optiling {
%s
}
template <typename T> void dump(T& t) {
  T copy = t;
  std::vector<unsigned char> bytes(copy.GetDataSize(), 0xee);
  copy.SaveToBuffer(bytes.data(), bytes.size());
  for (unsigned char byte : bytes) std::printf("%%02x", byte);
  std::printf("\\n");
}
namespace vinci { namespace op { void add_tiling_class(const char* key, const char* json) {
  (void)key;
  std::printf("%%s\\n", json);
} } }
%s
int main() { %s }
""" % ("\n".join(made.text() for made in classes), "\n".join(bodies),
       " ".join(f"dump_{made.name}();" for made in classes)))
    program = folder / "classes"
    subprocess.run(["g++", "-std=c++11", "-O0", "-w", "-I", ROOT / "include", source, "-o",
                    program, "-L", LIBRARY, "-lvinci", f"-Wl,-rpath,{LIBRARY}"], check=True)
    said = subprocess.run([program], check=True, capture_output=True, text=True,
                          env={**os.environ, **preloaded()}).stdout
    lines = said.split("\n")
    registered = [json.loads(line) for line in lines[:len(classes)]]
    return registered, values, [bytes.fromhex(line) for line in lines[len(classes):-1]]


def check(seed, count, folder):
    rng = random.Random(seed)
    classes = []
    for i in range(count):
        # At most four deep: the fields of a class in a class in a class are many.
        classes.append(random_class(rng, f"Class{i}", classes[i // 4 * 4:]))
    registered, values, dumped = bytes_of(classes, rng, folder)
    assert len(dumped) == count
    for made, own, known, got in zip(classes, values, registered, dumped):
        expected, where = made.place(own)
        assert got == expected, made.text()
        assert known["class"] == made.name and known["bytes"] == len(expected)
        fields = [field for field in known["fields"] if not field.get("padding")]
        assert [(field["offset"], field["name"]) for field in fields] == \
            [(offset, field.name) for offset, field in where]
        covered = sorted((field["offset"], field.get("bytes") or field["count"] *
                          TYPES[field["type"]][1]().itemsize) for field in known["fields"])
        at = 0
        for offset, size in covered:  # padding is a field too: nothing is left out
            assert offset == at
            at += size
        assert at == len(expected)


def test_random_classes_lie_as_c_structs_do(tmp_path):
    check(1, 16, tmp_path)


@pytest.mark.whole
@pytest.mark.parametrize("seed", range(max(2, times_more(2))))
def test_more_random_classes(tmp_path, seed):
    """A thousand wherever all tests run: most of a compilation's time is what its classes share."""
    check(100 + seed, 500, tmp_path)
