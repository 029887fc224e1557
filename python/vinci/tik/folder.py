"""python3 -m vinci.tik --all FOLDER: runs every script of a folder, each in a process of its own,
and prints a table. `python3 -P -m vinci.tik.folder SCRIPT REPORT SOC FOLDER` is such a process."""

import concurrent.futures
import inspect
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import traceback

from . import build, chip, debug, error, operator_cases, script_file, toolkit

# What a row may say, in the order of the summary.
RESULTS = ("ran", "built", "nothing to run", "differs", "refused", "failed", "too slow")
FINE = ("ran", "built", "nothing to run")
GOLDEN = re.compile("golden|expect", re.IGNORECASE)  # names of functions that know what is right
MOST_REASON = 200  # characters
NOT_SCRIPTS = ("kernel_meta", "site-packages", "dist-packages")  # folders that hold none
EXITED = "it ended with sys.exit("


def run_all(folder, soc, timeout):
    """Prints the table, a row as soon as those above it are there; the exit code: 0 if no script
    was refused, failed or gave other results."""
    folder = pathlib.Path(folder)
    scripts = _scripts_in(folder)
    if not scripts:
        print(f"there is no script in {folder}", file=sys.stderr)
        return 2
    names = [str(path.relative_to(folder)) for path in scripts]
    width = max(map(len, [*names, "script"]))
    running = set()  # process groups
    rows = []
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    try:
        found = pool.map(lambda path: _start(path, folder, soc, timeout, running), scripts)
        print(f"{'script':{width}}  {'result':14}  kernels  golden  reason", flush=True)
        for name, row in zip(names, found):
            rows.append(row)
            print(f"{name:{width}}  {row['result']:14}  {row['kernels']:7}  {row['golden']:6}  "
                  f"{row['reason']}".rstrip(), flush=True)
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        for group in list(running):
            _end(group)
        return 130
    _print_summary(rows)
    return 0 if all(row["result"] in FINE for row in rows) else 1


def _scripts_in(folder):
    """What may be run: not packages' own files, what vinci writes, and what was installed or hidden
    there (virtual environments, .git)."""

    def is_one(path):
        above = path.relative_to(folder).parts
        return (path.name != "__init__.py" and path.is_file()
                and not any(part in NOT_SCRIPTS or part.startswith(".") for part in above))

    return sorted(path for path in folder.rglob("*.py") if is_one(path))


def _search_path(*more):
    """What a process may import from, wherever it runs: `more`, PYTHONPATH, vinci."""
    given = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    vinci = os.path.dirname(next(iter(sys.modules["vinci"].__path__)))
    return os.pathsep.join(map(os.path.abspath, [*more, *filter(None, given), vinci]))


def _end(group):
    """Ends a script's process, and those that it started."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def _start(path, folder, soc, timeout, running):
    """The row of one script, which runs in its own folder. The folder of all can be imported from,
    as `impl` is in projects of operators."""
    environment = {**os.environ, "PYTHONPATH": _search_path()}
    with tempfile.TemporaryDirectory() as scratch:
        report, said = (os.path.join(scratch, name) for name in ("report", "stderr"))
        # -P: an operator called select or copy is no module of Python's.
        command = [sys.executable, "-P", "-m", "vinci.tik.folder", path.name, report, soc or "",
                   str(folder.resolve())]
        with open(said, "wb") as stderr:  # a file: what the script started may keep it open
            process = subprocess.Popen(command, cwd=path.parent, env=environment, stderr=stderr,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       start_new_session=True)
        running.add(process.pid)
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            return _row("too slow", reason=f"no end after {timeout:g} seconds")
        finally:
            _end(process.pid)
            process.wait()
            running.discard(process.pid)
        return _row_of(report, pathlib.Path(said).read_text(errors="replace"), code)


def _row_of(report, said, code):
    """What the script's process wrote, or how it ended without. `said` is its stderr."""
    last = (said.strip().splitlines() or [""])[-1]
    behind = f": {last}" if last else ""
    try:
        with open(report, encoding="utf-8") as file:
            row = json.load(file)
    except (OSError, ValueError):
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        return _row("failed", reason=f"it ended {how}{behind}")
    if row["reason"].startswith(EXITED):
        row["reason"] = _short(row["reason"] + behind)
    return row


def _short(reason):
    return " ".join(reason.split())[:MOST_REASON]


def _row(result, kernels=0, golden="", reason=""):
    return {"result": result, "kernels": kernels, "golden": golden, "reason": _short(reason)}


def _print_summary(rows):
    counts = {result: sum(row["result"] == result for row in rows) for result in RESULTS}
    equal = sum(row["golden"] == "equal" for row in rows)
    print(f"\n{len(rows)} scripts: " + ", ".join(
        f"{count} {result}" for result, count in counts.items() if count)
        + f"; {equal} equal to their golden functions")


# In the process of one script.


class _Seen:
    """What the kernels of a script did."""

    def __init__(self):
        self.built = []
        self.runs = 0
        self.last = None  # (built, feeds, outputs)

    def ran(self, *run):
        """A kernel ran."""
        self.runs += 1
        self.last = run


def run_one(script):
    """The row of a script."""
    seen = _Seen()
    debug.observers.append(seen.ran)
    with build.watched(seen.built.append):
        try:
            names = _run_script(script)
            golden = _check(names, seen)
        except BaseException as mistake:  # pylint: disable=broad-except
            result, reason = _explain(mistake, script)
            return _row(result, len(seen.built), reason=reason)
    result = "ran" if seen.runs else "built" if seen.built else "nothing to run"
    is_pytest = result == "nothing to run" and any(map(_is_test, names.items()))
    return _row(result, len(seen.built), golden,
                f"tests for pytest: python3 -m vinci.tik -m pytest {script}" if is_pytest else "")


def _is_test(item):
    """Whether pytest takes this name of a script for a test."""
    name, value = item
    return (name.startswith("test_") and inspect.isfunction(value)
            or name.startswith("Test") and inspect.isclass(value))


def _run_script(script):
    """The names that it leaves; it may end with sys.exit(0)."""
    sys.argv = [script]
    try:
        return script_file.run(script)
    except SystemExit as stop:
        if stop.code not in (None, 0):
            raise
        return {}


def _check(names, seen):
    """"equal" if golden functions say so, "" if there are none."""
    for one in operator_cases.collected:
        if one.outcomes is None:
            one.run_cases()
    outcomes = [outcome for one in operator_cases.collected for outcome in one.outcomes]
    found = [f"{name}: {wrong}" for name, wrong, _ in outcomes if wrong is not None]
    if found:
        raise operator_cases.Differs("; ".join(found))
    if any(is_compared for _, _, is_compared in outcomes):
        return "equal"
    function = _golden_of(names, seen)
    if function is None:
        return ""
    built, feeds, outputs = seen.last
    operator_cases.compare(outputs, function(*[feeds[one.name] for one in built.inputs]))
    return "equal"


def _golden_of(names, seen):
    """The one function whose name says that it is golden, if it takes what was fed."""
    if seen.last is None:
        return None
    found = [one for name, one in names.items() if GOLDEN.search(name) and inspect.isfunction(one)]
    needed = [one for one in inspect.signature(found[0]).parameters.values()
              if one.default is one.empty] if len(found) == 1 else None
    return found[0] if needed is not None and len(needed) == len(seen.last[0].inputs) else None


def _explain(mistake, script):
    """(result, reason) of what a script, or its golden function, ended with."""
    if isinstance(mistake, operator_cases.Differs):
        return "differs", str(mistake)
    if isinstance(mistake, KeyboardInterrupt):
        raise mistake
    told = error.last
    if told is not None and told[0] in str(mistake):
        text, file, line = told
        return "refused", f"{os.path.basename(file)}:{line}: {text}"
    if isinstance(mistake, SystemExit):
        return "failed", f"{EXITED}{mistake.code!r})"
    if isinstance(mistake, SyntaxError) and mistake.filename:
        old = " (Python 2)" if "Missing parentheses in call" in str(mistake) else ""
        return "failed", (f"{os.path.basename(mistake.filename)}:{mistake.lineno}: "
                          f"{type(mistake).__name__}: {mistake.msg}{old}")
    where = _line_of(mistake, script)
    kind = "refused" if isinstance(mistake, (ImportError, NotImplementedError)) else "failed"
    return kind, f"{where}{type(mistake).__name__}: {mistake}"


def _line_of(mistake, script):
    """Where in the script, or in what it imports from its folder."""
    inside = os.path.dirname(os.path.abspath(__file__)) + os.sep
    here = os.path.dirname(os.path.abspath(script)) + os.sep
    lines = [frame for frame in traceback.extract_tb(mistake.__traceback__)
             if not frame.filename.startswith("<")
             and os.path.abspath(frame.filename).startswith(here)
             and not os.path.abspath(frame.filename).startswith(inside)]
    return f"{os.path.basename(lines[-1].filename)}:{lines[-1].lineno}: " if lines else ""


def _main(script, report, soc, folder):
    if soc:
        chip.use(chip.named_by_user(soc))
    script_file.extend_path(script, folder)
    os.environ["PYTHONPATH"] = _search_path(folder)  # for what the script starts
    toolkit.install()
    row = run_one(script)
    with open(report, "w", encoding="utf-8") as file:
        json.dump(row, file)


if __name__ == "__main__":
    _main(*sys.argv[1:])
