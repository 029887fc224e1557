"""Kernels that another process compiles and launches: vinci/launcher.py."""

import math
import os
import pathlib
import subprocess
import sys
import threading
import time
import types

import numpy as np

from .. import _engine, launcher

LaunchError = _engine.LaunchError
HERE = threading.local()
PATIENCE = 600  # seconds beside those that a kernel or a compiler may take, on a host that is busy
START = ("import sys; sys.path.insert(0, sys.argv[1]); from vinci.launcher import main; "
         "main(int(sys.argv[2]), int(sys.argv[3]))")


class Launcher:
    """The other process, from its start on."""

    def __init__(self):
        self.owner = os.getpid()
        asked, ask = os.pipe()
        hear, told = os.pipe()
        folder = pathlib.Path(_engine.__file__).parent.parent
        # Without what other processes of Python load at their start.
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-S", *(["-B"] if sys.dont_write_bytecode else []), "-c", START,
             str(folder), str(asked), str(told)], pass_fds=(asked, told), stdin=subprocess.DEVNULL)
        os.close(asked)
        os.close(told)
        self.questions, self.answers = os.fdopen(ask, "wb"), os.fdopen(hear, "rb")
        self.deadline = math.inf  # of the answer that is awaited
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        """Ends the process when it has not answered in time."""
        while self.process.poll() is None:
            if time.monotonic() > self.deadline:
                self.process.kill()
            time.sleep(0.5)

    def ask(self, *question, patience):
        """The answer; LaunchError as the engine raises it, or when the seconds of patience have
        passed."""
        self.deadline = time.monotonic() + patience
        try:
            launcher.tell(self.questions, question)
            good, answer = launcher.heard(self.answers)
        except (EOFError, OSError, ValueError, TypeError):
            close([self])  # another one may do better
            raise _engine.LaunchError("internal", "the process that launches kernels has ended") \
                from None
        finally:
            self.deadline = math.inf
        if not good:
            raise _engine.LaunchError(*answer)
        return answer


def known():
    """Those of this thread, by what they are for."""
    if not hasattr(HERE, "launchers"):
        HERE.launchers = {}
    return HERE.launchers


def the_launcher(purpose):
    """That of this thread: what one launches for one purpose is in no other's memory."""
    one = known().get(purpose)
    if one is None or one.owner != os.getpid():
        one = known()[purpose] = Launcher()
    return one


def own():
    """Those that this process has started."""
    return [one for one in known().values() if one.owner == os.getpid()]


def close(launchers=None):
    """Ends them; all of this thread."""
    for one in own() if launchers is None else launchers:
        one.process.kill()
        one.process.wait()
        one.answers.close()
        try:
            one.questions.close()
        except OSError:  # what was not sent
            pass
        for purpose in [name for name, other in known().items() if other is one]:
            del known()[purpose]


def patience_of(timeout):
    """With one launch, or one call of an operator: more than any should take."""
    return 20 * timeout + PATIENCE


def ended_run(is_clean, timed_out, seconds, report):
    """As _engine.Run."""
    return types.SimpleNamespace(is_clean=is_clean, timed_out=timed_out, seconds=seconds,
                                 report=lambda: report)


class Kernel:
    """As _engine.Kernel."""

    purpose = "judged"

    def __init__(self, *words):
        self.launcher = the_launcher(self.purpose)
        (self.number, self.name, self.soc, self.signature, self.messages,
         self.parameters) = self.launcher.ask("compile", *words, patience=patience_of(words[-1]))

    @property
    def not_device_code(self):
        return self.launcher.ask("not_device_code", self.number, patience=PATIENCE)

    def check_count(self, count):
        """LaunchError unless it has so many parameters."""
        if count != len(self.parameters):
            self.launcher.ask("check_count", self.number, count, patience=PATIENCE)

    def run(self, arguments, *how):
        """Arrays hold what the kernel left."""
        values = [one if isinstance(one, bytes) else None for one in arguments]
        arrays, places = [], {}
        for index, one in enumerate(arguments):
            first = None if isinstance(one, bytes) else \
                places.setdefault(one.ctypes.data if one.size else index, index)
            arrays.append(None if first is None else one.tobytes() if first == index else first)
        after, *ended = self.launcher.ask("run", self.number, values, arrays, *how,
                                          patience=patience_of(how[1]))
        for one, data in zip(arguments, after):
            if data is not None:
                one[...] = np.frombuffer(data, np.uint8)
        return ended_run(*ended)


class ReferenceKernel(Kernel):
    """One whose results are wanted of others."""

    purpose = "reference"


class Package:
    """As _engine.Package."""

    def __init__(self, *words):
        self.launcher = the_launcher("judged")
        self.number, self.known = self.launcher.ask("package", *words,
                                                    patience=patience_of(words[-1]))

    def call(self, *words):
        """A run, outputs as (name, type, shape, bytes), names of inputs that were overwritten."""
        outputs, overwritten, *ended = self.launcher.ask("call", self.number, *words,
                                                         patience=2 * patience_of(words[4]))
        return ended_run(*ended), outputs, overwritten

    @property
    def not_device_code(self):
        return self.launcher.ask("not_device_code", self.number, patience=PATIENCE)


def forget():
    """All kernels of this thread."""
    for one in own():
        try:
            one.ask("forget", patience=PATIENCE)
        except _engine.LaunchError:
            pass  # they are gone with it
