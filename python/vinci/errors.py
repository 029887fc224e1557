"""What can go wrong with a kernel, as exceptions and warnings."""

import dataclasses


class Error(Exception):
    """Whatever vinci finds wrong."""


class UsageError(Error, ValueError):
    """The call is wrong: an argument, a name, a chip that there is not."""


class CompileError(Error):
    """The source does not compile, or what was compiled cannot be loaded."""


class LacksError(Error, NotImplementedError):
    """vinci cannot do it."""


class InternalError(Error, RuntimeError):
    """The host has no process or memory left, or vinci is wrong."""


@dataclasses.dataclass(frozen=True)
class Fault:  # pylint: disable=too-many-instance-attributes
    """One finding: the fields of docs/guide/faults.md, and its text as `vinci run` prints it."""

    code: str
    title: str
    severity: str
    kind: str  # "kernel", "soc", "unimplemented", "unverified" or "internal"
    message: str
    legal: str
    block: int
    core: str
    sub_block: object  # which AIV of several in a block; None elsewhere
    pipe: str
    instruction: str
    serial: int
    count: int
    lines: tuple  # of dicts with file, line and function, innermost first
    text: str
    other: object = None  # a second place that belongs to it: a dict with what and lines
    also: tuple = ()  # of such dicts: what each pipe is at, where something waits for ever
    suppressed: object = None  # a reason where it does not count (suppress=)

    def __str__(self):
        return self.text


class KernelError(Error):
    """The kernel is wrong: its text is the report. `faults` has them all, `run` the whole run."""

    def __init__(self, run):
        super().__init__("\n" + "\n".join(fault.text for fault in run.faults
                                          if fault.suppressed is None))
        self.run, self.faults = run, run.faults


class KernelTimeout(KernelError, TimeoutError):
    """The kernel was still running when its time was over."""


class KernelWarning(UserWarning):
    """Something about the kernel that is no error."""


class CompilerWarning(UserWarning):
    """What the compiler said about a source that it compiled."""
