"""Arrays of many megabytes are copied once into GM and once out of it."""

import tik_harness

SCRIPT = """
import re
import numpy as np
from te import tik

COUNT, TILE = 4 * 2**20, 8192
ib = tik.Tik(tik.Dprofile("v100", "cloud"))
x, g, y = (ib.Tensor("float32", (COUNT,), name=name, scope=tik.scope_gm) for name in "xgy")
with ib.for_range(0, 32, block_num=32) as block:
    with ib.for_range(0, COUNT // 32 // TILE) as i:
        u = ib.Tensor("float32", (TILE,), name="u", scope=tik.scope_ubuf)
        v = ib.Tensor("float32", (TILE,), name="v", scope=tik.scope_ubuf)
        at = block * (COUNT // 32) + i * TILE
        ib.data_move(u, x[at], 0, 1, TILE // 8, 0, 0)
        ib.data_move(v, g[at], 0, 1, TILE // 8, 0, 0)
        ib.vmul(64, u, u, v, TILE // 64, 1, 1, 1, 8, 8, 8)
        ib.data_move(y[at], u, 0, 1, TILE // 8, 0, 0)
ib.BuildCCE("scale", [x, g], [y])

def most():
    # Kilobytes that this process had at most; what it was before exec does not count.
    with open("/proc/self/status") as status:
        return int(re.search(r"VmHWM:\\s*(\\d+) kB", status.read()).group(1))

feed = {"x": np.full(COUNT, 3, "float32"), "g": np.full(COUNT, 5, "float32")}
before = most()
out, = ib.tikdb.start_debug(feed, False)
after = most()
print((out == 15).all(), after - before)
"""


def test_copies_are_one_each_way(tmp_path):
    run = tik_harness.start_script(tmp_path, SCRIPT)
    assert run.returncode == 0, run.stderr
    right, kilobytes = run.stdout.split()
    # Three arrays of 16 MiB in GM and the result; a copy more of one of them is 16384.
    assert right == "True" and 3 * 16384 <= int(kilobytes) < 5 * 16384 - 2048, kilobytes
