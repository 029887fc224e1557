"""Kernels as functions of numpy arrays."""

import contextlib
import dataclasses
import functools
import json
import os
import sys
import threading
import warnings

from . import _engine, errors
from .arguments import passed
from .exploring import explore

MOST_BLOCKS, MOST_THREADS, MOST_SCHEDULES = 65535, 1024, 1000
MOST_COMPILING = 86400  # seconds
KINDS = {"usage": errors.UsageError, "compile": errors.CompileError, "lacks": errors.LacksError,
         "internal": errors.InternalError}

LAST = threading.local()  # the last run of this thread


@contextlib.contextmanager
def engine_errors():
    """The engine's errors as those of vinci."""
    try:
        yield
    except _engine.LaunchError as error:
        kind, message = error.args
        raise KINDS[kind](message) from None


def number_within(what, number, low, high, kind=int):
    """A number in a range; UsageError for any other."""
    if not isinstance(number, (int, kind)) or isinstance(number, bool) or not low <= number <= high:
        raise errors.UsageError(f"{what} {number!r}; legal: {low}..{high}")
    return number


def order_words(schedule, auto_sync):
    """Both as the engine calls them; None: as elsewhere said."""
    if schedule is not None and (not isinstance(schedule, str) or not schedule):
        raise errors.UsageError(f"schedule {schedule!r}; legal: {_engine.LEGAL_SCHEDULES}")
    if not isinstance(auto_sync, (bool, type(None))):
        raise errors.UsageError(f"auto_sync {auto_sync!r}; legal: True, False")
    return schedule or "", {True: "on", False: "off", None: ""}[auto_sync]


def check_words(check):
    """A level, or names of tools in a string or a list, as one string."""
    if isinstance(check, (list, tuple)) and all(isinstance(name, str) for name in check):
        check = ",".join(check)
    if not isinstance(check, str):
        raise errors.UsageError(f"check {check!r}; legal: {_engine.LEGAL_CHECKS}")
    return check


def check_sandbox(seconds, isolated):
    """Seconds for the compiler; 0: none."""
    number_within("sandbox", seconds, 0, MOST_COMPILING)
    if seconds and not isolated:
        raise errors.UsageError("sandbox needs a process of its own; leave out isolated=False")


@dataclasses.dataclass
class Wishes:
    """What may be said of a kernel, and of one launch: None, as elsewhere said."""

    schedule: object = None
    auto_sync: object = None
    suppress: object = None
    sarif: object = None
    explore: object = None
    check: object = None

    def __post_init__(self):
        self.order = order_words(self.schedule, self.auto_sync)
        self.check_words = check_words(self.check or "")
        if self.explore:
            number_within("explore", self.explore, 2, MOST_SCHEDULES)
            if self.schedule is not None:
                raise errors.UsageError("explore has schedules of its own, the first is eager; leave "
                                        "out schedule")
        if self.suppress is not None:
            with engine_errors():
                _engine.check_suppressions(os.fspath(self.suppress))

    def with_those_of(self, kernel):
        """Where a launch says nothing, its kernel does."""
        own = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        of_kernel = dataclasses.asdict(kernel)
        if own["explore"]:
            of_kernel["schedule"] = None
        if own["schedule"] is not None:
            of_kernel["explore"] = None
        return Wishes(**{name: of_kernel[name] if wish is None else wish
                         for name, wish in own.items()})


class Run:
    """What one launch left."""

    def __init__(self, run, outputs, explored=None):
        self._run, self._outputs, self._explored = run, outputs, explored

    def keep(self, wishes):
        """Suppressions, then the file for code hosts."""
        if wishes.suppress is not None:
            with engine_errors():
                unused = self._run.suppress(os.fspath(wishes.suppress))
            for line in unused:
                warnings.warn(f"{line} matched nothing", errors.KernelWarning, stacklevel=5)
        if wishes.sarif is not None:
            with open(wishes.sarif, "w", encoding="utf-8") as file:
                file.write(self._run.sarif() + "\n")

    @property
    def seconds(self):
        """The time in the kernel."""
        return self._run.seconds

    @functools.cached_property
    def report(self):
        """What `vinci run --json` writes, with a text for each fault."""
        report = json.loads(self._run.report())
        return {**report, "outputs": self._outputs, "expectations": [],
                "explored": self._explored}

    @functools.cached_property
    def faults(self):
        """Errors and warnings, in their order."""
        if self._run.is_clean:
            return []
        fields = [dict(fault) for fault in self.report["faults"]]
        return [errors.Fault(kind=fault.pop("class"), lines=tuple(fault.pop("lines")),
                             also=tuple(fault.pop("also")), **fault)
                for fault in fields]

    def tell(self):
        """Raises what is an error, warns of the rest."""
        if self._run.is_clean:
            return
        counting = [fault for fault in self.faults if fault.suppressed is None]
        if any(fault.severity == "error" for fault in counting):
            raise (errors.KernelTimeout if self._run.timed_out else errors.KernelError)(self)
        for fault in counting:
            warnings.warn(fault.text, errors.KernelWarning, stacklevel=4)


class Kernel:
    """A compiled kernel. `k[8](x, y)` and `k(x, y, blocks=8)` launch it on eight blocks."""

    def __init__(self, engine, timeout, threads, isolated, wishes):
        self._engine = engine
        self.name, self.soc, self.signature = engine.name, engine.soc, engine.signature
        self.parameters = engine.parameters
        self.options = timeout, threads, isolated
        self.wishes = wishes

    def __repr__(self):
        return f"<vinci kernel {self.signature} on {self.soc}>"

    def __getitem__(self, blocks):
        number_within("blocks", blocks, 1, MOST_BLOCKS)
        return lambda *arguments, **wishes: self._launch(blocks, Wishes(**wishes), *arguments)

    def __call__(self, *arguments, blocks=1, **wishes):
        number_within("blocks", blocks, 1, MOST_BLOCKS)
        return self._launch(blocks, Wishes(**wishes), *arguments)

    @property
    def not_device_code(self):
        """What it has that no chip has, as calls of the host's library: a phrase for each."""
        return self._engine.not_device_code

    def attempt(self, arguments, blocks=1, schedule=None):
        """The Run of a launch, whatever it finds."""
        return self._run(blocks, Wishes(schedule=schedule), arguments)

    def _launch(self, blocks, wishes, *arguments):
        run = LAST.run = self._run(blocks, wishes, arguments)
        run.tell()
        return run

    def _run(self, blocks, wishes, arguments):
        wishes = wishes.with_those_of(self.wishes)
        with engine_errors():
            self._engine.check_count(len(arguments))
            buffers = passed(self.parameters, arguments)
            outputs = {parameter["name"]: argument
                       for parameter, argument, buffer in zip(self.parameters, arguments, buffers)
                       if not isinstance(buffer, bytes) and buffer.flags.writeable}
            if sys.stdout is not None:
                sys.stdout.flush()  # what the kernel prints comes later

            def launch(schedule, silent):
                return self._engine.run(buffers, blocks, *self.options, schedule, wishes.order[1],
                                        silent, wishes.check_words)
            if wishes.explore:
                run, explored = explore(wishes.explore, launch, list(outputs),
                                        list(outputs.values()))
            else:
                run, explored = launch(wishes.order[0], False), None
        run = Run(run, list(outputs), explored)
        run.keep(wishes)
        return run


def kernel(file, soc=_engine.DEFAULT_SOC, name=None, options=(), *, check="full", timeout=0,
           threads=0, isolated=True, cache=True, cores="auto", schedule=None,
           auto_sync=None, suppress=None, sarif=None, explore=None, sandbox=0,
           made_by=_engine.Kernel):  # pylint: disable=too-many-arguments
    """Compiles a kernel file, or takes it from the cache, and gives the kernel.

    name: which __global__ function, if there are several. options: for the compiler. check:
    strict, full, basic, off, or a list of tools. timeout: seconds before the kernel is stopped; 0:
    never. threads: host threads that share the blocks; 0: as many as the host runs at once.
    isolated: each launch is a process of its own; without, launches are quicker, but a kernel that
    crashes takes Python along. cache: whether what was compiled before will do. cores: of a block,
    on chips that have AICs and AIVs apart: auto (as the kernel says), whole, aic, aiv, mix10, mix01,
    mix11 or mix12. schedule: when instructions run: eager, lazy or random:SEED. auto_sync: whether
    the vendor's compiler orders what it sees. suppress: a file with faults that do not count. sarif:
    a file for the faults of each launch, in SARIF 2.1.0. explore: under how many schedules each
    launch runs. These five, and check, may be said for one launch, too. sandbox: nobody trusts the file
    (docs/guide/sandbox.md), so the compiler is shut in and may take so many seconds of the processor;
    launches are shut in and silent; 0: neither. made_by: what stands for the engine's kernel, if it
    is elsewhere.
    """
    if isinstance(options, (str, bytes)):
        raise errors.UsageError(f"options {options!r}; legal: a list of words")
    wishes = Wishes(schedule, auto_sync, suppress, sarif, explore)
    words = check_words(check), *wishes.order
    number_within("timeout", timeout, 0, sys.maxsize, float)
    number_within("threads", threads, 0, MOST_THREADS)
    check_sandbox(sandbox, isolated)
    with engine_errors():
        engine = made_by(os.fspath(file), soc, name or "", list(options), bool(cache), cores, *words,
                         sandbox)
    if engine.messages:
        warnings.warn(engine.messages, errors.CompilerWarning, stacklevel=2)
    return Kernel(engine, timeout, threads, bool(isolated), wishes)


def socs():
    """The chips by name: dicts of their names and numbers."""
    return {chip["name"]: chip for chip in _engine.chips()}


def report(run=None):
    """The report of a run, of the run behind a KernelError, or of the last run of this thread: what
    `vinci run --json` writes."""
    if isinstance(run, errors.KernelError):
        run = run.run
    if run is None:
        run = getattr(LAST, "run", None)
    if not isinstance(run, Run):
        raise errors.UsageError("nothing has run in this thread" if run is None else
                                f"{run!r} is no run; legal: what a kernel returns, a KernelError")
    return run.report
