"""tikdb: runs what was built on arrays, and shows what it holds while it runs."""

import json
import sys

import numpy

from . import engine
from .error import fail, script_frame, strict, warn
from .evaluate import State, Watch, names_of
from .feeds import FedNumbers, to_array, to_feeds, update
from .prompt import Prompt
from .words import in_tik, with_tensor


observers = []  # called with what ran, what was fed and what came out


class Debugger:
    """tik_instance.tikdb."""

    def __init__(self, tik):
        self._tik = tik
        self._watches = []  # of debug_print, by the statement's id
        self.seconds = None  # that the statements of the last run took

    def debug_print(self, expr_str):
        """Records that a Python expression is printed here: its tik objects stand for what they
        hold then, its other names for what they mean now."""
        program = self._tik.program
        if not program.live:
            return
        if not isinstance(expr_str, str):
            fail(f"debug_print takes an expression as str, input type: {type(expr_str)}", TypeError)
        try:
            watch = Watch(expr_str, names_of(script_frame()))
        except SyntaxError as error:
            fail(f"debug_print: {error.msg} in {expr_str!r}")
        self._watches.append(watch)
        program.emit({"do": "print", "id": len(self._watches) - 1})

    def start_debug(self, feed_dict, interactive=True, desc_tensor=None):
        """Runs the kernel that BuildCCE built; the outputs as a list of arrays, in its order; [[0]]
        if there are none. What the kernel writes of its inputs changes in the arrays that are fed.

        `interactive`: with a prompt, if stdin is a terminal. It may be called any number of times.
        """
        built = self._tik.built
        if desc_tensor is not None:
            fail("desc_tensor is not there yet, only None: no published source says what it does")
        if strict() and self._tik.disable_debug:
            warn("Debug function is disabled, please use Tik(disable_debug=False)")
        if built is None:
            fail("start_debug should be called after BuildCCE")
        feeds = to_feeds(built.inputs, built.outputs, feed_dict)
        _require_chip(built.soc)
        running = engine.load().Program(built.text)
        state = State(running)
        prompt = None
        if interactive and sys.stdin is not None and sys.stdin.isatty():
            prompt = Prompt(self._tik.program, state, names_of(script_frame()))
        try:
            result = running.run(feeds, on_print=self._printer(state),
                                 on_statement=None if prompt is None else prompt.at_statement,
                                 outputs=[one.name for one in built.outputs + built.written])
        except ValueError as error:  # a Tensor's size that cannot be
            fail(str(error), ValueError)
        self.seconds = result["seconds"]
        self._report(result, built.text)
        for one in built.written:
            update(feed_dict[one.name], result["outputs"][one.name])
        numbers = FedNumbers(built.inputs, feeds)
        outputs = [to_array(one, result["outputs"][one.name][0], numbers) for one in built.outputs]
        for observer in observers:
            observer(built, feed_dict, outputs)
        return outputs or [numpy.zeros(1, numpy.uint8)]

    def _printer(self, state):
        """The engine's callback for `print` statements; None if there are none."""
        if not self._watches:
            return None

        def on_print(number, block):
            print(self._watches[number].text(state), flush=True)

        return on_print

    def _report(self, result, statements):
        """Prints what the run found, as `vinci run` does; an error ends in fail()."""
        first = None
        program = json.loads(statements) if result["faults"] else None
        for fault in result["faults"]:
            text, message = with_tensor(fault, program)
            print(in_tik(text.rstrip("\n")), file=sys.stderr)
            if fault["severity"] == "error" and first is None:
                first = (fault, message)
        if first is not None:
            fault, message = first
            place = (fault["file"], fault["line"]) if fault["file"] else None
            fail(in_tik(f"{fault['code']}: {message}"), place=place)
        if not result["finished"]:
            fail("the run ended before its end")


def _require_chip(soc):
    known = [one["name"] for one in engine.load().chips()]
    if soc not in known:
        fail(f"vinci has no {soc}; kernels run on {', '.join(known)}")
