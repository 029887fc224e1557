"""What LoadDataWithSparse and MmadWithSparse must do, in exact integers.

The compressed B has two values and two indices of 0..2 for each four neighbours a of a row of A:
C += value0 * a[index0] + value1 * a[index1 + 1]. Values lie in L0B as nZ of 32 x 16 bytes; indices,
four to a byte, beside them as nZ of 8 bytes x 16.
"""

import numpy as np

from cases import SEED, TYPES, Subject, random_bytes
from fractals import FRACTAL, from_nz, from_zn, from_zz, to_zn

GM, A1, A2, B1, B2, C1, CO1, VECIN = 0, 1, 2, 3, 4, 5, 7, 9
L0B_BYTES = 65536
LOADS = 3
LOAD = ("load", "load_types", "dst_pos", "dst", "dst_n", "src_pos", "src", "src_n", "idx_pos",
        "idx", "idx_n", "start", "repeats", "src_stride", "dst_gap", "transpose", "sid",
        "addr_mode")
MULTIPLY = ("multiply", "types", "c_pos", "c", "c_n", "a_pos", "a", "a_n", "b_pos", "b", "b_n",
            "constructor", "m", "n", "k", "is_bias", "from_table", "init_zero", "k_align",
            "unit_flag")
INT8_UINT8 = TYPES.index("int8") * 100 + TYPES.index("uint8")
INT32_INT8 = TYPES.index("int32") * 100 + TYPES.index("int8")


def up(value, step):
    return -(-value // step)


def pack_indices(indices):
    """[K', N] of 0..3 as bytes [K' / 4, N]: the first of four in the low bits."""
    rows = up(len(indices), 4) * 4
    four = np.zeros((rows, indices.shape[1]), np.uint8)
    four[:len(indices)] = indices
    four = four.reshape(-1, 4, indices.shape[1])
    return four[:, 0] | four[:, 1] << 2 | four[:, 2] << 4 | four[:, 3] << 6


def unpack_indices(packed):
    """The inverse: [K' / 4, N] bytes as [K', N]."""
    return np.stack([packed >> shift & 3 for shift in (0, 2, 4, 6)], 1).reshape(-1, packed.shape[1])


def random_indices(rng, count):
    """Bytes of four indices each, none of them 3."""
    return pack_indices(rng.integers(0, 3, (4 * count, 1))).astype(np.uint8).ravel()


def steps_of(case):
    return [{name: case[f"{name}{i}"] for name in LOAD} for i in range(LOADS)]


class SparseSubject(Subject):
    """Memories of these many fractals; L1 holds as many weights as given, then as many indices."""

    source = "sparse_cases.cpp"
    fields = ("c_bytes", "b_bytes", "a_bytes", "loads",
              *(f"{name}{i}" for i in range(LOADS) for name in LOAD), *MULTIPLY)
    simplest = {"load2": 0, "load1": 0, "m": 2, "n": 1, "k": 1, "is_bias": 0, "init_zero": 1,
                "constructor": 2, "seed": 0}

    def __init__(self, c=16, b=16, a=16, weights=24):
        self.c, self.b, self.a = 1024 * c, FRACTAL * b, FRACTAL * a
        self.weights, self.idx = FRACTAL * weights, FRACTAL // 4 * weights

    def before(self, case, chip):
        rng = np.random.default_rng([SEED, case["seed"], 1])
        values = random_bytes(case["seed"], self.c + self.b + self.a + self.weights)
        return np.concatenate([values, random_indices(rng, self.idx)])

    def result_bytes(self, case, image):
        return self.c + self.b

    def untouched(self, case, chip, before):
        return before[:self.c + self.b]

    def parts(self, image):
        return np.split(image, np.cumsum([self.c, self.b, self.a]))

    def loaded(self, case, image):
        """L0B and the indices beside it after the loads; 3 is what nobody loaded."""
        _, b, _, l1 = self.parts(image.copy())
        indices = np.full(L0B_BYTES // 4, 0xFF, np.uint8)
        for load in steps_of(case):
            for i in range(load["repeats"] if load["load"] else 0):
                number, to = load["start"] + i, load["dst"] + i * FRACTAL
                b[to:to + FRACTAL] = l1[load["src"] + number * FRACTAL:][:FRACTAL]
                indices[to // 4:to // 4 + 128] = l1[load["idx"] + number * 128:][:128]
        return b, indices

    def compressed(self, case, b, indices):
        """Values and indices [2 * groups, whole columns] of the product's B."""
        rows, n = 2 * up(case["k"], 4), case["n"]
        size = up(rows, 32) * up(n, 16)
        values = from_nz(b[case["b"]:][:size * FRACTAL], rows, n, 32)
        packed = from_nz(indices[case["b"] // 4:][:size * 128], up(rows, 32) * 8, n, 8)
        return values.view(np.int8).astype(np.int64)[:rows], unpack_indices(packed)[:rows]

    def product(self, case, a, values, indices):
        """[whole rows, whole columns]; a value right of column n with index 3 counts as 0."""
        high, deep, groups = up(case["m"], 16), up(case["k"], 32), up(case["k"], 4)
        left = a[case["a"]:][:high * deep * FRACTAL].view(np.int8).astype(np.int64)
        left = from_zz(left, case["m"], case["k"], 32)
        left[:, case["k"]:] = 0
        total = np.zeros((high * 16, values.shape[1]), np.int64)
        first = 4 * np.arange(groups)
        for column in range(values.shape[1]):
            for which in (0, 1):
                index = indices[which::2, column].astype(np.int64)
                value = np.where(index == 3, 0, values[which::2, column])
                at = first + np.where(index == 3, 0, index) + which
                total[:, column] += left[:, at] @ value
        return total

    def expected(self, case, chip, before):
        c, _, a, _ = self.parts(before.copy())
        b, indices = self.loaded(case, before)
        if case["multiply"] and case["m"] and case["n"] and case["k"]:
            total = self.product(case, a, *self.compressed(case, b, indices))
            area = slice(case["c"], case["c"] + 4 * total.size)
            start = from_zn(c[area].view(np.uint32), case["m"], case["n"]).astype(np.int64)
            if self.starts_at_zero(case):
                start[:] = 0
            c[area] = to_zn((start + total).astype(np.uint32)).view(np.uint8)
        return np.concatenate([c, b])

    def starts_at_zero(self, case):
        zero = case["init_zero"] or case["constructor"] == 0
        return zero and not (case["is_bias"] and case["constructor"] != 1)

    def legal(self, case, chip):
        return chip == "2201" and all(self.load_is_legal(load) for load in steps_of(case)) and \
            self.product_is_legal(case, chip)

    def load_is_legal(self, load):
        if not load["load"]:
            return True
        if load["load_types"] != INT8_UINT8 or load["dst_pos"] != B2 or load["transpose"] or \
                load["dst"] % FRACTAL or load["src"] % 32 or load["idx"] % 32 or \
                not {load["src_pos"], load["idx_pos"]} <= {A1, B1, C1}:
            return False
        last, count = load["start"] + load["repeats"], load["repeats"]
        return count == 0 or (
            count * FRACTAL <= min(load["dst_n"], self.b - load["dst"]) and
            last * FRACTAL <= min(load["src_n"], self.weights - load["src"]) and
            last * 128 <= min(load["idx_n"], self.weights + self.idx - load["idx"]))

    def product_is_legal(self, case, chip):
        if not case["multiply"]:
            return True
        m, n, k = case["m"], case["n"], case["k"]
        if case["types"] != INT32_INT8 or case["c"] % 1024 or case["a"] % FRACTAL or \
                case["b"] % FRACTAL or (case["c_pos"], case["a_pos"], case["b_pos"]) != \
                (CO1, A2, B2) or max(m, n, k) > 4095 or \
                (case["constructor"] == 2 and case["k_align"]) or \
                (case["constructor"] > 0 and case["from_table"]):
            return False
        if 0 in (m, n, k):
            return True
        high, wide = up(m, 16), up(n, 16)
        b_bytes = up(2 * up(k, 4), 32) * wide * FRACTAL
        if high * wide * 256 > min(case["c_n"], (self.c - case["c"]) // 4) or \
                high * up(k, 32) * FRACTAL > min(case["a_n"], self.a - case["a"]) or \
                b_bytes > min(case["b_n"], self.b - case["b"]):
            return False
        _, indices = self.compressed(case, *self.loaded(case, self.before(case, chip)))
        return (indices[:, :n] < 3).all()
