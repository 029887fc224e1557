"""vec_trans, vtranspose, vec_trans_scatter, vnchwconv and v4dtrans, run on the engine against
numpy."""

import random

import numpy as np
import pytest
from kernels import CHIPS, Call, fault, numbers, refusal, run, same, use

SEED = 21
SCATTERED = ("vec_trans_scatter", "vnchwconv")
BITS_8, BITS_16 = ("int8", "uint8"), ("int16", "uint16", "float16")
BITS_32 = ("int32", "uint32", "float32")
TYPES = {name: BITS_8 + BITS_16 + BITS_32 for name in CHIPS}
TYPES["310B"] = BITS_8 + ("int16", "uint16", "int32", "uint32")


def square_call(source, name, dtype):
    repeats = 1 if name == "vtranspose" else source.choice([1, 2, 3])
    strides = (0, 0) if name == "vtranspose" else (source.choice([1, 2]), source.choice([0, 1, 2]))
    at = source.choice([0, 16])
    src = numbers(source, dtype, 5 * 256)
    dst = numbers(source, dtype, 6 * 256)
    wanted = dst.copy()
    for repeat in range(repeats):
        square = src[repeat * strides[1] * 256:][:256].reshape(16, 16)
        start = at + repeat * strides[0] * 256
        wanted[start:start + 256] = square.T.ravel()
    arguments = () if name == "vtranspose" else (repeats, *strides)
    return Call(lambda instance, ub: getattr(instance, name)(ub.dst[at:], ub.src, *arguments),
                ["dst"], dst=dst, src=src), wanted, (name, dtype, repeats, strides)


@pytest.mark.parametrize("soc", CHIPS)
def test_squares(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = [square_call(source, name, dtype) for name in ("vec_trans", "vtranspose")
             for dtype in BITS_16 for _ in range(3)]
    for (_, wanted, what), left in zip(cases, run([c[0] for c in cases], tmp_path, monkeypatch)):
        assert same(left["dst"], wanted), (soc, SEED, what)


def turned(rows, dtype, high):
    """16 datablocks as their elements -> 16 datablocks, or of bytes 16 halves."""
    if np.dtype(dtype).itemsize == 4:  # two squares of 8 x 8, their rows in turn
        return np.stack([rows[:8].T, rows[8:].T], 1).reshape(16, 8)
    return rows[:, 16 * high:16 * high + 16].T if np.dtype(dtype).itemsize == 1 else rows.T


def scattered_call(source, name, dtype):
    block = 32 // np.dtype(dtype).itemsize
    repeats = source.choice([1, 1, 2, 4])
    strides = (0, 0) if repeats == 1 else (source.choice([1, 16]), source.choice([0, 1, 2]))
    high = (source.random() < 0.5, source.random() < 0.5)
    sources = [source.randrange(32) for _ in range(16)]
    targets = source.sample(range(0, 64, 4), 16) if strides[0] == 1 else list(range(16))
    source.shuffle(targets)
    src, dst = numbers(source, dtype, 48 * block), numbers(source, dtype, 80 * block)
    wanted = dst.copy().reshape(-1, block)
    for repeat in range(repeats):
        rows = src.reshape(-1, block)[[place + repeat * strides[1] for place in sources]]
        for target, row in zip(targets, turned(rows, dtype, high[1])):
            first = 16 * high[0] if block == 32 else 0
            wanted[target + repeat * strides[0], first:first + len(row)] = row

    def call(instance, ub):
        getattr(instance, name)(*high, [ub.dst[place * block] for place in targets],
                                tuple(ub.src[place * block] for place in sources), repeats,
                                *strides)

    what = (name, dtype, repeats, strides, high, targets, sources)
    return Call(call, ["dst"], dst=dst, src=src), wanted.ravel(), what


@pytest.mark.parametrize("soc", CHIPS)
def test_datablocks(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = [scattered_call(source, name, dtype) for name in SCATTERED for dtype in TYPES[soc]
             for _ in range(4)]
    for (_, wanted, what), left in zip(cases, run([c[0] for c in cases], tmp_path, monkeypatch)):
        assert same(left["dst"], wanted), (soc, SEED, what)


def test_a_single_repeat_starts_one_stride_away(tmp_path, monkeypatch):
    use("310P")
    src, dst = np.arange(32 * 16, dtype="int16"), np.zeros(32 * 16, "int16")
    call = Call(lambda instance, ub: instance.vnchwconv(
        False, False, [ub.dst[16 * i] for i in range(16)], [ub.src[16 * i] for i in range(16)], 1,
        2, 1), ["dst"], dst=dst, src=src)
    left, = run([call], tmp_path, monkeypatch)
    wanted = np.zeros((32, 16), "int16")
    wanted[2:18] = src.reshape(32, 16)[1:17].T
    assert same(left["dst"], wanted.ravel())


@pytest.mark.parametrize("soc", CHIPS)
def test_types(soc):
    use(soc)
    for dtype in BITS_8 + BITS_16 + BITS_32 + ("int64",):
        square = refusal(lambda instance, ub: instance.vec_trans(ub.dst, ub.src, 1, 1, 1),
                         dst=(dtype, 256), src=(dtype, 256))
        blocks = refusal(lambda instance, ub: instance.vnchwconv(
            False, False, [ub.dst] * 16, [ub.src] * 16, 1, 0, 0), dst=(dtype, 256),
                         src=(dtype, 256))
        assert (square is None) == (dtype in BITS_16), (dtype, square)
        assert (blocks is None) == (dtype in TYPES[soc]), (dtype, blocks)
        assert square is None or square.startswith("current chip: ")
        assert blocks is None or blocks.startswith("current chip: ")


def blocks_refusal(dst=16, src=16, dst_at=0, elements=256, kinds=("float16", "float16"), **changes):
    arguments = {"dst_high_half": False, "src_high_half": True, "repeat_times": 1,
                 "dst_rep_stride": 0, "src_rep_stride": 0, **changes}
    return refusal(lambda instance, ub: instance.vnchwconv(
        dst_list=[ub.dst[dst_at:]] * dst, src_list=[ub.src] * src, **arguments),
                   dst=(kinds[0], elements), src=(kinds[1], 4096))


@pytest.mark.parametrize("changes,words", [
    ({"dst": 15}, "dst_list should hold 16 tensors, input length is 15"),
    ({"src": 17}, "src_list should hold 16 tensors, input length is 17"),
    ({"dst_high_half": 1}, "dst_high_half should be bool"),
    ({"src_high_half": 0}, "src_high_half should be bool"),
    ({"dst_at": 1}, "Address align error, dst_list[0]"),
    ({"repeat_times": 0}, "repeat_times should be in the range of [1, 255]"),
    ({"repeat_times": 256}, "repeat_times should be in the range of [1, 255]"),
    ({"dst_rep_stride": 65536}, "dst_rep_stride should be in the range of [0, 65535]"),
    ({"src_rep_stride": -1}, "src_rep_stride should be in the range of [0, 65535]"),
    ({"repeat_times": 17, "dst_rep_stride": 1}, "dst_list[0] tensor overflow"),
    ({"dst_rep_stride": 16}, "dst_list[0] tensor overflow"),
    ({"kinds": ("float16", "int16")}, "dst_list[0] and src_list[0] should have the same dtype"),
], ids=str)
def test_what_is_refused(changes, words):
    use("310P")
    text = blocks_refusal(**changes)
    assert text is not None and text.startswith(words), text


@pytest.mark.parametrize("changes", [
    {}, {"dst_at": 16}, {"repeat_times": 255}, {"repeat_times": 16, "dst_rep_stride": 1},
    {"dst_rep_stride": 15}, {"repeat_times": 1, "src_rep_stride": 255}], ids=str)
def test_what_is_accepted(changes):
    use("310P")
    assert blocks_refusal(**changes) is None


def test_limits_of_squares():
    use("910")

    def text(repeats=1, dst_stride=1, src_stride=1, at=0):
        return refusal(lambda instance, ub: instance.vec_trans(
            ub.dst[at:], ub.src, repeats, dst_stride, src_stride),
                       dst=("int16", 1024), src=("int16", 1024))

    assert text(4) is None and text(4095, 0, 0) is None and text(1, 4095, 4095) is None
    assert text(at=16) is None
    for arguments, words in [((5,), "dst tensor overflow"), ((5, 0), "src tensor overflow"),
                             ((0,), "repeat_times should be in the range of [1, 4095]"),
                             ((4096, 0, 0), "repeat_times should be in the range of [1, 4095]"),
                             ((1, 4096), "dst_rep_stride should be in the range of [0, 4095]"),
                             ((1, 1, 4096), "src_rep_stride should be in the range of [0, 4095]"),
                             ((1, 1, 1, 8), "Address align error, dst")]:
        assert text(*arguments).startswith(words), arguments
    assert "16" in refusal(lambda instance, ub: instance.vnchwconv(
        False, False, [], [ub.src], 1, 0, 0), src=("int16", 1024))
    assert refusal(lambda instance, ub: instance.vnchwconv(
        False, False, ub.src, [ub.src], 1, 0, 0), src=("int16", 1024)).startswith(
            "dst_list should be list or tuple")


def test_the_engine_checks_what_the_script_does_not_know(tmp_path, monkeypatch):
    use("310P")
    src = np.zeros(256, "int16")

    def call(instance, ub):
        place = instance.Scalar("int32", "place", 256)
        instance.vnchwconv(False, False, [ub.dst[place]] * 16, [ub.src] * 16, 1, 0, 0)

    text = fault(Call(call, ["dst"], dst=src, src=src), tmp_path, monkeypatch)
    assert text.startswith("V1001: vnchwconv: dst_list")
    assert text.endswith("behind the end of Tensor ub0_dst in UB"), text


# Images.


def image_call(source, dtype):
    to_places = source.random() < 0.5
    places, channels = source.choice([(1, 1), (256, 3), (8, 37), (5, 7), (64, 16), (3, 256)])
    src, dst = numbers(source, dtype, 1056), numbers(source, dtype, 1056)
    block = 32 // np.dtype(dtype).itemsize
    wanted = dst.copy()
    shape = (channels, places) if to_places else (places, channels)
    wanted[block:block + places * channels] = \
        src[:places * channels].reshape(shape).T.ravel()
    return Call(lambda instance, ub: instance.v4dtrans(to_places, ub.dst[block:], ub.src, places,
                                                       channels),
                ["dst"], dst=dst, src=src), wanted, (dtype, to_places, places, channels)


@pytest.mark.parametrize("soc", ["310P", "310P vector"])
def test_images(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = [image_call(source, dtype) for dtype in BITS_8 + BITS_16 + BITS_32 for _ in range(5)]
    for (_, wanted, what), left in zip(cases, run([c[0] for c in cases], tmp_path, monkeypatch)):
        assert same(left["dst"], wanted), (soc, SEED, what)


@pytest.mark.parametrize("soc", CHIPS)
def test_types_of_images(soc):
    use(soc)
    for dtype in BITS_8 + BITS_16 + BITS_32 + ("int64",):
        text = refusal(lambda instance, ub: instance.v4dtrans(True, ub.dst, ub.src, 16, 2),
                       dst=(dtype, 32), src=(dtype, 32))
        assert (text is None) == (soc.startswith("310P") and dtype != "int64"), (dtype, text)
        assert text is None or text.startswith("current chip: ") and "v4dtrans" in text


def image_refusal(chw2hwc=True, m_len=16, channels=2, dst=32, src=32, at=0):
    use("310P")
    return refusal(lambda instance, ub: instance.v4dtrans(chw2hwc, ub.dst[at:], ub.src, m_len,
                                                          channels),
                   dst=("int8", dst), src=("int8", src))


def test_limits_of_images(monkeypatch):
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")  # to the element
    for changes in ({}, {"chw2hwc": False}, {"at": 32, "dst": 64}, {"m_len": 1, "channels": 32},
                    {"m_len": 4095, "channels": 1, "dst": 4095, "src": 4095},
                    {"m_len": 1, "channels": 4095, "dst": 4095, "src": 4095}):
        assert image_refusal(**changes) is None, changes
    for changes, words in [
            ({"chw2hwc": 1}, "chw2hwc should be bool"), ({"dst": 31}, "dst tensor overflow"),
            ({"src": 31}, "src tensor overflow"), ({"at": 1}, "Address align error, dst"),
            ({"m_len": 0}, "m_len should be in the range of [1, 4095]"),
            ({"m_len": 4096}, "m_len should be in the range of [1, 4095]"),
            ({"channels": 0}, "channels should be in the range of [1, 4095]"),
            ({"channels": 4096}, "channels should be in the range of [1, 4095]")]:
        text = image_refusal(**changes)
        assert text is not None and text.startswith(words), text


@pytest.mark.parametrize("at,legal", [(0, False), (32, False), (64, True)])
def test_an_image_is_not_turned_in_place(at, legal, tmp_path, monkeypatch):
    use("310P")
    call = Call(lambda instance, ub: instance.v4dtrans(True, ub.dst[at:], ub.dst, 16, 4), ["dst"],
                dst=np.zeros(128, "int8"))
    if legal:
        run([call], tmp_path, monkeypatch)
    else:
        assert "V1008" in fault(call, tmp_path, monkeypatch)
