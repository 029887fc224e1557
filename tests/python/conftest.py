"""Lets the tests import vinci from the build, from any folder; compiled kernels are those of the
other tests."""

import pathlib
import sys

import pytest

import python_kit

sys.path[:0] = [python_kit.PACKAGES]


def pytest_configure():
    """Before a kernel is compiled."""
    python_kit.use_cache()


def pytest_collection_modifyitems(items):
    """What vinci warns of is expected, or the test fails: pytest's workers could not pass on a warning
    of a class that they alone can import."""
    here = pathlib.Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("error:warning.V"))


@pytest.fixture(scope="module", autouse=True)
def fixture_by_command(request, tmp_path_factory):
    """What tests of packages call from Python, the command does as well."""
    if not request.module.__name__.startswith(("test_packages", "test_python_operators")):
        yield
        return
    import by_command  # pylint: disable=import-outside-toplevel
    both = by_command.ByCommand(tmp_path_factory.mktemp("by_command"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_command.vinci, "op", both.make)
        patch.setattr(by_command.operators.Operator, "__call__",
                      lambda operator, *inputs, **named: both(operator, *inputs, **named))
        yield
