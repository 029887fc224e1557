"""How the h_ methods go over whole Tensors: views become runs of elements that follow each other,
runs become repeats of at most 255 with a tail. Sizes may be known at run time only."""

from ..error import fail
from ..expr import constant_of, json_of
from ..operands import VECTOR_BYTES, check_tensor
from ..scope import BLOCK_BYTES, scope_ubuf, size_of
from ..shape import plus, product, times

REPEATS_MOST = 255


def equal(a, b):
    """Whether two numbers or Exprs are surely the same."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return json_of(a) == json_of(b)


def dimensions(tensor):
    """[(length, stride)] of a view, without those of length 1."""
    pairs = zip(tensor.shape, tensor.strides)
    return [(dim, stride) for dim, stride in pairs if not equal(dim, 1)]


def is_contiguous(tensor):
    expected = 1
    for dim, stride in reversed(dimensions(tensor)):
        if not equal(stride, expected):
            return False
        expected = times(dim, expected)
    return True


class Runs:
    """Views of one shape as loops over runs: `length` elements each, `loops` around them, outermost
    first, as (length, stride of each view)."""

    def __init__(self, api, views):
        """`views`: {name: Tensor}."""
        self._tensors = list(views.values())
        if all(map(is_contiguous, self._tensors)):
            self.length = self._one_size(api, views)
            self.loops = []
            return
        self._check_shapes(api, views)
        loops = [(dims[0][0], [stride for _, stride in dims])
                 for dims in zip(*map(dimensions, self._tensors))]
        self.length, strides = loops.pop()
        for name, stride in zip(views, strides):
            if not equal(stride, 1):
                fail(f"{api}: the last dimension of {name} should be contiguous, but its elements "
                     f"are {constant_of(stride)} apart")
        while loops and all(equal(stride, self.length) for stride in loops[-1][1]):
            self.length = times(self.length, loops.pop()[0])
        self.loops = loops

    @staticmethod
    def _one_size(api, views):
        (first, one), *others = views.items()
        size = product(one.shape)
        for name, other in others:
            other_size = product(other.shape)
            if isinstance(size, int) and isinstance(other_size, int) and size != other_size:
                fail(f"{api}: {first} and {name} should have as many elements, input is {size} and "
                     f"{other_size}")
        return size

    @staticmethod
    def _check_shapes(api, views):
        (first, one), *others = views.items()
        lengths = [length for length, _ in dimensions(one)]
        for name, other in others:
            other_lengths = [length for length, _ in dimensions(other)]
            if len(lengths) != len(other_lengths) or not all(map(equal, lengths, other_lengths)):
                fail(f"{api}: {first} and {name} should have the same shape, as they are not all "
                     f"contiguous; input is {one.shape} and {other.shape}")

    def each(self, tik, body, views=None, loops=None):
        """body(views...) where each run starts."""
        views = self._tensors if views is None else views
        loops = self.loops if loops is None else loops
        if not loops:
            body(*views)
            return
        length, strides = loops[0]
        with tik.for_range(0, length, name="h_run") as i:
            self.each(tik, body, [view.shifted(times(i, stride))
                                  for view, stride in zip(views, strides)], loops[1:])


def check_views(api, views, scopes=(scope_ubuf,), align=BLOCK_BYTES):
    """Tensors of these memories, whose rows start at blocks of 32 bytes as far as that is known.
    `views`: {name: Tensor}."""
    for name, tensor in views.items():
        check_tensor(tensor, name, scopes, align)
        if is_contiguous(tensor):
            continue
        for _, stride in dimensions(tensor)[:-1]:
            number = constant_of(stride)
            if number is not None and number * size_of(tensor.dtype) % align:
                fail(f"{api}: rows of {name} should start at multiples of {align} bytes, but they "
                     f"are {number} elements of {tensor.dtype} apart")


def check_same_or_apart(api, views, apart_only=False):
    """The first view is where another one is, or shares no elements with it; `apart_only`: the
    latter."""
    (name, dst), *others = views.items()
    reach = _reach(dst)
    for other_name, other in others:
        other_reach = _reach(other)
        if other.buffer is not dst.buffer or None in (reach, other_reach):
            continue
        if reach == other_reach and not apart_only:
            continue
        if reach[0] < other_reach[1] and other_reach[0] < reach[1]:
            fail(f"{api} {name} and {other_name} address overlapping error. They should "
                 f"{'' if apart_only else 'be the same elements, or '}not overlap at all")


def _reach(tensor):
    """(first byte, behind the last one) of a view in its buffer; None if not known."""
    numbers = [tensor.offset] + [x for pair in dimensions(tensor) for x in pair]
    if not all(isinstance(number, int) for number in numbers):
        return None
    last = tensor.offset + sum((dim - 1) * stride for dim, stride in dimensions(tensor))
    return tensor.offset * size_of(tensor.dtype), (last + 1) * size_of(tensor.dtype)


def lanes_of(*dtypes):
    """Elements of a full repeat: the widest type decides."""
    return VECTOR_BYTES // max(map(size_of, dtypes))


def in_repeats(tik, elements, lanes, emit):
    """emit(first element, repeats, lanes enabled) for so many elements that follow each other."""
    at_once = REPEATS_MOST * lanes
    whole, left = divided_by(elements, at_once)
    repeats, tail = divided_by(left, lanes)
    if isinstance(whole, int) and whole == 1:
        emit(0, REPEATS_MOST, lanes)
    elif not (isinstance(whole, int) and whole == 0):
        with tik.for_range(0, whole, name="h_part") as i:
            emit(times(i, at_once), REPEATS_MOST, lanes)
    with tik.if_scope(repeats > 0):
        emit(times(whole, at_once), repeats, lanes)
    with tik.if_scope(tail > 0):
        emit(plus(times(whole, at_once), times(repeats, lanes)), 1, tail)


def divided_by(number, by):
    """(quotient, remainder)"""
    return number // by, number % by
