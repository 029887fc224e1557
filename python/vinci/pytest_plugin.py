"""A fixture for tests of kernels: `vinci` is the module, and finds files beside the test's own."""

import pathlib
import types

import pytest

import vinci as package


@pytest.fixture(name="vinci")
def fixture_vinci(request):
    """vinci, whose kernel() takes files from the folder of the test."""
    def kernel(file, *arguments, **more):
        return package.kernel(pathlib.Path(request.path).parent / file, *arguments, **more)

    names = {name: getattr(package, name) for name in package.__all__}
    return types.SimpleNamespace(**{**names, "kernel": kernel})
