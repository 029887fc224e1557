"""impl.common_util, by its newer name."""

from impl import common_util

globals().update({name: value for name, value in vars(common_util).items()
                  if not name.startswith("__") or name == "__getattr__"})
