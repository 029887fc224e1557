"""RoI align: each box of a picture becomes HEIGHT by 8 numbers of 16 channels, the mean of four
points in each part of the box, each taken between four neighbours. With vbi where the chip has
it."""

import sys

import numpy as np
from te import tik
from tbe.common.platform import api_check_support

WIDTH, C0, SAMPLES, CORNERS = 8, 16, 4, 4
TERMS = SAMPLES * CORNERS


class RoiAlign:
    def __init__(self, h, w, boxes, height, kernel_name="roi_align"):
        ib = self.ib = tik.Tik()
        self.h, self.w, self.boxes, self.height = h, w, boxes, height
        self.kernel_name = kernel_name
        self.x = ib.Tensor("float16", (h, w, C0), name="x", scope=tik.scope_gm)
        self.rois = ib.Tensor("float32", (boxes, 8), name="rois", scope=tik.scope_gm)
        self.y = ib.Tensor("float16", (boxes, height, WIDTH, C0), name="y", scope=tik.scope_gm)

    def axis(self, start, step, part, most):
        """For both points of one part of an axis: (low neighbour, high neighbour, weight)."""
        ib, points = self.ib, []
        for sample in range(2):
            place = ib.Scalar("float32", name="place")
            place.set_as(part)
            place.set_as((place + (0.25 + 0.5 * sample)) * step + start)
            low, high = ib.Scalar("int32", name="low"), ib.Scalar("int32", name="high")
            weight = ib.Scalar("float32", name="weight")
            ib.scalar_conv("floor", low, place)
            ib.scalar_conv("", weight, low)
            weight.set_as(place - weight)
            high.set_as(low + 1)
            with ib.if_scope(high > most - 1):
                high.set_as(most - 1)
            points.append((low, high, weight))
        return points

    def one_part(self, column, across, down):
        """The 16 offsets and weights of one part of a box."""
        ib, term = self.ib, 0
        weight = ib.Scalar("float32", name="weight_of_corner")
        small = ib.Scalar("float16", name="weight_as_half")
        for low_y, high_y, part_y in down:
            for low_x, high_x, part_x in across:
                for row, by_y in ((low_y, 1.0 - part_y), (high_y, part_y)):
                    for place, by_x in ((low_x, 1.0 - part_x), (high_x, part_x)):
                        weight.set_as(by_y * by_x * 0.25)
                        ib.scalar_conv("", small, weight)
                        at = term * WIDTH + column
                        self.offsets[at].set_as((row * self.w + place) * C0 * 2)
                        self.weights[at].set_as(small)
                        term += 1

    def sum_up(self, line, picture):
        ib = self.ib
        if api_check_support("tik.vbi"):
            ib.vbi(128, line, picture, self.weights, self.offsets, 1, 1, TERMS, 1, 128)
            return
        product = ib.Tensor("float16", (C0,), name="product", scope=tik.scope_ubuf)
        place, weight = ib.Scalar("int32", name="place"), ib.Scalar("float16", name="weight")
        ib.vec_dup(128, line, 0.0, 1, 8)
        with ib.for_range(0, WIDTH) as column:
            with ib.for_range(0, TERMS) as term:
                place.set_as(self.offsets[term * WIDTH + column])
                weight.set_as(self.weights[term * WIDTH + column])
                ib.vec_muls(C0, product, picture[place // 2], weight, 1, 8, 8)
                ib.vec_add(C0, line[column * C0], line[column * C0], product, 1, 8, 8, 8)

    def compute(self):
        ib = self.ib
        picture = ib.Tensor("float16", (self.h * self.w * C0,), name="picture",
                            scope=tik.scope_ubuf)
        box = ib.Tensor("float32", (8,), name="box", scope=tik.scope_ubuf)
        line = ib.Tensor("float16", (WIDTH * C0,), name="line", scope=tik.scope_ubuf)
        self.offsets = ib.Tensor("int32", (TERMS * WIDTH,), name="offsets", scope=tik.scope_ubuf)
        self.weights = ib.Tensor("float16", (TERMS * WIDTH,), name="weights", scope=tik.scope_ubuf)
        left, top, wide, high = (ib.Scalar("float32", name=name)
                                 for name in ("left", "top", "wide", "high"))
        ib.data_move(picture, self.x, 0, 1, self.h * self.w, 0, 0)
        with ib.for_range(0, self.boxes) as number:
            ib.data_move(box, self.rois[number, 0], 0, 1, 1, 0, 0)
            left.set_as(box[0])
            top.set_as(box[1])
            wide.set_as(box[2])
            high.set_as(box[3])
            wide.set_as((wide - left) / WIDTH)
            high.set_as((high - top) / self.height)
            with ib.for_range(0, self.height) as row:
                down = self.axis(top, high, row, self.h)
                with ib.for_range(0, WIDTH) as column:
                    self.one_part(column, self.axis(left, wide, column, self.w), down)
                self.sum_up(line, picture)
                ib.data_move(self.y[number, row, 0, 0], line, 0, 1, WIDTH, 0, 0)
        ib.BuildCCE(kernel_name=self.kernel_name, inputs=[self.x, self.rois], outputs=[self.y])
        return ib


def between(x, y, x_at):
    """x at a place between its elements."""
    low_y, low_x = int(y), int(x_at)
    high_y, high_x = min(low_y + 1, x.shape[0] - 1), min(low_x + 1, x.shape[1] - 1)
    part_y, part_x = y - low_y, x_at - low_x
    upper = x[low_y, low_x] * (1 - part_x) + x[low_y, high_x] * part_x
    lower = x[high_y, low_x] * (1 - part_x) + x[high_y, high_x] * part_x
    return upper * (1 - part_y) + lower * part_y


def golden_of(x, rois, height):
    y = np.zeros((len(rois), height, WIDTH, C0))
    for number, (left, top, right, bottom) in enumerate(rois[:, :4].astype(float)):
        wide, high = (right - left) / WIDTH, (bottom - top) / height
        for row, column in np.ndindex(height, WIDTH):
            y[number, row, column] = np.mean([
                between(x, top + (row + a) * high, left + (column + b) * wide)
                for a in (0.25, 0.75) for b in (0.25, 0.75)], axis=0)
    return y


def main():
    random, wrong = np.random.default_rng(51), 0
    for h, w, boxes, height in ((10, 12, 3, 4), (7, 9, 5, 3), (16, 5, 1, 8)):
        ib = RoiAlign(h, w, boxes, height).compute()
        x = random.integers(-8, 9, (h, w, C0)).astype("float16")
        rois = np.zeros((boxes, 8), "float32")
        rois[:, :2] = random.uniform(0, 2, (boxes, 2))
        rois[:, 2:4] = random.uniform((w / 2, h / 2), (w - 0.5, h - 0.5), (boxes, 2))
        y, = ib.tikdb.start_debug({"x": x, "rois": rois}, interactive=False)
        right = int((np.abs(y - golden_of(x.astype(float), rois, height)) < 0.04).sum())
        wrong += y.size - right
        print(f"{right} of {y.size} numbers")
    return int(wrong != 0)


sys.exit(main())
