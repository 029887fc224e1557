import numpy as np

x = np.arange(4096) % 37 - 18
y = np.fromfile("y.bin", np.float32)
golden = np.concatenate([x[:2048] + 10, -2 * x[2048:3072], np.zeros(1024)])
np.testing.assert_array_equal(y, golden)
print("test pass")
