"""DataCopy NZ to ND: element (i, n, d), at i * srcNdMatrixStride * 256 + d/16 * srcNStride * 16
+ n * 16 + d%16 in UB, goes to i * dstNdMatrixStride + n * dstDStride + d in GM.
"""

import numpy as np
import pytest

from batches import check_rules
from cases import TYPES, WIDTH, Subject, check_random, check_refused, launch, random_bytes
from fractals import to_zn
from harness import CHIPS

A1, CO1, VECIN, VECOUT, VECCALC = 1, 7, 9, 10, 11
UB_BYTES, GM_BYTES = 32768, 32768
NUMBERS = {"int16": np.int16, "half": np.float16, "int32": np.int32, "float": np.float32}
SUPPORTED = {"2201": ["int16", "uint16", "half", "bfloat16", "int32", "uint32", "float"],
             "2002": ["int16", "uint16", "half", "int32", "uint32", "float"]}


def width_of(case):
    return WIDTH[TYPES[case["type"]]]


class Nz2NdSubject(Subject):
    source = "data_copy_nz2nd_cases.cpp"
    fields = ("ub", "by_fields", "adds", "type", "src_pos", "src", "src_n", "dst", "dst_n",
              "matrices", "rows", "columns", "src_matrix", "src_column", "dst_row", "dst_matrix",
              "seed")
    simplest = {"by_fields": 1, "adds": 0, "matrices": 1, "rows": 1, "columns": 16, "src_matrix": 1,
                "src_column": 1, "dst_row": 16, "dst_matrix": 1, "src": 0, "dst": 0, "seed": 0}

    def before(self, case, chip):
        image = random_bytes(case["seed"], UB_BYTES + GM_BYTES)
        if case["adds"]:  # small whole numbers: sums are exact
            dtype = NUMBERS[TYPES[case["type"]]]
            image = (image[::width_of(case)] % 64).astype(dtype).view(np.uint8)
        return image

    def result_bytes(self, case, image):
        return GM_BYTES

    def untouched(self, case, chip, before):
        return before[UB_BYTES:]

    def expected(self, case, chip, before):
        """All of it as one array of indices, by numpy; of targets that overlap the last one wins."""
        dtype = NUMBERS[TYPES[case["type"]]] if case["adds"] else f"u{width_of(case)}"
        source = before[case["src"]:UB_BYTES].view(np.uint8)
        source = source[:len(source) // width_of(case) * width_of(case)].view(dtype)
        memory = before[UB_BYTES:].copy()
        target = memory[case["dst"]:]
        target = target[:len(target) // width_of(case) * width_of(case)].view(dtype)
        i, n, d = np.indices((case["matrices"], case["rows"], case["columns"])).reshape(3, -1)
        values = source[i * case["src_matrix"] * 256 + d // 16 * case["src_column"] * 16 +
                        n * 16 + d % 16]
        places = i * case["dst_matrix"] + n * case["dst_row"] + d
        if case["adds"]:
            np.add.at(target, places, values)
        else:
            for place, value in zip(places, values):
                target[place] = value
        return memory

    def legal(self, case, chip):
        if chip not in SUPPORTED or TYPES[case["type"]] not in SUPPORTED[chip] or \
                case["src_pos"] not in (VECIN, VECOUT, VECCALC) or case["src"] % 32 or \
                case["matrices"] > 4095 or (chip == "2002" and case["adds"] and
                                            TYPES[case["type"]] == "int32"):
            return False
        if case["matrices"] == 0:
            return True
        if not 1 <= case["rows"] <= 8192 or not 1 <= case["columns"] <= 8192 or \
                case["columns"] % 16 or case["src_column"] > 4096 or case["dst_row"] < 1:
            return False
        if case["matrices"] > 1 and not (1 <= case["src_matrix"] <= 512 and case["dst_matrix"]):
            return False
        i, n, d = case["matrices"] - 1, case["rows"] - 1, case["columns"] // 16 - 1
        read = i * case["src_matrix"] * 256 + d * case["src_column"] * 16 + n * 16 + 16
        written = i * case["dst_matrix"] + n * case["dst_row"] + case["columns"]
        return read <= min(case["src_n"], (UB_BYTES - case["src"]) // width_of(case)) and \
            written <= min(case["dst_n"], (GM_BYTES - case["dst"]) // width_of(case))


COPY = Nz2NdSubject()


def plain(dtype="half", **changes):
    """Two matrices of 5 x 32."""
    case = {"ub": UB_BYTES, "by_fields": 1, "adds": 0, "type": TYPES.index(dtype),
            "src_pos": VECOUT, "src": 0, "dst": 0, "matrices": 2, "rows": 5, "columns": 32,
            "src_matrix": 3, "src_column": 7, "dst_row": 40, "dst_matrix": 300, "seed": 1} | changes
    return {"src_n": (UB_BYTES - case["src"]) // width_of(case),
            "dst_n": (GM_BYTES - case["dst"]) // width_of(case)} | case


def random_copy(rng, dtype, chip):
    columns, rows = 16 * int(rng.integers(1, 8)), int(rng.integers(1, 40))
    width = WIDTH[dtype]
    row = columns + int(rng.integers(0, 40)) if rng.integers(0, 4) else int(rng.integers(1, 60))
    return plain(dtype, columns=columns, rows=rows, dst_row=row, by_fields=rng.integers(0, 2),
                 adds=int(dtype in NUMBERS and (dtype, chip) != ("int32", "2002") and
                          rng.integers(0, 4) == 0),
                 src=32 * int(rng.integers(0, 40)), dst=width * int(rng.integers(0, 80)),
                 src_pos=rng.choice([VECIN, VECOUT, VECCALC]), matrices=rng.integers(0, 4),
                 src_matrix=rng.integers(1, 20),
                 src_column=-(-rows // 16) * 16 if rng.integers(0, 2) else rng.integers(0, 60),
                 dst_matrix=rng.integers(1, 2000), seed=rng.integers(0, 1 << 20))


@pytest.mark.parametrize("chip, dtype", [(chip, dtype) for chip in SUPPORTED
                                         for dtype in SUPPORTED[chip]])
def test_random(chip, dtype):
    check_random(COPY, chip, lambda rng: random_copy(rng, dtype, chip), 200, dtype)


@pytest.mark.parametrize("chip", SUPPORTED)
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_zn_becomes_a_matrix(chip, dtype):
    matrix = np.arange(1, 33 * 48 + 1).reshape(33, 48).astype(dtype)
    image = np.zeros(UB_BYTES + GM_BYTES, np.uint8)
    zn = to_zn(matrix, 16).view(np.uint8)
    image[:zn.size] = zn
    subject = Nz2NdSubject()
    subject.before = lambda case, chip: image
    case = plain("half" if dtype == np.float16 else "float", matrices=1, rows=33, columns=48,
                 src_column=48, dst_row=48)
    run = launch(subject, chip, [case])
    assert run.codes == [], run.stderr
    got = run.outputs[0][0].view(dtype)
    assert (got[:matrix.size] == matrix.ravel()).all() and not got[matrix.size:].any()


def test_the_documents_example():
    """{1, 32, 32, 1, 32, 32, 1} on 1..1024: rows of 16 from either half of the source in turn."""
    image = np.zeros(UB_BYTES + GM_BYTES, np.uint8)
    image[:2048] = np.arange(1, 1025).astype(np.float16).view(np.uint8)
    subject = Nz2NdSubject()
    subject.before = lambda case, chip: image
    case = plain(by_fields=0, matrices=1, rows=32, columns=32, src_matrix=1, src_column=32,
                 dst_row=32, dst_matrix=1)
    got = launch(subject, "2201", [case]).outputs[0][0].view(np.float16)[:1024]
    assert [*got[:16], *got[16:32], *got[32:48]] == [*range(1, 17), *range(513, 529),
                                                     *range(17, 33)]
    assert [*got[-32:]] == [*range(497, 513), *range(1009, 1025)]


RULES = [
    ({"matrices": 0, "rows": 0, "columns": 3, "src_n": 0, "dst_n": 0}, None),
    ({"matrices": 4095, "rows": 1, "columns": 16, "src_column": 0, "dst_row": 1, "dst_matrix": 1,
      "src_matrix": 1}, "V1001"),
    ({"matrices": 4096}, "V2001"),
    # The second matrix ends at 768 + 7 * 16 + 5 * 16 elements, and at 300 + 4 * 40 + 32 in GM.
    ({"src_n": 960}, None), ({"src_n": 959}, "V1001"), ({"dst_n": 492}, None),
    ({"dst_n": 491}, "V1001"),
    ({"rows": 0}, "V2001"), ({"rows": 1}, None), ({"rows": 8192}, "V1001"),
    ({"rows": 8193}, "V2001"),
    ({"columns": 0}, "V2001"), ({"columns": 16}, None), ({"columns": 24}, "V2002"),
    ({"columns": 8192}, "V1001"), ({"columns": 8208}, "V2001"),
    ({"src_column": 0}, None), ({"src_column": 4096}, "V1001"), ({"src_column": 4097}, "V2001"),
    ({"src_column": 4096, "columns": 16}, None),
    ({"dst_row": 0}, "V2001"), ({"dst_row": 1}, None), ({"dst_row": 65535}, "V1001"),
    ({"dst_row": 65535, "rows": 1}, None),
    ({"src_matrix": 0}, "V2001"), ({"src_matrix": 513}, "V2001"),
    ({"src_matrix": 0, "matrices": 1}, None), ({"src_matrix": 513, "matrices": 1}, None),
    ({"src_matrix": 512}, "V1001"),
    ({"dst_matrix": 0}, "V2001"), ({"dst_matrix": 0, "matrices": 1}, None),
    ({"dst_matrix": 65535}, "V1001"),
    ({"src": 32}, None), ({"src": 16}, "V1004"), ({"dst": 2}, None), ({"dst": 1}, None),
    ({"src_pos": VECIN}, None), ({"src_pos": A1}, "V1005"), ({"src_pos": CO1}, "V1005"),
]


@pytest.mark.parametrize("chip", SUPPORTED)
def test_rules(chip):
    check_rules(COPY, chip, [(plain(**changes), code) for changes, code in RULES])


@pytest.mark.parametrize("chip", SUPPORTED)
def test_types(chip):
    for dtype in TYPES:
        if dtype not in SUPPORTED[chip] and dtype in WIDTH:
            check_refused(COPY, chip, plain(dtype, adds=0), "V6002")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(SUPPORTED)))
def test_chip_without_it(chip):
    check_refused(COPY, chip, plain(), "V6001")
