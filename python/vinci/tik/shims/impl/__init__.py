"""What the toolkit's own operators import; folders named impl on sys.path belong to it too, and their
files come first: a project that has its own common_util was written for that one."""

from pkgutil import extend_path

_mine, *_others = extend_path(__path__, __name__)
__path__ = [*_others, _mine]
