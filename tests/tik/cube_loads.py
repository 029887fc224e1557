"""What the tests of loads share: fractals in L0A and L0B, and how they are seen through a product
with the identity."""

import numpy as np
from cube_kernel import COUPLED, L0A, L0B, L0C, L1, LITE, SPLIT, Kernel

FRACTAL = 256  # elements of float16
ROOM = 24  # fractals of L0A and L0B
V2 = ["Ascend310P3", SPLIT, LITE]
IDENTITY = np.eye(16, dtype=np.float16)


def seen(kernel, tensor):
    """ROOM fractals of float16 in L0A or L0B, as float32 [ROOM, 16, 16] in the order of memory."""
    tik_instance = kernel.tik
    other_scope = L0B if tensor.scope == L0A else L0A
    one = kernel.local("float16", (FRACTAL,), other_scope)
    load_2d(kernel, one, kernel.identity, 0, 1, 0, 0)
    result = kernel.local("float32", (ROOM, 16, 16), L0C)
    if tensor.scope == L0A:
        tik_instance.mmad(result, tensor, one, ROOM * 16, 16, 16, 0)
    else:
        tik_instance.mmad(result, one, tensor, 16, 16, ROOM * 16, 0)
    kernel.read(result)
    blocks = kernel.run()[-1]
    return blocks if tensor.scope == L0A else blocks.transpose(0, 2, 1)


def prepared(soc, scope):
    """A kernel, and ROOM fractals of -7 in L0A or L0B."""
    kernel = Kernel(soc)
    kernel.old = soc in COUPLED[:2]
    kernel.identity = kernel.load(IDENTITY, L1)
    before = kernel.load(np.full((ROOM, 256), -7, np.float16), L1)
    target = kernel.local("float16", (ROOM * FRACTAL,), scope)
    load_2d(kernel, target, before, 0, ROOM, 0, 1)
    return kernel, target


def load_2d(kernel, dst, src, index, repeats, gap, stride, transpose=False, mode=None):
    if kernel.old:
        assert gap == 0
        kernel.tik.load2dv1(dst, src, index, repeats, stride, 0, transpose, mode)
    else:
        kernel.tik.load2dv2(dst, src, index, repeats, gap, stride, 0, transpose, mode)


def attempt_load(method, *numbers, soc="Ascend910A", dst=(L0A, "float16"), src=(L1, "float16"),
                 start=0, **more):
    def call():
        kernel = Kernel(soc)
        target = kernel.local(dst[1], (2048,), dst[0])[start:]
        source = kernel.local(src[1], (2048,), src[0])
        getattr(kernel.tik, method)(target, source, *numbers, **more)
    return call
