import numpy as np

numbers = np.arange(128, dtype=np.int32)
first = numbers.copy()
for row in range(4):
    first[2 + 16 * row:2 + 16 * row + 16:2] += 1
assert (np.fromfile("view.bin", np.int32) == first).all()
assert (np.fromfile("sum.bin", np.int32) == first + 2 * numbers).all()
assert (np.fromfile("again.bin", np.int32) == first + 4 * numbers).all()
print("test pass")
