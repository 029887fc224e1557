"""The instructions of TIK by topic: mixins of Tik. Each emits `call` statements."""


class Instructions:
    """All of them; a topic's mixin is added to the list of bases here."""
