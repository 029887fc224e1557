"""Overlaps of boxes: each of some boxes with all, float16. The four coordinates lie in planes; what
boxes share is cut at zero, and a test of the area keeps boxes of no area from dividing by zero."""

import sys

import numpy as np
from te import tik

BOXES, CHOSEN = 256, 6
MASK = 128
REPEATS = BOXES // MASK
TINY = 1.0 / 512


class Iou:
    """Planes are x1, y1, x2, y2."""

    def __init__(self, boxes, chosen, kernel_name="iou"):
        self.tik_instance = tik.Tik(tik.Dprofile())
        self.boxes, self.chosen, self.kernel_name = boxes, chosen, kernel_name
        self.boxes_gm = self.tik_instance.Tensor("float16", (4, boxes), name="boxes_gm",
                                                 scope=tik.scope_gm)
        self.numbers_gm = self.tik_instance.Tensor("int32", (8,), name="numbers_gm",
                                                   scope=tik.scope_gm)
        self.iou_gm = self.tik_instance.Tensor("float16", (chosen, boxes), name="iou_gm",
                                               scope=tik.scope_gm)

    def plane(self, name):
        return self.tik_instance.Tensor("float16", (self.boxes,), name=name, scope=tik.scope_ubuf)

    def call(self, method, target, left, right):
        """A method of two sources on whole planes; a source of one repeat is used for all."""
        strides = [8 if one.shape[0] == self.boxes else 0 for one in (left, right)]
        getattr(self.tik_instance, method)(MASK, target, left, right, REPEATS, 1, 1, 1, 8,
                                           *strides)

    def area(self, planes, name):
        """(x2 - x1) * (y2 - y1)."""
        wide, high = self.plane(name), self.plane(name + "_high")
        self.call("vsub", wide, planes[2], planes[0])
        self.call("vsub", high, planes[3], planes[1])
        self.call("vmul", wide, wide, high)
        return wide

    def one_box(self, i, number, planes, areas):
        ib = self.tik_instance
        box = [ib.Tensor("float16", (MASK,), name="box" + str(side), scope=tik.scope_ubuf)
               for side in range(5)]
        value = ib.Scalar("float16", name="value")
        for target, plane in zip(box, planes + [areas]):
            value.set_as(plane[number])
            ib.vector_dup(MASK, target, value, 1, 1, 8)
        zero = ib.Tensor("float16", (MASK,), name="zero", scope=tik.scope_ubuf)
        ib.vector_dup(MASK, zero, 0.0, 1, 1, 8)
        cut = [self.plane("cut" + str(side)) for side in range(4)]
        for side, method in enumerate(("vmax", "vmax", "vmin", "vmin")):
            self.call(method, cut[side], planes[side], box[side])
        for low, high in ((0, 2), (1, 3)):
            self.call("vsub", cut[high], cut[high], cut[low])
            self.call("vmax", cut[high], cut[high], zero)
        shared, union = cut[2], cut[0]
        self.call("vmul", shared, shared, cut[3])
        self.call("vadd", union, areas, box[4])
        self.call("vsub", union, union, shared)
        ib.vector_dup(MASK, zero, TINY, 1, 1, 8)
        self.call("vmax", union, union, zero)
        self.quotient(shared, union, cut[1])
        ib.data_move(self.iou_gm[i, 0], shared, 0, 1, self.boxes // 16, 0, 0)

    def quotient(self, target, divisor, free):
        """By vdiv where there is one, else by a reciprocal and a step of Newton's."""
        if tik.Dprofile().get_product_name() != "mini":
            self.call("vdiv", target, target, divisor)
            return
        ib = self.tik_instance
        other = self.plane("other")
        ib.vrec(MASK, free, divisor, REPEATS, 1, 1, 8, 8)
        self.call("vmul", other, divisor, free)
        ib.vmuls(MASK, other, other, -1.0, REPEATS, 1, 1, 8, 8)
        ib.vadds(MASK, other, other, 2.0, REPEATS, 1, 1, 8, 8)
        self.call("vmul", free, free, other)
        self.call("vmul", target, target, free)

    def compute(self):
        ib = self.tik_instance
        planes = [self.plane("plane" + str(side)) for side in range(4)]
        for side, plane in enumerate(planes):
            ib.data_move(plane, self.boxes_gm[side, 0], 0, 1, self.boxes // 16, 0, 0)
        numbers = ib.Tensor("int32", (8,), name="numbers", scope=tik.scope_ubuf)
        ib.data_move(numbers, self.numbers_gm, 0, 1, 1, 0, 0)
        areas = self.area(planes, "areas")
        with ib.for_range(0, self.chosen) as i:
            number = ib.Scalar("int32", name="number", init_value=numbers[i])
            self.one_box(i, number, planes, areas)
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=[self.boxes_gm, self.numbers_gm],
                    outputs=[self.iou_gm])
        return ib


def expected(boxes, numbers):
    x1, y1, x2, y2 = boxes.astype("float64")
    areas = (x2 - x1) * (y2 - y1)
    wide, high = (
        np.maximum(np.minimum(high, high[numbers, None]) - np.maximum(low, low[numbers, None]), 0)
        for low, high in ((x1, x2), (y1, y2)))
    shared = wide * high
    return shared / np.maximum(areas + areas[numbers, None] - shared, TINY)


def main():
    random = np.random.default_rng(19)
    corner = random.integers(0, 64, (2, BOXES))
    boxes = np.concatenate([corner, corner + random.integers(0, 32, (2, BOXES))])
    boxes = (boxes / 4).astype("float16")  # so that areas are exact
    boxes[2:, 9] = boxes[:2, 9]            # a box of no area
    numbers = np.array([0, 9, 17, 100, 254, 255, -1, -1], dtype="int32")
    feed = {"boxes_gm": boxes, "numbers_gm": numbers}
    iou, = Iou(BOXES, CHOSEN).compute().tikdb.start_debug(feed, interactive=False)
    right = (np.abs(iou - expected(boxes, numbers[:CHOSEN])) <= 2e-3).sum()
    print(f"{right} of {iou.size} overlaps")
    return int(right != iou.size)


sys.exit(main())
