"""Whether an output is what the reference says."""

import numpy as np

from .draws import as_double
from .tasks import TOLERANCES


def compare(got, wanted, dtype, tolerance):
    """A dict: equal, different (elements), largest_error, largest_relative, first.

    A float is equal within `tolerance` of its own size or of the reference's root mean square, so
    that zeros do not pass for small numbers; infinities and NaNs are equal to their like.
    """
    wanted = np.asarray(wanted)
    if wanted.shape != got.shape:
        return {"equal": False, "problem": f"the reference has shape {wanted.shape}, the output "
                                           f"{got.shape}"}
    if dtype not in TOLERANCES:
        apart = got != wanted
        error = np.where(apart, np.abs(got.astype(np.float64) - wanted.astype(np.float64)), 0.0)
        return told(apart, error, np.abs(wanted.astype(np.float64)), got, wanted)
    got, wanted = as_double(got, dtype), wanted.astype(np.float64)
    limit = tolerance if tolerance is not None else TOLERANCES[dtype]
    finite = np.isfinite(wanted)
    scale = float(np.sqrt(np.mean(wanted[finite] ** 2))) if finite.any() else 0.0
    with np.errstate(invalid="ignore"):
        error = np.where(finite & np.isfinite(got), np.abs(got - wanted), 0.0)
        alike = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
        near = finite & np.isfinite(got) & (error <= limit * np.maximum(np.abs(wanted), scale))
    return told(~(alike | near), error, np.abs(wanted), got, wanted)


def told(apart, error, size, got, wanted):
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(error > 0, error / np.where(np.isfinite(size), size, np.inf), 0.0)
    result = {"equal": not apart.any(), "elements": int(apart.size),
              "different": int(np.count_nonzero(apart)),
              "largest_error": number(error.max(initial=0)),
              "largest_relative": number(relative.max(initial=0))}
    if apart.any():
        first = np.unravel_index(int(np.argmax(apart)), apart.shape)
        result["first"] = {"index": [int(i) for i in first], "got": number(got[first]),
                           "wanted": number(wanted[first])}
    return result


def number(value):
    """For JSON, which has no NaN and no infinity."""
    value = value.item() if hasattr(value, "item") else value
    return value if isinstance(value, int) or np.isfinite(value) else str(value)


def narrower(got, wanted, dtype):
    """The type in whose precision a float output was computed, if not in its own; else None."""
    if dtype != "float" or got.size < 32:
        return None
    wanted = np.asarray(wanted).astype(np.float32)
    some = np.isfinite(got) & np.isfinite(wanted) & (got != 0) & (wanted != 0)
    if np.count_nonzero(some) < 32:
        return None

    def share(array, low_bits):
        return np.mean((array[some].view(np.uint32) & ((1 << low_bits) - 1)) == 0)

    for name, low_bits in (("bfloat16", 16), ("half", 13)):
        if share(np.ascontiguousarray(got), low_bits) > 0.99 > 0.5 > share(wanted, low_bits):
            return name
    return None
