"""Runs vinci as a user does: a command line, .npy files, a JSON report.

Oracles in the tests are written from the documents' element formulas with numpy; nothing here or
there calls vinci's own arithmetic.
"""

import atexit
import contextlib
import dataclasses
import functools
import json
import os
import pathlib
import re
import select
import subprocess
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
VINCI = os.environ.get("VINCI", str(ROOT / "build" / "bin" / "vinci"))
CACHE = pathlib.Path(VINCI).resolve().parent.parent / "test-cache"

# How many times as many random cases as CI has; a fraction in `make test`, and for builds that look for
# other mistakes.
MORE = float(os.environ.get("VINCI_MORE", "1"))

# One chip of each generation.
CHIPS = {
    "1000": "Ascend310",
    "1001": "Ascend910A",
    "2002": "Ascend310P3",
    "2002v": "Ascend310P3-VectorCore",
    "2201": "Ascend910B1",
    "3002": "Ascend310B1",
}

# What .npy holds for each of vinci's types; bfloat16 is its bits, int4 two to a byte.
NUMPY = {
    "half": np.float16, "bfloat16": np.uint16, "float": np.float32, "int4": np.uint8,
    "int8": np.int8, "uint8": np.uint8, "int16": np.int16, "uint16": np.uint16,
    "int32": np.int32, "uint32": np.uint32, "int64": np.int64, "uint64": np.uint64,
}


# Numbers of host threads, as 1,2,8: a launch of several blocks must leave the same with each.
THREADS = os.environ.get("VINCI_COMPARE_THREADS", "")


def times_more(count):
    """`count` random cases times VINCI_MORE, but at least one."""
    return max(1, round(count * MORE))


@dataclasses.dataclass
class Run:
    """What one call of vinci did."""

    code: int
    stdout: str
    stderr: str
    report: dict | None = None
    outputs: list = dataclasses.field(default_factory=list)

    @property
    def faults(self):
        return self.report["faults"]

    @property
    def codes(self):
        return [fault["code"] for fault in self.faults]

    @property
    def errors(self):
        """The faults that are more than warnings."""
        return [fault for fault in self.faults if fault["severity"] == "error"]


# What the worker can change between two runs; the rest of the environment counts when a program
# starts.
TAKEN_LATER = {"VINCI_CACHE", "XDG_CACHE_HOME", "HOME", "CXX", "CPATH", "CPLUS_INCLUDE_PATH",
               "PYTEST_CURRENT_TEST"}


class Worker:
    """A process of `vinci serve`, which forks a run for each request instead of starting it."""

    def __init__(self):
        self.environment = dict(os.environ)
        self.folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [VINCI, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment)
        self.runs = 0

    def can_run(self, words, environment):
        """Whether only such variables differ as may, and JSON can hold all words."""
        if any(not word.isprintable() for word in words):
            return False
        return {name for name, _ in self.environment.items() ^ environment.items()} <= TAKEN_LATER

    def run(self, arguments, cwd, environment, timeout):
        """As subprocess.run, with its exceptions."""
        self.runs += 1
        files = {name: f"{self.folder.name}/{self.runs}.{name}" for name in ("stdout", "stderr")}
        changes = {name: environment.get(name) for name in TAKEN_LATER
                   if environment.get(name) != self.environment.get(name)}
        request = {"argv": arguments, "cwd": str(cwd or os.getcwd()), "env": changes, **files}
        with contextlib.suppress(BrokenPipeError):  # there is no reply then
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        code = self.reply(arguments, timeout)
        texts = []
        for path in files.values():
            texts.append(pathlib.Path(path).read_text(encoding="utf-8", errors="replace"))
            os.unlink(path)
        return Run(code, *texts)

    def reply(self, arguments, timeout):
        """The exit code, as subprocess has it. Without an answer the worker is of no use."""
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            self.end()
            raise subprocess.TimeoutExpired(arguments, timeout)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"vinci serve ended with {self.process.wait(10)} during {arguments}")
        answer = json.loads(line)
        return answer["code"] if "code" in answer else -answer["signal"]

    def alive(self):
        """Whether it takes requests."""
        return self.process.poll() is None

    def end(self):
        """Ends the process, and with it what it runs."""
        self.process.kill()
        self.process.wait(10)
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        self.folder.cleanup()


WORKER = None


def worker():
    """The worker of this process of pytest; a new one if the last has ended."""
    global WORKER
    if WORKER is None or not WORKER.alive():
        WORKER = Worker()
        atexit.register(WORKER.end)
    return WORKER


def start(arguments, cwd, environment, timeout):
    """Starts vinci, as a shell does."""
    done = subprocess.run([VINCI, *arguments], cwd=cwd, env=environment, timeout=timeout,
                          capture_output=True, text=True, errors="replace", check=False)
    return Run(done.returncode, done.stdout, done.stderr)


def vinci(*arguments, cwd=None, env=None, timeout=120, started=False):
    """Calls vinci with these arguments: by the worker, unless it must be `started`."""
    environment = {**os.environ, "VINCI_CACHE": str(CACHE), **(env or {})}
    words = list(map(str, arguments))
    blocks = words[words.index("--blocks") + 1] if "--blocks" in words else "1"
    if THREADS and words[:1] == ["run"] and blocks != "1" and "--threads" not in words:
        return same_by_threads(words, cwd, lambda more: call(more, cwd, environment, timeout, started))
    return call(words, cwd, environment, timeout, started)


def call(words, cwd, environment, timeout, started):
    """As vinci, once."""
    if started or not worker().can_run(words, environment):
        return start(words, cwd, environment, timeout)
    return worker().run([VINCI, *words], cwd, environment, timeout)


def same_by_threads(words, cwd, run):
    """The run with the first of THREADS, if the others give the same bytes and the same report."""
    files = re.findall(r"(?:^|\n)(?:out|inout:[^:\n]*):([^:\n]*)", "\n".join(words))
    files += [words[at + 1] for at, word in enumerate(words) if word == "--json"]

    def left(done):
        said = [done.stdout, done.stderr]
        for file in files:
            path = pathlib.Path(cwd or ".") / file
            if path.exists():
                said.append(path.read_bytes() if path.suffix == ".npy" else path.read_text())
        # Times, and addresses of one process.
        return [done.code] + [re.sub(r"0x[0-9a-f]+|[0-9.]+ m?s\b|\"seconds\": *[0-9.e-]+", "", text)
                              if isinstance(text, str) else text for text in said]

    first = None
    for threads in THREADS.split(","):
        done = run([words[0], "--threads", threads, *words[1:]])
        first = first or (done, left(done))
        assert left(done) == first[1], f"with {threads} host threads something else: {words}"
    return first[0]


@functools.cache
def sanitizers():
    """The libraries of sanitizers that vinci is built with."""
    libraries = subprocess.run(["ldd", VINCI], capture_output=True, text=True, check=True).stdout
    return re.findall(r"(/\S*lib(?:asan|ubsan|tsan|clang_rt)\S*)", libraries)


def preloaded():
    """The environment for programs that another linker made of a vinci with a sanitizer, whose library
    must be the first. Theirs is not the program that is looked through for leaks."""
    if not sanitizers():
        return {}
    return {"LD_PRELOAD": " ".join(sanitizers()), "ASAN_OPTIONS": "detect_leaks=0"}


class Out:
    """An output buffer: its type and shape, as `out:FILE:DTYPE:SHAPE`.

    part: a kernel may leave some of it as it is, 0xFF in every byte; cleared: or 0.
    """

    def __init__(self, dtype, *shape, part=False, cleared=False):
        self.dtype, self.shape = dtype, shape
        self.before = 0 if cleared else -1 if part else None


class Value:
    """A parameter passed by value, as `value:DTYPE:NUMBER`."""

    def __init__(self, dtype, number):
        self.dtype, self.number = dtype, number


def run_kernel(source, *parameters, soc, blocks=1, kernel=None, check="full", options=(),
               extra=(), timeout=120, cwd=None):  # pylint: disable=too-many-arguments
    """Runs a kernel file on arrays (inputs), Out (outputs) and Value, in the kernel's order.

    The Run's `outputs` holds one array per Out. `options` go to the compiler, `extra` to vinci.
    """
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["run", source, "--soc", soc, "--blocks", blocks, "--check", check,
                     "--json", f"{folder}/report.json", *extra]
        if kernel:
            arguments += ["--kernel", kernel]
        outputs = []
        for number, parameter in enumerate(parameters):
            path = f"{folder}/{number}.npy"
            if isinstance(parameter, Value):
                arguments += ["--arg", f"value:{parameter.dtype}:{parameter.number}"]
            elif isinstance(parameter, Out):
                shape = "x".join(map(str, parameter.shape))
                form = f"out:{path}:{parameter.dtype}:{shape}"
                if parameter.before is not None:
                    numpy = np.dtype(NUMPY[parameter.dtype])
                    before = np.full(parameter.shape, parameter.before, f"i{numpy.itemsize}").view(numpy)
                    np.save(f"{path}.in.npy", before)
                    form = f"inout:{path}.in.npy:{path}:{parameter.dtype}"
                arguments += ["--arg", form]
                outputs.append(path)
            else:
                np.save(path, parameter)
                arguments += ["--arg", f"in:{path}"]
        run = vinci(*arguments, *(["--", *options] if options else []), timeout=timeout, cwd=cwd)
        report = pathlib.Path(folder) / "report.json"
        if report.exists():
            run.report = json.loads(report.read_text())
            run.outputs = [np.load(path) for path in outputs]
        return run


def check_clean(run):
    """The run found nothing; shows what it said if it did."""
    assert run.code == 0 and run.report is not None, f"exit {run.code}\n{run.stdout}\n{run.stderr}"
    assert run.faults == [], run.stderr
