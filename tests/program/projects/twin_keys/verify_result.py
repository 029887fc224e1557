import numpy as np

x = np.arange(1024)
np.testing.assert_array_equal(np.fromfile("y.bin", np.float32).reshape(2, 1024), [x + 100, 3 * x])
print("test pass")
