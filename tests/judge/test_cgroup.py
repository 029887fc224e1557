"""The judge in a group of processes of the host's that it may divide: those that launch have limits."""

import json
import os
import pathlib
import subprocess

import pytest

import attacks
import harness


def own_group():
    """The folder of this process's group, or why there is none."""
    points = [line.split()[4] for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines()
              if " - cgroup2 " in line]
    own = [line[3:] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines()
           if line.startswith("0::")]
    if not points or not own:
        return None, "no cgroup2 is mounted"
    folder = pathlib.Path(points[0] + own[0])
    given = folder / "cgroup.subtree_control"
    if not os.access(folder, os.W_OK) or not given.is_file():
        return None, f"{folder} is not to be written"
    if not {"memory", "pids"} <= set(given.read_text().split()):
        return None, f"groups below {folder} have no limits of memory and processes"
    return folder, ""


@pytest.mark.skipif(harness.sanitizers() != [], reason="a sanitizer asks the system for much itself")
@pytest.mark.skipif(own_group()[0] is None, reason=own_group()[1])
def test_what_launches_is_limited(tmp_path):
    scope = own_group()[0] / f"test-{os.getpid()}"
    scope.mkdir()
    (tmp_path / "k.py").write_text("""
import pathlib
from vinci.judging import elsewhere

def add(x, y):
    process = elsewhere.known()["judged"].process.pid
    group = pathlib.Path(f"/proc/{process}/cgroup").read_text().split("0::")[1].strip()
    pathlib.Path("group").write_text(group)
    return x + y
""")
    (tmp_path / "tasks.jsonl").write_text(json.dumps({**attacks.task(0), "reference": "k.py:add"}))
    try:
        done = subprocess.run(
            ["sh", "-c", f"echo $$ > {scope}/cgroup.procs; exec {harness.VINCI} judge tasks.jsonl"],
            cwd=tmp_path, env={**os.environ, "VINCI_CACHE": str(harness.CACHE)}, text=True,
            capture_output=True, check=True)
        assert json.loads(done.stdout)["verdict"] == "right"
        group = scope / pathlib.Path((tmp_path / "group").read_text()).name
        assert group.name.startswith("vinci-")
        assert (group / "memory.max").read_text().strip() == str(16 << 30)
        assert (group / "pids.max").read_text().strip() == "4096"
    finally:
        for folder in [*scope.glob("vinci-*"), scope]:
            folder.rmdir()
