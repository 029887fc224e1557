"""What para_check's decorators check of the arguments that an operator is called with.

A check that fails raises RuntimeError({"errCode": ..., "op_name": ..., ...}, text): tests of
operators look for the type, and some for the code. docs/spec/tik_language.md has the codes.
"""

import functools
import inspect

MISSING, RANGE, TYPE, KEY, DTYPE, SIZE, RANK, FORMAT = (
    f"E800{number:02}" for number in (1, 2, 3, 4, 8, 11, 12, 15))
_PLAIN = {"int": int, "float": (int, float), "str": str, "bool": bool}


def refuse(code, text, **what):
    """Raises the error of a check."""
    raise RuntimeError({"errCode": code, **what}, text)


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _is_plain(value, kind):
    return isinstance(value, _PLAIN[kind]) and (kind == "bool" or not isinstance(value, bool))


def _is_attribute(value, kind):
    """`kind` as list_int or list_list_int."""
    if not kind.startswith("list_"):
        return kind == "type" or _is_plain(value, kind)
    return isinstance(value, (list, tuple)) and all(
        _is_attribute(one, kind.removeprefix("list_")) for one in value)


class _Call:
    """One call of an operator. `checks`: para_check, whose functions judge shapes and types."""

    def __init__(self, checks, op_name):
        self.checks = checks
        self.op_name = op_name

    def refuse(self, code, name, text):
        refuse(code, f"In op[{self.op_name}], {text}.", op_name=self.op_name, param_name=name)

    def check(self, name, kind, value):
        """`kind` as REQUIRED_INPUT has it, or KERNEL_NAME."""
        if kind == self.checks.KERNEL_NAME:
            self.checks.check_kernel_name(value)
            return
        need, what = kind.split("_", 1)
        if value is None:
            if need != "option":
                self.refuse(MISSING, name, f"the mandatory parameter[{name}] is missed")
        elif what.startswith("attr_"):
            attribute = what.removeprefix("attr_")
            if not _is_attribute(value, attribute):
                self.refuse(TYPE, name, f"the parameter[{name}]'s type should be [{attribute}], "
                            f"but actually is [{type(value).__name__}]: {value!r}")
        elif need == "dynamic":
            self._check_list(name, value)
        else:
            self._check_tensor(name, value)

    def _check_list(self, name, value):
        if not isinstance(value, (list, tuple)):
            self.refuse(TYPE, name, f"the parameter[{name}]'s type should be [list tuple], but "
                        f"actually is [{type(value).__name__}]")
        if not value:
            self.refuse(MISSING, name, f"the mandatory parameter[{name}] is missed: it is empty")
        for one in value:
            self._check_tensor(name, one)

    def _check_tensor(self, name, value):
        if not isinstance(value, dict):
            self.refuse(TYPE, name, f"the parameter[{name}]'s type should be [dict], but actually "
                        f"is [{type(value).__name__}]")
        for key in ("shape", "dtype"):
            if key not in value:
                self.refuse(KEY, name, f"the parameter[{name}] should have the key [{key}]")
        for key in ("shape", "ori_shape"):
            if value.get(key) is not None:
                self.checks.check_shape(value[key], min_dim=-2, min_size=None, param_name=name)
        self.checks.check_dtype(value["dtype"], self.checks.KNOWN_DTYPES, param_name=name)
        for key in ("format", "ori_format"):
            if value.get(key) is not None:
                self.checks.check_format(value[key], param_name=name)


def _arguments(function, positional, named):
    """Pairs of a parameter's name and its argument, or its default, in their order."""
    given = inspect.signature(function).bind_partial(*positional, **named)
    given.apply_defaults()
    parameters = inspect.signature(function).parameters
    return [(name, given.arguments.get(name)) for name in parameters]


def checker(checks):
    """check_op_params, with the functions and constants of para_check."""

    def check_op_params(*kinds, **_named):
        """Decorator of an operator: each of its parameters is of the kind in its place."""

        def decorate(function):
            @functools.wraps(function)
            def checked(*positional, **named):
                arguments = _arguments(function, positional, named)
                kernel_name = dict(arguments).get("kernel_name")
                call = _Call(checks, kernel_name or function.__name__)
                for (name, value), kind in zip(arguments, kinds):
                    call.check(name, kind, value)
                return function(*positional, **named)

            return checked

        return decorate

    return check_op_params


def check_input_type(*types, **_named):
    """Decorator of an operator: each argument that it is given is of the type in its place, or of
    one of the types of a tuple."""

    def decorate(function):
        @functools.wraps(function)
        def checked(*positional, **named):
            given = inspect.signature(function).bind_partial(*positional, **named).arguments
            for name, wanted in zip(inspect.signature(function).parameters, types):
                if name in given and not isinstance(given[name], wanted):
                    legal = wanted if isinstance(wanted, tuple) else (wanted,)
                    refuse(TYPE, f"the parameter[{name}]'s type should be one of "
                           f"[{' '.join(one.__name__ for one in legal)}], but actually is "
                           f"[{type(given[name]).__name__}]", op_name=function.__name__,
                           param_name=name)
            return function(*positional, **named)

        return checked

    return decorate
