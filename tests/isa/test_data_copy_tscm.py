"""DataCopy and DataCopyPad from UB to TSCM: element (n, d) of the matrix goes to byte
d / C0 * dstNzC0Stride * 32 + n * dstNzNStride * 32 + d % C0 elements, and the rest of a row's last 32
bytes becomes 0. DataCopyPad's matrix is one in GM, where its bursts come to lie."""

import numpy as np
import pytest

import cases as kit
from batches import check_rules
from cases import FOLDER, TYPES, WIDTH, Subject, as_int64, random_bytes, random_cases
from harness import CHIPS, Out, Value, check_clean, run_kernel

VECIN, VECOUT, VECCALC, TSCM, A1, GM = 9, 10, 11, 13, 1, 0
UB, L1 = 8192, 16384
UB_ROOM = (192 << 10) - 256  # what InitBuffer may hand out
NARROW = ["int8", "uint8", "int16", "uint16", "half", "bfloat16", "int32", "uint32", "float"]
WIDE = ["int64", "uint64"]


def width_of(case):
    return WIDTH[TYPES[case["type"]]]


class TscmSubject(Subject):
    source = "data_copy_tscm_cases.cpp"
    kernel = "data_copy_tscm_cases"
    fields = ("ub", "tscm", "taken", "pads", "type", "dst_pos", "dst", "dst_n", "src_pos", "src", "src_n",
              "nd", "rows", "columns", "src_matrix", "src_row", "dst_c0", "dst_row", "dst_matrix",
              "blocks", "length", "src_gap", "dst_gap")
    simplest = {"rows": 1, "columns": 1, "dst_c0": 1, "dst_row": 1, "src": 0, "dst": 0}

    def before(self, case, chip):
        return random_bytes(case["seed"], UB + L1)

    def result_bytes(self, case, image):
        return L1

    def untouched(self, case, chip, before):
        return before[UB:]

    def in_gm(self, case, before):
        """DataCopyPad's bursts, with -1 between them."""
        length, gap = case["length"], case["dst_gap"]
        gm = np.full((case["blocks"] - 1) * (length + gap) + length, -1, np.int64)
        for block in range(case["blocks"]):
            at = case["src"] + block * (-(-length // 32) * 32 + 32 * case["src_gap"])
            gm[block * (length + gap):][:length] = before[at:at + length]
        return gm

    def rows_of(self, case, before):
        """Each row's bytes."""
        width = width_of(case)
        source = self.in_gm(case, before) if case["pads"] else before[case["src"]:UB]
        starts = np.arange(case["rows"]) * case["src_row"] * width
        return [source[start:start + case["columns"] * width] for start in starts]

    def expected(self, case, chip, before):
        memory = before[UB:].copy()
        for n, row in enumerate(self.rows_of(case, before)):
            row = np.append(row, [0] * (-len(row) % 32)).astype(np.uint8)
            for group in range(len(row) // 32):
                to = case["dst"] + (group * case["dst_c0"] + n * case["dst_row"]) * 32
                memory[to:to + 32] = row[32 * group:][:32]
        return memory

    def legal(self, case, chip):
        types = NARROW + WIDE * case["pads"]
        if chip != "2201" or TYPES[case["type"]] not in types or case["dst_pos"] != TSCM or \
                case["src_pos"] not in (VECIN, VECOUT, VECCALC) or case["src"] % 32 or \
                case["dst"] % 32 or case["nd"] != 1 or case["dst_matrix"] > 16384:
            return False
        if not (1 <= case["rows"] <= 16384 and case["columns"] >= 1 and case["src_row"] >= 1 and
                1 <= case["dst_c0"] <= 16384 and 1 <= case["dst_row"] <= 16384):
            return False
        width = width_of(case)
        groups = -(-case["columns"] * width // 32)
        written = ((groups - 1) * case["dst_c0"] + (case["rows"] - 1) * case["dst_row"] + 1) * 32
        if written > min(case["dst_n"] * width, L1 - case["dst"]):
            return False
        room = min(case["src_n"] * width, UB - case["src"])
        if case["pads"]:
            return self.bursts_are_legal(case, room)
        if written > UB_ROOM - case["taken"]:
            return False
        return ((case["rows"] - 1) * case["src_row"] + case["columns"]) * width <= room

    def bursts_are_legal(self, case, room):
        if not (1 <= case["blocks"] <= 4095 and 1 <= case["length"] <= 2097151) or \
                case["length"] % width_of(case):
            return False
        pitch = -(-case["length"] // 32) * 32 + 32 * case["src_gap"]
        if (case["blocks"] - 1) * pitch + case["length"] > room:
            return False
        rows = self.rows_of(case, np.zeros(UB + L1, np.uint8))
        wanted = case["columns"] * width_of(case)
        return all(len(row) == wanted and (row >= 0).all() for row in rows)


def launch_on_aivs(subject, chip, cases, check="strict"):
    """As cases.launch, with an AIC for each AIV."""
    images = np.stack([subject.before(case, chip) for case in cases])
    head = [3 + len(subject.fields), images.shape[1], L1]
    table = np.array([head + [as_int64(case[field]) for field in subject.fields] for case in cases])
    run = run_kernel(FOLDER / subject.source, table, images, Out("uint8", len(cases), L1, part=True),
                     soc=CHIPS[chip], blocks=len(cases), check=check, kernel=subject.kernel,
                     extra=["--cores", "mix11"] if chip == "2201" else [])
    if run.report:  # nobody says what UB holds between rows that are copied with it
        run.report["faults"] = [fault for fault in run.faults if fault["code"] != "V4013"]
    run.images = images
    return run


@pytest.fixture(autouse=True)
def on_aivs(monkeypatch):
    """What the kits run, runs so."""
    monkeypatch.setattr(kit, "launch", launch_on_aivs)
    monkeypatch.setattr("batches.launch", launch_on_aivs)


COPY = TscmSubject()


def plain(dtype="half", **changes):
    """A matrix of 5 x 20, rows 32 elements apart; of DataCopyPad in 5 bursts of 20."""
    width = WIDTH[dtype]
    case = {"ub": UB, "tscm": L1, "taken": 0, "pads": 0, "type": TYPES.index(dtype), "dst_pos": TSCM,
            "dst": 0, "src_pos": VECIN, "src": 0, "nd": 1, "rows": 5, "columns": 20, "src_matrix": 0,
            "src_row": 32, "dst_c0": 16, "dst_row": 1, "dst_matrix": 0, "blocks": 5,
            "length": 20 * width, "src_gap": 0, "dst_gap": 12 * width, "seed": 1} | changes
    return {"dst_n": (L1 - case["dst"]) // width, "src_n": (UB - case["src"]) // width} | case


def random_copy(rng, dtype, pads):
    width, rows, columns = WIDTH[dtype], int(rng.integers(1, 30)), int(rng.integers(1, 70))
    c0 = 32 // width
    row = int(rng.choice([columns, -(-columns // c0) * c0, columns + int(rng.integers(0, 30)),
                          int(rng.integers(1, 80))]))
    dense = rng.integers(0, 2)
    changes = {"rows": rows, "columns": columns, "src_row": row, "dst": 32 * rng.integers(0, 40),
               "src": 32 * rng.integers(0, 20), "src_pos": rng.choice([VECIN, VECOUT, VECCALC]),
               "dst_c0": -(-rows // 16) * 16 if dense else rng.integers(1, 40),
               "dst_row": 1 if dense else rng.integers(1, 5), "src_matrix": rng.integers(0, 65536),
               "dst_matrix": rng.integers(0, 16385), "seed": rng.integers(0, 1 << 20)}
    if pads and rng.integers(0, 2):  # a burst for each row
        changes |= {"blocks": rows, "length": columns * width, "src_gap": rng.integers(0, 3),
                    "dst_gap": max(row - columns, 0) * width}
    elif pads:  # rows anywhere in a few bursts
        changes |= {"blocks": 1, "length": ((rows - 1) * row + columns) * width, "src_gap": 0,
                    "dst_gap": rng.integers(0, 100)}
    return plain(dtype, pads=pads, **{name: int(value) for name, value in changes.items()})


@pytest.mark.parametrize("dtype, pads", [(dtype, pads) for pads in (0, 1)
                                         for dtype in NARROW + WIDE * pads])
def test_random(dtype, pads):
    cases = random_cases(COPY, "2201", lambda rng: random_copy(rng, dtype, pads), 60, dtype, pads)
    kit.check_legal(COPY, "2201", cases)


def test_the_documents_figure():
    """3 bursts of 6 datablocks, 1 apart in UB and 64 bytes in GM, to a NZ of its own strides."""
    case = plain(pads=1, blocks=3, length=192, src_gap=1, dst_gap=64, rows=3, columns=96, src_row=128,
                 dst_c0=7, dst_row=2)
    kit.check(COPY, "2201", [case])
    whole = plain(rows=16, columns=16, src_row=16, dst_c0=16)
    kit.check(COPY, "2201", [whole | {"src_row": row} for row in (16, 17, 32, 100)])


def test_many_rows():
    """More than DataCopyPad has bursts: 4100 rows of UB that is 128 KB, each to 32 bytes of TSCM."""
    rows = 4100
    data = np.arange(rows * 32, dtype=np.uint32).view(np.uint8)[:rows * 32]
    run = run_kernel(FOLDER / COPY.source, data, Out("uint8", rows * 32), Value("uint32", rows),
                     soc=CHIPS["2201"], kernel="many_rows", extra=["--cores", "mix11"])
    check_clean(run)
    want = data.reshape(rows, 32).copy()
    want[:, 5:] = 0
    assert (run.outputs[0].reshape(rows, 32) == want).all()


BOTH = [
    ({"nd": 0}, "V2001"), ({"nd": 2}, "V2001"), ({"rows": 0}, "V2001"), ({"rows": 16385}, "V2001"),
    ({"columns": 0}, "V2001"), ({"src_row": 0}, "V2001"), ({"dst_c0": 0}, "V2001"),
    ({"dst_c0": 16385}, "V2001"), ({"dst_row": 0}, "V2001"), ({"dst_row": 16385}, "V2001"),
    ({"dst_matrix": 16384}, None), ({"dst_matrix": 16385}, "V2001"), ({"src_matrix": 65535}, None),
    ({"src": 16}, "V1004"), ({"dst": 16}, "V1004"), ({"dst_pos": VECIN}, "V1005"),
    ({"src_pos": TSCM}, "V1005"), ({"dst_c0": 16384, "columns": 16}, None),
    ({"dst_row": 16384, "rows": 1}, None), ({"dst_n": 336}, None), ({"dst_n": 335}, "V1001"),
    ({"dst": (512 << 10) - 640}, "V1002"),
]
PLAIN = [
    ({"src_n": 4 * 32 + 20}, None), ({"src_n": 4 * 32 + 19}, "V1001"),
    ({"taken": UB_ROOM - 672}, None), ({"taken": UB_ROOM - 640}, "V1002"),
]
PADDED = [
    ({"blocks": 0}, "V2001"), ({"blocks": 4096}, "V2001"), ({"length": 0}, "V2001"),
    ({"length": 2097152}, "V2001"), ({"length": 39}, "V2002"), ({"rows": 6}, "V2004"),
    ({"columns": 21}, "V2004"), ({"src_row": 33}, "V2004"), ({"taken": UB_ROOM - 640}, None),
    ({"src_n": 4 * 32 + 20}, None), ({"src_n": 4 * 32 + 19}, "V1001"),
]


@pytest.mark.parametrize("pads", (0, 1))
def test_rules(pads):
    rules = [(plain(pads=pads, **changes), code)
             for changes, code in BOTH + (PADDED if pads else PLAIN)]
    check_rules(COPY, "2201", rules)


def test_types():
    for dtype, pads in [(dtype, 0) for dtype in WIDE] + [("int4", 0), ("int4", 1)]:
        case = plain(pads=pads) | {"type": TYPES.index(dtype)}
        run = launch_on_aivs(COPY, "2201", [case])
        assert run.codes == ["V6002"], run.stderr


@pytest.mark.parametrize("cores", ("mix11", "aiv"))
def test_without_a_matmul(cores):
    subject, case = TscmSubject(), plain()
    images = subject.before(case, "2201")[None]
    table = np.array([[3 + len(subject.fields), images.shape[1], L1,
                       *(as_int64(case[field]) for field in subject.fields)]])
    run = run_kernel(FOLDER / subject.source, table, images, Out("uint8", 1, L1, part=True),
                     soc=CHIPS["2201"], kernel="data_copy_tscm_alone", extra=["--cores", cores])
    assert run.codes == ["V2004"] and "has begun none" in run.stderr
    assert (run.outputs[0][0] == images[0][UB:]).all()


@pytest.mark.parametrize("schedule", ("eager", "lazy", "random:3"))
def test_a_matrix_from_ub_is_multiplied(schedule):
    """A in TSCM by both calls, half of its rows each, through the queues of a kernel."""
    rng = np.random.default_rng(9)
    m, n, k, aivs = 32, 48, 64, 4
    a, b = rng.integers(-4, 5, (aivs, m, k)), rng.integers(-4, 5, (k, n))
    run = run_kernel(FOLDER / COPY.source, a.astype(np.float16), b.astype(np.float16),
                     Out("float", aivs, m, n), *(Value("int32", size) for size in (m, n, k)),
                     soc=CHIPS["2201"], blocks=aivs // 2,
                     kernel="multiply_from_ub", extra=["--cores", "mix12", "--schedule", schedule])
    check_clean(run)
    assert (run.outputs[0] == a @ b).all()


@pytest.mark.parametrize("chip", sorted(set(CHIPS) - {"2201"}))
@pytest.mark.parametrize("pads", (0, 1))
def test_chips_without_it(chip, pads):
    run = run_kernel(FOLDER / COPY.source, Value("int32", pads), soc=CHIPS[chip],
                     kernel="to_tscm_at_once")
    assert run.codes == ["V6001"] and run.code == 4, run.stderr
