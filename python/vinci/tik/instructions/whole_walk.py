"""How the h_ methods go over whole Tensors: views become runs of elements that follow each other,
runs become repeats of at most 255 with a tail. Sizes may be known at run time only."""

import itertools

from ..error import fail
from ..expr import constant_of, json_of
from ..memory import align_up
from ..operands import VECTOR_BYTES, check_tensor
from ..scope import BLOCK_BYTES, scope_gm, scope_ubuf, size_of
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
        if not all(equal(stride, 1) for stride in strides):
            self._check_apart(api, views, strides)
            self.length, self.loops = 1, [*loops, (self.length, strides)]
            return
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

    @staticmethod
    def _check_apart(api, views, strides):
        """Runs of one element: a column, each of whose elements in UB starts a block."""
        for (name, tensor), stride in zip(views.items(), strides):
            number = constant_of(stride)
            in_blocks = number is not None and number * size_of(tensor.dtype) % BLOCK_BYTES == 0
            if tensor.scope != scope_gm and not in_blocks:
                fail(f"{api}: the last dimension of {name} should be contiguous, but its elements "
                     f"are {number} apart")

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
    """The first view is where another one is, or shares no bytes with it; `apart_only`: the
    latter."""
    (name, dst), *others = views.items()
    spans = _spans(dst)
    for other_name, other in others:
        other_spans = _spans(other) if other.buffer is dst.buffer else None
        if None in (spans, other_spans) or spans == other_spans and not apart_only:
            continue
        if _meet(spans, other_spans):
            fail(f"{api} {name} and {other_name} address overlapping error. They should "
                 f"{'' if apart_only else 'be the same elements, or '}not overlap at all")


def _spans(tensor):
    """[(first byte, behind the last one)] of a view in its buffer, in order; None if not known."""
    dims, size = dimensions(tensor), size_of(tensor.dtype)
    if not all(isinstance(number, int) for number in (tensor.offset, *itertools.chain(*dims))):
        return None
    length = 1
    while dims and dims[-1][1] == length:
        length *= dims.pop()[0]
    rows = itertools.product(*(range(0, dim * stride, stride) for dim, stride in dims))
    first = sorted(size * (tensor.offset + sum(row)) for row in rows)
    return [(start, start + length * size) for start in first]


def _meet(spans, others):
    """Whether two lists of spans share a byte. Spans of one list are apart, so that sorted by their
    start only neighbours can meet."""
    both = sorted(spans + others)
    return any(one[1] > next_one[0] for one, next_one in zip(both, both[1:]))


def own_last_block(tensor):
    """A Tensor owns its last block of UB to the end, so that it may be written whole."""
    if isinstance(tensor.buffer.bytes, int):
        tensor.buffer.bytes = align_up(tensor.buffer.bytes, BLOCK_BYTES)


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
