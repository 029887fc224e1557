"""What scripts import of the toolkit and vinci does not have. Importing it always works; whoever
calls it, or looks into it, hears that vinci runs TIK and not the operator language."""

import importlib
import importlib.abc
import importlib.machinery
import pkgutil
import sys
import types

# Packages of which every module can be imported. impl is the toolkit's library of operators:
# scripts import those that they call for some shapes only, as impl.matmul_vector.
PACKAGES = ["te", "tbe", "topi", "impl", "op_test_frame"]
# What a name belongs to, by how it begins.
OWNERS = {
    "impl.": "the toolkit's operators; if you have its file, put it into your folder",
    "mindspore.": "mindspore, which is not installed",
    "op_test_frame.": "the toolkit's frame for tests, of which vinci has cases of one operator",
    "": "the toolkit's operator language or its compiler, and vinci runs TIK",
}
# Decorators by their names: they leave a function as it is, as registration has no use here.
DECORATORS = ("register", "tag_scope", "prim_attr_register")


def _refuse(name):
    owner = next(text for begin, text in OWNERS.items() if name.startswith(begin))
    raise NotImplementedError(f"{name} is not part of vinci: it belongs to {owner}")


def pass_through(*arguments, **named):
    """A decorator, with arguments or without, that leaves the function as it is."""
    if len(arguments) == 1 and callable(arguments[0]) and not named:
        return arguments[0]
    return lambda function: function


class Absent:
    """A name that is not here: it may be passed on, compared, derived from, and asked about by
    isinstance."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return _absent(f"{self._name}.{name}")

    def __call__(self, *_arguments, **_named):
        _refuse(self._name)

    def __iter__(self):
        _refuse(self._name)

    def __contains__(self, _value):
        _refuse(self._name)

    def __getitem__(self, _key):
        _refuse(self._name)

    def __instancecheck__(self, _value):
        return False

    def __mro_entries__(self, _bases):
        return ()

    def __repr__(self):
        return f"<{self._name}, which vinci does not have>"


# Modules of the operator language in which TIK operators say something about themselves, too.
OPERATIONS = ("te.op", "te.lang.base", "te.lang.base.operation", "te.lang.dynamic", "tbe.dsl",
              "tbe.dsl.base.operation")


def _of_operations(module, name):
    """What of OPERATIONS has a use here: the older names of what tbe.common.context has."""
    if module not in OPERATIONS:
        return None
    context = importlib.import_module("tbe.common.context")
    return {"dynamic": lambda: context.OpContext("dynamic"),
            "add_compile_info": lambda key, value: context.get_context().add_compile_info(key, value),
            "get_compile_info": lambda: context.get_context().get_compile_info(),
            }.get(name)


def _absent(name):
    module, _, last = name.rpartition(".")
    if last.startswith(DECORATORS):
        return pass_through
    return _of_operations(module, last) or _named(name)


def _named(name):
    """Of a type whose name says what it is, for messages about the type of an argument."""
    kind = type(f"{name}, which vinci does not have", (Absent,), {"__module__": "builtins"})
    return kind(name)


def _inside_tik(module, name):
    """What scripts take from the modules of the toolkit's TIK, as te.tik.tik_lib.tik_expr.Expr:
    vinci has it under the same name, but not in the same module."""
    if not module.startswith(("te.tik.", "tbe.tik.")):
        return None
    helpers = importlib.import_module("vinci.tik.helpers")
    return getattr(helpers, name, getattr(sys.modules["vinci.tik"], name, None))


def make_getattr(module):
    """A module's __getattr__ for what it does not have; a package imports its own modules first."""

    def absent(name):
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        full = f"{module}.{name}"
        path = getattr(sys.modules[module], "__path__", None)
        if path is not None and importlib.machinery.PathFinder.find_spec(full, path):
            return importlib.import_module(full)
        return _inside_tik(module, name) or _absent(full)

    return absent


class _Module(types.ModuleType):
    """A module with nothing in it."""

    def __getattr__(self, name):
        return make_getattr(self.__name__)(name)

    def __call__(self, *_arguments, **_named):
        _refuse(self.__name__)


def _look_again(fullname):
    """Folders that came to sys.path after the package impl was imported belong to it too."""
    names = fullname.split(".")
    for count in range(1, len(names)):
        package = sys.modules[".".join(names[:count])]
        package.__path__ = pkgutil.extend_path(list(package.__path__), package.__name__)
    return importlib.machinery.PathFinder.find_spec(fullname, package.__path__)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what nobody else has found."""

    def find_spec(self, fullname, path=None, target=None):
        if not fullname.startswith(tuple(package + "." for package in PACKAGES)):
            return None
        if fullname.startswith("impl.") and (found := _look_again(fullname)):
            return found
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        return _Module(spec.name, "Not part of vinci, which runs TIK.")

    def exec_module(self, module):
        pass


_finder = _Finder()


def install():
    """From here on every module of PACKAGES can be imported."""
    if _finder not in sys.meta_path:
        sys.meta_path.append(_finder)
