"""A process that has numpy and vinci loaded and runs `python3 -m vinci.tik` in forks of itself, as
loading takes longer than most scripts. A request is a line of JSON from the first file descriptor
that is named, its answer the exit code to the second."""

import json
import os
import sys

import numpy  # noqa: F401
from vinci.tik import __main__ as command


def requests_of(source, answers):
    """Serves; returns a request in a process of its own."""
    with open(source, encoding="utf-8") as lines:
        for line in lines:
            child = os.fork()
            if child == 0:
                return json.loads(line)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            os.write(answers, f"{code}\n".encode())
    sys.exit(0)


request = requests_of(*map(int, sys.argv[1:]))
os.chdir(request["folder"])
os.environ.update(request["environment"])
for number, (name, how) in enumerate((("stdin", os.O_RDONLY), ("stdout", os.O_WRONLY),
                                      ("stderr", os.O_WRONLY))):
    os.dup2(os.open(request[name], how), number)
sys.path[0] = request["folder"]
sys.exit(command.main(request["arguments"]))
