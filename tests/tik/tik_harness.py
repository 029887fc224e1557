"""Runs TIK scripts as a user does: `python3 -m vinci.tik script.py`, in a folder of their own."""

import functools
import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Where the build puts the engine, beside links to the sources.
BUILD = pathlib.Path(os.environ.get("VINCI", str(ROOT / "build/bin/vinci"))).resolve().parent.parent
PATHS = [str(BUILD / "python")]


def environment(**more):
    """The environment of a script: vinci is found, no chip is chosen."""
    kept = {key: value for key, value in os.environ.items()
            if key not in ("VINCI_SOC", "VINCI_CHECK", "VINCI_TIK_STRICT", "VINCI_TIK_DEQ_IN_FLOAT32",
                           "CONTEXT_MODELCOMPILING")}
    return {**kept, "PYTHONPATH": os.pathsep.join(PATHS), "PYTHONDONTWRITEBYTECODE": "1", **more}


class _Server:
    """script_server.py, started when it is first needed."""

    def __init__(self):
        here = pathlib.Path(__file__).resolve().parent
        theirs, self.requests = os.pipe()
        self.answers, back = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, here / "script_server.py", str(theirs), str(back)], env=environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=(theirs, back))
        os.close(theirs)
        os.close(back)

    def run(self, **request):
        """The exit code; the process is started anew after one that does not end."""
        os.write(self.requests, json.dumps(request).encode() + b"\n")
        if not select.select([self.answers], [], [], 120)[0]:
            self.process.kill()
            _server.cache_clear()
            raise subprocess.TimeoutExpired("vinci.tik", 120)
        return int(os.read(self.answers, 100))


_server = functools.cache(_Server)


def run_tik(folder, arguments, env=None, stdin=""):
    """python3 -m vinci.tik in this folder: the CompletedProcess."""
    with tempfile.TemporaryDirectory() as scratch:
        files = {name: pathlib.Path(scratch) / name for name in ("stdin", "stdout", "stderr")}
        for name, path in files.items():
            path.write_text(stdin if name == "stdin" else "")
        code = _server().run(folder=str(folder), arguments=[str(one) for one in arguments],
                             environment=env or {},
                             **{name: str(path) for name, path in files.items()})
        return subprocess.CompletedProcess(arguments, code, files["stdout"].read_text(),
                                           files["stderr"].read_text())


def run_script(folder, text, *arguments, options=(), env=None, stdin="", name="script.py"):
    """Writes a script into a folder and runs it there; the CompletedProcess."""
    (pathlib.Path(folder) / name).write_text(text)
    return run_tik(folder, [*options, name, *arguments], env, stdin)


def start_script(folder, text):
    """The same in a new process of Python's own."""
    (pathlib.Path(folder) / "script.py").write_text(text)
    return subprocess.run([sys.executable, "-m", "vinci.tik", "script.py"], cwd=folder,
                          env=environment(), timeout=120, capture_output=True, text=True,
                          check=False)


def guide():
    """The script of docs/guide/tik.md."""
    text = (ROOT / "docs/guide/tik.md").read_text()
    block = text[text.index("    import numpy"):text.index("Saved as add.py")]
    return "\n".join(line[4:] for line in block.splitlines()) + "\n"
