import numpy as np

np.testing.assert_array_equal(np.fromfile("y.bin", np.float32), -np.arange(2048))
print("test pass")
