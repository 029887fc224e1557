"""Many cases of one operator or kernel, with progress: docs/guide/operators.md."""

import sys
import time

SECONDS = 2  # between two lines where they cannot be written over


class Progress:
    """How far a sweep is, on stderr: one line that changes on a terminal, else one now and then."""

    def __init__(self, total, stream):
        self.total, self.stream, self.begin = total, stream, time.monotonic()
        self.is_terminal = stream is not None and stream.isatty()
        self.said = self.begin

    def tell(self, done, wrong, case):
        """After each case; of the last one always."""
        now = time.monotonic()
        wait = 0.1 if self.is_terminal else SECONDS
        if self.stream is None or (done < self.total and now - self.said < wait):
            return
        self.said = now
        left = (now - self.begin) / done * (self.total - done)
        text = (f"{done} of {self.total}, {wrong} wrong, {now - self.begin:.0f} s"
                + (f", {left:.0f} s left, at {case}" if done < self.total else ""))
        end = "\n" if not self.is_terminal or done == self.total else ""
        self.stream.write(("\r\033[K" if self.is_terminal else "") + text + end)
        self.stream.flush()


def sweep(test, cases):
    """Calls test(*case) for each of `cases`, tuples or single values, and tells on stderr how far
    it is. The cases that raised, with their exceptions: [(case, exception), ...].

    A mistake of one case does not end the others; KeyboardInterrupt does.
    """
    cases = list(cases)
    progress = Progress(len(cases), sys.stderr)
    wrong = []
    for number, case in enumerate(cases):
        try:
            test(*(case if isinstance(case, tuple) else (case,)))
        except Exception as error:  # pylint: disable=broad-except
            wrong.append((case, error))
        progress.tell(number + 1, len(wrong), case)
    return wrong
