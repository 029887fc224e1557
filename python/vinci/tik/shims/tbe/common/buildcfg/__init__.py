"""Build options: kept, and without effect on what a kernel computes."""

import contextlib

from vinci.tik.absent import make_getattr

_options = {}


@contextlib.contextmanager
def build_config(**options):
    """`with build_config(name=value):`; get_current_build_config sees the values inside."""
    before = dict(_options)
    _options.update(options)
    try:
        yield dict(_options)
    finally:
        _options.clear()
        _options.update(before)


def get_current_build_config(key):
    """An option's value, or None."""
    return _options.get(key)


def set_current_build_config(key, value):
    """Sets an option from here on."""
    _options[key] = value


__getattr__ = make_getattr(__name__)
