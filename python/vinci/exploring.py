"""One launch under several schedules: all must leave the same bytes, and show no more errors."""

import numpy as np


def schedules(count):
    """Eager, lazy, then seeds from 1."""
    return ["eager", "lazy", *(f"random:{seed}" for seed in range(1, count - 1))][:count]


def value_at(array, index):
    """An element, with its bits where a number alone may look like another."""
    bits = np.ascontiguousarray(array).reshape(-1)[index:index + 1].tobytes()[::-1].hex()
    value = array.flat[index]
    return f"{value} (0x{bits})" if value != value else f"{value}"  # pylint: disable=comparison-with-itself


def difference(schedule, names, wanted, arrays):
    """Where the arrays first differ from what eager left, in words; None: nowhere."""
    for name, one, other in zip(names, wanted, arrays):
        bytes_of = [np.frombuffer(array.tobytes(), np.uint8) for array in (one, other)]
        at = np.flatnonzero(bytes_of[0] != bytes_of[1])
        if at.size == 0:
            continue
        index = int(at[0]) // one.itemsize
        place = ", ".join(map(str, np.unravel_index(index, one.shape)))
        return (f"{name}[{place}] is {value_at(other, index)} under schedule {schedule}, but "
                f"{value_at(one, index)} under schedule eager")
    return None


def new_error(schedule, known, run):
    """An error that eager does not show, in words; None: there is none."""
    for code, message in run.errors:
        if code not in known:
            return f"under schedule {schedule} there is {code} ({message}), which eager has not"
    return None


def explore(count, launch, names, arrays):
    """The run under eager, which is also what `arrays` hold afterwards, with V4012 if another
    schedule gives something else; and what the report says of it."""
    before = [array.copy() for array in arrays]
    first = launch("eager", False)
    wanted = [array.copy() for array in arrays]
    known = {code for code, _ in first.errors}
    explored = {"schedules": 1, "differs_under": None}
    for schedule in schedules(count)[1:] if not first.timed_out else []:
        for array, content in zip(arrays, before):
            array[...] = content
        again = launch(schedule, True)
        explored["schedules"] += 1
        message = new_error(schedule, known, again) or difference(schedule, names, wanted, arrays)
        if message:
            explored["differs_under"] = schedule
            first.add_unstable(message, "the same bytes under every schedule; " + (
                "V4009 names what has no order" if "V4009" in known
                else f"look with schedule={schedule!r}, check='race'"))
            break
    for array, content in zip(arrays, wanted):
        array[...] = content
    return first, explored
