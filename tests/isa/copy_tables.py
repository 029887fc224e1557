"""The subject of test_data_copy_bt.py and test_data_copy_fb.py: L1 to a table of the core."""

import numpy as np

from cases import WIDTH, Subject, number_of, random_bytes, types_of

GM, A1, B1, C1, C2, CO1, VECIN, C2PIPE2GM = 0, 1, 3, 5, 6, 7, 9, 14
L1_BYTES = 8192


class TableSubject(Subject):
    """Subclasses say where bursts start, and what a burst of the source becomes."""

    source = "data_copy_tables_cases.cpp"
    fields = ("l1", "bytes", "table", "types", "dst_pos", "dst", "dst_n", "src_pos", "src", "src_n",
              "blocks", "length", "src_stride", "dst_stride", "count", "seed")
    simplest = {"blocks": 1, "length": 1, "src_stride": 0, "dst_stride": 0, "src": 0, "dst": 0,
                "count": 0, "seed": 0}
    table = table_bytes = unit = 0
    pairs = ()

    def pitches(self, case):
        """Bytes from the start of a burst to the next, in the source and in the table."""
        raise NotImplementedError

    def in_bursts(self, case):
        """A count of elements is one burst."""
        if case["count"] == 0:
            return case
        length = case["count"] * WIDTH[types_of(case)[1]] // self.unit
        return case | {"blocks": 1, "length": length}

    def converted(self, case, burst):
        return burst

    def grown(self, case, count):
        """Bytes that `count` bytes of the source become."""
        dst, src = types_of(case)
        return count * WIDTH[dst] // WIDTH[src]

    def plain(self, dst_type, src_type, /, **changes):
        case = {"l1": L1_BYTES, "bytes": self.table_bytes, "table": self.table,
                "types": number_of(dst_type, src_type), "dst_pos": self.table, "dst": 0,
                "src_pos": A1, "src": 0, "blocks": 2, "length": 1, "src_stride": 4,
                "dst_stride": 1, "count": 0, "seed": 1} | changes
        return {"dst_n": (self.table_bytes - case["dst"]) // WIDTH[dst_type],
                "src_n": (L1_BYTES - case["src"]) // WIDTH[src_type]} | case

    def before(self, case, chip):
        return random_bytes(case["seed"], L1_BYTES + self.table_bytes)

    def result_bytes(self, case, image):
        return self.table_bytes

    def untouched(self, case, chip, before):
        return before[L1_BYTES:]

    def compared(self, case, got, want):
        return np.full(len(want), case["l1"] > 0)

    def expected(self, case, chip, before):
        case, memory = self.in_bursts(case), before[L1_BYTES:].copy()
        from_pitch, to_pitch = self.pitches(case)
        for block in range(case["blocks"]):
            at, to = case["src"] + block * from_pitch, case["dst"] + block * to_pitch
            result = self.converted(case, before[at:at + case["length"] * self.unit])
            memory[to:to + len(result)] = result
        return memory

    def aligned(self, case):
        raise NotImplementedError

    def legal(self, case, chip):
        if chip != "2201" or types_of(case) not in self.pairs or case["blocks"] > 4095 or \
                case["dst_pos"] != self.table or case["src_pos"] not in (A1, B1, C1) or \
                not self.aligned(case):
            return False
        if case["count"] * WIDTH[types_of(case)[1]] % self.unit != 0:
            return False
        case = self.in_bursts(case)
        if case["blocks"] * case["length"] == 0:
            return True
        dst, src = types_of(case)
        read = case["length"] * self.unit
        from_pitch, to_pitch = self.pitches(case)
        last = case["blocks"] - 1
        return last * from_pitch + read <= min(case["src_n"] * WIDTH[src],
                                               L1_BYTES - case["src"]) and \
            last * to_pitch + self.grown(case, read) <= min(case["dst_n"] * WIDTH[dst],
                                                            self.table_bytes - case["dst"])
