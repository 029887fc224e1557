"""The largest value of each region of a feature map, sixteen channels at once; the regions' corners
are numbers in a Tensor."""

import sys

import numpy as np
from te import tik

C0, LEAST = 16, -65504.0


def roi_pool(height, width, regions, kernel_name="roi_pool"):
    ib = tik.Tik()
    x = ib.Tensor("float16", (height, width, C0), name="x", scope=tik.scope_gm)
    rois = ib.Tensor("int32", (regions, 8), name="rois", scope=tik.scope_gm)
    y = ib.Tensor("float16", (regions, C0), name="y", scope=tik.scope_gm)
    rois_ub = ib.Tensor("int32", (regions, 8), name="rois_ub", scope=tik.scope_ubuf)
    ib.data_move(rois_ub, rois, 0, 1, regions, 0, 0)
    with ib.for_range(0, regions, block_num=regions) as region:
        line = ib.Tensor("float16", (width, C0), name="line", scope=tik.scope_ubuf)
        best = ib.Tensor("float16", (C0,), name="best", scope=tik.scope_ubuf)
        top, left, bottom, right = (ib.Scalar("int32", name=name)
                                    for name in ("top", "left", "bottom", "right"))
        for i, corner in enumerate((top, left, bottom, right)):
            corner.set_as(rois_ub[region, i])
        ib.vec_dup(C0, best, LEAST, 1, 1)
        with ib.for_range(top, bottom) as row:
            ib.data_move(line, x[row, left, 0], 0, 1, right - left, 0, 0)
            with ib.for_range(0, right - left) as column:
                ib.vec_max(C0, best, best, line[column, 0], 1, 1, 1, 1)
        ib.data_move(y[region, 0], best, 0, 1, 1, 0, 0)
    ib.BuildCCE(kernel_name=kernel_name, inputs=[x, rois], outputs=[y])
    return ib


def main():
    wrong, random = 0, np.random.default_rng(38)
    for height, width, regions in ((4, 4, 1), (16, 20, 6), (7, 9, 5)):
        x = random.normal(0, 9, (height, width, C0)).astype("float16")
        rois = np.zeros((regions, 8), "int32")
        for roi in rois:
            (roi[0], roi[2]), (roi[1], roi[3]) = (
                sorted(random.choice(most + 1, 2, replace=False)) for most in (height, width))
        feed = {"x": x, "rois": rois}
        y, = roi_pool(height, width, regions).tikdb.start_debug(feed, interactive=False)
        wanted = [x[a:c, b:d].max((0, 1)) for a, b, c, d in rois[:, :4]]
        right = (y == wanted).all(1).sum()
        wrong += regions - right
        print(f"{right} of {regions} regions")
    return int(wrong != 0)


sys.exit(main())
