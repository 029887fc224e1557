"""col2img: rows of windows added to the pixels that they see at one point of the filter."""

import random

import numpy as np
import pytest
from kernels import Call, fault, refusal, run, same, use

SEED = 32
HALF, FLOAT = "float16", "float32"
CASES = [  # h, w, pad, stride (w, h), filter (w, h), dilation (w, h), left, top, repeats
    (8, 8, (0, 0, 0, 0), (2, 2), (2, 2), (1, 1), 0, 0, 1),
    (6, 7, (1, 1, 1, 1), (1, 1), (3, 3), (1, 1), -1, -1, 3),
    (5, 9, (2, 0, 1, 3), (2, 1), (2, 3), (2, 1), 0, 1, 2),
    (8, 4, (0, 1, 2, 0), (1, 3), (3, 2), (1, 3), -1, -2, 1),
    (4, 4, (0, 0, 0, 0), (1, 1), (1, 1), (1, 1), 0, 2, 4),
]


def added(image, rows, case, kw, kh):
    """By the walk of the documents; sums of halves by numpy, which rounds like the chips."""
    h, w, pad, stride, size, dilation, x, y, repeats = case
    image = image.copy()
    for row in rows[:16 * repeats]:
        at_y, at_x = y + kh * dilation[1], x + kw * dilation[0]
        if 0 <= at_y < h and 0 <= at_x < w:
            image[at_y, at_x] += row
        x += stride[0]
        if x > w + pad[1] - ((size[0] - 1) * dilation[0] + 1):
            x, y = -pad[0], y + stride[1]
    return image


def arguments(case, kw, kh):
    h, w, pad, stride, size, dilation, left, top, repeats = case
    return list(pad), h, w, kw, kh, left, top, *stride, *size, *dilation, repeats


@pytest.mark.parametrize("soc", ["310", "910", "310P"])
def test_each_point_of_the_filter(soc, tmp_path, monkeypatch):
    use(soc)
    generator = np.random.default_rng(SEED)
    calls, wanted = [], []
    for case in CASES:
        for kw, kh in {(0, 0), (case[4][0] - 1, case[4][1] - 1), (0, case[4][1] - 1)}:
            dtype = random.Random(repr((case, kw, kh))).choice([HALF, FLOAT])
            image = generator.normal(0, 9, (*case[:2], 16)).astype(dtype)
            rows = generator.normal(0, 1, (16 * case[-1], 16)).astype(dtype)
            calls.append(Call(lambda i, ub, a=arguments(case, kw, kh): i.col2img(
                ub.image, ub.rows, *a), ["image"], image=image, rows=rows))
            wanted.append(added(image, rows, case, kw, kh))
    for case, left in zip(wanted, run(calls, tmp_path, monkeypatch)):
        assert same(left["image"], case)


def test_gradients_of_a_pooling(tmp_path, monkeypatch, capsys):
    """Windows of 2 x 2 side by side: what load3dv1 takes apart, put back."""
    use("910")
    generator = np.random.default_rng(SEED)
    image = generator.integers(-9, 9, (8, 8, 16)).astype(HALF)
    parts = [image[y::2, x::2].reshape(16, 16) for y in range(2) for x in range(2)]

    def record(i, ub):
        i.vector_dup(128, ub.back, 0, 8, 1, 8)
        for part, (y, x) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1))):
            i.col2img(ub.back, ub.parts[part, 0, 0], *arguments(CASES[0], x, y))

    found, = run([Call(record, ["back"], parts=np.array(parts), back=np.ones_like(image))],
                 tmp_path, monkeypatch)
    assert same(found["back"], image)
    assert "col2img: no document has its formula" in capsys.readouterr().err


def test_what_is_refused(tmp_path, monkeypatch):
    use("910B")
    tensors = {"a": (HALF, 1024), "b": (HALF, 256), "c": (FLOAT, 256)}
    usual = arguments(CASES[0], 0, 0)
    assert refusal(lambda i, ub: i.col2img(ub.a, ub.b, *usual), **tensors).startswith(
        "current chip: Ascend910B ")
    use("910")
    for call, words in {
        (lambda i, ub: i.col2img(ub.a, ub.c, *usual)): "dst",
        (lambda i, ub: i.col2img(ub.a, 1, *usual)): "src should be tensor",
        (lambda i, ub: i.col2img(ub.a, ub.b, *usual[:-1], 256)): "repeat_time should be in the",
        (lambda i, ub: i.col2img(ub.a, ub.b, [0] * 3, *usual[1:])): "pad should hold left",
    }.items():
        text = refusal(call, **tensors)
        assert text is not None and words in text, (words, text)
    blocks = {"a": np.zeros((64, 16), HALF), "b": np.zeros((16, 16), HALF)}
    for words, call in (
            ("dst and src overlap", lambda i, ub: i.col2img(ub.a, ub.a[16, 0], *usual)),
            ("V1001: col2img: dst", lambda i, ub: i.col2img(ub.b, ub.a, *usual))):
        assert words in fault(Call(call, [], **blocks), tmp_path, monkeypatch)
