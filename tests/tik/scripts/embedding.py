"""Rows of a table by their numbers, which are fed in, as many as an InputScalar says."""

import sys

import numpy as np
from tbe import tik

WORDS, WIDTH, MOST = 1000, 96, 256
BLOCKS = 4


def build():
    instance = tik.Tik()
    table = instance.Tensor("float32", (WORDS, WIDTH), tik.scope_gm, "table")
    words = instance.Tensor("int32", (MOST,), tik.scope_gm, "words")
    rows = instance.Tensor("float32", (MOST, WIDTH), tik.scope_gm, "rows")
    count = instance.InputScalar("int32", "count")
    with instance.for_range(0, BLOCKS, block_num=BLOCKS) as block:
        each = instance.Scalar("int32", "each", (count + BLOCKS - 1) // BLOCKS)
        first = instance.Scalar("int32", "first", block * each)
        last = instance.Scalar("int32", "last")
        instance_min(instance, last, first + each, count)
        numbers = instance.Tensor("int32", (MOST,), tik.scope_ubuf, "numbers")
        line = instance.Tensor("float32", (WIDTH,), tik.scope_ubuf, "line")
        instance.data_move(numbers, words, 0, 1, MOST // 8, 0, 0)
        word = instance.Scalar("int32", "word")
        with instance.if_scope(first < last):
            with instance.for_range(first, last) as i:
                word.set_as(numbers[i])
                with instance.if_scope(tik.any(word < 0, word >= WORDS)):
                    instance.vec_dup(64, line, 0, 1, 8)  # there is no such word
                    instance.vec_dup(WIDTH - 64, line[64], 0, 1, 8)
                with instance.else_scope():
                    instance.data_move(line, table[word, 0], 0, 1, WIDTH // 8, 0, 0)
                instance.data_move(rows[i, 0], line, 0, 1, WIDTH // 8, 0, 0)
    instance.BuildCCE("embedding", [table, words, count], [rows])
    return instance


def instance_min(instance, target, a, b):
    target.set_as(a)
    with instance.if_scope(target > b):
        target.set_as(b)


def main():
    random = np.random.default_rng(4)
    table = random.normal(0, 1, (WORDS, WIDTH)).astype("float32")
    words = random.integers(0, WORDS, MOST).astype("int32")
    words[5], words[6] = -1, WORDS
    wrong = 0
    instance = build()
    for count in (1, 3, 101, MOST):
        rows, = instance.tikdb.start_debug({"table": table, "words": words, "count": count}, False)
        wanted = np.zeros_like(rows)
        known = (words >= 0) & (words < WORDS) & (np.arange(MOST) < count)
        wanted[known] = table[words[known]]
        wrong += (rows != wanted).any(1).sum()
        print(f"{count} words: {(rows == wanted).all(1).sum()} of {MOST} rows")
    return int(wrong != 0)


sys.exit(main())
