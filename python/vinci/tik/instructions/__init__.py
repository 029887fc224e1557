"""The instructions of TIK by topic: mixins of Tik. Each emits `call` statements."""

from .arithmetic import Arithmetic
from .comparison import Comparison
from .conversion import Conversion
from .copying import Copying
from .cube import Cube
from .fixpipe import Fixpipe
from .gathering import Gathering
from .high_precision import HighPrecision
from .l0c import L0C
from .missing import Missing
from .move import Move
from .products import Products
from .reduction import Reduction
from .scalars import ScalarOperations
from .scatter import Scatter
from .sorting import Sorting
from .suppression import Suppression
from .system import System
from .transposition import Transposition
from .whole import Whole
from .whole_reduce import WholeReduce
from .whole_select import WholeSelect


class Instructions(Arithmetic, Comparison, Conversion, Copying, Cube, Fixpipe, Gathering,
                   HighPrecision, L0C, Missing, Move, Products, Reduction, ScalarOperations,
                   Scatter, Sorting, Suppression, System, Transposition, Whole, WholeReduce,
                   WholeSelect):
    """All of them; a topic's mixin is added to the list of bases here."""
