"""Whether an output is what the reference says."""

import numpy as np

from .draws import as_double
from .tasks import TOLERANCES

# By type: the binary digits of its numbers, and the exponent of its smallest number's.
DIGITS = {"half": (11, -24), "bfloat16": (8, -133), "float": (24, -149), "double": (53, -1074)}
FEW = 32  # elements from which nothing is concluded
ROUNDED_ERROR = 16  # of float's last digits: what rounding to half seldom stays below
EXTREME = 10  # times the median: what is larger among special numbers says nothing of the others


def compare(got, wanted, dtype, tolerance, special=False):
    """A dict: equal, different (elements), largest_error, largest_relative, first.

    A float is equal within `tolerance` of its own size or of the reference's root mean square, so
    that zeros do not pass for small numbers; infinities and NaNs are equal to their like, and zeros
    of either sign. `special`: some numbers are extreme, and no measure of the others.
    """
    wanted = np.asarray(wanted)
    if wanted.shape != got.shape:
        return {"equal": False, "problem": f"the reference has shape {wanted.shape}, the output "
                                           f"{got.shape}"}
    if dtype == "bool":  # 2 is no number of it
        got, wanted = got.view(np.uint8), wanted.astype(np.uint8)
    if dtype not in TOLERANCES:
        apart = got != wanted
        error = np.where(apart, np.abs(got.astype(np.float64) - wanted.astype(np.float64)), 0.0)
        return told(apart, error, np.abs(wanted.astype(np.float64)), got, wanted)
    got, wanted = as_double(got, dtype), wanted.astype(np.float64)
    limit = tolerance if tolerance is not None else TOLERANCES[dtype]
    finite = np.isfinite(wanted)
    scale = typical(np.abs(wanted[finite]), special)
    with np.errstate(invalid="ignore"):
        error = np.where(finite & np.isfinite(got), np.abs(got - wanted), 0.0)
        alike = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
        near = finite & np.isfinite(got) & (error <= limit * np.maximum(np.abs(wanted), scale))
    return told(~(alike | near), error, np.abs(wanted), got, wanted)


def typical(sizes, special):
    """The root mean square; among special numbers that of those that are not extreme."""
    if special and sizes.size:
        sizes = sizes[sizes <= EXTREME * np.median(sizes)]
    largest = float(sizes.max(initial=0))  # whose square may be no double
    return largest * float(np.sqrt(np.mean((sizes / largest) ** 2))) if largest > 0 else 0.0


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


def last_digits(got, wanted, dtype):
    """How many elements of a float output are how many units in the last digit of its type away
    from the exact value: {"0": exact, "0.5": rounded, "1": ..., "2": ..., "4": ...}, each up to
    twice the one before, the last one open. None for integers."""
    errors = errors_in_digits(got, wanted, dtype)
    if errors is None or not errors.size:
        return None
    steps = np.ceil(np.log2(np.maximum(errors, 0.5)))
    steps = np.where(errors == 0, -2, np.clip(steps, -1, 23)).astype(int)
    return {f"{2.0 ** step:g}" if step > -2 else "0": int(count)
            for step, count in zip(*np.unique(steps, return_counts=True))}


def errors_in_digits(got, wanted, dtype):
    """Of the finite elements that are not 0, in units of their type's last digit."""
    if dtype not in DIGITS:
        return None
    got, wanted = as_double(got, dtype).ravel(), np.asarray(wanted, np.float64).ravel()
    some = np.isfinite(got) & np.isfinite(wanted) & (wanted != 0)
    got, wanted = got[some], wanted[some]
    digits, smallest = DIGITS[dtype]
    return np.abs(got - wanted) / 2.0 ** np.maximum(
        np.floor(np.log2(np.abs(wanted))) - (digits - 1), smallest)


def summed(all_errors):
    """Of several cases, by output."""
    sums = {}
    for errors in all_errors:
        for name, counts in errors.items():
            if counts is not None:
                sum_of = sums.setdefault(name, {})
                for step, count in counts.items():
                    sum_of[step] = sum_of.get(step, 0) + count
    return {name: dict(sorted(counts.items(), key=lambda one: float(one[0])))
            for name, counts in sums.items()}


def narrower(got, wanted, dtype, allowed=None):
    """The type in whose precision a float output was computed, if not in its own nor in the one
    that is allowed; else None. Told by digits that are all 0, or by the errors: those of rounding to
    half are a quarter of its last digit in the middle, 2048 of float's. Of a part of the elements by
    both: see rounded_part."""
    if dtype != "float" or got.size < FEW or allowed in ("half", "bfloat16"):
        return None
    errors = errors_in_digits(got, wanted, dtype)
    if errors.size >= FEW and np.median(errors) >= 1024:
        return "bfloat16" if np.median(errors) >= 8192 else "half"
    wanted = np.asarray(wanted).astype(np.float32)
    some = np.isfinite(got) & np.isfinite(wanted) & (got != 0) & (wanted != 0)
    if np.count_nonzero(some) < FEW:
        return None

    def share(array, low_bits):
        return np.mean((array[some].view(np.uint32) & ((1 << low_bits) - 1)) == 0)

    for name, low_bits in (("bfloat16", 16), ("half", 13)):
        if share(np.ascontiguousarray(got), low_bits) > 0.99 > 0.5 > share(wanted, low_bits):
            return name
    return rounded_part(got[some], wanted[some])


def rounded_part(got, wanted):
    """The narrower type of some of the elements of a float output; None: it is none's. Of elements
    that are clearly off, one in 8192 has by chance only digits that half has, too; and one in 512 where
    large numbers took each other away, of whatever size what is left may be. A quarter is neither. They
    are to be different ones: a value at which a function ends is one. Where the exact result has no
    more digits than half, they say nothing."""
    errors = errors_in_digits(got, wanted, "float")
    says = np.asarray(wanted).astype(np.float32).view(np.uint32) & 0x1FFF != 0
    off = np.ascontiguousarray(got)[(errors >= ROUNDED_ERROR) & says].view(np.uint32)
    short = off[off & 0x1FFF == 0]
    if short.size <= off.size / 4 or np.unique(short).size <= FEW:
        return None
    return "bfloat16" if np.mean(short & 0xFFFF == 0) > 0.5 else "half"
