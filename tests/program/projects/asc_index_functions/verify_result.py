import numpy as np

aivs = [[2, i, 3, i % 2, 2, 2, i // 2, 220002] for i in range(6)]
aics = [[1, i, 3, 0, 1, 1, i, 220001] for i in range(3)]
np.testing.assert_array_equal(np.fromfile("out.bin", np.int64).reshape(9, 8), aivs + aics)
assert open("stdout.txt").read() == "pass 0\n"
print("test pass")
