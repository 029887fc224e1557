"""What the toolkit's own operators import; folders named impl/util on sys.path belong to it too, and
their files come first, but for the way to TIK itself."""

from pkgutil import extend_path

from . import platform_adapter  # noqa: F401  this one, before the others are looked at

_mine, *_others = extend_path(__path__, __name__)
__path__ = [*_others, _mine]
