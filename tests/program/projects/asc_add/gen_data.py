import os

import numpy as np

os.makedirs("input", exist_ok=True)
os.makedirs("output", exist_ok=True)
random = np.random.default_rng(1)
x = random.uniform(-100, 100, 8 * 2048).astype(np.float16)
y = random.uniform(-100, 100, 8 * 2048).astype(np.float16)
x.tofile("input/x.bin")
y.tofile("input/y.bin")
(x + y).tofile("output/golden.bin")
