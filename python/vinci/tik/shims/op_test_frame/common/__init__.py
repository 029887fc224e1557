"""What cases say besides their parameters."""

from . import precision_info  # noqa: F401
