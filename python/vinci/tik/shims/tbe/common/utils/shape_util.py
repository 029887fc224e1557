"""Arithmetic on shapes."""

import itertools
import math

from vinci.tik.absent import make_getattr


def get_shape_size(shape):
    """How many elements."""
    return math.prod(shape)


def scalar2tensor_one(shape):
    """(1,) for the empty shape of a scalar; any other as it is."""
    return shape if isinstance(shape, (list, tuple)) and shape else (1,)


def broadcast_shapes(shape1, shape2, op_name="", param_name_input1="", param_name_input2=""):
    """Both shapes at equal rank, and the shape that they broadcast to."""
    rank = max(len(shape1), len(shape2))
    first = [1] * (rank - len(shape1)) + list(shape1)
    second = [1] * (rank - len(shape2)) + list(shape2)
    result = []
    for one, other in zip(first, second):
        if one != other and 1 not in (one, other):
            names = " and ".join(filter(None, (param_name_input1, param_name_input2)))
            raise RuntimeError(f"{op_name or 'broadcast'}: {names or 'shapes'} {tuple(shape1)} and "
                               f"{tuple(shape2)} do not broadcast")
        result.append(other if one == 1 else one)
    return first, second, result


produce_shapes = broadcast_shapes


def squeeze_shape(shape):
    """The shape without dimensions of 1."""
    return [number for number in shape if number != 1]


def refine_shapes_for_broadcast(shape1, shape2):
    """Both shapes at equal rank, with what neighbouring axes have in common made one axis: that
    neither broadcasts there, or the same one does."""
    pairs = [(one, other) for one, other in zip(*broadcast_shapes(shape1, shape2)[:2])
             if (one, other) != (1, 1)]
    fused = [[math.prod(numbers) for numbers in zip(*run)]
             for _, run in itertools.groupby(pairs, key=lambda pair: (pair[0] == 1, pair[1] == 1))]
    first, second = zip(*fused) if fused else ((1,), (1,))
    return first, second


def refine_shape_axes(shape, axes):
    """The shape with neighbouring axes fused that are all reduced or all kept, and which of them
    are reduced."""
    reduced = wrap_axes_to_positive(axes, len(shape))
    runs = [(key, math.prod(shape[axis] for axis in run)) for key, run in itertools.groupby(
        range(len(shape)), key=lambda axis: axis in reduced)]
    return (tuple(number for _, number in runs),
            tuple(axis for axis, (key, _) in enumerate(runs) if key))


def simplify_axis_shape(shape, axis):
    """As refine_shape_axes, with a list of axes."""
    fused, axes = refine_shape_axes(shape, axis)
    return fused, list(axes)


def shape_refine(shape, reduce_axis=None, keep_dims=True):  # pylint: disable=unused-argument
    """The shape without dimensions of 1, [1] if nothing is left; with axes, the pair of it and
    where those that are left of them are now."""
    kept = [axis for axis, number in enumerate(shape) if number != 1]
    refined = [shape[axis] for axis in kept] or [1]
    if reduce_axis is None:
        return refined
    reduced = wrap_axes_to_positive(reduce_axis, len(shape))
    return refined, [place for place, axis in enumerate(kept) if axis in reduced]


def refine_axis(axis, shape):
    """Axes without negative numbers, and without those of one element."""
    return [one for one in wrap_axes_to_positive(axis, len(shape)) if shape[one] != 1]


def check_reduce_need_refine(shape, reduce_axis, keep_dims):  # pylint: disable=unused-argument
    """Whether no axis that is reduced has only one element."""
    return all(shape[axis] != 1 for axis in wrap_axes_to_positive(reduce_axis, len(shape)))


def axis_transform_5d(axis, data_format):
    """The axis of NC1HWC0 (C1 for C) that is an axis of NCHW or NHWC; a negative one stays one."""
    if data_format not in ("NCHW", "NHWC"):
        return axis
    return "NCHW".index(data_format[axis]) - (5 if axis < 0 else 0)


def axis_check(shape_len, axis):
    """Axes as a sorted list without negative numbers."""
    axes = sorted({one + shape_len if one < 0 else one
                   for one in ([axis] if isinstance(axis, int) else axis)})
    if axes and not 0 <= axes[0] <= axes[-1] < shape_len:
        raise RuntimeError(f"axis {axis}, legal: {-shape_len}..{shape_len - 1}")
    return axes


def wrap_axes_to_positive(axes, rank):
    """Axes as a list without negative numbers, in their order."""
    found = [axes] if isinstance(axes, int) else list(axes)
    if any(not -rank <= one < rank for one in found):
        raise RuntimeError(f"axes {axes}, legal: {-rank}..{rank - 1}")
    return [one % rank for one in found]


def shape_to_list(shape):
    """The dimensions as a list."""
    return list(shape)


def compare_tensor_dict_key(dict1, dict2, dict_key):
    """Both descriptions of a tensor have the same under this key."""
    for one in (dict1, dict2):
        if dict_key not in one:
            raise RuntimeError(f"there is no {dict_key} in {one}")
    first, second = dict1[dict_key], dict2[dict_key]
    if (list(first) if isinstance(first, tuple) else first) != (
            list(second) if isinstance(second, tuple) else second):
        raise RuntimeError(f"{dict_key}: {first} and {second} differ")


__getattr__ = make_getattr(__name__)
