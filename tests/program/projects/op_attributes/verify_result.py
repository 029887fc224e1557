import numpy as np

x = np.arange(1024, dtype=np.float32)
bias = -2 * x
sizes, weights = 900000, 0.75


def check(name, wanted):
    found = np.fromfile(name, np.float32)
    wanted = np.ravel(wanted).astype(np.float32)
    assert (found[:wanted.size] == wanted).all(), (name, found[:8], wanted[:8])
    assert (found[wanted.size:] == 0).all(), name


def view(values, offset, shape, *strides):
    return np.lib.stride_tricks.as_strided(values[offset:], shape, [4 * stride for stride in strides])


check("whole.bin", x[:128] * 2 + (300 + len("twelve chars") + 9000 + weights + sizes))
check("transposed.bin", view(x, 5, (16, 8), 1, 32) / 2 + (-100 + 10000 + 3 - 1000 + weights + sizes))
both = view(x, 100, (64,), 3) + view(bias, 100, (64,), 3)
check("both.bin", both + (3 - 1000 + weights + sizes))
check("none.bin", [])
lines = open("stdout.txt").read().splitlines()
# Copies: 128 floats; 64 floats, and behind them at a multiple of 512 bytes as many again.
assert lines == ["whole.bin 0", "transposed.bin 512", "both.bin 768", "none.bin 0", "161001 161001 161001"], lines
print("test pass")
