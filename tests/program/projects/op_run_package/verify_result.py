import numpy as np

floats = np.arange(512, dtype=np.float32) / 4 - 20
halves = floats.astype(np.float16)
assert (np.fromfile("floats.bin", np.float32) == floats * np.float32(1.7) + np.float32(2)).all()
assert (np.fromfile("halves.bin", np.float16) == halves * np.float16(-0.5) + np.float16(2)).all()
said = open("stdout.txt").read().splitlines()
assert said[:2] == ["161001 161001 161001 161001 161001"] * 2
# What finds no model, or another operator's, inputs' or attributes', by its code.
assert said[2:] == ["100024 0 0 100023 0 100024 100021 -8", "128 2 32"]
single = halves * np.float16(0.3) + np.float16(2)
assert (np.fromfile("single.bin", np.float16) == single).all()
print("test pass")
