import numpy as np

x = np.arange(8000) % 37 - 18
np.testing.assert_array_equal(np.fromfile("y.bin", np.float32), x + np.arange(8000) // 8)
print("test pass")
