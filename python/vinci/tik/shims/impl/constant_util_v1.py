"""impl.constant_util, by its newer name."""

from impl import constant_util

globals().update({name: value for name, value in vars(constant_util).items()
                  if not name.startswith("__") or name == "__getattr__"})
