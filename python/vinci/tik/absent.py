"""Modules that scripts import and vinci does not have: they complain when used, not before."""


def make_getattr(module):
    """A module's __getattr__ that says what is missing."""

    def absent(name):
        text = f"{module}.{name} is not part of vinci, which runs TIK statements only"
        if name.startswith("__"):
            raise AttributeError(text)
        raise NotImplementedError(text)

    return absent
