import numpy as np

x = np.arange(4096) % 37 - 18
y = np.fromfile("y.bin", np.float32)
for i in range(100):
    x = (x + 1) * (0.5 if i % 2 == 0 else 2)
np.testing.assert_array_equal(y, (x + 0.25).astype(np.float32))
print("test pass")
