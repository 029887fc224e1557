"""The scatter_v* family, run on the engine against numpy: element-wise calls whose datablocks lie where
lists of Tensors say."""

import random

import numpy as np
import pytest
from kernels import CHIPS, Call, refusal, run, use

SEED = 32
ONE = {"abs": np.abs, "relu": lambda x: np.maximum(x, 0), "exp": np.exp, "ln": np.log,
       "rec": lambda x: 1 / x, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x)}
TWO = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "max": np.maximum,
       "min": np.minimum}
SCALAR = {"adds": np.add, "muls": np.multiply, "axpy": None}
# By chip, as the pages of the calls without lists say.
LACKS = {"310": [("div", "float16"), ("sqrt", "float16")] +
                [(name, "float32") for name in ("relu", "div", "exp", "ln", "rec", "sqrt", "rsqrt")],
         "910": [("relu", "float32")]}
ROUNDED = ("exp", "ln", "rec", "rsqrt", "div", "sqrt")  # the unit's own accuracy is tested elsewhere


def one_call(source, name, dtype):
    lanes, blocks = 32 // np.dtype(dtype).itemsize, source.randint(1, 8)
    repeats = source.choice([1, 2, 3])
    lists = 3 if name in TWO else 2
    strides = [source.choice([8, 9, 16])] + [source.choice([0, 8, 11]) for _ in range(lists - 1)]
    # A repeat's datablocks of dst in any order, each once.
    starts = [source.sample(range(8), blocks)] + \
        [[source.randint(0, 7) for _ in range(blocks)] for _ in range(lists - 1)]
    bits = source.getrandbits(lanes * blocks) or 1
    mask = [bits >> 64, bits & (1 << 64) - 1]
    if source.random() < 0.5:
        count = source.randint(1, lanes * blocks)
        mask, bits = count, (1 << count) - 1
    low = 0.5 if name in ("ln", "rec", "sqrt", "rsqrt", "div") else -4
    arrays = [np.array([source.uniform(low, 4) for _ in range(lanes * 64)], dtype)
              for _ in range(lists)]
    scalar = np.array(source.choice([0.5, -2, 3]), dtype)
    wanted = arrays[0].copy()
    for repeat in range(repeats):
        for block in range(blocks):
            at = [lanes * (starts[i][block] + strides[i] * repeat) for i in range(lists)]
            for lane in range(lanes):
                if not bits >> lanes * block + lane & 1:
                    continue
                values = [arrays[i][at[i] + lane] for i in range(1, lists)]
                if name in SCALAR:
                    values.append(scalar)
                if name == "axpy":
                    result = scalar * values[0] + wanted[at[0] + lane]
                else:
                    result = {**ONE, **TWO, **SCALAR}[name](*values)
                wanted[at[0] + lane] = result
    names = ["dst", "a", "b"][:lists]

    def call(instance, ub):
        tensors = [[getattr(ub, of)[lanes * start] for start in places]
                   for of, places in zip(names, starts)]
        more = [float(scalar)] if name in SCALAR else []
        getattr(instance, f"scatter_v{name}")(mask, *tensors, *more, repeats, *strides)

    what = (name, dtype, mask, starts, repeats, strides)
    return Call(call, ["dst"], **dict(zip(names, arrays))), wanted, what


@pytest.mark.parametrize("soc", ["310", "910", "310P", "910B"])
def test_random_calls(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = [one_call(source, name, dtype) for name in (*ONE, *TWO, *SCALAR)
             for dtype in ("float16", "float32") for _ in range(3)
             if (name, dtype) not in LACKS.get(soc, ())]
    for (_, wanted, what), left in zip(cases, run([c[0] for c in cases], tmp_path, monkeypatch)):
        near = 1e-2 if what[0] in (*ROUNDED, "axpy") else 0
        assert np.allclose(left["dst"], wanted, near, near), (soc, SEED, what)


@pytest.mark.parametrize("changes, words", [
    ({}, None), ({"mask": [0, 0xFFFF]}, None),
    ({"dst": 1}, "src_list should have as many tensors as dst_list, 1 to 8, input is 2"),
    ({"dst": 0}, "dst_list should have as many tensors as dst_list, 1 to 8, input is 0"),
    ({"dst": 9, "src": 9}, "dst_list should have as many tensors as dst_list, 1 to 8, input is 9"),
    ({"mask": 33}, "mask enables lane 32, and dst_list has 2 datablocks of 16"),
    ({"mask": 0}, "mask should be 1 to 128 lanes"), ({"mask": 129}, "mask should be 1 to 128 lanes"),
    ({"mask": [0, 0]}, "mask should be 1 to 128 lanes"), ({"mask": True}, "mask should be 1 to 128"),
    ({"repeats": 256}, "repeat_times"), ({"at": 1}, "Address align error, dst[1]"),
    ({"list": 5}, "dst_list should be a list or tuple of tensors, input is 5")])
def test_what_is_refused(changes, words):
    use("910")
    given = {"mask": 32, "dst": 2, "src": 2, "repeats": 1, "at": 0, **changes}

    def call(instance, ub):
        dst = [ub.dst[16 * i + given["at"]] for i in range(given["dst"])]
        src = [ub.src[16 * i] for i in range(given["src"])]
        instance.scatter_vabs(given["mask"], given.get("list", dst), src, given["repeats"], 8, 8)

    text = refusal(call, dst=("float16", 1024), src=("float16", 1024))
    assert (text is None) if words is None else text.startswith(words), text


@pytest.mark.parametrize("soc", CHIPS)
def test_types_are_those_of_the_call_without_lists(soc):
    use(soc)
    for name in TWO:
        for dtype in ("float16", "float32", "int32", "int8"):
            listed = refusal(lambda instance, ub: getattr(instance, f"scatter_v{name}")(
                8, [ub.a], [ub.a], [ub.a], 1, 8, 8, 8), a=(dtype, 256))
            plain = refusal(lambda instance, ub: getattr(instance, f"v{name}")(
                [0, 255], ub.a, ub.a, ub.a, 1, 1, 1, 1, 8, 8, 8), a=(dtype, 256))
            assert listed == plain, (name, dtype)
