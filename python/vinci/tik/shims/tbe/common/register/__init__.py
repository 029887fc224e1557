"""Registration of operators: the decorators return the function as it is.

get_operator gives back what was registered, for programs that look an operator up by its type.
"""

from vinci.tik.absent import make_getattr, pass_through

_operators = {}


def register_operator(op_type=None, pattern=None, trans_bool_to_s8=True, support_bf16=False, **_):
    """Remembers the function by the operator's type, and returns it."""

    def decorator(function):
        if op_type is not None:
            _operators[op_type] = function
        return function

    return decorator


def get_operator(op_type):
    """The function registered for a type, or None."""
    return _operators.get(op_type)


register_op_compute = register_operator_compute = pass_through

__getattr__ = make_getattr(__name__)
