"""Stands in for vinci._engine: remembers what it was asked, and does what a test tells it.

For tests of the Python side alone; what kernels compute is tested with the engine itself.
"""

from vinci import _engine


class FakeEngine:
    """The functions of vinci._engine. `answers` maps the arguments of supported to an answer."""

    def __init__(self, result=None, answers=None):
        self.result = result or {}
        self.answers = answers or {}
        self.asked, self.programs = [], []
        self.script = lambda program, hooks: None  # calls back while a program runs

    def chips(self):
        """The engine's: the chip in force has its figures from there."""
        return _engine.chips()

    def supported(self, soc, instruction, types, mode=""):
        """Notes the question; no unless the test says yes."""
        question = (soc, instruction, tuple(types), mode)
        self.asked.append(question)
        return self.answers.get(question, False)

    def overflows(self, statements):
        """None: that is the engine's affair."""
        del statements
        return []

    def Program(self, text):
        """A program that remembers its text and its runs."""
        self.programs.append(FakeProgram(self, text))
        return self.programs[-1]


class FakeProgram:
    """What Program(text) gives."""

    def __init__(self, engine, text):
        self.engine, self.text, self.runs = engine, text, []
        self.memory, self.scalars = {}, {}

    def run(self, feeds, on_print=None, on_statement=None, threads=0, outputs=None):
        """Notes the run, calls back as the test says, and gives its result."""
        self.runs.append({"feeds": feeds, "print": on_print, "statement": on_statement})
        self.engine.script(self, self.runs[-1])
        return {"outputs": {}, "faults": [], "finished": True, "seconds": 0.0, **self.engine.result}

    def peek(self, buffer):
        """The bytes of a buffer."""
        return self.memory[buffer]

    def peek_scalar(self, scalar):
        """A scalar's number."""
        return self.scalars.get(scalar)
