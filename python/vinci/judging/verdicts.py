"""From a task to its verdict."""

import functools
import pathlib
import re
import tempfile
import time
import warnings

import numpy as np

from .. import _engine, errors
from ..launching import kernel as compiled
from . import comparing, elsewhere, files
from .cases import cases_of
from .packages import Failure, Operator
from .references import reference_of
from .tasks import DTYPES, TaskError, task_of

# Worst first: what one run shows decides, however the others ended.
ORDER = ("hostile", "does not compile", "stopped", "wrong", "faulty", "bypassed", "imprecise",
         "right")
BY_POINTER = "V1015"
HOSTILE = {"V5009", "V5010"}
STOPPED = {"V5001", "V5002", "V5003", "V5004", "V5005", "V5006", "V5007", "V5008"}
# A text without the kernel that its task wants, or with other parameters.
NOT_THE_KERNEL = re.compile(r" has no kernel\b| has several kernels\b| takes \d+ arguments, ")
# A package's host code does it before there is a run.
WHILE_LOADED = re.compile(r" went wrong while it was loaded: (V\d{4})")
MOST_CASES_TOLD = 20
MOST_TEXT = 4000


@functools.cache
def missing_parts():
    """Those of the sandbox that this host has not."""
    return tuple(_engine.missing_sandbox_parts())


def judged(fields, folder, kept=None):
    """The verdict on a task; never an exception for what the task or the kernel does wrong. One
    that is `kept` (files.Kept) is not found anew."""
    start = time.monotonic()
    verdict = {"id": str(fields.get("id", "")), "verdict": "broken task", "compiled": None,
               "right_cases": 0, "cases": 0, "findings": [], "wrong": []}
    decided_by, key = [], None
    with tempfile.TemporaryDirectory() as scratch:
        try:
            if "broken" in fields:
                raise TaskError(fields["broken"])
            task = task_of(fields, pathlib.Path(folder), pathlib.Path(scratch))
            decided_by = files.of_task(task, pathlib.Path(folder))
            task.text = str(decided_by)
            key = files.hash_of(fields, decided_by)
            known = kept.get(key) if kept else None
            if known is not None:
                return {**known, "kept": True}
            run_task(task, folder, verdict)
        except (TaskError, errors.UsageError) as error:
            verdict["problem"] = without(str(error), scratch)
            if isinstance(error, errors.UsageError) and NOT_THE_KERNEL.search(str(error)):
                verdict.update(verdict="does not compile", compiled=False)
        except errors.CompileError as error:
            verdict.update(verdict=uncompiled(str(error)), compiled=False,
                           problem=without(str(error), scratch))
        except errors.LacksError as error:
            verdict.update(verdict="lacks", problem=without(str(error), scratch))
        except (Exception, SystemExit) as error:  # pylint: disable=broad-exception-caught
            # What no check foresaw, in the task's fields or what its reference gave.
            verdict["problem"] = f"{type(error).__name__}: {without(str(error), scratch)}"
    elsewhere.forget()
    verdict["digest"] = files.digest(fields, decided_by, verdict)
    if missing_parts():
        verdict["missing_of_sandbox"] = missing_parts()
    verdict["seconds"] = round(time.monotonic() - start, 3)
    if kept and key and is_lasting(verdict):
        kept.put(key, verdict)
    return verdict


def uncompiled(problem):
    """The word for what there is no kernel of: none, or what was done before."""
    code = WHILE_LOADED.search(problem)
    return "does not compile" if code is None else "hostile" if code[1] in HOSTILE else "stopped"


def is_lasting(verdict):
    """Whether it would be the same another time: what ran out of time, or broke, may not break."""
    return verdict["compiled"] is not False and \
        verdict["verdict"] not in ("broken task", "does not compile") and not any(
        finding["code"] == "V5004" for finding in verdict["findings"])


def without(text, scratch):
    """The text, the same wherever it was written."""
    return text.replace(f"{scratch}/", "")[:MOST_TEXT]


class Kernel:
    """A compiled kernel, shut in and silent. One thread runs its cores: the judge's processes have
    the others."""

    withheld = ()  # of host code, which it has none

    def __init__(self, task, source, name, soc, made_by=elsewhere.Kernel):
        self.kernel = open_kernel(task, source, name, soc, made_by)
        self.not_device_code = self.kernel.not_device_code

    def attempt(self, case, arrays):
        """Launches it on the arrays of a case, which hold afterwards what it left."""
        arguments = [case.values[parameter.name] if parameter.direction == "value"
                     else arrays[parameter.name] for parameter in case.task.parameters]
        return self.kernel.attempt(arguments, case.blocks, case.schedule)


def open_kernel(task, source, name, soc, made_by):
    with warnings.catch_warnings():  # the compiler's
        warnings.simplefilter("ignore")
        return compiled(source, soc, name or None, task.options, check=task.check,
                        timeout=task.timeout, threads=1, cores=task.cores,
                        sandbox=task.compile_timeout, made_by=made_by)


def run_task(task, folder, verdict):
    kernels = {soc: Operator(task, soc) if task.operator is not None else
               Kernel(task, task.source, task.kernel, soc) for soc in task.socs}
    verdict["compiled"] = True

    def is_refused():
        verdict["not_device_code"] = sorted({part for kernel in kernels.values()
                                             for part in kernel.not_device_code})
        return task.strict_device and verdict["not_device_code"]

    reference = reference_of(task, folder, functools.partial(other_kernel, task))
    outcomes = []
    for case in cases_of(task):
        if is_refused():  # of packages that is known when a kernel has been wanted
            break
        case.draw(folder)
        outcomes.append(judged_case(case, kernels[case.soc], reference, verdict))
        if ends_it(*outcomes[-1][1:3]):
            break
    if is_refused():
        verdict["verdict"] = "not device code"
    else:
        tell(verdict, outcomes)
    withheld = sorted({name for kernel in kernels.values() for name in kernel.withheld})
    if withheld:
        verdict.setdefault("problem", f"host code found 0xFF for the values of "
                           f"{', '.join(withheld)}: the definition has ValueDepend there, the task "
                           f"no value_depend")


def other_kernel(task, source, name):
    """What launches another kernel on a case, as reference: its arrays afterwards."""
    try:
        known = {soc: Kernel(task, source, name, soc, elsewhere.ReferenceKernel)
                 for soc in task.socs}
    except (errors.CompileError, errors.LacksError, errors.UsageError) as error:
        raise TaskError(f"the reference: {error}"[:MOST_TEXT]) from None

    def launch(case):
        try:
            run, after = launched(known[case.soc], case)
        except errors.UsageError as error:
            raise TaskError(f"the reference: {error}") from None
        failed = [fault for fault in run.faults if fault.severity == "error"]
        if failed and case.decides:
            raise TaskError(f"the reference failed: {failed[0].code}: {failed[0].message}")
        return after

    return launch


def judged_case(case, kernel, reference, verdict):
    """The case, how it ended, its faults, and how its outputs differ."""
    try:
        run, after = launched(kernel, case)
    except errors.CompileError as error:  # of a package: when a call first wants it
        verdict.setdefault("problem", without(str(error), str(case.task.source.parent)))
        return case, "does not compile", [], {}
    except Failure as failure:
        word, problem = failure.args
        verdict.setdefault("problem", problem[:MOST_TEXT])
        return case, word, [], {}
    # Only now, when the kernel's process is gone.
    return case, *look_at(case, run, after, reference)


def ends_it(word, faults):
    """Whether more cases would only cost time."""
    return word in ("hostile", "does not compile") or any(fault.code == "V5004" for fault in faults)


def launched(kernel, case):
    """Runs a case: the run, and what its arrays hold afterwards."""
    copies = {id(array): array.copy() for array in case.before.values()}
    after = {name: copies[id(array)] for name, array in case.before.items()}
    return kernel.attempt(case, after), after


def look_at(case, run, after, reference):
    """How a case ended, its faults, and how its outputs differ."""
    faults = [fault for fault in run.faults if fault.severity == "error"]
    codes = {fault.code for fault in faults}
    by_pointer = any(fault.code == BY_POINTER for fault in run.faults)
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
        elif by_pointer and not case.task.pointers:
            word = "bypassed"
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
        is_kept = got is not None and got.tobytes() == before.tobytes()
        return None if is_kept else {"problem": "an input is overwritten"}
    if got.dtype != DTYPES[parameter.dtype]:
        return {"problem": f"the output is {got.dtype}"}
    if case.task.operator is None and wanted[parameter.name].shape != got.shape:
        raise TaskError(f"the reference of {parameter.name} has shape "
                        f"{wanted[parameter.name].shape}; legal: {got.shape}")
    tolerance = case.task.tolerance.get(parameter.called)
    found = comparing.compare(got.view(DTYPES[parameter.dtype]), wanted[parameter.name],
                              parameter.dtype, tolerance, case.special)
    if not found["equal"]:
        return found
    wanted = np.asarray(wanted[parameter.name])
    case.errors[parameter.name] = comparing.last_digits(got, wanted, parameter.dtype)
    narrow = comparing.narrower(got, wanted, parameter.dtype,
                                case.task.precision.get(parameter.called))
    return {"narrower": narrow} if narrow else None


def tell(verdict, outcomes):
    """Sums the cases up."""
    told = [(case.kind, word) for case, word, _, _ in outcomes if not case.decides]
    if told:
        verdict["beside"] = {kind: min((word for other, word in told if other == kind),
                                       key=ORDER.index) for kind, _ in told}
    # What ends a kernel counts wherever it does, unless it was never meant for so many blocks.
    outcomes = [one for one in outcomes if one[0].decides or one[1] == "hostile"
                or one[1] == "stopped" and one[0].special]
    words = [word for _, word, _, _ in outcomes]
    verdict["cases"], verdict["right_cases"] = len(words), words.count("right")
    verdict["last_digits"] = comparing.summed([case.errors for case, *_ in outcomes])
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
    for what in ("sizes", "blocks", "schedule", "soc", "kind"):
        right, others = [], []
        for case, word, _, _ in outcomes:
            value = getattr(case, what)
            (right if word == "right" else others).append(value)
        only = [value for index, value in enumerate(right)
                if value not in others and value not in right[:index]]
        if only:
            apart[what] = only
    return apart
