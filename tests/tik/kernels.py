"""Runs single calls on the engine, many of them in one kernel.

A Call has arrays that are in UB before it, and says which of them it may have written. Around it
stand copies only, so that everything it must not touch is seen as well.
"""

import contextlib
import io
import types

import numpy as np
import pytest
from vinci import tik
from vinci.tik import chip

# All generations, and what belongs to them.
CHIPS = {"310": ("Ascend310",), "910": ("Ascend910A",), "310P": ("Ascend310P3",),
         "310P vector": ("Ascend310P3", "VectorCore"), "910B": ("Ascend910B1",),
         "310B": ("Ascend310B1",)}
MOST_TENSORS = 190  # inputs and outputs of one kernel


class Call:
    """`call(instance, ub)` records it, the Tensors are ub.<name>. `written`: what it writes."""

    def __init__(self, call, written, **arrays):
        self.call = call
        self.written = written
        self.arrays = arrays
        for name, array in arrays.items():
            assert array.nbytes % 32 == 0, name


def use(name):
    """From now on the chip in force is this one of CHIPS."""
    chip.use(chip.make(*CHIPS[name]))


def _record(instance, number, call, inputs, outputs):
    gm = {name: instance.Tensor(str(array.dtype), array.shape, tik.scope_gm, f"in{number}_{name}")
          for name, array in call.arrays.items()}
    out = {name: instance.Tensor(str(call.arrays[name].dtype), call.arrays[name].shape,
                                 tik.scope_gm, f"out{number}_{name}") for name in call.written}
    inputs.extend(gm.values())
    outputs.extend(out.values())
    with instance.new_stmt_scope():
        ub = types.SimpleNamespace(**{
            name: instance.Tensor(tensor.dtype, tensor.shape, tik.scope_ubuf, f"ub{number}_{name}")
            for name, tensor in gm.items()})
        for name, tensor in gm.items():
            instance.data_move(getattr(ub, name), tensor, 0, 1, call.arrays[name].nbytes // 32, 0,
                               0)
        call.call(instance, ub)
        for name, tensor in out.items():
            instance.data_move(tensor, getattr(ub, name), 0, 1, call.arrays[name].nbytes // 32, 0,
                               0)


def _run_kernel(calls):
    instance = tik.Tik()
    inputs, outputs = [], []
    for number, call in enumerate(calls):
        _record(instance, number, call, inputs, outputs)
    instance.BuildCCE("calls", inputs, outputs)
    feeds = {f"in{number}_{name}": array for number, call in enumerate(calls)
             for name, array in call.arrays.items()}
    results = iter(instance.tikdb.start_debug(feeds, interactive=False))
    return [{name: next(results) for name in call.written} for call in calls]


def run(calls, folder, monkeypatch):
    """What each call left: a dict of arrays for each."""
    monkeypatch.chdir(folder)
    found, waiting, tensors = [], [], 0
    for call in calls:
        more = len(call.arrays) + len(call.written)
        if tensors + more > MOST_TENSORS:
            found += _run_kernel(waiting)
            waiting, tensors = [], 0
        waiting.append(call)
        tensors += more
    return found + _run_kernel(waiting)


def refusal(call, **tensors):
    """The text with which a call is refused, or None. `tensors`: {name: (dtype, elements)} in UB;
    `call` as in Call."""
    instance = tik.Tik()
    ub = types.SimpleNamespace(**{
        name: instance.Tensor(dtype, (elements,), tik.scope_ubuf, name)
        for name, (dtype, elements) in tensors.items()})
    try:
        with contextlib.redirect_stderr(io.StringIO()):
            call(instance, ub)
    except SystemExit as stop:
        return str(stop)
    return None


def fault(call, folder, monkeypatch):
    """The text with which the engine ends the call."""
    with pytest.raises(SystemExit) as caught, contextlib.redirect_stderr(io.StringIO()):
        run([call], folder, monkeypatch)
    return str(caught.value)


def lanes(dtype):
    return 256 // np.dtype(dtype).itemsize


def enabled(mask, dtype):
    """The lanes of a repeat that a mask enables, as a list."""
    count = lanes(dtype)
    if isinstance(mask, int):
        return list(range(min(mask, count)))
    bits = mask[0] << 64 | mask[1]
    return [lane for lane in range(count) if bits >> lane & 1]


def any_mask(random, dtype):
    """A number, or two words."""
    count = lanes(dtype)
    if random.random() < 0.5:
        return random.choice([1, count, random.randint(1, count)])
    words = [random.getrandbits(64) & random.getrandbits(64), random.getrandbits(64) | 1]
    return [words[0] if count == 128 else 0, words[1]]


def places(mask, dtype, repeat, block_stride, repeat_stride):
    """Where the enabled lanes of a repeat lie, in elements; strides in datablocks."""
    block = 32 // np.dtype(dtype).itemsize
    return [repeat * repeat_stride * block + lane // block * block_stride * block + lane % block
            for lane in enabled(mask, dtype)]


def same(got, wanted):
    """Bit by bit."""
    return (got.view(np.uint8) == wanted.view(np.uint8)).all()


def numbers(random, dtype, count):
    """Random numbers; the same for the same `random`."""
    generator = np.random.default_rng(random.getrandbits(32))
    if np.dtype(dtype).kind == "f":
        return generator.normal(0, 10, count).astype(dtype)
    info = np.iinfo(dtype)
    return generator.integers(info.min, info.max, count, dtype, endpoint=True)
