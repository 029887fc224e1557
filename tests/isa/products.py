"""Mmad on all types: C = start + A * B, integers modulo 2^32, floats one fused multiply-add a k."""

import numpy as np

from cases import SATURATES, SEED, TYPES, WIDTH, Subject
from fractals import FRACTAL, from_nz, from_zn, multiply, to_half, to_zn, unpacked

A1, A2, B1, B2, C2, CO1, VECIN = 1, 2, 3, 4, 6, 7, 9
TABLE_BYTES = 1024
NONE, WITH_BIAS = 0, 1  # forms

SUPPORTED = {
    "1001": [("int32", "int8", "int8"), ("int32", "uint8", "int8"), ("uint32", "uint8", "uint8"),
             ("float", "half", "half"), ("half", "half", "half")],
    "2002": [("int32", "int8", "int8"), ("int32", "uint8", "int8"), ("int32", "uint8", "uint8"),
             ("int32", "int4", "int4"), ("float", "half", "half"), ("half", "half", "half")],
    "2201": [("int32", "int8", "int8"), ("int32", "int4", "int4"), ("float", "half", "half"),
             ("float", "bfloat16", "bfloat16"), ("float", "float", "float")]}
SUPPORTED["3002"] = SUPPORTED["2201"]
WITH_TABLE = WITH_HF32 = ("2201", "3002")


def types_of(c, a, b):
    return TYPES.index(c) * 10000 + TYPES.index(a) * 100 + TYPES.index(b)


def names_of(case):
    types = case["types"]
    return TYPES[types // 10000], TYPES[types // 100 % 100], TYPES[types % 100]


def bits_of(dtype):
    return 4 if dtype == "int4" else 8 * WIDTH[dtype]


def numbers(memory, dtype):
    """The elements as int64 or float32."""
    if dtype == "int4":
        return (unpacked(memory, 4).astype(np.int64) ^ 8) - 8
    if dtype == "bfloat16":
        return (memory.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    kind = {"half": np.float16, "float": np.float32}.get(dtype, dtype)
    return memory.view(kind).astype(np.float32 if dtype in ("half", "float") else np.int64)


def hf32_of(calls):
    """(whether HF32 mode is on, whether ties go away from 0) after the calls of a case."""
    on = away = False
    while calls:
        call, calls = calls % 16, calls // 16
        on = {1: True, 5: True, 2: False, 6: False}.get(call, on)
        away = {3: True, 7: True, 4: False, 8: False}.get(call, away)
    return on, away


def rounded_to_hf32(values, away):
    """11 fraction bits of float32, by the magnitude's distance from its neighbours."""
    bits = values.view(np.uint32)
    sign, magnitude = bits & np.uint32(1 << 31), bits & np.uint32(0x7FFFFFFF)
    low = magnitude // 4096 * 4096
    rest = magnitude - low
    up = (rest > 2048) | ((rest == 2048) & (away | (low // 4096 % 2 == 1)))
    result = sign | (low + np.where(up, 4096, 0)).astype(np.uint32)
    return np.where(np.isnan(values), values, result.view(np.float32))


def operand(dtype, kind, seed, size):
    """Bytes of one kind: any, small integers, of very different sizes, all as large as can be."""
    rng = np.random.default_rng([SEED, seed])
    if kind == 0 or dtype not in ("half", "bfloat16", "float"):
        if kind == 3:  # the largest and the smallest
            return rng.choice(np.array([0x80, 0x7F, 0xFF, 0x00, 0x88, 0x77], np.uint8), size)
        return rng.integers(0, 256, size, np.uint8)
    if kind == 1:
        values = rng.integers(-8, 9, size // 2).astype(np.float32)
    else:
        spread = 30 if dtype == "half" and kind == 3 else 8 if kind == 2 else 90
        scale = 2.0 ** rng.integers(-spread // 2, spread // 2, size // 2)
        values = (rng.normal(size=size // 2) * scale).astype(np.float32)
    if dtype == "half":
        with np.errstate(all="ignore"):
            return values.astype(np.float16).view(np.uint8)
    if dtype == "bfloat16":
        return (values.view(np.uint32) >> 16).astype(np.uint16).view(np.uint8)
    return values[:size // 4].view(np.uint8)


class Product(Subject):
    source = "mmad_types_cases.cpp"
    fields = ("visible", "form", "constructor", "types", "bias_type", "a_bytes", "b_bytes",
              "table_bytes", "c_pos", "c", "c_n", "a_pos", "a", "a_n", "b_pos", "b", "b_n",
              "bias_pos", "bias", "bias_n", "m", "n", "k", "is_bias", "from_table", "init_zero",
              "k_align", "unit_flag", "disable_gemv", "hf32", "kind", "seed")
    simplest = {"kind": 1, "form": 0, "is_bias": 0, "from_table": 0, "init_zero": 1, "k_align": 0,
                "unit_flag": 0, "disable_gemv": 0, "hf32": 0, "constructor": 2, "m": 2, "n": 1,
                "k": 1, "a": 0, "b": 0, "c": 0, "seed": 0}

    def __init__(self, c=24, a=16, b=16):
        self.c, self.a, self.b = 1024 * c, FRACTAL * a, FRACTAL * b  # bytes

    def before(self, case, chip):
        c, a, b = names_of(case)
        kind, seed = case["kind"], case["seed"]
        bias_kind = 2 if c == "float" and kind == 3 else kind
        parts = [operand(c, bias_kind, seed, self.c), operand(a, kind, seed + 1, self.a),
                 operand(b, kind, seed + 2, self.b),
                 operand(c, bias_kind, seed + 3, case["table_bytes"])]
        return np.concatenate(parts)

    def result_bytes(self, case, image):
        return self.c

    def untouched(self, case, chip, before):
        return before[:self.c]

    def sides(self, case):
        """M1, N1 and K1."""
        k0 = 256 // bits_of(names_of(case)[1])
        return [-(-case[name] // unit) for name, unit in (("m", 16), ("n", 16), ("k", k0))]

    def size_of_a(self, case):
        high, _, deep = self.sides(case)
        if case["m"] == 1:
            return FRACTAL * -(-deep // 16)
        pitch = 2 * -(-case["k"] // 16) if case["k_align"] else deep
        return FRACTAL * ((high - 1) * pitch + deep)

    def taken(self, case, values, dtype):
        """An operand's elements as Mmad takes them."""
        on, away = hf32_of(case["hf32"])
        return rounded_to_hf32(values, away) if on and dtype == "float" else values

    def left(self, case, before):
        """A[m, k], with whole fractals of m."""
        dtype = names_of(case)[1]
        high, _, deep = self.sides(case)
        k, k0 = case["k"], 256 // bits_of(dtype)
        start = self.c + case["a"]
        values = numbers(before[start:start + self.size_of_a(case)], dtype)
        values = self.taken(case, values, dtype)
        if case["m"] == 1:
            return values[:k].reshape(1, k)
        pitch = 2 * -(-k // 16) if case["k_align"] else deep
        size = 16 * k0
        rows = [values[block * pitch * size:][:deep * size].reshape(deep, 16, k0)
                for block in range(high)]
        return np.concatenate([row.transpose(1, 0, 2).reshape(16, -1) for row in rows])[:, :k]

    def right(self, case, before):
        """B[k, n], with whole fractals of n."""
        dtype = names_of(case)[2]
        _, wide, deep = self.sides(case)
        start = self.c + self.a + case["b"]
        values = numbers(before[start:start + deep * wide * FRACTAL], dtype)
        values = self.taken(case, values, dtype)
        return from_nz(values, case["k"], case["n"], 256 // bits_of(dtype))[:case["k"]]

    def matrix(self, case, before, at):
        """A matrix in L0C, in whole fractals."""
        dtype, (high, wide, _) = names_of(case)[0], self.sides(case)
        size = high * wide * 256 * bits_of(dtype) // 8
        return from_zn(numbers(before[at:at + size], dtype), case["m"], case["n"])

    def start(self, case, before):
        """The initial C."""
        whole = self.matrix(case, before, case["c"])
        if case["init_zero"] and not case["is_bias"]:
            return np.zeros_like(whole)
        if case["form"] == WITH_BIAS and case["bias_pos"] == CO1:
            return self.matrix(case, before, case["bias"])
        if case["form"] == WITH_BIAS or case["from_table"]:
            at = self.c + self.a + self.b + (case["bias"] if case["form"] == WITH_BIAS else 0)
            row = numbers(before[at:at + 4 * whole.shape[1]], names_of(case)[0])
            return np.broadcast_to(row, whole.shape)
        return whole

    def expected(self, case, chip, before):
        memory = before[:self.c].copy()
        if not (case["m"] and case["n"] and case["k"]):
            return memory
        dtype = names_of(case)[0]
        a, b, start = self.left(case, before), self.right(case, before), self.start(case, before)
        whole = self.matrix(case, before, case["c"]).copy()
        rows = len(a)
        if dtype in ("int32", "uint32"):
            whole[:rows] = start[:rows] + a @ b
            result = (whole % (1 << 32)).astype(np.uint32)
        else:
            whole[:rows] = multiply(a, b, start[:rows])
            result = whole.astype(np.float32)
        if dtype == "half":
            result = to_half(whole, chip in SATURATES)
        flat = np.ascontiguousarray(to_zn(result)).view(np.uint8)
        memory[case["c"]:case["c"] + len(flat)] = flat
        return memory

    def compared(self, case, got, want):
        """All; but of a vector's product only the first row of each fractal is determined."""
        care = np.full(len(want), bool(case["visible"]))
        if case["m"] == 1 and case["n"] and case["k"]:
            width = bits_of(names_of(case)[0]) // 8
            block = care[case["c"]:case["c"] + self.sides(case)[1] * 256 * width]
            block.reshape(-1, 256 * width)[:, 16 * width:] = False
        return care

    def legal_bias(self, case, chip, size):
        if case["form"] == NONE:
            # cmatrixSource starts from the first byte of a table that holds n values.
            used = case["from_table"] and (case["is_bias"] or not case["init_zero"])
            wide = 64 * self.sides(case)[1]
            return not case["from_table"] or \
                chip in WITH_TABLE and (not used or wide <= TABLE_BYTES)
        if chip not in WITH_TABLE or TYPES[case["bias_type"]] != names_of(case)[0] or \
                case["bias"] % 64 or case["bias_pos"] not in (C2, CO1):
            return False
        if case["init_zero"] and not case["is_bias"] or not size:
            return True
        room = (self.c if case["bias_pos"] == CO1 else case["table_bytes"]) - case["bias"]
        needed = size if case["bias_pos"] == CO1 else 64 * self.sides(case)[1]
        apart = case["bias"] == case["c"] or case["bias"] >= case["c"] + size or \
            case["bias"] + size <= case["c"]
        return needed <= min(room, 4 * case["bias_n"]) and (case["bias_pos"] == C2 or apart)

    def legal(self, case, chip):
        types = names_of(case)
        if chip not in SUPPORTED or types not in SUPPORTED[chip] or \
                (case["c_pos"], case["a_pos"], case["b_pos"]) != (CO1, A2, B2):
            return False
        if case["hf32"] and chip not in WITH_HF32:
            return False
        m, n, k = case["m"], case["n"], case["k"]
        width = bits_of(types[0]) // 8
        if min(m, n, k) < 0 or max(m, n, k) > 4095 or (types[1] == "int4" and k % 2) or \
                (case["k_align"] and types[1] != "float") or case["c"] % (256 * width) or \
                case["a"] % FRACTAL or case["b"] % FRACTAL:
            return False
        if case["constructor"] == 0 and \
                (case["from_table"] or case["k_align"] or not case["init_zero"]):
            return False
        if case["constructor"] == 1 and (case["is_bias"] or case["k_align"]):
            return False
        high, wide, deep = self.sides(case)
        size = high * wide * 256 * width if m and n and k else 0
        if not self.legal_bias(case, chip, size):
            return False
        if not size:
            return True
        b_size, a_size = wide * deep * FRACTAL, self.size_of_a(case)
        return case["a"] + a_size <= self.a and a_size <= case["a_n"] * bits_of(types[1]) // 8 and \
            case["b"] + b_size <= self.b and b_size <= case["b_n"] * bits_of(types[2]) // 8 and \
            case["c"] + size <= self.c and size <= case["c_n"] * width
