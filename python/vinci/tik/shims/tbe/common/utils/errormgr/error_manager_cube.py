"""raise_err_* of matrix operators: as those of vector operators."""

from .error_manager_vector import __getattr__  # noqa: F401
