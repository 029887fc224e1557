"""The instructions of TIK by topic: mixins of Tik. Each emits `call` statements."""

from .arithmetic import Arithmetic
from .conversion import Conversion
from .gathering import Gathering
from .high_precision import HighPrecision
from .move import Move
from .reduction import Reduction
from .scalars import ScalarOperations
from .sorting import Sorting
from .system import System
from .transposition import Transposition
from .whole import Whole
from .whole_reduce import WholeReduce
from .whole_select import WholeSelect


class Instructions(Arithmetic, Conversion, Gathering, HighPrecision, Move, Reduction,
                   ScalarOperations, Sorting, System, Transposition, Whole, WholeReduce,
                   WholeSelect):
    """All of them; a topic's mixin is added to the list of bases here."""
