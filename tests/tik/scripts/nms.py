"""Of boxes that overlap by more than half only the one with the best score is kept: proposals are
sorted, their corners taken out, and each box that is still there puts out those that it covers."""

import sys

import numpy as np
from te import tik

EACH, WIDTH, SCORE, LANES = 16, 8, 4, 128


class Nms:
    def __init__(self, kernel_name="nms"):
        ib = self.ib = tik.Tik()
        self.kernel_name = kernel_name
        self.count = ib.InputScalar("int32", name="count")
        self.x = ib.Tensor("float16", (EACH, WIDTH), name="x", scope=tik.scope_gm)
        self.boxes = ib.Tensor("float16", (EACH, WIDTH), name="boxes", scope=tik.scope_gm)
        self.kept = ib.Tensor("float16", (EACH,), name="kept", scope=tik.scope_gm)

    def line(self, name, value=0.0):
        tensor = self.ib.Tensor("float16", (LANES,), name=name, scope=tik.scope_ubuf)
        self.ib.vec_dup(LANES, tensor, value, 1, 8)
        return tensor

    def common(self, low, high, corners, number, to):
        """How long the boxes' and one box's extents have in common, at least 0."""
        ib, work = self.ib, self.work
        one = ib.Scalar("float16", name="corner_of_one")
        one.set_as(corners[high][number])
        ib.vec_dup(EACH, work, one, 1, 8)
        ib.vec_min(EACH, to, corners[high], work, 1, 8, 8, 8)
        one.set_as(corners[low][number])
        ib.vec_dup(EACH, work, one, 1, 8)
        ib.vec_max(EACH, work, corners[low], work, 1, 8, 8, 8)
        ib.vec_sub(EACH, to, to, work, 1, 8, 8, 8)
        ib.vec_relu(EACH, to, to, 1, 8, 8)

    def compute(self):
        ib = self.ib
        proposals, order = (ib.Tensor("float16", (EACH, WIDTH), name=name, scope=tik.scope_ubuf)
                            for name in ("proposals", "order"))
        ib.data_move(proposals, self.x, 0, 1, EACH // 2, 0, 0)
        ib.vrpsort16(order, proposals, 1)
        ib.data_move(self.boxes, order, 0, 1, EACH // 2, 0, 0)
        corners = [self.line(f"corner{i}") for i in range(4)]
        for i, corner in enumerate(corners):
            ib.vextract(corner, order, 1, i)
        kept, areas, zeros, self.work = (self.line(name) for name in
                                         ("kept_ub", "areas", "zeros", "work"))
        across, down = self.line("across"), self.line("down")
        ib.vec_dup(self.count, kept, 1.0, 1, 8)
        ib.vec_sub(EACH, areas, corners[2], corners[0], 1, 8, 8, 8)
        ib.vec_sub(EACH, down, corners[3], corners[1], 1, 8, 8, 8)
        ib.vec_mul(EACH, areas, areas, down, 1, 8, 8, 8)
        bits = ib.Tensor("uint16", (16,), name="bits", scope=tik.scope_ubuf)
        there, area = ib.Scalar("uint16", name="there"), ib.Scalar("float16", name="area")
        with ib.for_range(0, self.count) as i:
            there.set_as(kept[i])  # its bits: 1.0 is 0x3c00
            with ib.if_scope(there != 0):
                self.common(0, 2, corners, i, across)
                self.common(1, 3, corners, i, down)
                ib.vec_mul(EACH, across, across, down, 1, 8, 8, 8)
                ib.vec_muls(EACH, across, across, 3.0, 1, 8, 8)
                area.set_as(areas[i])
                ib.vec_adds(EACH, down, areas, area, 1, 8, 8)
                ib.vec_cmpv_gt(bits, across, down, 1, 8, 8)  # more than half of what both cover
                ib.vec_sel(EACH, 0, kept, bits, zeros, kept, 1, 8, 8, 8)
                kept[i].set_as(1.0)
        ib.data_move(self.kept, kept, 0, 1, 1, 0, 0)
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x, self.count],
                    outputs=[self.boxes, self.kept])
        return ib


def golden_of(boxes):
    """1 for each of the sorted boxes that stays."""
    stays = []
    for i, (left, top, right, bottom) in enumerate(boxes):
        covered = False
        for other in (j for j in range(i) if stays[j]):
            a, b, c, d = boxes[other]
            both = max(min(right, c) - max(left, a), 0) * max(min(bottom, d) - max(top, b), 0)
            union = (right - left) * (bottom - top) + (c - a) * (d - b) - both
            covered |= both / union > 0.5
        stays.append(int(not covered))
    return stays


def main():
    wrong, random, instance = 0, np.random.default_rng(42), Nms().compute()
    for count in (16, 11, 5):
        x = np.zeros((EACH, WIDTH), "float16")
        x[:count, :2] = random.integers(0, 6, (count, 2))
        x[:count, 2:4] = x[:count, :2] + random.integers(1, 14, (count, 2))
        x[:count, SCORE] = random.permutation(count) + 1
        boxes, kept = instance.tikdb.start_debug({"x": x, "count": count}, interactive=False)
        order = x[np.argsort(-x[:count, SCORE])]
        wanted = golden_of(order[:, :4].astype(float))
        right = (boxes[:count] == order).all() * (kept[:count] == wanted).sum()
        wrong += count - right
        print(f"{right} of {count} boxes, {sum(wanted)} kept")
    return int(wrong != 0)


sys.exit(main())
