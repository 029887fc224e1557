"""The text of an error from its description."""

from vinci.tik.absent import make_getattr


def get_error_message(description):
    """The values of a description {"errCode": ..., "param_name": ...} as one line."""
    return ", ".join(f"{key}: {value}" for key, value in description.items())


def raise_runtime_error(description):
    """RuntimeError with the description and its text."""
    raise RuntimeError(description, get_error_message(description))


__getattr__ = make_getattr(__name__)
