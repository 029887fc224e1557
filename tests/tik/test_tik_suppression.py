"""Region proposals that overlap better ones: areas, what two have in common, who is suppressed."""

import random

import numpy as np
import pytest
from kernels import CHIPS, Call, fault, refusal, run, same, use

from vinci import tik

SEED = 31
HALF, FLOAT = "float16", "float32"
TYPES = {"310": [HALF], "910": [HALF], "310P": [HALF, FLOAT]}
PAIRS = [(soc, dtype) for soc in TYPES for dtype in TYPES[soc]]


def proposals_of(source, dtype, count):
    """Boxes with whole and broken corners, some of them turned over or large."""
    found = np.zeros((count, 8), dtype)
    for row in found:
        row[:2] = [source.choice([source.randint(-40, 40), source.uniform(0, 9)]) for _ in "xy"]
        row[2:4] = row[:2] + [source.choice([source.randint(0, 60), source.uniform(-3, 300)])
                              for _ in "xy"]
        row[4:] = [source.random() for _ in range(4)]
    return found


def product(one, other):
    """Halves saturate; here only products leave their range."""
    with np.errstate(over="ignore"):
        found = one * other
    most = np.finfo(found.dtype).max
    return np.clip(found, -most, most)


def area(x1, y1, x2, y2, offset):
    return product(x2 - x1 + offset, y2 - y1 + offset)


def in_common(a, b, offset):
    """Of boxes a (n, 8) with boxes b (16, 8): (n, 16)."""
    one, other = a[:, None], b[None]
    low = np.maximum(one[..., :2], other[..., :2])
    high = np.minimum(one[..., 2:4], other[..., 2:4])
    sides = np.maximum(high - low + offset, a.dtype.type(0))
    return product(sides[..., 0], sides[..., 1])


@pytest.mark.parametrize("soc, dtype", PAIRS)
def test_areas(soc, dtype, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    boxes = proposals_of(source, dtype, 48)
    others = proposals_of(source, dtype, 16)
    areas = np.array([source.uniform(0, 99) for _ in range(48)], dtype)
    more = np.array([source.uniform(0, 99) for _ in range(16)], dtype)
    one = np.dtype(dtype).type(1)
    calls = [
        Call(lambda i, ub: i.vrpac(ub.dst, ub.src, 3), ["dst"], src=boxes,
             dst=np.zeros(48, dtype)),
        Call(lambda i, ub: i.viou(ub.dst, ub.a, ub.b, 2), ["dst"], a=boxes, b=others,
             dst=np.full((48, 16), 7, dtype)),
        Call(lambda i, ub: i.vaadd(ub.dst, ub.a, ub.b, i.Scalar("int32", init_value=3)), ["dst"],
             a=areas, b=more, dst=np.zeros((48, 16), dtype)),
    ]
    common = in_common(boxes, others, one)
    common[32:] = 7
    wanted = [area(*boxes.T[:4], one), common, areas[:, None] + more]
    for want, left in zip(wanted, run(calls, tmp_path, monkeypatch)):
        assert same(left["dst"], want)


def test_the_offset_of_the_310p(tmp_path, monkeypatch):
    use("310P")
    source = random.Random(SEED)
    boxes = proposals_of(source, HALF, 16)

    def call(offset):
        def record(i, ub):
            i.set_rpn_offset(offset if offset != 0.5 else i.Scalar(HALF, init_value=0.5))
            i.vrpac(ub.dst, ub.src, 1)
            i.viou(ub.pairs, ub.src, ub.src, 1)
        return Call(record, ["dst", "pairs"], src=boxes, dst=np.zeros(16, HALF),
                    pairs=np.zeros((16, 16), HALF))

    offsets = [0.0, 0.5, 1.0]
    for offset, left in zip(offsets, run([call(one) for one in offsets], tmp_path, monkeypatch)):
        assert same(left["dst"], area(*boxes.T[:4], np.float16(offset)))
        assert same(left["pairs"], in_common(boxes, boxes, np.float16(offset)))


def suppression(boxes, threshold):
    """By the definition, one by one, in doubles."""
    boxes = boxes.astype(np.float64)
    areas = area(*boxes.T[:4], 1)
    overlaps = in_common(boxes, boxes, 1) > (areas[:, None] + areas) * threshold / (1 + threshold)
    kept = []
    for i in range(len(boxes)):
        if not any(overlaps[j, i] for j in kept):
            kept.append(i)
    return np.array([i not in kept for i in range(len(boxes))], np.uint16)


@pytest.mark.parametrize("soc", TYPES)
def test_suppression_of_whole_lists(soc, tmp_path, monkeypatch):
    """As scripts write it, on boxes whose corners half holds exactly."""
    use(soc)
    source = random.Random(SEED)
    count, threshold = 96, 0.5
    boxes = np.zeros((count, 8), HALF)
    for row in boxes:
        row[:2] = [source.randint(0, 40) for _ in "xy"]
        row[2:4] = row[:2] + [source.randint(4, 30) for _ in "xy"]

    def record(t, ub):
        t.vector_dup(16, ub.suppressed, 1, count // 16, 1, 1)
        t.vrpac(ub.areas, ub.boxes, count // 16)
        with t.for_range(0, count // 16) as i:
            groups = t.Scalar("int32", init_value=i + 1)
            t.viou(ub.common, ub.boxes, ub.boxes[i * 16, 0], groups)
            t.vaadd(ub.sums, ub.areas, ub.areas[i * 16], groups)
            t.vmuls(128, ub.sums, ub.sums, threshold / (1 + threshold), groups * 2, 1, 1, 8, 8)
            t.vcmpv_gt(ub.rows, ub.common, ub.sums, groups * 2, 1, 1, 8, 8)
            register = t.set_rpn_cor_ir(0)
            with t.if_scope(i > 0):
                register = t.rpn_cor(ub.rows, ub.suppressed, 1, 1, i)
            t.rpn_cor_diag(ub.suppressed[i * 16], ub.rows[i * 16], register)

    call = Call(record, ["suppressed"], boxes=boxes, suppressed=np.zeros(count, np.uint16),
                areas=np.zeros(count, HALF), common=np.zeros((count, 16), HALF),
                sums=np.zeros((count, 16), HALF), rows=np.zeros(count, np.uint16))
    left, = run([call], tmp_path, monkeypatch)
    wanted = suppression(boxes, threshold)
    assert 0 < wanted.sum() < count - 1
    assert (left["suppressed"] == wanted).all(), SEED


def test_rows_and_registers(tmp_path, monkeypatch):
    use("910")
    source = random.Random(SEED)
    rows = np.array([1 << source.randrange(16) for _ in range(64)], np.uint16)
    vector = np.array([source.choice([0, 1, 0x100, 0x8000, 1]) for _ in range(64)], np.uint16)

    def record(t, ub):
        t.set_rpn_cor_ir(t.Scalar("int32", init_value=0x11))
        register = t.rpn_cor(ub.rows[16], ub.vector, 1, 2, 2)
        t.rpn_cor_diag(ub.dst, ub.rows, register)

    found, = run([Call(record, ["dst"], rows=rows, vector=vector, dst=np.zeros(16, np.uint16))],
                 tmp_path, monkeypatch)
    suppressed = 0x11
    for matrix, states in ((rows[16:32], vector[:16]), (rows[32:48], vector[32:48])):
        for row, state in zip(matrix, states):
            suppressed |= int(row) if state == 0 else 0
    wanted = np.zeros(16, np.uint16)
    for i in range(16):
        wanted[i] = suppressed >> i & 1 or any(
            wanted[j] == 0 and rows[j] >> i & 1 for j in range(i))
    assert (found["dst"] == wanted).all() and 0 < wanted.sum() < 16


def test_that_formulas_are_inferred_is_told(capsys):
    use("910")
    instance = tik.Tik()
    boxes, areas = (instance.Tensor(HALF, (elements,), tik.scope_ubuf, name)
                    for name, elements in (("boxes", 128), ("areas", 16)))
    words = instance.Tensor("uint16", (32,), tik.scope_ubuf, "words")
    instance.vrpac(areas, boxes, 1)
    instance.rpn_cor_diag(words, words[16], instance.set_rpn_cor_ir(0))
    told = capsys.readouterr().err.splitlines()
    assert [line.split(":")[1].strip() for line in told] == ["vrpac", "rpn_cor_diag"]
    assert all("no document has its formula" in line for line in told)


@pytest.mark.parametrize("soc", sorted(set(CHIPS) - set(TYPES)))
def test_chips_without(soc):
    use(soc)
    text = refusal(lambda i, ub: i.viou(ub.a, ub.a, ub.a, 1), a=(HALF, 256))
    assert text.startswith("current chip: ") and "viou" in text


def test_what_is_refused(tmp_path, monkeypatch):
    use("910")
    tensors = {"a": (HALF, 256), "b": (HALF, 128), "u": ("uint16", 32)}
    for call, words in {
        (lambda i, ub: i.vrpac(ub.a, ub.b, 2)): "src tensor overflow, 256 elements",
        (lambda i, ub: i.viou(ub.b, ub.a, ub.b, 1)): "dst tensor overflow, 256 elements",
        (lambda i, ub: i.vaadd(ub.a, ub.b, ub.u, 1)): "dst",
        (lambda i, ub: i.vrpac(ub.a, ub.b, 256)): "input repeat_times: 256",
        (lambda i, ub: i.set_rpn_offset(0.0)): "current chip: Ascend910",
        (lambda i, ub: i.set_rpn_cor_ir(1 << 16)): "number should be in the range of [0, 65535]",
        (lambda i, ub: i.rpn_cor(ub.u, ub.u, 1, 1, 3)): "tensor overflow, 48 elements",
        (lambda i, ub: i.rpn_cor(ub.a, ub.a, 1, 1, 1)): "current chip: Ascend910",
        (lambda i, ub: i.rpn_cor_diag(ub.u, ub.u[16], 0)): "src_register should be what rpn_cor",
    }.items():
        text = refusal(call, **tensors)
        assert text is not None and words in text, (words, text)
    text = fault(Call(lambda i, ub: i.rpn_cor_diag(ub.u, ub.u, i.set_rpn_cor_ir(0)), ["u"],
                      u=np.zeros(16, np.uint16)), tmp_path, monkeypatch)
    assert "dst and src overlap" in text
