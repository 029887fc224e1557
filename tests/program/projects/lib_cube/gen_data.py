import numpy as np

random = np.random.default_rng(2)
random.integers(-5, 6, (8, 64, 64)).astype(np.float16).tofile("a.bin")
random.integers(-5, 6, (8, 64, 64)).astype(np.float16).tofile("b.bin")
