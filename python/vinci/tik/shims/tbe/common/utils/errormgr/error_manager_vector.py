"""raise_err_*: each raises RuntimeError with its own name and what it was given."""


def __getattr__(name):
    if not name.startswith("raise_err"):
        raise AttributeError(f"{__name__} has no {name}")

    def raise_error(*values, **named):
        parts = [str(value) for value in values]
        parts += [f"{key}={value}" for key, value in named.items()]
        raise RuntimeError(f"{name.removeprefix('raise_err_')}: {', '.join(parts)}")

    raise_error.__name__ = name
    return raise_error
