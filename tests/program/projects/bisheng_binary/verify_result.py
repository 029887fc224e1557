lines = open("stdout.txt").read().splitlines()


def row(what, values):
    return f"{what}: " + " ".join(str(value) for value in values)


shift = int(-4 + 2.5)
golden = [
    row("list", [3 * i + shift for i in range(4)]),
    row("update", [10 * i + shift for i in range(4)]),
    row("array", [2 * i + shift for i in range(4)]),
    row("struct", [5 * i for i in range(4)]),
    row("device", [5 * i for i in range(4)]),
    row("V2", [5 * i for i in range(4)]),
    "same 1",
    row("kinds", [100, 200, 201, 101, 202, 203]),
    "scale 4 1",
    # Pointers, uint16_t, {int32_t, int8_t, double}. An AIV alone; a mix of one AIC and two AIVs.
    "0+8 8+8 16+2 24+16 type 2 0:1 0 1 type 3 1:2 1 1 ",
    "bytes 1",
    row("put float", [0x40200000]),
    row("put int", [1]),
    row("place", [9, 8, 7, 6, 5, 4, 3, 2]),
    row("list of place", [-i for i in range(8)]),
    "counts: 1", "counts: 2", "counts: 1", "counts: 1", "counts: 2",
]
assert lines == golden, "\n".join(lines)
print("test pass")
