"""Arithmetic on shapes."""

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


def shape_refine(shape, *_arguments, **_named):
    """The shape without dimensions of 1; (1,) if nothing is left."""
    return [number for number in shape if number != 1] or [1]


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
