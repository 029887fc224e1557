import numpy as np

x = (np.arange(20 * 64) % 101).reshape(20, 64).astype(np.float32)
golden = np.zeros(64, np.float32)
for row in x:
    golden += row * np.float32(0.1)
np.testing.assert_array_equal(np.fromfile("y.bin", np.float32)[:64], golden)
print("test pass")
