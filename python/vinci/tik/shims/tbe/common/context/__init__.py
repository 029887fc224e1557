"""The context in which an operator is compiled: a place to keep what it says about itself."""

from vinci.tik.absent import make_getattr


class OpContext:
    """`with OpContext("dynamic"):`; get_context() gives the innermost one."""

    def __init__(self, op_mode="static"):
        if op_mode not in ("static", "dynamic", "pre-static"):
            raise RuntimeError(f"op_mode is static, dynamic or pre-static, not {op_mode!r}")
        self._mode = op_mode
        self._kept = {"compile_info": {}, "addition": {}, "build_res": {}}
        self._op_info = []

    def __enter__(self):
        _contexts.append(self)
        return self

    def __exit__(self, *_):
        _contexts.remove(self)

    def get_op_mode(self):
        """static, dynamic or pre-static."""
        return self._mode

    def add_compile_info(self, key, value):
        """A value for the tiling function; it goes to the kernel's .json."""
        self._kept["compile_info"][key] = value

    def get_compile_info(self, key=None):
        """One value, or all of them."""
        kept = self._kept["compile_info"]
        return kept if key is None else kept.get(key)

    def set_compile_info(self, values):
        """All values at once."""
        self._kept["compile_info"] = dict(values)

    def add_addition(self, key, value):
        """Anything."""
        self._kept["addition"][key] = value

    def get_addition(self, key):
        """What add_addition kept, or None."""
        return self._kept["addition"].get(key)

    def add_build_res(self, key, value):
        """A result of the build."""
        self._kept["build_res"][key] = value

    def get_build_res(self, key=None):
        """One result, or all of them."""
        kept = self._kept["build_res"]
        return kept if key is None else kept.get(key)

    def add_op_info(self, op_info):
        """A description of an operator."""
        self._op_info.append(op_info)

    def get_op_info(self):
        """All descriptions."""
        return self._op_info


_contexts = [OpContext()]


def get_context():
    """The innermost context; outside of all, one that lives as long as the process."""
    return _contexts[-1]


from . import op_context, op_info  # noqa: E402,F401  they need the names above

__getattr__ = make_getattr(__name__)
