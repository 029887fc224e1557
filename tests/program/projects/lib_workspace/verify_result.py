import numpy as np

x = np.arange(4096) % 37 - 18
np.testing.assert_array_equal(np.fromfile("y.bin", np.float32), 2.5 * x)
print("test pass")
