import numpy as np

np.testing.assert_array_equal(np.fromfile("out.bin", np.int64), 1000000000007 - 3 * np.arange(64))
print("test pass")
