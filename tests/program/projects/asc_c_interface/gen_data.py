import numpy as np

i = np.arange(128)
(i * 0.5 - 20).astype(np.float32).tofile("a.bin")
(1 + i % 7).astype(np.float32).tofile("b.bin")
