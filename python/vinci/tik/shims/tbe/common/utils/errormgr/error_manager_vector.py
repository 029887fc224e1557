"""raise_err_*: each raises RuntimeError with its own name and what it was given."""


from vinci.tik.absent import make_getattr

_absent = make_getattr(__name__)


def __getattr__(name):
    if not name.startswith("raise_err"):
        return _absent(name)

    def raise_error(*values, **named):
        parts = [str(value) for value in values]
        parts += [f"{key}={value}" for key, value in named.items()]
        raise RuntimeError(f"{name.removeprefix('raise_err_')}: {', '.join(parts)}")

    raise_error.__name__ = name
    return raise_error
