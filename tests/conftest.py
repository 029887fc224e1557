"""Lets the tests import harness.py, and the examples' reference.py, from any folder; says which file
is done."""

import collections
import pathlib
import sys
import time

import pytest

TESTS = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "examples")]


class Progress:
    """A line for each file of tests when the last of them has run, instead of a dot for each."""

    def __init__(self, config):
        self.config = config
        self.files = {}  # what is left of each file
        self.total = 0
        self.outcomes = collections.defaultdict(collections.Counter)
        self.seconds = collections.Counter()
        self.start = time.monotonic()

    def collected(self, names):
        """Counts the tests of each file."""
        self.files = {name.split("::")[0]: set() for name in names}
        for name in names:
            self.files[name.split("::")[0]].add(name)
        self.total = len(names)

    def pytest_collection_finish(self, session):
        """Without processes that share the work."""
        self.collected([item.nodeid for item in session.items])

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node, ids):  # pylint: disable=unused-argument
        """With them: each has collected the same."""
        if not self.files:
            self.collected(ids)

    def pytest_report_teststatus(self, report):
        """No letter for what passes."""
        return ("passed", "", "PASSED") if report.passed and report.when == "call" else None

    def pytest_runtest_logreport(self, report):
        """A test is over after its teardown."""
        file = report.nodeid.split("::")[0]
        self.seconds[file] += report.duration
        if report.when == "call" or not report.passed:
            self.outcomes[file][report.outcome] += 1
        if report.when != "teardown" or report.nodeid not in self.files.get(file, ()):
            return
        self.files[file].discard(report.nodeid)
        if self.files[file]:
            return
        done = self.total - sum(map(len, self.files.values()))
        said = ", ".join(f"{count} {outcome}" for outcome, count in self.outcomes[file].items())
        minutes, seconds = divmod(int(time.monotonic() - self.start), 60)
        reporter = self.config.pluginmanager.getplugin("terminalreporter")
        reporter.ensure_newline()
        reporter.write_line(f"{minutes:2}:{seconds:02} {done * 100 // self.total:3} %  {file}: "
                            f"{said} in {self.seconds[file]:.1f} s")


def pytest_configure(config):
    """Only where something is shown, and only if it is not asked for more or less."""
    if not hasattr(config, "workerinput") and config.option.verbose <= 0:
        config.pluginmanager.register(Progress(config), "progress")


# What an instruction does is the same on these chips as on the two that most kernels are for, but for
# what the tests of rules, types and chips are about; their random cases are for CI, the rest of their
# tests for `make check-all`.
LESSER_CHIPS = {"1000", "1001", "2002v", "3002"}
OF_EACH_CHIP = ("rule", "type", "chip", "lack")


def add_markers(item):
    """A test of an instruction need not run on each chip each time."""
    chips = LESSER_CHIPS & {str(value) for value in item.callspec.params.values()}
    if not chips or any(word in item.originalname for word in OF_EACH_CHIP):
        return
    item.add_marker(pytest.mark.whole)
    if "random" not in item.originalname:
        item.add_marker(pytest.mark.sweep)


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(config, items):
    """Marks what is for CI and for `make check-all`. What random cases reach (tests named ..._reach_...) is asked
    only where all of them run."""
    from harness import MORE  # pylint: disable=import-outside-toplevel
    for item in items:
        if item.path.parent.name == "isa" and hasattr(item, "callspec"):
            add_markers(item)
    few = [item for item in items if MORE < 1 and "_reach_" in item.originalname]
    if few:
        config.hook.pytest_deselected(items=few)
        items[:] = [item for item in items if item not in few]
