"""From a task to its verdict."""

import hashlib
import json
import pathlib
import tempfile
import time
import warnings

import numpy as np

from .. import errors
from ..launching import kernel as compiled
from . import comparing, elsewhere
from .cases import cases_of
from .references import reference_of
from .tasks import DTYPES, TaskError, task_of

# Worst first: what one run shows decides, however the others ended.
ORDER = ("hostile", "stopped", "wrong", "faulty", "imprecise", "right")
HOSTILE = {"V5009", "V5010"}
STOPPED = {"V5001", "V5002", "V5003", "V5004", "V5005", "V5006", "V5007", "V5008"}
MOST_CASES_TOLD = 20


def judged(fields, folder):
    """The verdict on a task; never an exception for what the task or the kernel does wrong."""
    start = time.monotonic()
    verdict = {"id": str(fields.get("id", "")), "verdict": "broken task", "compiled": None,
               "right_cases": 0, "cases": 0, "findings": [], "wrong": []}
    sources = []
    with tempfile.TemporaryDirectory() as scratch:
        try:
            if "broken" in fields:
                raise TaskError(fields["broken"])
            task = task_of(fields, pathlib.Path(folder), pathlib.Path(scratch))
            sources.append(task.source.read_bytes())
            run_task(task, folder, verdict)
        except (TaskError, errors.UsageError) as error:
            verdict["problem"] = str(error)
        except errors.CompileError as error:
            verdict.update(verdict="does not compile", compiled=False, problem=without(str(error),
                                                                                       scratch))
        except errors.LacksError as error:
            verdict.update(verdict="lacks", problem=without(str(error), scratch))
        except Exception as error:  # pylint: disable=broad-exception-caught
            # What no check foresaw, in the task's fields or what its reference gave.
            verdict["problem"] = f"{type(error).__name__}: {without(str(error), scratch)}"
    elsewhere.forget()
    verdict["digest"] = digest(fields, sources, verdict)
    verdict["seconds"] = round(time.monotonic() - start, 3)
    return verdict


def without(text, scratch):
    """The text, the same wherever it was written."""
    return text.replace(f"{scratch}/", "")[:4000]


def digest(fields, sources, verdict):
    """Of all that decided a verdict, and of itself."""
    hashed = hashlib.sha256()
    for source in sources:
        hashed.update(hashlib.sha256(source).digest())
    hashed.update(json.dumps([fields, verdict], sort_keys=True).encode())
    return hashed.hexdigest()


def open_kernel(task, source, name, soc):
    """A compiled kernel, shut in and silent."""
    with warnings.catch_warnings():  # the compiler's
        warnings.simplefilter("ignore")
        return compiled(source, soc, name or None, task.options, check=task.check,
                        timeout=task.timeout, cores=task.cores, sandbox=task.compile_timeout,
                        made_by=elsewhere.Kernel)


def run_task(task, folder, verdict):
    kernels = {soc: open_kernel(task, task.source, task.kernel, soc) for soc in task.socs}
    verdict["compiled"] = True
    verdict["not_device_code"] = sorted({part for kernel in kernels.values()
                                         for part in kernel.not_device_code})
    if task.strict_device and verdict["not_device_code"]:
        verdict["verdict"] = "not device code"
        return

    def other(source, name):
        known = {soc: open_kernel(task, source, name, soc) for soc in task.socs}
        return lambda case: launched(known[case.soc], case)[1]

    reference = reference_of(task, folder, other)
    outcomes = []
    for case in cases_of(task):
        case.draw(folder)
        run, after = launched(kernels[case.soc], case)
        # Only now, when the kernel's process is gone.
        outcomes.append((case, *look_at(case, run, after, reference)))
        if ends_it(*outcomes[-1][1:3]):
            break
    tell(verdict, outcomes)


def ends_it(word, faults):
    """Whether more cases would only cost time."""
    return word == "hostile" or any(fault.code == "V5004" for fault in faults)


def launched(kernel, case):
    """Runs a case: the run, and what its arrays hold afterwards."""
    after = {name: array.copy() for name, array in case.before.items()}
    arguments = [case.values[parameter.name] if parameter.direction == "value"
                 else after[parameter.name] for parameter in case.task.parameters]
    return kernel.attempt(arguments, case.blocks, case.schedule), after


def look_at(case, run, after, reference):
    """How a case ended, its faults, and how its outputs differ."""
    faults = [fault for fault in run.faults if fault.severity == "error"]
    codes = {fault.code for fault in faults}
    differences, word = {}, "right"
    if codes & HOSTILE:
        word = "hostile"
    elif codes & STOPPED:
        word = "stopped"
    else:
        wanted = reference(case)
        for parameter in case.task.parameters:
            found = difference(case, parameter, after, wanted)
            if found is not None:
                differences[parameter.name] = found
        if any("narrower" not in found for found in differences.values()):
            word = "wrong"
        elif faults:
            word = "faulty"
        elif differences:
            word = "imprecise"
    return word, run.faults, differences


def difference(case, parameter, after, wanted):
    """None where a parameter holds what it should."""
    if parameter.direction == "value" or parameter.direction == "zeros":
        return None
    got = after[parameter.name]
    if not parameter.comes_out:
        before = case.before[parameter.name]
        return None if got.tobytes() == before.tobytes() else {"problem": "an input is overwritten"}
    tolerance = case.task.tolerance.get(parameter.name)
    found = comparing.compare(got.view(DTYPES[parameter.dtype]), wanted[parameter.name],
                              parameter.dtype, tolerance)
    if not found["equal"]:
        return found
    narrow = comparing.narrower(got, np.asarray(wanted[parameter.name]), parameter.dtype)
    return {"narrower": narrow} if narrow else None


def tell(verdict, outcomes):
    """Sums the cases up."""
    words = [word for _, word, _, _ in outcomes]
    verdict["cases"], verdict["right_cases"] = len(words), words.count("right")
    verdict["verdict"] = min(words, key=ORDER.index)
    findings = {}
    for _, _, faults, _ in outcomes:
        for fault in faults:
            key = fault.code, place_of(fault)
            findings.setdefault(key, {"code": fault.code, "severity": fault.severity,
                                      "message": fault.message, "place": place_of(fault),
                                      "cases": 0})["cases"] += 1
    verdict["findings"] = [findings[key] for key in sorted(findings)]
    for case, word, _, differences in outcomes:
        if word != "right" and len(verdict["wrong"]) < MOST_CASES_TOLD:
            verdict["wrong"].append({**case.named(), "verdict": word, "outputs": differences})
    if 0 < verdict["right_cases"] < len(words):
        verdict["right_for"] = told_apart(outcomes)


def place_of(fault):
    """"add.cpp:12", wherever the file lies; "" for none."""
    if not fault.lines:
        return ""
    return f"{pathlib.Path(fault.lines[0]['file']).name}:{fault.lines[0]['line']}"


def told_apart(outcomes):
    """The sizes, blocks, schedules and chips for which every case was right, where others were
    not."""
    apart = {}
    for what in ("sizes", "blocks", "schedule", "soc", "special"):
        right, others = [], []
        for case, word, _, _ in outcomes:
            value = getattr(case, what)
            (right if word == "right" else others).append(value)
        only = [value for index, value in enumerate(right)
                if value not in others and value not in right[:index]]
        if only:
            apart[what] = only
    return apart
