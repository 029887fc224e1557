"""What the toolkit's own operators import; folders named impl on sys.path belong to it too."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
