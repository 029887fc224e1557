import numpy as np

floats = np.arange(512, dtype=np.float32) / 4 - 20
halves = floats.astype(np.float16)
assert (np.fromfile("floats.bin", np.float32) == floats * np.float32(1.7) + np.float32(2)).all()
assert (np.fromfile("halves.bin", np.float16) == halves * np.float16(-0.5) + np.float16(2)).all()
assert open("stdout.txt").read() == "161001 161001 161001 161001 161001\n" * 2
print("test pass")
