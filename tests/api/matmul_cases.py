"""Cases of Matmul, and what comes out of them, from C = A * B + bias."""

import numpy as np

import harness
from api_kit import KERNELS
from harness import Out, Value

FIELDS = """usedCoreNum M N Ka Kb singleCoreM singleCoreN singleCoreK baseM baseN baseK depthA1 depthB1
stepM stepN isBias transLength iterateOrder shareMode shareL1Size shareL0CSize shareUbSize batchM
batchN singleBatchM singleBatchN stepKa stepKb depthAL1CacheUB depthBL1CacheUB dbL0A dbL0B dbL0C
ALayoutInfoB ALayoutInfoS ALayoutInfoN ALayoutInfoG ALayoutInfoD BLayoutInfoB BLayoutInfoS
BLayoutInfoN BLayoutInfoG BLayoutInfoD CLayoutInfoB CLayoutInfoS1 CLayoutInfoN CLayoutInfoG
CLayoutInfoS2 BatchNum mxTypePara""".split()
ALL, TILES, TO_UB, ASYNC_ALL, SEQUENTIAL, ASYNC_TILES, TWICE, ATOMIC, ALL_TO_UB = range(9)
# Of the kernel: what runs it.
ONLY_AIC, MIX, WHOLE, PLAIN = "ASCENDC_CUBE_ONLY", "BOTH_KINDS", "WHOLE", "PLAIN"
CHIP = {ONLY_AIC: "Ascend910B1", MIX: "Ascend910B1", WHOLE: "Ascend310P3", PLAIN: "Ascend310B1"}

# A and B, C, bias, format of A and B, and of C.
COMBINATIONS = [
    ("half", "float", "float", "nd", "nd"), ("half", "half", "half", "nd", "nd"),
    ("bfloat16", "float", "float", "nd", "nd"), ("float", "float", "float", "nd", "nd"),
    ("int8", "int32", "int32", "nd", "nd"), ("int8", "half", "int32", "nd", "nd"),
    ("int8", "int8", "int32", "nd", "nd"), ("int4", "int32", "int32", "nd", "nd"),
    ("bfloat16", "bfloat16", "float", "nd", "nd"), ("half", "float", "float", "nz", "nz"),
    ("float", "float", "float", "nz", "nz8"), ("int8", "int8", "int32", "nz", "nz"),
    ("half", "float", "float", "nd", "align"), ("half", "float", "float", "vector", "nd"),
    ("half", "half", "float", "nd", "ub")]
# The combinations that a kind has.
OF_KIND = {ONLY_AIC: list(range(14)), MIX: list(range(6)),
           WHOLE: [0, 1, 4, 5, 6, 9, 11, 12, 14], PLAIN: [0, 1, 2, 3, 4, 5, 8, 9, 12]}
BITS = {"half": 16, "bfloat16": 16, "float": 32, "int8": 8, "int4": 4, "int32": 32}


def up(value, unit):
    """`value` rounded up."""
    return -(-value // unit) * unit


def bf16(values):
    """Bits of the nearest bfloat16, ties to even."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def stored(values, dtype):
    """Numbers as they lie in memory, in bytes."""
    if dtype == "bfloat16":
        return bf16(values).tobytes()
    if dtype == "int4":
        flat = np.asarray(values).astype(np.int8).reshape(-1) & 15
        return (flat[0::2] | flat[1::2] << 4).astype(np.uint8).tobytes()
    numpy = {"half": np.float16, "float": np.float32, "int8": np.int8, "int32": np.int32}
    return np.ascontiguousarray(values).astype(numpy[dtype]).tobytes()


def zn(matrix, wide):
    """Columns of `wide` elements, each with all rows; filled up with 0."""
    rows, columns = matrix.shape
    full = np.zeros((up(rows, 16), up(columns, wide)), matrix.dtype)
    full[:rows, :columns] = matrix
    return full.reshape(full.shape[0], -1, wide).transpose(1, 0, 2)


class Memory:
    """Bytes of all cases, one after the other."""

    def __init__(self):
        self.data = bytearray()

    def put(self, data):
        """Where they lie."""
        self.data += b"\0" * (-len(self.data) % 64)
        place = len(self.data)
        self.data += data
        return place


def random_case(rng, kind, combination=None):
    """Small whole numbers; each size from 1 to 300, tiles of any size that fits."""
    number = int(rng.choice(OF_KIND[kind])) if combination is None else combination
    mix, whole = kind == MIX, kind == WHOLE
    dtype, out, bias, form, out_form = COMBINATIONS[number]
    c0 = 256 // BITS[dtype]
    case = {"combination": number}
    sizes = [int(rng.integers(1, rng.choice([20, 100, 300]) + 1)) for _ in range(3)]
    m, n, k = sizes
    trans_a, trans_b = (int(rng.integers(2)) for _ in range(2))
    if form == "vector":
        m, trans_a = 1, 0
    if dtype == "int4":
        n, k, trans_a = up(n, 2), up(k, 2), 0
    if whole:  # rows of C are whole datablocks, A of int8 is as it is
        n = up(n, 256 // BITS[out]) if out_form == "nd" else n
        trans_a = 0 if dtype == "int8" else trans_a
    if out_form == "ub":
        m, n, k = min(up(m, 16), 128), min(n, 128), min(up(k, 16), 128)
    unit_m = max(16, c0) if form == "nz" and trans_a else 16
    unit_n = 32 if form == "nz" or whole and out == "int8" else 16
    unit_n = max(unit_n, c0) if form == "nz" else unit_n
    base_m = unit_m * int(rng.integers(1, 128 // unit_m + 1))
    base_n = unit_n * int(rng.integers(1, 128 // unit_n + 1))
    unit_k = max(16, c0)
    most = 65536 * 8 // BITS[dtype] // max(up(base_m, 64), up(base_n, 64))
    base_k = unit_k * int(rng.integers(1, min(most, 320) // unit_k + 1))
    mode = int(rng.choice([ALL, TILES, SEQUENTIAL, TWICE]))
    if mix:
        mode = int(rng.choice([ALL, TILES, TO_UB, ASYNC_ALL, ASYNC_TILES, TWICE]))
    if mode == ALL and mix and m * n * BITS[out] // 8 <= 65536 and rng.integers(2):
        mode = ALL_TO_UB
    if out_form != "nd":
        mode = SEQUENTIAL if out_form == "ub" else ALL
    if mode == TWICE and whole and out != "float":
        mode = ALL
    if mode == TWICE and (number in (5, 6, 11) or kind == PLAIN and out == "bfloat16"):
        mode = ALL
    pitch_extra = int(rng.integers(3)) * 32 if form == "nd" and out_form != "ub" else 0
    case |= dict(m=m, n=n, k=k, trans_a=trans_a, trans_b=trans_b, base_m=base_m, base_n=base_n,
                 base_k=base_k, mode=mode, bias=bool(rng.integers(2)), more=pitch_extra,
                 order=int(rng.integers(2)), quant=int(rng.integers(2)), dims=(1, 1))
    if form == out_form == "nd" and dtype != "int4" and mode in (ALL, TILES, ASYNC_ALL, TWICE):
        first = int(rng.choice([1, 1, 2, 3, 4, 6, 24]))
        case["dims"] = (first, int(rng.choice([d for d in (1, 2, 3, 4, 12) if d * first <= 24])))
    return case


def parts_of(case):
    """What each of the cores has of C: first row and column, rows and columns."""
    rows, columns = (-(-case[size] // dim) for size, dim in zip("mn", case["dims"]))
    columns = up(columns, 32) if case["dims"][1] > 1 else columns
    return [(row, column, min(rows, case["m"] - row), min(columns, case["n"] - column))
            for column in range(0, case["n"], columns) for row in range(0, case["m"], rows)]


def sums_of(case, rng):
    """A and B, logically, the bias, and their exact result."""
    dtype = COMBINATIONS[case["combination"]][0]
    most = {"int4": 7, "int8": 20}.get(dtype, 4)
    draw = lambda *shape: rng.integers(-most, most + 1, shape)
    a, b = draw(case["m"], case["k"]), draw(case["k"], case["n"])
    bias = draw(case["n"]) if case["bias"] else None
    return a, b, bias, a @ b + (0 if bias is None else bias)


def scaled(sums, dtype, words):
    """Quantised: the product with a scale, as float; to int8 rounded, ties to even, and limited."""
    values = sums.astype(np.float32) * words
    return values if dtype == "half" else np.clip(np.rint(values), -128, 127)


def place_factor(memory, matrix, transposed, case, dtype, form):
    """Writes a factor, and tells where, and how long its rows are."""
    matrix = matrix.T if transposed else matrix
    if form == "nz":
        return memory.put(stored(zn(matrix, 256 // BITS[dtype]), dtype))
    wide = np.zeros((matrix.shape[0], matrix.shape[1] + case["more"]), matrix.dtype)
    wide[:, :matrix.shape[1]] = matrix
    return memory.put(stored(wide, dtype))


def expected(case, result):
    """C as it lies in memory: an array of numbers, and a mask of those that count."""
    _, out, _, _, form = COMBINATIONS[case["combination"]]
    m, n, base_m, base_n = (case[key] for key in ("m", "n", "base_m", "base_n"))
    if case["mode"] in (SEQUENTIAL, TO_UB, ASYNC_TILES):
        rows, columns = -(-m // max(base_m, 1)), -(-n // max(base_n, 1))
        tiles = [(i, j) for i in range(rows) for j in range(columns)] if case["order"] else \
            [(i, j) for j in range(columns) for i in range(rows)]
        flat = np.zeros(len(tiles) * base_m * base_n, result.dtype)
        counts = np.zeros(flat.shape, bool)
        for number, (i, j) in enumerate(tiles):
            tile = result[i * base_m:(i + 1) * base_m, j * base_n:(j + 1) * base_n]
            first, known = number * base_m * base_n, np.ones(tile.shape, bool)
            if form == "ub":
                tile, known = zn(tile, 16), zn(known, 16)
            flat[first:first + tile.size] = tile.reshape(-1)
            counts[first:first + tile.size] = known.reshape(-1)
        return flat, counts
    if case["mode"] == ALL_TO_UB:
        return result.reshape(-1), np.ones(result.size, bool)
    if form in ("nz", "nz8"):
        wide = 8 if form == "nz8" else 32 if out == "int8" else 16
        return zn(result, wide).reshape(-1), zn(np.ones(result.shape, bool), wide).reshape(-1)
    pitch = up(n + case["more"], 8 if form == "align" else 1)
    full = np.zeros((m, pitch), result.dtype)
    full[:, :n] = result
    counts = np.zeros(full.shape, bool)
    counts[:, :n] = True
    return full.reshape(-1), counts.reshape(-1)


def tiling_of(case, rows, columns):
    """The 50 numbers, of a core that has so many rows and columns."""
    m, n, k, more = case["m"], case["n"], case["k"], case["more"]
    values = dict.fromkeys(FIELDS, 0) | dict(
        usedCoreNum=1, isBias=1, M=m + more, N=n + more, Ka=k + more, Kb=k + more, singleCoreM=rows,
        singleCoreN=columns, singleCoreK=k, baseM=case["base_m"], baseN=case["base_n"],
        baseK=case["base_k"], stepM=1, stepN=1, iterateOrder=case["order"], stepKa=1, stepKb=1)
    return [values[field] for field in FIELDS]


def records_of(case, places, bias_type):
    """The bytes that say what each core of a case does."""
    dtype, out, _, _, _ = COMBINATIONS[case["combination"]]
    m, n, k = (case[size] + case["more"] for size in "mnk")
    made = []
    for row, column, rows, columns in parts_of(case):
        a, b, bias, c, scales, work, scalar = places
        a += row * (1 if case["trans_a"] else k) * BITS[dtype] // 8
        b += column * (k if case["trans_b"] else 1) * BITS[dtype] // 8
        bias += column * BITS[bias_type] // 8 if bias >= 0 else 0
        c += (row * n + column) * BITS[out] // 8
        scales += column * 8 if scales >= 0 else 0
        head = np.array([a, b, bias, c, scales, work, scalar], np.int64)
        flags = np.array([case["combination"], case["trans_a"], case["trans_b"], case["mode"], 0, 0,
                          *tiling_of(case, rows, columns)], np.int32)
        made.append(head.tobytes() + flags.tobytes())
    return made


def run_cases(cases, kind, rng, extra=()):
    """Runs them in one launch; a list of what came out, as (case, got, wanted) where they differ."""
    memory, room, records, wanted = Memory(), 0, [], []
    for case in cases:
        dtype, out, bias_type, form, _ = COMBINATIONS[case["combination"]]
        bias_type = "float" if kind == WHOLE and bias_type == "half" else bias_type
        a, b, bias, sums = sums_of(case, rng)
        scales = scalar = -1
        words = np.float32(1)
        if case["combination"] in (5, 6, 11):
            signed = 1 << 46
            if case["quant"]:
                words = rng.choice(np.array([0.5, 0.25, 2], np.float32), case["n"])
                scales = memory.put((words.view(np.uint32).astype(np.uint64) | signed).tobytes())
            else:
                words = np.float32(0.25)
                scalar = int(words.view(np.uint32)) | signed
            sums = scaled(sums, out, words)
        if case["mode"] == TWICE:
            first = np.float16(sums) if out == "half" else sums
            sums = first.astype(np.float64) + first
        places = [place_factor(memory, a, case["trans_a"], case, dtype, form),
                  place_factor(memory, b, case["trans_b"], case, dtype,
                               "nd" if form == "vector" else form)]
        places.append(-1 if bias is None else memory.put(stored(bias, bias_type)))
        flat, counts = expected(case, sums)
        size = len(stored(flat[:2], out)) // 2
        place = room
        room = up(room + flat.size * size, 512)
        work, room = room, up(room + flat.size * size, 512)
        wanted.append((place, flat, counts, out))
        records += records_of(case, (*places, place, scales, work, scalar), bias_type)
    data = np.frombuffer(b"".join(records), np.uint8)
    blocks = -(-len(records) // 2) if kind == MIX else len(records)
    cores = {ONLY_AIC: "aic", MIX: "mix12"}
    run = harness.run_kernel(
        KERNELS / "matmul.cpp", np.frombuffer(bytes(memory.data), np.uint8), data,
        Out("uint8", room, part=True), Value("int32", len(records)), soc=CHIP[kind], blocks=blocks,
        kernel="matmul_cases", options=[f"-D{kind}"],
        extra=[*(["--cores", cores[kind]] if kind in cores else []), *extra], timeout=600)
    harness.check_clean(run)
    got, wrong = run.outputs[0], []
    for case, (place, flat, counts, out) in zip(cases, wanted):
        want = np.frombuffer(stored(flat, out), np.uint8).reshape(flat.size, -1)
        mine = got[place:place + want.size].reshape(want.shape)
        if (mine[counts] != want[counts]).any():
            wrong.append((case, int((mine != want).any(axis=1)[counts].sum()), int(counts.sum())))
    return wrong
