"""Arrays of several lengths one after another: a kernel that takes a list of arrays, as many as
it is built for, and reads where they lie from a TensorAddrList."""

import sys

import numpy as np
from te import tik

BLOCK = 16  # elements of float16 in 32 bytes
TILE = 1024


class Concat:
    def __init__(self, lengths, kernel_name="concat"):
        self.tik_instance = tik.Tik(disable_debug=False)
        self.lengths, self.kernel_name = lengths, kernel_name
        self.slots = -(-len(lengths) // 4) * 4  # addresses are moved by four
        self.inputs = self.tik_instance.TensorAddrList(self.slots, tik.scope_gm, "inputs")
        self.output = self.tik_instance.Tensor("float16", (sum(lengths),), tik.scope_gm, "output")

    def compute(self):
        ib = self.tik_instance
        addresses = ib.TensorAddrList(self.slots, tik.scope_ubuf, "addresses")
        ib.data_move(addresses, self.inputs, 0, 1, self.slots // 4, 0, 0)
        place = 0
        for number, length in enumerate(self.lengths):
            source = addresses[number].value
            with ib.for_range(0, length // TILE, thread_num=2) as i:
                self.tile(source + i * TILE, place + i * TILE, TILE)
            if length % TILE:
                whole = length // TILE * TILE
                self.tile(source + whole, place + whole, length - whole)
            place += length
        ib.BuildCCE(self.kernel_name, [self.inputs], [self.output])
        return ib

    def tile(self, source, place, count):
        """`source`: an address; what is added to one counts elements of what is moved."""
        ib = self.tik_instance
        ub = ib.Tensor("float16", (TILE,), tik.scope_ubuf, "ub")
        ib.data_move(ub, source, 0, 1, count // BLOCK, 0, 0)
        ib.data_move(self.output[place], ub, 0, 1, count // BLOCK, 0, 0)


def main():
    random = np.random.default_rng(13)
    lengths = (16, 3200, 1024, 48, 2064)
    arrays = [random.normal(0, 1, length).astype("float16") for length in lengths]
    instance = Concat(lengths).compute()
    unused = [np.zeros(BLOCK, "float16")] * (-len(lengths) % 4)
    output, = instance.tikdb.start_debug({"inputs": arrays + unused}, interactive=False)
    right = (output == np.concatenate(arrays)).sum()
    print(f"{right} of {output.size} elements")
    return int(right != output.size)


sys.exit(main())
