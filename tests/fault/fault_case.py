"""A kernel that is legal for one number and a fault for another, and what vinci must say to it."""

import dataclasses
import json
import pathlib
import tempfile

import harness

KERNELS = pathlib.Path(__file__).resolve().parent / "kernels"

# How users build: the message, the line and the function must be the same in all of them.
BUILDS = {
    "g++ -O0": ("g++", "-O0"),
    "g++ -O2": ("g++", "-O2"),
    "clang++ -O2": ("clang++", "-O2"),
}


@dataclasses.dataclass
class Case:
    """Kernel `kernel` is clean when called with `good`, and one fault when called with `bad`."""

    kernel: str
    good: int
    bad: int
    code: str
    message: str
    legal: str = ""
    pipe: str = ""
    exit: int = 1
    severity: str = "error"
    soc: str = "Ascend310P3"      # of the bad call
    good_soc: str = "Ascend310P3"

    def __str__(self):
        return f"{self.kernel} {self.bad}"


def line_of(file, mark):
    """The number of the line that ends with `// HERE mark`."""
    lines = (KERNELS / file).read_text().splitlines()
    hits = [number for number, text in enumerate(lines, 1) if text.endswith(f"// HERE {mark}")]
    assert len(hits) == 1, f"{file}: {len(hits)} lines with the mark {mark}"
    return hits[0]


def call(file, kernel, number=0, build="g++ -O2", soc="Ascend310P3", extra=(), options=(),
         timeout=20, cwd=None, started=False, check="strict"):
    """Runs kernel(GM_ADDR of 1000 bytes of zeros, int64_t number); its report is in `.report`."""
    compiler, level = BUILDS[build]
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        run = harness.vinci("run", KERNELS / file, "--kernel", kernel, "--soc", soc,
                            "--cores", "whole", "--json", report, "--arg", "zeros:uint8:1000",
                            "--arg", f"value:int64:{number}", *([] if "--check" in extra else ["--check", check]), *extra, "--", level, *options,
                            env={"CXX": compiler}, timeout=timeout, cwd=cwd, started=started)
        if report.exists():
            run.report = json.loads(report.read_text())
    return run


def places(fault):
    """The fault's lines as (file, line, function), innermost first."""
    return [(pathlib.Path(line["file"]).resolve(), line["line"], line["function"])
            for line in fault["lines"]]


def check_bad(file, case, build):
    """The bad call is exactly one fault, at the marked line of the kernel."""
    check = "full" if case.code == "V1011" else "strict"
    run = call(file, case.kernel, case.bad, build, case.soc, check=check)
    assert run.report is not None, f"exit {run.code}: {run.stderr}"
    assert run.codes == [case.code], run.stderr
    fault = run.faults[0]
    assert fault["message"] == case.message
    assert fault["legal"] == case.legal
    assert fault["severity"] == case.severity
    assert fault["pipe"] == case.pipe
    assert fault["block"] == 0
    assert run.code == case.exit
    assert places(fault)[:1] == [(KERNELS / file, line_of(file, case.kernel), case.kernel)], run.stderr


def check_good(file, case):
    """The good call is clean."""
    run = call(file, case.kernel, case.good, soc=case.good_soc)
    harness.check_clean(run)
