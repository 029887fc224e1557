"""Sorting with TIK: region proposals on the older chips, scores with an index on Atlas A2."""

import random

import numpy as np
import pytest
from kernels import CHIPS, Call, fault, numbers, refusal, run, same, use

SEED = 22
HALF, FLOAT = "float16", "float32"
PROPOSALS = {"310": [HALF], "910": [HALF], "310P": [HALF, FLOAT]}
RECORDS = {"910B": [HALF, FLOAT]}
SCORE = 4


def by_score(proposals):
    return proposals[np.argsort(-proposals[:, SCORE].astype(np.float64), kind="stable")]


def proposals_of(source, dtype, count):
    found = numbers(source, dtype, count * 8).reshape(count, 8)
    found[:, SCORE] = [source.randrange(count) for _ in range(count)]  # some are equal
    return found


def merged(queues):
    """One by one: the largest head, of equals that of the first queue."""
    heads, found = [0] * len(queues), []
    while any(head < len(queue) for head, queue in zip(heads, queues)):
        left = [i for i, queue in enumerate(queues) if heads[i] < len(queue)]
        best = max(left, key=lambda i: (queues[i][heads[i]][0], -i))
        found.append(queues[best][heads[best]][1])
        heads[best] += 1
    return np.array(found)


@pytest.mark.parametrize("soc", PROPOSALS)
def test_fields_of_proposals(soc, tmp_path, monkeypatch):
    use(soc)
    source, calls, wanted = random.Random(SEED), [], []
    for dtype in PROPOSALS[soc]:
        for field in range(6):
            repeats = source.choice([1, 2, 3])
            proposals = numbers(source, dtype, 16 * 4 * 8)
            elements = numbers(source, dtype, 16 * 4)
            calls.append(Call(lambda instance, ub, repeats=repeats, field=field: instance.vconcat(
                ub.dst, ub.src, repeats, field), ["dst"], dst=proposals, src=elements))
            after = proposals.copy()
            after.reshape(-1, 8)[:16 * repeats, field] = elements[:16 * repeats]
            wanted.append(after)
            calls.append(Call(lambda instance, ub, repeats=repeats, field=field: instance.vextract(
                ub.dst, ub.src, repeats, field), ["dst"], dst=elements, src=proposals))
            after = elements.copy()
            after[:16 * repeats] = proposals.reshape(-1, 8)[:16 * repeats, field]
            wanted.append(after)
    for after, left in zip(wanted, run(calls, tmp_path, monkeypatch)):
        assert same(left["dst"], after), (soc, SEED)


@pytest.mark.parametrize("soc", PROPOSALS)
def test_proposals_are_sorted_and_merged(soc, tmp_path, monkeypatch):
    """64 proposals in groups of 16, then the four groups to one, as scripts do."""
    use(soc)
    source = random.Random(SEED)
    for dtype in PROPOSALS[soc]:
        proposals = proposals_of(source, dtype, 64)

        def call(instance, ub):
            counts = instance.ScalarArray("uint16", 4, "counts")
            instance.vrpsort16(ub.sorted, ub.src, 4)
            instance.vmrgsort4(ub.all, [ub.sorted[16 * i, 0] for i in range(4)], (16,) * 4, False,
                               "1111", 1, counts)
            for i in range(4):
                ub.counts[i].set_as(counts[i])

        left, = run([Call(call, ["sorted", "all", "counts"], src=proposals,
                          sorted=np.zeros_like(proposals), all=np.zeros_like(proposals),
                          counts=np.zeros(16, "uint16"))], tmp_path, monkeypatch)
        groups = [by_score(proposals[i:i + 16]) for i in range(0, 64, 16)]
        assert same(left["sorted"], np.concatenate(groups))
        assert same(left["all"], by_score(np.concatenate(groups)))
        assert left["counts"].tolist() == [16] * 4 + [0] * 12


def sorted_queues(source, dtype, lengths):
    return [by_score(proposals_of(source, dtype, 64)[:length]) for length in lengths]


@pytest.mark.parametrize("valid,used", [(3, 2), ("0111", 3), (15, 4), ("11", 2)])
def test_queues_that_are_not_valid_are_not_looked_at(valid, used, tmp_path, monkeypatch):
    use("910")
    source = random.Random(SEED)
    lengths = [source.randrange(1, 40) for _ in range(4)]
    queues = sorted_queues(source, HALF, lengths)
    buffers = {f"q{i}": np.concatenate([queue, np.zeros((64 - len(queue), 8), HALF)])
               for i, queue in enumerate(queues)}

    def call(instance, ub):
        counts = [instance.Scalar("int32", f"count{i}", 99) for i in range(4)]
        length = instance.Scalar("int32", "length", lengths[0])
        outside = instance.Scalar("int32", "outside", 64)
        nothing = [ub.q0[outside, 0]] * (4 - used)
        instance.vmrgsort4(ub.dst, [getattr(ub, f"q{i}") for i in range(used)] + nothing,
                           [length] + lengths[1:], False, valid, 1, counts)
        for i, count in enumerate(counts):
            ub.counts[i].set_as(count)

    left, = run([Call(call, ["dst", "counts"], dst=np.zeros((256, 8), HALF),
                      counts=np.zeros(8, "int32"), **buffers)], tmp_path, monkeypatch)
    wanted = merged([[(row[SCORE], row) for row in queue] for queue in queues[:used]])
    assert same(left["dst"][:len(wanted)], wanted) and not left["dst"][len(wanted):].any()
    assert left["counts"].tolist() == lengths[:used] + [0] * (8 - used)


def test_a_scalar_says_which_queues_count(tmp_path, monkeypatch):
    """There is room for as many as it says, and for no more."""
    use("310P")
    queue = np.zeros((16, 8), HALF)
    queue[:, SCORE] = np.arange(32, 16, -1)

    def call_with(valid, room):
        def call(instance, ub):
            bits = instance.Scalar("int32", "bits", valid)
            instance.vmrgsort4(ub.dst, [ub.queue] * 4, [16] * 4, False, bits, 1)
        return Call(call, ["dst"], dst=np.zeros((room, 8), HALF), queue=queue)

    for valid, used in ((3, 2), (7, 3), (15, 4)):
        left, = run([call_with(valid, used * 16)], tmp_path, monkeypatch)
        assert left["dst"][:, SCORE].tolist() == sorted([*queue[:, SCORE]] * used, reverse=True)
    text = fault(call_with(5, 64), tmp_path, monkeypatch)
    assert "valid_bit" in text and "is 5" in text
    assert "V10" in fault(call_with(7, 32), tmp_path, monkeypatch)  # there is no room for three


@pytest.mark.parametrize("moved", [False, True])
def test_a_merge_that_stops_when_a_queue_is_empty(moved, tmp_path, monkeypatch):
    """`moved`: the counts are fetched by a call of their own."""
    use("310P")
    first, second = np.zeros((16, 8), HALF), np.zeros((16, 8), HALF)
    first[:, SCORE], second[:, SCORE] = np.arange(32, 16, -1), np.arange(30, 14, -1)

    def call(instance, ub):
        counts = instance.ScalarArray("int64", 4, "counts")
        queues = [ub.first, ub.second, ub.first, ub.first]
        if moved:
            register = instance.vmrgsort4(ub.dst, queues, [16] * 4, True, 3)
            instance.mov_vmrgsort4_sr_to_scalar([counts[i] for i in range(4)], register)
        else:
            instance.vmrgsort4(ub.dst, queues, [16] * 4, True, 3, 1, counts)
        for i in range(4):
            ub.counts[i].set_as(counts[i])

    left, = run([Call(call, ["dst", "counts"], dst=np.zeros((32, 8), HALF), first=first,
                      second=second, counts=np.zeros(4, "int64"))], tmp_path, monkeypatch)
    taken = 16 + 13  # 30 .. 18 of the second come before 17, the last of the first
    assert left["counts"].tolist() == [16, 13, 0, 0]
    assert left["dst"][:taken, SCORE].tolist() == sorted(
        [*first[:, SCORE], *second[:13, SCORE]], reverse=True)


@pytest.mark.parametrize("dtype", [HALF, FLOAT])
def test_scores_with_an_index(dtype, tmp_path, monkeypatch):
    """vsort32, then two merges: of four queues twice over, and of the two that are left."""
    use("910B")
    source = random.Random(SEED)
    scores = numbers(source, dtype, 256)
    scores[3] = scores[17]
    each = 8 // np.dtype(dtype).itemsize  # elements of a record

    def call(instance, ub):
        size = 32 * each
        instance.vsort32(ub.a, ub.scores, ub.index, 8)
        instance.vmrgsort(ub.b, [ub.a[size * i] for i in range(4)], 32, False, 2)
        instance.vmrgsort(ub.a, (ub.b[0:size * 4], ub.b[size * 4:]), [128, 128], False)

    left, = run([Call(call, ["a"], scores=scores, index=np.arange(256, dtype="uint32"),
                      a=np.zeros(256 * each, dtype), b=np.zeros(256 * each, dtype))], tmp_path,
                monkeypatch)
    order = np.argsort(-scores.astype(np.float64), kind="stable")
    assert same(left["a"].reshape(256, each)[:, 0].copy(), scores[order])
    assert left["a"].view("uint32").reshape(256, 2)[:, 1].tolist() == order.tolist()


@pytest.mark.parametrize("soc", CHIPS)
def test_types(soc):
    use(soc)
    for dtype in (HALF, FLOAT, "int16", "int32"):
        old = dtype in PROPOSALS.get(soc, [])
        new = dtype in RECORDS.get(soc, [])
        tensors = {"dst": (dtype, 512), "src": (dtype, 512), "index": ("uint32", 32)}
        for name, legal, call in [
                ("vconcat", old, lambda i, ub: i.vconcat(ub.dst, ub.src, 1, 0)),
                ("vextract", old, lambda i, ub: i.vextract(ub.dst, ub.src, 1, 0)),
                ("vrpsort16", old, lambda i, ub: i.vrpsort16(ub.dst, ub.src, 1)),
                ("vmrgsort4", old, lambda i, ub: i.vmrgsort4(ub.dst, [ub.src] * 4, [1] * 4, False,
                                                             15)),
                ("vsort32", new, lambda i, ub: i.vsort32(ub.dst, ub.src, ub.index, 1)),
                ("vmrgsort", new, lambda i, ub: i.vmrgsort(ub.dst, [ub.src] * 2, [1, 1], False))]:
            text = refusal(call, **tensors)
            assert (text is None) == legal, (soc, name, dtype, text)
            assert legal or text.startswith("current chip: ") and name in text


def merge_refusal(**changes):
    arguments = {"element_lengths": [16] * 4, "if_exhausted_suspension": False, "valid_bit": 15,
                 **changes}
    at, queues = arguments.pop("at", 0), arguments.pop("queues", 4)
    return refusal(lambda instance, ub: instance.vmrgsort4(
        ub.dst[at:], [ub.src] * queues, **arguments), dst=(HALF, 1024), src=(HALF, 256))


@pytest.mark.parametrize("changes,words", [
    ({"valid_bit": 1}, "valid_bit should be one of 3, 7, 15"),
    ({"valid_bit": "1011"}, "valid_bit should be one of 3, 7, 15"),
    ({"valid_bit": "12"}, "valid_bit should be int or a str of 0 and 1"),
    ({"valid_bit": 15.0}, "valid_bit should be int or str"),
    ({"valid_bit": None}, "valid_bit should be int or str"),
    ({"valid_bit": None, "queues": 3}, "src_list should hold 4 tensors"),
    ({"queues": 3}, "src_list should hold 4 tensors"),
    ({"element_lengths": [16] * 3}, "element_lengths should hold 4 values"),
    ({"element_lengths": [16, 16, 16, 4096]},
     "element_lengths[3] should be in the range of [0, 4095]"),
    ({"element_lengths": [33, 16, 16, 16]}, "src_list[0] tensor overflow"),
    ({"element_lengths": [32, 32, 32, 32], "at": 8}, "dst tensor overflow"),
    ({"if_exhausted_suspension": 0}, "if_exhausted_suspension should be bool"),
    ({"repeat_times": 256}, "repeat_times should be in the range of [1, 255]"),
    ({"at": 4}, "Address align error, dst"),
    ({"vms4_sr_scalar_array": []}, "vms4_sr_scalar_array should hold 4 Scalar(int/uint)"),
    ({"vms4_sr_scalar_array": [1, 2, 3, 4]}, "vms4_sr_scalar_array should hold 4"),
], ids=str)
def test_merges_that_are_refused(changes, words):
    use("910")
    text = merge_refusal(**changes)
    assert text is not None and text.startswith(words), text


def test_counts_that_are_refused():
    use("910")

    def text(scalars, register):
        return refusal(lambda instance, ub: instance.mov_vmrgsort4_sr_to_scalar(
            [instance.Scalar("int32", f"s{i}") for i in range(scalars)], register(instance, ub)),
            dst=(HALF, 1024), a=(HALF, 128))

    def merge(instance, ub):
        return instance.vmrgsort4(ub.dst, [ub.a] * 4, [16] * 4, True, 15)

    assert text(4, merge) is None
    assert text(3, merge).startswith("scalar_list should hold 4 Scalar(int/uint)")
    assert text(4, lambda instance, ub: 0).startswith("vms4_sr should be what vmrgsort4 returned")


@pytest.mark.parametrize("changes", [
    {}, {"element_lengths": 32}, {"at": 8, "element_lengths": [32, 32, 32, 31]},
    {"valid_bit": "11"},
    {"element_lengths": [0, 16, 16, 16]}, {"repeat_times": 255},
    {"valid_bit": 3, "element_lengths": [32, 32, 4095, 4095]}], ids=str)
def test_merges_that_are_accepted(changes):
    use("910")
    assert merge_refusal(**changes) is None


def test_limits_of_proposals():
    use("910")

    def text(name, repeats, *more, dst=128, src=128):
        return refusal(lambda instance, ub: getattr(instance, name)(ub.dst, ub.src, repeats, *more),
                       dst=(HALF, dst), src=(HALF, src))

    assert text("vconcat", 1, 5, src=16) is None and text("vextract", 1, 5, dst=16) is None
    for got, words in [
            (text("vconcat", 1, 6), "mode_number should be in the range of [0, 5]"),
            (text("vextract", 1, -1), "mode_number should be in the range of [0, 5]"),
            (text("vrpsort16", 0), "repeat_times should be in the range of [1, 255]"),
            (text("vrpsort16", 256), "repeat_times should be in the range of [1, 255]"),
            (text("vrpsort16", 2), "dst tensor overflow"),
            (text("vrpsort16", 2, dst=256), "src tensor overflow"),
            (text("vconcat", 2, 0, src=32), "dst tensor overflow"),
            (text("vextract", 2, 0, dst=32), "src tensor overflow")]:
        assert got is not None and got.startswith(words), got


def test_limits_of_scores():
    use("910B")

    def text(repeats=1, index="uint32", dst=128, scores=32, indices=32):
        return refusal(lambda instance, ub: instance.vsort32(ub.dst, ub.scores, ub.index, repeats),
                       dst=(HALF, dst), scores=(HALF, scores), index=(index, indices))

    assert text() is None
    for got, words in [(text(index="int32"), "src1's dtype should be uint32"),
                       (text(2), "dst tensor overflow"), (text(2, dst=256), "src0 tensor overflow"),
                       (text(2, dst=256, scores=64), "src1 tensor overflow"),
                       (text(256), "repeat_times should be in the range of [1, 255]")]:
        assert got is not None and got.startswith(words), got
    for queues, legal in ((1, False), (2, True), (3, True), (4, True), (5, False)):
        got = refusal(lambda instance, ub: instance.vmrgsort(
            ub.dst, [ub.src] * queues, [1] * queues, False), dst=(HALF, 64), src=(HALF, 64))
        assert (got is None) == legal, got
