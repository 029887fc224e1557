"""A Slurm of its own on this host: munged, slurmctld and slurmd, started here and stopped here."""

import contextlib
import getpass
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "sinfo")
PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
SECONDS = 90  # until the node takes jobs


def missing():
    """The programs that are not installed."""
    return [name for name in PROGRAMS if shutil.which(name, path=PATH) is None]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def configuration(folder):
    host, user = socket.gethostname().partition(".")[0], getpass.getuser()
    return f"""
ClusterName=judge
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerParameters=sched_interval=2,batch_sched_delay=1
SelectType=select/cons_res
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=judge Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def wait_for_node(environment):
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        told = subprocess.run(["sinfo", "--noheader", "--format=%T"], env=environment, text=True,
                              capture_output=True, check=False)
        if told.stdout.strip() in ("idle", "mixed", "allocated"):
            return
        time.sleep(0.5)
    raise TimeoutError(f"no node after {SECONDS} s: {told.stdout}{told.stderr}")


@contextlib.contextmanager
def running():
    """The environment in which its commands work."""
    with tempfile.TemporaryDirectory(prefix="slurm-", dir="/tmp") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        (folder / "key").write_bytes(secrets.token_bytes(1024))
        (folder / "key").chmod(0o400)
        (folder / "slurm.conf").write_text(configuration(folder))
        for one in ("state", "spool"):
            (folder / one).mkdir()
        environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(folder / "slurm.conf")}
        daemons = [
            ["munged", "--foreground", "--force", f"--key-file={folder}/key",
             f"--socket={folder}/munge.socket", f"--pid-file={folder}/munge.pid",
             f"--log-file={folder}/munge.log", f"--seed-file={folder}/munge.seed"],
            ["slurmctld", "-D", "-c"], ["slurmd", "-D"]]
        started = []
        try:
            for words in daemons:
                started.append(subprocess.Popen(  # pylint: disable=consider-using-with
                    words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL))
                time.sleep(1)
            wait_for_node(environment)
            yield environment
        finally:
            for one in reversed(started):
                one.terminate()
                try:
                    one.wait(20)
                except subprocess.TimeoutExpired:
                    one.kill()
                    one.wait()
