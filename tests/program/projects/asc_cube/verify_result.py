import numpy as np

a = np.fromfile("a.bin", np.float16).reshape(8, 64, 64).astype(np.float32)
b = np.fromfile("b.bin", np.float16).reshape(8, 64, 64).astype(np.float32)
c = np.fromfile("c.bin", np.float32).reshape(8, 64, 64)
np.testing.assert_array_equal(c, a @ b)
print("test pass")
