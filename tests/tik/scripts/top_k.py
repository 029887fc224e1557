"""The 16 largest of 256 scores with their numbers: region proposals, sorted in groups of 16 and
merged four by four. For the chips that have proposals."""

import sys

import numpy as np
from te import tik

COUNT, K = 256, 16
SCORE, NUMBER = 4, 0  # the fields of a proposal that are used


def build():
    instance = tik.Tik()
    scores = instance.Tensor("float16", (COUNT,), tik.scope_gm, "scores")
    numbers = instance.Tensor("float16", (COUNT,), tik.scope_gm, "numbers")
    best = instance.Tensor("float16", (2, K), tik.scope_gm, "best")
    elements = instance.Tensor("float16", (2, COUNT), tik.scope_ubuf, "elements")
    here = instance.Tensor("float16", (COUNT, 8), tik.scope_ubuf, "here")
    there = instance.Tensor("float16", (COUNT, 8), tik.scope_ubuf, "there")
    instance.data_move(elements, scores, 0, 1, COUNT // 16, 0, 0)
    instance.data_move(elements[1, 0], numbers, 0, 1, COUNT // 16, 0, 0)
    instance.vector_dup(128, here, 0, COUNT * 8 // 128, 1, 8)
    instance.vconcat(here, elements, COUNT // 16, SCORE)
    instance.vconcat(here, elements[1, 0], COUNT // 16, NUMBER)
    instance.vrpsort16(there, here, COUNT // 16)
    length, source, target = 16, there, here
    while length < COUNT:
        queues = [source[i * length, 0] for i in range(4)]
        instance.vmrgsort4(target, queues, [length] * 4, False, 15, COUNT // (4 * length))
        length, source, target = 4 * length, target, source
    instance.vextract(elements, source, K // 16, SCORE)
    instance.vextract(elements[1, 0], source, K // 16, NUMBER)
    instance.data_move(best, elements, 0, 2, K // 16, (COUNT - K) // 16, 0)
    instance.BuildCCE("top_k", [scores, numbers], [best])
    return instance


def main():
    scores = np.random.default_rng(5).permutation(COUNT).astype("float16") / 8
    numbers = np.arange(COUNT, dtype="float16")
    best, = build().tikdb.start_debug({"scores": scores, "numbers": numbers}, interactive=False)
    order = np.argsort(-scores, kind="stable")[:K]
    wrong = (best[0] != scores[order]) | (best[1] != order)
    print(f"{K - wrong.sum()} of {K}")
    return int(wrong.any())


sys.exit(main())
