import numpy as np

x = np.arange(4096) % 37 - 18
y = np.fromfile("y.bin", np.float32)
np.testing.assert_array_equal(y, 3 * x + 0.5)
np.testing.assert_array_equal(np.fromfile("m.bin", np.int32), -7 * x + 100)
print("test pass")
