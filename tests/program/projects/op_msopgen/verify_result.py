import numpy as np

assert (np.fromfile("out.bin", np.float32) == np.arange(77, dtype=np.float32) + np.float32(0.25)).all()
print("test pass")
