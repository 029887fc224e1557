"""Functions that raise an operator's error."""

from . import error_manager_cube, error_manager_util, error_manager_vector  # noqa: F401
