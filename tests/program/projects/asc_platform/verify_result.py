import numpy as np

y = np.fromfile("y.bin", np.float32)
# Host code is told 256 bytes of UB less than there are.
assert y.size == 48 * ((196608 - 256) // 12 // 64 * 64)
np.testing.assert_array_equal(y, np.arange(y.size) % 1000 + 1)
print("test pass")
