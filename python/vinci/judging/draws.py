"""Inputs of kernels, by seed: the same on every host."""

import hashlib
import pathlib

import numpy as np

from .tasks import DTYPES, TOLERANCES, wrong

SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0, 65504.0, 6e-8, 1e-40, 3.4e38)


def generator(*words):
    """A generator of its own for these words."""
    text = "\0".join(map(str, words)).encode("utf-8", "surrogatepass")
    return np.random.Generator(np.random.PCG64(int.from_bytes(hashlib.sha256(text).digest()[:16],
                                                              "little")))


def as_dtype(values, dtype):
    """Numbers in a type of vinci's; bfloat16 as words, rounded to the nearest even one."""
    if dtype != "bfloat16":
        with np.errstate(over="ignore"):
            return values.astype(DTYPES[dtype])
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    words = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(values), np.uint16(0x7FC0), words).astype(np.uint16)


def as_double(array, dtype):
    """A copy for references, which may change it, and comparisons; integers stay as they are."""
    if dtype == "bfloat16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    with np.errstate(invalid="ignore"):  # NaN of any kind
        return array.astype(np.float64 if dtype in TOLERANCES else array.dtype)


def loaded(folder, name):
    """The array of a file: of one that ends, which a pipe that nobody fills does not."""
    path = pathlib.Path(folder) / name
    if not path.is_file():
        raise wrong(f"file {str(path)!r}", "one of numpy's, .npy")
    return np.load(path)


def draw(parameter, shape, source, folder, special):
    """An array for a parameter."""
    (kind, limits), = parameter.draw.items()
    if kind == "file":
        array = loaded(folder, limits)
        if array.dtype != DTYPES[parameter.dtype] or array.shape != tuple(shape):
            raise wrong(f"{limits}: {array.dtype} of shape {array.shape}",
                        f"{DTYPES[parameter.dtype]} of shape {tuple(shape)}")
        return array
    if not isinstance(limits, list) or len(limits) != 2:
        raise wrong(f"draw of {parameter.name}: {limits!r}", "two numbers")
    low, high = limits
    if kind == "normal":
        values = source.normal(low, high, shape)
    elif kind == "uniform":
        values = source.uniform(low, high, shape)
    else:
        values = source.integers(low, high, shape, endpoint=True)
    values = np.asarray(values)
    if special and parameter.dtype in TOLERANCES:
        values = with_special(values.astype(np.float64), source)
    return as_dtype(values, parameter.dtype)


def with_special(values, source):
    """A twentieth of them special, and each special number once, if that is no more than half."""
    count = max(values.size // 20, min(len(SPECIAL), values.size // 2))
    values.flat[source.permutation(values.size)[:count]] = np.resize(SPECIAL, count)
    return values


def garbage(parameter, shape, source):
    """What an output holds before a run: bits that no earlier run left."""
    dtype = np.dtype(DTYPES[parameter.dtype])
    count = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    return np.frombuffer(source.bytes(count), dtype).reshape(shape).copy()
