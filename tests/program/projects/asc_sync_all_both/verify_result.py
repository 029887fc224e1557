import numpy as np

x = (np.arange(16 * 64) % 101).reshape(16, 64)
y = np.fromfile("y.bin", np.float32).reshape(16, 64)
np.testing.assert_array_equal(y, np.broadcast_to(2 * x.sum(0), y.shape))
print("test pass")
