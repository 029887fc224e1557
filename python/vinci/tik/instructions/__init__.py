"""The instructions of TIK by topic: mixins of Tik. Each emits `call` statements."""

from .arithmetic import Arithmetic
from .comparison import Comparison
from .conversion import Conversion
from .copying import Copying
from .cube import Cube
from .fixpipe import Fixpipe
from .gathering import Gathering
from .l0c import L0C
from .move import Move
from .products import Products
from .reduction import Reduction
from .sorting import Sorting
from .transposition import Transposition


class Instructions(Arithmetic, Comparison, Conversion, Copying, Cube, Fixpipe, Gathering, L0C, Move,
                   Products, Reduction, Sorting, Transposition):
    """All of them; a topic's mixin is added to the list of bases here."""
