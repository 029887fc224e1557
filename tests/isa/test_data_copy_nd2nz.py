"""DataCopy ND to NZ: element (i, n, d), at i * srcNdMatrixStride + n * srcDValue + d in GM, goes to
i * dstNzMatrixStride elements + d/C0 * dstNzC0Stride * 32 bytes + n * dstNzNStride * 32 bytes + d%C0
elements of L1 or UB. The rest of a row's last 32 bytes becomes 0. Of int4b_t all numbers count bytes.
"""

import numpy as np
import pytest

from batches import check_rules
from cases import TYPES, WIDTH, SubjectInL1, check_random, check_refused, launch
from fractals import to_zn
from harness import CHIPS

GM, A1, A2, B1, CO1, VECIN = 0, 1, 2, 3, 7, 9
GM_BYTES, L1_BYTES = 8192, 16384
SUPPORTED = {"2201": ["int8", "uint8", "int16", "uint16", "half", "bfloat16", "int32", "uint32",
                      "float", "int4"],
             "2002": ["int16", "uint16", "half", "int32", "uint32", "float"]}


def supported(case, chip):
    """Into UB bytes on the 310P, too."""
    return SUPPORTED[chip] + ["int8", "uint8"] * (case["dst_pos"] == VECIN)


def width_of(case):
    return WIDTH.get(TYPES[case["type"]], 1)


def tensor_bytes(case, name):
    return case[name] // 2 if TYPES[case["type"]] == "int4" else case[name] * width_of(case)


def elements(case, size):
    """How many are `size` bytes of a tensor."""
    return size * 2 if TYPES[case["type"]] == "int4" else size // width_of(case)


class Nd2NzSubject(SubjectInL1):
    source = "data_copy_nd2nz_cases.cpp"
    gm_bytes, l1_bytes = GM_BYTES, L1_BYTES
    fields = ("gm", "l1", "by_fields", "type", "dst_pos", "dst", "dst_n", "src", "src_n",
              "matrices", "rows", "columns", "src_matrix", "src_row", "dst_c0", "dst_row",
              "dst_matrix", "seed")
    simplest = {"by_fields": 1, "matrices": 1, "rows": 1, "columns": 1, "src_matrix": 0,
                "src_row": 1, "dst_c0": 1, "dst_row": 1, "dst_matrix": 0, "src": 0, "dst": 0,
                "seed": 0}

    def expected(self, case, chip, before):
        """Row by row, in order: what comes later wins where targets overlap."""
        memory, width = before[GM_BYTES:].copy(), width_of(case)
        for i in range(case["matrices"]):
            for n in range(case["rows"]):
                at = case["src"] + (i * case["src_matrix"] + n * case["src_row"]) * width
                row = np.zeros(-(-case["columns"] * width // 32) * 32, np.uint8)
                row[:case["columns"] * width] = before[at:at + case["columns"] * width]
                for group in range(len(row) // 32):
                    to = case["dst"] + i * case["dst_matrix"] * width + \
                        (group * case["dst_c0"] + n * case["dst_row"]) * 32
                    memory[to:to + 32] = row[group * 32:group * 32 + 32]
        return memory

    def legal(self, case, chip):
        if chip not in SUPPORTED or TYPES[case["type"]] not in supported(case, chip) or \
                case["dst_pos"] not in (A1, B1, VECIN) or case["dst"] % 32 or case["matrices"] > 4095 or \
                case["rows"] > 16384:
            return False
        if 0 in (case["matrices"], case["rows"], case["columns"]):
            return True
        width = width_of(case)
        if case["src_row"] < 1 or not 1 <= case["dst_c0"] <= 16384 or \
                not 1 <= case["dst_row"] <= 16384 or \
                (case["matrices"] > 1 and case["dst_matrix"] * width % 32):
            return False
        i, n = case["matrices"] - 1, case["rows"] - 1
        groups = -(-case["columns"] * width // 32)
        read = (i * case["src_matrix"] + n * case["src_row"] + case["columns"]) * width
        written = i * case["dst_matrix"] * width + \
            ((groups - 1) * case["dst_c0"] + n * case["dst_row"] + 1) * 32
        return read <= min(tensor_bytes(case, "src_n"), GM_BYTES - case["src"]) and \
            written <= min(tensor_bytes(case, "dst_n"), L1_BYTES - case["dst"])


COPY = Nd2NzSubject()


def plain(dtype="half", **changes):
    """Two matrices of 5 x 20."""
    case = {"gm": GM_BYTES, "l1": L1_BYTES, "by_fields": 1, "type": TYPES.index(dtype),
            "dst_pos": A1, "dst": 0, "src": 0, "matrices": 2, "rows": 5, "columns": 20,
            "src_matrix": 100, "src_row": 20, "dst_c0": 16, "dst_row": 1, "seed": 1} | changes
    return {"dst_matrix": 2048 // width_of(case), "dst_n": elements(case, L1_BYTES - case["dst"]),
            "src_n": elements(case, GM_BYTES - case["src"])} | case


def random_copy(rng, dtype):
    width, columns, rows = WIDTH.get(dtype, 1), int(rng.integers(0, 80)), int(rng.integers(0, 24))
    row = columns + int(rng.integers(0, 20)) if rng.integers(0, 4) else int(rng.integers(1, 60))
    dense = rng.integers(0, 2)
    return plain(dtype, columns=columns, rows=rows, src_row=max(row, 1),
                 by_fields=rng.integers(0, 2), src=width * int(rng.integers(0, 40)),
                 dst=32 * int(rng.integers(0, 40)), dst_pos=rng.choice([A1, B1, VECIN]),
                 matrices=rng.integers(0, 5), src_matrix=rng.integers(0, 400),
                 dst_c0=-(-max(rows, 1) // 16) * 16 if dense else rng.integers(1, 40),
                 dst_row=1 if dense else rng.integers(1, 6),
                 dst_matrix=32 // width * int(rng.integers(0, 130)), seed=rng.integers(0, 1 << 20))


@pytest.mark.parametrize("chip, dtype", [
    *((chip, dtype) for chip in SUPPORTED for dtype in SUPPORTED[chip]), ("2002", "int8"),
    ("2002", "uint8")])  # these into UB alone
def test_random(chip, dtype):
    check_random(COPY, chip, lambda rng: random_copy(rng, dtype), 500, dtype)


@pytest.mark.parametrize("chip", SUPPORTED)
def test_a_matrix_becomes_zn(chip):
    """33 x 40: dstNzC0Stride is the rows rounded up to 16; rows behind them are not written."""
    for dtype in ("half", "float"):
        matrix = np.arange(1, 33 * 40 + 1).reshape(33, 40).astype(
            np.float16 if dtype == "half" else np.float32)
        c0 = 32 // WIDTH[dtype]
        image = np.zeros(GM_BYTES + L1_BYTES, np.uint8)
        image[:matrix.nbytes] = matrix.view(np.uint8).ravel()
        subject = Nd2NzSubject()
        subject.before = lambda case, chip, image=image: image
        case = plain(dtype, matrices=1, rows=33, columns=40, src_row=40, dst_c0=48)
        run = launch(subject, chip, [case])
        assert run.codes == [], run.stderr
        want = to_zn(matrix, c0)
        assert (run.outputs[0][0].view(matrix.dtype)[:want.size] == want).all()


@pytest.mark.parametrize("chip", SUPPORTED)
def test_the_documents_example(chip):
    """Two matrices of 2 x 24 halves: the second C0 group has 8 elements and 8 zeros."""
    case = plain("half", rows=2, columns=24, src_row=24, src_matrix=144, dst_c0=11, dst_row=2,
                 dst_matrix=96)
    image = COPY.before(case, chip)
    image[GM_BYTES:] = 0xAA
    subject = Nd2NzSubject()
    subject.before = lambda case, chip: image
    got = launch(subject, chip, [case]).outputs[0][0].view(np.uint16)
    source = image[:GM_BYTES].view(np.uint16)
    want = np.full_like(got, 0xAAAA)
    for i, n in np.ndindex(2, 2):
        at, row = i * 96 + n * 32, source[i * 144 + n * 24:][:24]
        want[at:at + 16] = row[:16]
        want[at + 176:at + 184], want[at + 184:at + 192] = row[16:], 0
    assert (got == want).all()


RULES = [
    ({"matrices": 0, "src_n": 0, "dst_n": 0}, None), ({"rows": 0, "src_n": 0, "dst_n": 0}, None),
    ({"columns": 0, "src_n": 0, "dst_n": 0}, None), ({"rows": 0, "src_row": 0, "dst_c0": 0}, None),
    # The second matrix ends at 100 + 4 * 20 + 20 elements, and at 1024 + 20 * 16 + 16 in L1.
    ({"src_n": 200}, None), ({"src_n": 199}, "V1001"), ({"src_row": 21, "src_n": 203}, "V1001"),
    ({"src_row": 21, "src_n": 204}, None), ({"src_matrix": 0, "src_n": 100}, None),
    ({"src_matrix": 0, "src_n": 99}, "V1001"), ({"dst_n": 1024 + 336}, None),
    ({"dst_n": 1024 + 335}, "V1001"), ({"dst_c0": 17, "dst_n": 1024 + 351}, "V1001"),
    ({"dst_row": 2, "dst_n": 1024 + 400}, None), ({"dst_row": 2, "dst_n": 1024 + 399}, "V1001"),
    ({"dst_matrix": 1040, "dst_n": 1040 + 335}, "V1001"),
    # What the last 32 bytes of a row are filled with counts as written.
    ({"matrices": 1, "rows": 1, "columns": 1, "src_n": 1, "dst_n": 16}, None),
    ({"matrices": 1, "rows": 1, "columns": 1, "src_n": 1, "dst_n": 15}, "V1001"),
    ({"matrices": 4095, "rows": 1, "columns": 1, "src_matrix": 0, "dst_matrix": 0}, None),
    ({"matrices": 4096}, "V2001"), ({"matrices": 4096, "rows": 0}, "V2001"),
    ({"rows": 16384, "columns": 1}, "V1001"), ({"rows": 16385, "columns": 1}, "V2001"),
    ({"rows": 16385, "columns": 0}, "V2001"), ({"columns": 65535}, "V1001"),
    ({"src_row": 0}, "V2001"), ({"src_row": 1}, None), ({"src_row": 65535}, "V1001"),
    ({"src_row": 65535, "rows": 1}, None), ({"src_matrix": 65535}, "V1001"),
    ({"src_matrix": 65535, "matrices": 1}, None),
    ({"dst_c0": 0}, "V2001"), ({"dst_c0": 1}, None), ({"dst_c0": 16384, "columns": 16}, None),
    ({"dst_c0": 16384}, "V1001"), ({"dst_c0": 16385, "columns": 16}, "V2001"),
    ({"dst_row": 0}, "V2001"), ({"dst_row": 16384, "rows": 1}, None),
    ({"dst_row": 16384}, "V1001"), ({"dst_row": 16385, "rows": 1}, "V2001"),
    ({"dst_matrix": 1032}, "V2002"), ({"dst_matrix": 1032, "matrices": 1}, None),
    ({"dst_matrix": 65520}, "V1001"), ({"dst_matrix": 0}, None),
    ({"dst": 32}, None), ({"dst": 16}, "V1004"), ({"dst": 16, "rows": 0}, "V1004"),
    ({"src": 2}, None), ({"src": 1}, None), ({"dst_pos": B1}, None),
    ({"dst_pos": VECIN}, None), ({"dst_pos": A2}, "V1005"), ({"dst_pos": CO1}, "V1005"),
]


@pytest.mark.parametrize("chip", SUPPORTED)
def test_rules(chip):
    check_rules(COPY, chip, [(plain(**changes), code) for changes, code in RULES])
    rules = [(plain("float", dst_matrix=changed), code) for changed, code in
             ((8, None), (4, "V2002"))]
    if chip == "2201":
        rules += [(plain(dtype, dst_matrix=changed), code) for dtype in ("int8", "int4")
                  for changed, code in ((32, None), (16, "V2002"))]
    check_rules(COPY, chip, rules)


def test_int4_as_fractals():
    """Columns of 64 int4 are rows of 32 bytes; the call has half the numbers of columns."""
    matrix = np.arange(16 * 128).reshape(16, 128) * 7 % 16
    image = np.zeros(GM_BYTES + L1_BYTES, np.uint8)
    image[:matrix.size // 2] = (matrix[:, ::2] | matrix[:, 1::2] << 4).ravel()
    subject = Nd2NzSubject()
    subject.before = lambda case, chip: image
    case = plain("int4", matrices=1, rows=16, columns=64, src_row=64, dst_c0=16, src_n=2048,
                 dst_n=2048)
    run = launch(subject, "2201", [case])
    assert run.codes == [], run.stderr
    got = run.outputs[0][0][:1024]
    assert (np.stack([got & 15, got >> 4], 1).ravel() == to_zn(matrix, 64)).all()


@pytest.mark.parametrize("chip", SUPPORTED)
def test_the_end_of_the_memories(chip):
    check_refused(COPY, chip, plain(src_n=1 << 20, src_row=8000), "V1003")
    l1 = (512 if chip == "2201" else 1024) << 10
    case = plain(matrices=1, rows=1, columns=16, dst=l1 - 32, dst_n=16)
    assert launch(COPY, chip, [case]).codes == []
    check_refused(COPY, chip, case | {"dst_n": 64, "columns": 17, "dst_c0": 1}, "V1002")


@pytest.mark.parametrize("chip", SUPPORTED)
def test_types(chip):
    for dtype in TYPES:
        if dtype not in SUPPORTED[chip]:
            check_refused(COPY, chip, plain(dtype), "V6002")


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - set(SUPPORTED)))
def test_chip_without_it(chip):
    check_refused(COPY, chip, plain(l1=0), "V6001")
