"""Copies that add (set_atomic_add), copies of single bytes (data_move_pad), the overflow status."""

import contextlib
import io
import random

import numpy as np
import pytest
from kernels import CHIPS, numbers, refusal, same, use
from vinci import tik

SEED = 33
MODES = {1: "float32", 2: "float16", 3: "int16", 4: "int32", 5: "int8", 6: "bfloat16"}
ATOMIC = {"310": (), "310P vector": (), "910": (1,), "310P": (1, 2, 3), "910B": (1, 2, 3, 4, 5, 6),
          "310B": (1, 2, 3, 4)}
WITH_PAD = ("910B", "310B")
WORDS = {"bfloat16": "uint16"}  # what numpy has instead


class Kernel:
    """`inputs`: {name: array}; `outputs`: {name: (dtype, elements)}. Attributes of their names are
    the Tensors of GM."""

    def __init__(self, inputs, outputs):
        self.instance = tik.Tik()
        self.feeds = inputs
        self.inputs = [self._gm(name, str(array.dtype), array.size)
                       for name, array in inputs.items()]
        self.outputs = [self._gm(name, *what) for name, what in outputs.items()]

    def _gm(self, name, dtype, elements):
        tensor = self.instance.Tensor(dtype, (elements,), tik.scope_gm, name)
        setattr(self, name, tensor)
        return tensor

    def loaded(self, tensor, dtype=None):
        """A copy of an input in UB, in a type of the same width."""
        dtype = dtype or tensor.dtype
        ub = self.instance.Tensor(dtype, tensor.shape, tik.scope_ubuf, tensor.name + "_ub")
        self.instance.data_move(ub, tensor, 0, 1, blocks(tensor.shape[0], dtype), 0, 0)
        return ub

    def run(self, folder, monkeypatch):
        monkeypatch.chdir(folder)
        self.instance.BuildCCE("kernel", self.inputs, self.outputs)
        return self.instance.tikdb.start_debug(self.feeds, interactive=False)

    def fault(self, folder, monkeypatch):
        with pytest.raises(SystemExit) as caught, contextlib.redirect_stderr(io.StringIO()):
            self.run(folder, monkeypatch)
        return str(caught.value)


def width(dtype):
    return np.dtype(WORDS.get(dtype, dtype)).itemsize


def blocks(elements, dtype):
    return elements * width(dtype) // 32


# set_atomic_add.


def small_numbers(dtype, start):
    """64 numbers whose sums are exact, also in bfloat16."""
    values = np.arange(start, start + 64) % 50
    if dtype == "bfloat16":
        return (values.astype("float32").view("uint32") >> 16).astype("uint16")
    return values.astype(dtype)


def sum_of(dtype, *arrays):
    if dtype == "bfloat16":
        total = sum((array.astype("uint32") << 16).view("float32") for array in arrays)
        return (total.view("uint32") >> 16).astype("uint16")
    return sum(arrays[1:], arrays[0])


def adding(dtype, switch):
    """a over out, then with `switch(instance)` b added to it, twice the first half; then off, and
    its last 32 elements over."""
    a, b = small_numbers(dtype, 3), small_numbers(dtype, 31)
    kernel = Kernel({"a": a, "b": b}, {"out": (dtype, 64)})
    instance = kernel.instance
    first, more = kernel.loaded(kernel.a, dtype), kernel.loaded(kernel.b, dtype)
    whole = blocks(64, dtype)
    instance.data_move(kernel.out, first, 0, 1, whole, 0, 0)
    switch(instance)
    instance.data_move(kernel.out, more, 0, 1, whole, 0, 0)
    instance.data_move(kernel.out, more, 0, 1, whole // 2, 0, 0)
    instance.set_atomic_add(0)
    instance.data_move(kernel.out[32:], first, 0, 1, whole // 2, 0, 0)
    return kernel, np.concatenate([sum_of(dtype, a, b, b)[:32], a[:32]])


def by_scalar(number, dtype="uint64"):
    return lambda instance: instance.set_atomic_add(instance.Scalar(dtype, "mode", number))


@pytest.mark.parametrize("soc,number", [(soc, number) for soc in CHIPS for number in ATOMIC[soc]])
def test_copies_add(soc, number, tmp_path, monkeypatch):
    use(soc)
    for switch in (lambda instance: instance.set_atomic_add(number),
                   lambda instance: instance.set_atomic_add(MODES[number]), by_scalar(number),
                   by_scalar(number, "int32"),
                   lambda instance: instance.set_atomic_add(
                       instance.Scalar("int32", "mode", number - 1) + 1)):
        kernel, wanted = adding(MODES[number], switch)
        out, = kernel.run(tmp_path, monkeypatch)
        assert same(out, wanted), (soc, number)


def test_a_scalar_turns_it_off(tmp_path, monkeypatch):
    use("910B")
    a, b = small_numbers("float32", 1), small_numbers("float32", 2)
    kernel = Kernel({"a": a, "b": b}, {"out": ("float32", 64)})
    first, more = kernel.loaded(kernel.a), kernel.loaded(kernel.b)
    mode = kernel.instance.Scalar("uint64", "mode", 1)
    with kernel.instance.for_range(0, 3) as i:  # 1, 0, 1
        mode.set_as((i + 1) % 2)
        kernel.instance.set_atomic_add(mode)
        with kernel.instance.if_scope(i == 1):
            kernel.instance.data_move(kernel.out, first, 0, 1, 8, 0, 0)
        with kernel.instance.else_scope():
            kernel.instance.data_move(kernel.out, more, 0, 1, 8, 0, 0)
    out, = kernel.run(tmp_path, monkeypatch)
    assert same(out, a + b)


def test_integers_and_all_cores(tmp_path, monkeypatch):
    """Each block adds its own number; inputs are left alone, and so is UB."""
    use("910B")
    a = np.full(64, 2**31 - 100, "int32")
    kernel = Kernel({"a": a, "zero": np.zeros(64, "int32")}, {"out": ("int32", 64)})
    instance = kernel.instance
    out = instance.Tensor("int32", (64,), tik.scope_gm, "sums", is_atomic_add=True)
    kernel.outputs.append(out)
    with instance.for_range(0, 7, block_num=7) as block:
        ub = instance.Tensor("int32", (64,), tik.scope_ubuf, "ub")
        instance.vec_dup(64, ub, block + 1, 1, 8)
        instance.set_atomic_add("int32")
        instance.data_move(out, ub, 0, 1, 8, 0, 0)
        instance.data_move(ub, kernel.a, 0, 1, 8, 0, 0)  # into UB nothing adds
        instance.set_atomic_add(0)
        with instance.if_scope(block == 0):
            instance.data_move(kernel.out, ub, 0, 1, 8, 0, 0)
    copied, sums = kernel.run(tmp_path, monkeypatch)
    assert same(copied, a) and (sums == 28).all()


@pytest.mark.parametrize("soc", CHIPS)
def test_modes(soc):
    use(soc)
    for number, dtype in MODES.items():
        for mode in (number, dtype):
            text = refusal(lambda instance, ub: instance.set_atomic_add(mode))
            if number in ATOMIC[soc]:
                assert text is None, (mode, text)
            else:
                assert text.startswith("current chip: ") and (
                    f"doesn't support mode {mode} for Instruction set_atomic_add" in text), text
    for switch in (lambda instance, ub: instance.set_atomic_add(0),
                   lambda instance, ub: by_scalar(0)(instance)):
        assert (refusal(switch) is None) == bool(ATOMIC[soc])


def test_what_is_no_mode():
    use("910B")
    for mode, words in [(-1, "mode should be in the range of [0, 6]"),
                        (7, "mode should be in the range of [0, 6]"),
                        ("int64", "mode of set_atomic_add should be one of float32, "),
                        ("", "mode of set_atomic_add should be one of float32, "),
                        (1.0, "mode should be int, str or Scalar, input type: "),
                        (True, "mode should be int, str or Scalar, input type: "),
                        (None, "mode should be int, str or Scalar, input type: ")]:
        text = refusal(lambda instance, ub: instance.set_atomic_add(mode))
        assert text is not None and text.startswith(words), (mode, text)
    assert "mode should be int" in refusal(
        lambda instance, ub: instance.set_atomic_add(instance.Scalar("float32", "m", 1)))


@pytest.mark.parametrize("soc", [name for name in CHIPS if ATOMIC[name]])
def test_a_scalar_that_is_no_mode_ends_the_kernel(soc, tmp_path, monkeypatch):
    use(soc)
    most = max(ATOMIC[soc])
    for switch in (by_scalar(most + 1), by_scalar(2**63), by_scalar(2**64 - 1),
                   by_scalar(-1, "int32")):
        kernel, _ = adding("float32", switch)
        assert kernel.fault(tmp_path, monkeypatch).startswith("V2001: mode of set_atomic_add is ")


def test_a_copy_of_another_type_than_the_mode(tmp_path, monkeypatch):
    use("910B")
    kernel, _ = adding("int32", lambda instance: instance.set_atomic_add("float32"))
    assert "V2004" in kernel.fault(tmp_path, monkeypatch)


def test_the_overflow_status():
    use("910")

    def status(instance, dtype="uint64"):
        return instance.get_overflow_status(instance.Scalar(dtype, "s", 0))

    assert refusal(lambda instance, ub: instance.set_overflow_status(0)) is None
    for value in (1, -1):
        assert refusal(lambda instance, ub: instance.set_overflow_status(value)).startswith(
            "value should be in the range of [0, 0]")
    assert refusal(lambda instance, ub: status(instance)).startswith(
        "unimplemented: get_overflow_status is not there yet")
    assert "status should be Scalar(uint64)" in refusal(lambda i, ub: status(i, "int32"))
    assert "status should be Scalar(uint64)" in refusal(lambda i, ub: i.get_overflow_status(0))


# data_move_pad.

PAD_TYPES = ["int8", "uint8", "int16", "uint16", "float16", "bfloat16", "int32", "uint32",
             "float32", "int64", "uint64"]


def into_ub(source, dtype):
    """A random copy from GM: (its arguments, source bytes, what UB holds before and after)."""
    size, count = width(dtype), source.choice([1, 2, 3, 7])
    burst = source.choice([1, 31, 32, 33, 64, 100]) if size == 1 else size * source.randint(1, 40)
    gm_gap, ub_gap = source.choice([0, 1, 5, 32]) * size, source.choice([0, 0, 1, 2])
    left, right = (source.choice([0, 0, 1, 32 // size]) for _ in range(2))
    if size == 8:  # a padding value of 64 bits is 0
        value = 0
    else:
        value = source.choice([0, 1, 3, 17])
    start = source.choice([0, 1, 9])
    frame = -(-(left * size + burst + right * size) // 32) * 32
    total = (count - 1) * (frame + ub_gap * 32) + frame + 64
    random_bytes = np.random.default_rng(source.getrandbits(32)).integers
    gm = random_bytes(0, 256, -(-(start * size + count * (burst + gm_gap)) // 32) * 32 + 32,
                      "uint8")
    ub = random_bytes(0, 256, total, "uint8")
    padded, wanted = left or right, ub.copy()
    for i in range(count):
        at, begin = 32 + i * (frame + ub_gap * 32), start * size + i * (burst + gm_gap)
        piece = gm[begin:begin + burst]
        fill = element(dtype, value) if padded else piece[:size]
        wanted[at:at + frame] = np.resize(fill, frame)
        wanted[at + left * size:at + left * size + burst] = piece
    arguments = (count, burst, ub_gap, gm_gap) + ((right, left, value) if padded else ())
    return arguments, start, gm, ub, wanted


def element(dtype, value):
    """Its bytes."""
    if dtype == "bfloat16":
        return (np.array([value], "float32").view("uint32") >> 16).astype("uint16").view("uint8")
    return np.array([value], dtype).view("uint8")


@pytest.mark.parametrize("soc", WITH_PAD)
def test_bursts_from_gm(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    for dtype in PAD_TYPES:
        cases = [into_ub(source, dtype) for _ in range(12)]
        words = WORDS.get(dtype, dtype)
        kernel = Kernel(
            {f"{name}{i}": array.view(words) for i, case in enumerate(cases)
             for name, array in (("gm", case[2]), ("ub", case[3]))},
            {f"out{i}": (dtype, case[3].size // width(dtype)) for i, case in enumerate(cases)})
        instance = kernel.instance
        for i, (arguments, start, _, ub, _) in enumerate(cases):
            with instance.new_stmt_scope():
                target = kernel.loaded(getattr(kernel, f"ub{i}"), dtype)
                gm = getattr(kernel, f"gm{i}").reinterpret_cast_to(dtype)
                instance.data_move_pad(target[32 // width(dtype):], gm[start:], *arguments)
                instance.data_move(getattr(kernel, f"out{i}"), target, 0, 1, ub.size // 32, 0, 0)
        for case, out in zip(cases, kernel.run(tmp_path, monkeypatch)):
            assert same(out, case[-1].view(words)), (soc, SEED, dtype, case[:2])


@pytest.mark.parametrize("soc", WITH_PAD)
def test_bursts_to_gm(soc, tmp_path, monkeypatch):
    """Exactly their bytes arrive, at any byte."""
    use(soc)
    source = random.Random(SEED)
    for dtype in PAD_TYPES:
        size, words = width(dtype), WORDS.get(dtype, dtype)
        for _ in range(4):
            count, gap = source.choice([1, 2, 5]), source.choice([0, 1, 7]) * size
            burst, ub_gap = source.randint(1, 30) * size, source.choice([0, 1, 3])
            start, frame = source.choice([0, 1, 3]), -(-burst // 32) * 32
            ub = numbers(source, "uint8", count * (frame + ub_gap * 32)).view(words)
            before = numbers(source, "uint8", 2048).view(words)
            kernel = Kernel({"ub": ub, "before": before}, {"out": (dtype, before.size)})
            instance = kernel.instance
            from_ub = kernel.loaded(kernel.ub, dtype)
            instance.data_move(kernel.out, kernel.loaded(kernel.before, dtype), 0, 1, 64, 0, 0)
            instance.data_move_pad(kernel.out[start:], from_ub, count, burst, gap, ub_gap)
            out, = kernel.run(tmp_path, monkeypatch)
            wanted = before.copy().view("uint8")
            for i in range(count):
                at, begin = start * size + i * (burst + gap), i * (frame + ub_gap * 32)
                wanted[at:at + burst] = ub.view("uint8")[begin:begin + burst]
            assert same(out, wanted.view(words)), (soc, SEED, dtype, count, burst, gap, ub_gap)


def test_bursts_that_add(tmp_path, monkeypatch):
    use("910B")
    a, b = small_numbers("float32", 4), small_numbers("float32", 9)
    kernel = Kernel({"a": a, "b": b}, {"out": ("float32", 64)})
    first, more = kernel.loaded(kernel.a), kernel.loaded(kernel.b)
    kernel.instance.data_move(kernel.out, first, 0, 1, 8, 0, 0)
    kernel.instance.set_atomic_add("float32")
    kernel.instance.data_move_pad(kernel.out[3:], more, 2, 20, 8, 0)
    out, = kernel.run(tmp_path, monkeypatch)
    a[3:8] += b[:5]
    a[10:15] += b[8:13]
    assert same(out, a)


def test_arguments_of_run_time(tmp_path, monkeypatch):
    use("310B")
    kernel = Kernel({"a": np.arange(64, dtype="float16")}, {"out": ("float16", 48)})
    instance = kernel.instance
    two = instance.Scalar("int32", "two", 2)
    ub = instance.Tensor("float16", (48,), tik.scope_ubuf, "ub")
    instance.vec_dup(48, ub, 0, 1, 8)
    value = instance.Scalar("float16", "value", 7)
    instance.data_move_pad(ub, kernel.a[1:], two, two * 2, two - 1, two, two, two - 1, value)
    instance.data_move(kernel.out, ub, 0, 1, 3, 0, 0)
    out, = kernel.run(tmp_path, monkeypatch)
    assert out[:16].tolist() == [7, 1, 2] + [7] * 13 and out[32:].tolist() == [7, 4, 5] + [7] * 13
    assert not out[16:32].any()


@pytest.mark.parametrize("soc", CHIPS)
def test_types_of_data_move_pad(soc):
    use(soc)
    for dtype in PAD_TYPES:
        text = pad_refusal(dtype=dtype)
        if soc in WITH_PAD:
            assert text is None, (dtype, text)
        else:
            assert text.startswith("current chip: ") and "data_move_pad" in text, text


def pad_refusal(dtype="float16", to_gm=False, at=0, other=None, scopes=None, **changes):
    instance = tik.Tik()
    src_scope, dst_scope = scopes or (
        (tik.scope_ubuf, tik.scope_gm) if to_gm else (tik.scope_gm, tik.scope_ubuf))
    dst = instance.Tensor(dtype, (1024,), dst_scope, "dst")
    src = instance.Tensor(other or dtype, (1024,), src_scope, "src")
    arguments = {"nburst": 1, "burst": 32, "dst_gap": 0, "src_gap": 0, **changes}
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            instance.data_move_pad(dst[at:], src, **arguments)
    except SystemExit as stop:
        return str(stop)
    return None


LIMITS = {"nburst": (1, 4095), "burst": (1, 2097151), "dst_gap": (0, 2**32 - 1),
          "src_gap": (0, 2**32 - 1)}


def test_limits_of_data_move_pad():
    use("910B")
    for name, (least, most) in LIMITS.items():
        for value in (least, most):
            assert pad_refusal(**{name: value}) is None, (name, value)
        for value in (least - 1, most + 1):
            assert pad_refusal(**{name: value}).startswith(
                f"{name} should be in the range of [{least}, {most}]"), (name, value)
        assert pad_refusal(**{name: 1.0}).startswith(f"{name} should be int")
    for dtype, most in (("int8", 32), ("float16", 16), ("float32", 8), ("int64", 4)):
        for name in ("left_padding", "right_padding"):
            assert pad_refusal(dtype, **{name: most, "padding_value": 0}) is None
            for value in (-1, most + 1):
                assert pad_refusal(dtype, **{name: value, "padding_value": 0}).startswith(
                    f"{name} should be in the range of [0, {most}]")
            assert pad_refusal(dtype, to_gm=True, **{name: 1, "padding_value": 0}).startswith(
                f"{name} should be in the range of [0, 0]")


def test_what_data_move_pad_refuses():
    use("910B")
    for changes, words in [
            ({"padding_value": 0}, "padding_value should be None if"),
            ({"left_padding": 1}, "padding_value should be None if"),
            ({"left_padding": 1, "padding_value": 1.5, "dtype": "int32"}, "padding_value should"),
            ({"to_gm": True, "padding_value": 0}, "padding_value should be None if"),
            ({"other": "int16"}, "dst and src should have the same dtype"),
            ({"at": 1}, "Address align error, dst"),
            ({"scopes": (tik.scope_ubuf, tik.scope_ubuf)}, "data_move_pad doesn't support"),
            ({"scopes": (tik.scope_gm, tik.scope_cbuf)}, "data_move_pad doesn't support")]:
        text = pad_refusal(**changes)
        assert text is not None and text.startswith(words), (changes, text)
    assert pad_refusal(to_gm=True, at=1) is None
    assert pad_refusal(left_padding=1, padding_value=1.5) is None
