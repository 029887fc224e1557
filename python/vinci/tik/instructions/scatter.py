"""The scatter_v* family: element-wise calls whose datablocks lie where lists of Tensors say.
Rules: docs/spec/tik_arithmetic.md."""

from ..error import fail
from ..scope import size_of
from ..tensor import Tensor
from .elementwise import named

BLOCK_BYTES = 32
MOST_BLOCKS = 8  # of a repeat
LANES = 128

ONE_SOURCE = ("abs", "exp", "relu", "rec", "ln", "sqrt", "rsqrt")
TWO_SOURCES = ("add", "sub", "mul", "div", "max", "min")
WITH_SCALAR = ("adds", "muls", "axpy")


def _check_list(name, tensors, blocks):
    if not isinstance(tensors, (list, tuple)) or not all(isinstance(t, Tensor) for t in tensors):
        fail(f"{name} should be a list or tuple of tensors, input is {tensors!r}", TypeError)
    if len(tensors) != blocks or not 1 <= blocks <= MOST_BLOCKS:
        fail(f"{name} should have as many tensors as dst_list, 1 to {MOST_BLOCKS}, input is "
             f"{len(tensors)}")


def _bits_of(mask):
    """The lanes as bits; only numbers can be cut into datablocks."""
    if isinstance(mask, int) and not isinstance(mask, bool) and 1 <= mask <= LANES:
        return (1 << mask) - 1
    if isinstance(mask, (list, tuple)) and len(mask) == 2 and \
            all(isinstance(word, int) and 0 <= word < 1 << 64 for word in mask) and any(mask):
        return mask[0] << 64 | mask[1]
    return fail(f"mask should be 1 to {LANES} lanes or [high, low] of numbers, input is {mask!r}",
                TypeError)


def _scatter(tik, api, mask, lists, scalar, repeat_times, strides):
    """`lists`: dst_list first; as many repeat strides. Datablock after datablock."""
    if not tik.program.live:
        return
    blocks = len(lists[0]) if isinstance(lists[0], (list, tuple)) else 0
    for number, tensors in enumerate(lists):
        name = "dst_list" if number == 0 else "src_list" if len(lists) == 2 else f"src{number - 1}_list"
        _check_list(name, tensors, blocks)
    lanes = BLOCK_BYTES // size_of(lists[0][0].dtype)
    bits = _bits_of(mask)
    if bits >> lanes * blocks:
        fail(f"mask enables lane {bits.bit_length() - 1}, and dst_list has {blocks} datablocks of "
             f"{lanes}")
    for block, operands in enumerate(zip(*lists)):
        enabled = bits >> lanes * block & (1 << lanes) - 1
        if enabled:
            getattr(tik, "v" + api)([0, enabled], *operands, *scalar, repeat_times,
                                    *[1] * len(lists), *strides)


def _one_source(name):
    def method(self, mask, dst_list, src_list, repeat_times, dst_rep_stride, src_rep_stride):
        _scatter(self, name, mask, (dst_list, src_list), (), repeat_times,
                 (dst_rep_stride, src_rep_stride))

    return method


def _two_sources(name):
    def method(self, mask, dst_list, src0_list, src1_list, repeat_times, dst_rep_stride,
               src0_rep_stride, src1_rep_stride):
        _scatter(self, name, mask, (dst_list, src0_list, src1_list), (), repeat_times,
                 (dst_rep_stride, src0_rep_stride, src1_rep_stride))

    return method


def _with_scalar(name):
    def method(self, mask, dst_list, src_list, scalar, repeat_times, dst_rep_stride,
               src_rep_stride):
        _scatter(self, name, mask, (dst_list, src_list), (scalar,), repeat_times,
                 (dst_rep_stride, src_rep_stride))

    return method


METHODS = {f"scatter_v{name}": named(make(name), f"scatter_v{name}",
                                     f"v{name}, datablock j of each list where its Tensor j begins.")
           for names, make in ((ONE_SOURCE, _one_source), (TWO_SOURCES, _two_sources),
                               (WITH_SCALAR, _with_scalar)) for name in names}

Scatter = type("Scatter", (), {"__doc__": "Mixin of Tik.", **METHODS})
