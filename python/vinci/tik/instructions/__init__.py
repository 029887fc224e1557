"""The instructions of TIK by topic: mixins of Tik. Each emits `call` statements."""

from .arithmetic import Arithmetic
from .comparison import Comparison
from .conversion import Conversion
from .copying import Copying
from .gathering import Gathering
from .move import Move
from .reduction import Reduction
from .sorting import Sorting
from .transposition import Transposition


class Instructions(Arithmetic, Comparison, Conversion, Copying, Gathering, Move, Reduction, Sorting,
                   Transposition):
    """All of them; a topic's mixin is added to the list of bases here."""
