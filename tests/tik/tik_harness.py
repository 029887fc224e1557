"""Runs TIK scripts as a user does: `python3 -m vinci.tik script.py`, in a folder of their own."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Where the build puts the engine, beside links to the sources.
BUILD = pathlib.Path(os.environ.get("VINCI", str(ROOT / "build/bin/vinci"))).resolve().parent.parent
PATHS = [str(BUILD / "python")]


def environment(**more):
    """The environment of a script: vinci is found, no chip is chosen."""
    kept = {key: value for key, value in os.environ.items()
            if key not in ("VINCI_SOC", "VINCI_TIK_STRICT", "VINCI_TIK_DEQ_IN_FLOAT32",
                           "CONTEXT_MODELCOMPILING")}
    return {**kept, "PYTHONPATH": os.pathsep.join(PATHS), "PYTHONDONTWRITEBYTECODE": "1", **more}


def run_script(folder, text, *arguments, options=(), env=None, stdin="", name="script.py"):
    """Writes a script into a folder and runs it there; the CompletedProcess."""
    (pathlib.Path(folder) / name).write_text(text)
    return subprocess.run([sys.executable, "-m", "vinci.tik", *options, name, *arguments],
                          cwd=folder, env=environment(**(env or {})), input=stdin, timeout=120,
                          capture_output=True, text=True, check=False)


def guide():
    """The script of docs/guide/tik.md."""
    text = (ROOT / "docs/guide/tik.md").read_text()
    block = text[text.index("    import numpy"):text.index("Saved as add.py")]
    return "\n".join(line[4:] for line in block.splitlines()) + "\n"
