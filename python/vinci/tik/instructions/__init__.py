"""The instructions of TIK by topic: mixins of Tik. Each emits `call` statements."""

from .arithmetic import Arithmetic
from .conversion import Conversion
from .move import Move


class Instructions(Arithmetic, Conversion, Move):
    """All of them; a topic's mixin is added to the list of bases here."""
