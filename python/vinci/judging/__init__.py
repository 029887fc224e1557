"""Judges kernels that nobody trusts: docs/guide/judge.md.

    for verdict in vinci.judge(tasks):
        print(verdict["id"], verdict["verdict"])
"""

from .batches import judge, merge
from .tasks import TaskError

__all__ = ["TaskError", "judge", "merge"]
