import numpy as np

x = np.arange(1024)
np.testing.assert_array_equal(np.fromfile("y.bin", np.float32), x + np.where(x < 512, 2, 1))
print("test pass")
