import sys

import numpy as np

result = np.fromfile("output/z.bin", np.float16)
golden = np.fromfile("output/golden.bin", np.float16)
if result.shape != golden.shape or not np.allclose(result, golden, rtol=1e-3, atol=1e-3):
    sys.exit("wrong at " + str(np.flatnonzero(result != golden)[:10]))
print("test pass")
