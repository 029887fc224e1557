"""Scopes and loops of TIK: a mixin of Tik that opens and closes frames of the Program."""

import numpy

from .error import fail, script_place, strict
from .expr import Expr, condition, constant_of, is_integer, json_of
from .program import IfChain
from .scalar import InputScalar, Scalar
from .scope import scope_gm

LOOP_MOST = 2147483647
THREADS_MOST = 4
BLOCKS_MOST = 65535
EVENTS_MOST = 7
BARRIER_BYTES = 32  # of the workspace, for each block

LOOP_DTYPES = ("int32", "uint32", "int64", "uint64")
PIPES = ("PIPE_S", "PIPE_V", "PIPE_M", "PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3", "PIPE_FIX")


class _Scope:
    """One `with` of a script. `api`: the method that made it."""

    def __init__(self, program, api):
        self.program = program
        self.api = api
        if program.live:
            program.unentered[self] = script_place()

    def __enter__(self):
        self.program.unentered.pop(self, None)

    def __iter__(self):
        fail(f"{self.api} belongs behind `with`: with tik_instance.{self.api}(...)", TypeError)

    def __exit__(self, kind, value, trace):
        self.program.close()
        return False


class _Plain(_Scope):
    """Only a lifetime: statements go where they went before."""

    def __init__(self, program, api, disable_sync=False):
        super().__init__(program, api)
        self.disable_sync = disable_sync

    def __enter__(self):
        super().__enter__()
        self.program.frame.chain = None
        self.program.open("stmt").disable_sync = self.disable_sync
        if self.disable_sync:
            self.program.emit({"do": "pipes", "pipe": "ALL"})


class _Branch(_Scope):
    """A branch of an if. A condition that is known leaves no statement: its branch is recorded in
    place, or not at all."""

    def __init__(self, program, api, chain, when):
        super().__init__(program, api)
        self.chain = chain
        self.when = when
        self.last = api == "else_scope"

    def __enter__(self):
        super().__enter__()
        frame, value = self.program.frame, self.when.value
        if not frame.live or self.chain.decided or value is False:
            del frame.body[self.chain.at :]
            self.program.open("if", live=False)
        elif value is True:
            self.chain.decided = True
            node = self.chain.node
            self.program.open("if", None if node is None else node.setdefault("else", []))
        else:
            self.program.open("if", self._statement(frame)["then"])

    def _statement(self, frame):
        node = {"do": "if", "when": self.when.to_json(), "then": []}
        outer = self.chain.node
        self.chain.node = node
        if outer is None:
            self.program.emit(node)
        else:
            # What computes this condition runs only if the ones before were false.
            outer["else"] = frame.body[self.chain.at :] + [self.program.stamp(node)]
            del frame.body[self.chain.at :]
        return node

    def __exit__(self, kind, value, trace):
        super().__exit__(kind, value, trace)
        frame = self.program.frame
        self.chain.at = len(frame.body)
        frame.chain = None if self.last else self.chain
        return False


class LoopVariable(Expr):
    """What counts a for_range, in its body. What was made of it there the engine judges."""

    __slots__ = ("frame", "_program", "_name", "_place")

    def __init__(self, program, dtype, number, name):
        super().__init__(dtype, json=["scalar", number])
        self.frame = None
        self._program = program
        self._name = name
        self._place = script_place()

    def as_expr(self):
        usable = self.frame is None or self.frame.open or self._program.sealed
        if not usable and self._program.live:
            file, line = self._place
            fail(f"{self._name} is the variable of the for_range at {file}:{line}, and has no value "
                 "outside of its body; set a Scalar to it there")
        return self


class _Loop(_Scope):
    def __init__(self, program, statement, var, thread_num, blocks):
        super().__init__(program, "for_range")
        self.statement = statement
        self.var = var
        self.thread_num = thread_num
        self.blocks = blocks

    def __enter__(self):
        super().__enter__()
        self.program.emit(self.statement)
        frame = self.program.open("loop", self.statement["body"])
        frame.thread_num = self.thread_num
        frame.blocks = self.blocks
        self.var.frame = frame
        return self.var


class Scopes:
    """The mixin. `self.program` is the Program."""

    # Branches.

    def if_scope(self, cond):
        self.program.frame.chain = None
        chain = IfChain()
        chain.at = len(self.program.frame.body)
        return _Branch(self.program, "if_scope", chain, condition(cond, "cond"))

    def elif_scope(self, cond):
        chain = self._chain("elif_scope")
        return _Branch(self.program, "elif_scope", chain, condition(cond, "cond"))

    def else_scope(self):
        return _Branch(self.program, "else_scope", self._chain("else_scope"), Expr("bool", True))

    def _chain(self, name):
        chain = self.program.frame.chain
        if chain is None:
            fail(f"{name} should follow if_scope or elif_scope directly")
        self.program.frame.chain = None
        return chain

    # Lifetimes.

    def new_stmt_scope(self, disable_sync=False):
        if self.program.live:
            if not isinstance(disable_sync, bool):
                fail(f"disable_sync should be bool, input type: {type(disable_sync)}", TypeError)
            if disable_sync and self.in_disable_sync:
                fail("new_stmt_scope with disable_sync=True should not be nested in another one")
        return _Plain(self.program, "new_stmt_scope", disable_sync)

    def new_scope(self):
        return _Plain(self.program, "new_scope")

    def scope_attr(self, node, attr_key, value):
        """Hints for the vendor's compiler; nothing to record."""

    @property
    def in_disable_sync(self):
        return any(frame.disable_sync for frame in self.program.frames)

    def check_high_level(self, name):
        """For APIs that are refused inside new_stmt_scope(disable_sync=True)."""
        if self.program.live and self.in_disable_sync:
            fail(f"{name} can't be used in new_stmt_scope with disable_sync=True")

    # Loops.

    def for_range(self, begint, endt, name="i", thread_num=1, thread_type="whole", block_num=1,
                  dtype="int32", for_type="serial", subblock_num=0, sub_dtype="int32",
                  enable_subblk=False):
        """The loop variable goes from begint to endt - 1. Threads are one after another."""
        program, blocks = self.program, None
        begint, endt, block_num = map(_whole, (begint, endt, block_num))
        if program.live:
            _check_bounds(begint, endt)
            if not isinstance(name, str):
                fail(f"for_range's name should be str, input type: {type(name)}; it has no step",
                     TypeError)
            _check_threads(thread_num, dtype)
            blocks = self._check_blocks(begint, endt, thread_num, block_num)
            if strict():
                self._check_bounds_at_run_time(begint, endt)
        number = program.add_scalar(name, dtype)
        statement = {"do": "for", "var": number, "from": json_of(begint), "to": json_of(endt),
                     "body": []}
        if blocks is not None:
            statement["blocks"] = True
        var = LoopVariable(program, dtype, number, name)
        return _Loop(program, statement, var, thread_num, blocks)

    def _check_blocks(self, begint, endt, thread_num, block_num):
        """How many blocks run the body, or None for an ordinary loop."""
        if not is_integer(block_num):
            fail(f"block_num should be int or Scalar, input type: {type(block_num)}", TypeError)
        count = constant_of(block_num)
        if count == 1:
            return None
        if count is not None:
            _check_in_range("block_num", count, 1, BLOCKS_MOST)
        if any(frame.blocks is not None for frame in self.program.frames):
            fail("a for_range with block_num should not be nested in another one")
        if thread_num > 1:
            fail(f"thread_num should be 0 or 1 with block_num, input value is {thread_num}")
        if constant_of(begint) != 0:
            fail(f"begint should be 0 with block_num, input value is {begint}")
        if count is None:
            if not isinstance(block_num, (Scalar, InputScalar)) or endt is not block_num:
                fail("endt should be the same Scalar as block_num")
            return block_num
        if constant_of(endt) != count:
            fail(f"endt should be equal to block_num {count}, input value is {endt}")
        return count

    def _check_bounds_at_run_time(self, begint, endt):
        """The vendor's debugger refuses what hardware takes for no iterations."""
        begin, end = json_of(begint), json_of(endt)
        if constant_of(begint) is None:
            self.program.emit({"do": "check", "value": begin, "least": 0, "most": LOOP_MOST,
                               "what": "begint of for_range"})
        if constant_of(begint) is None or constant_of(endt) is None:
            self.program.emit({"do": "check", "value": end, "least": begin, "most": LOOP_MOST,
                               "what": "endt of for_range"})

    def _leave(self, name, do):
        program = self.program
        if not program.live:
            return
        if do != "return":
            loop = next((f for f in reversed(program.frames) if f.kind == "loop"), None)
            if loop is None:
                fail(f"{name} should be used in for_range")
            if loop.blocks is not None:
                fail(f"{name} can't be used directly in a for_range with block_num")
        program.emit({"do": do})
        program.frame.live = False

    def tik_break(self):
        self._leave("tik_break", "break")

    def tik_continue(self):
        self._leave("tik_continue", "continue")

    def tik_return(self):
        self._leave("tik_return", "return")

    # Synchronisation. Statements run one after another: flags are for the checks.

    def set_flag(self, pipe, trigger_pipe, event_id):
        self._flag("set_flag", pipe, trigger_pipe, event_id, self.program.flags_set)

    def wait_flag(self, pipe, trigger_pipe, event_id):
        self._flag("wait_flag", pipe, trigger_pipe, event_id, self.program.flags_awaited)

    def _flag(self, name, pipe, trigger_pipe, event_id, seen):
        if not self.program.live:
            return
        if not self.in_disable_sync:
            fail(f"{name} should be used in new_stmt_scope with disable_sync=True")
        _check_pipe("pipe", pipe, PIPES)
        _check_pipe("trigger_pipe", trigger_pipe, PIPES)
        if not is_integer(event_id):
            fail(f"event_id should be int, Scalar or Expr, input type: {type(event_id)}", TypeError)
        event = constant_of(event_id)
        _check_in_range("event_id", event, 0, EVENTS_MOST)
        seen.setdefault((pipe, trigger_pipe, event), script_place())
        self.program.emit({"do": "flag", "set": name == "set_flag", "from": pipe[len("PIPE_"):],
                           "to": trigger_pipe[len("PIPE_"):], "id": json_of(event_id)})

    def pipe_barrier(self, pipe):
        if self.program.live:
            _check_pipe("pipe", pipe, PIPES + ("PIPE_ALL",))
            if self.in_disable_sync and pipe != "PIPE_S":
                self.program.emit({"do": "pipes", "pipe": pipe[len("PIPE_"):]})

    def block_barrier(self, sync_workspace):
        """All blocks wait for each other; the workspace is for the vendor's implementation."""
        if not self.program.live:
            return
        operand = getattr(sync_workspace, "operand", None)
        if operand is None:
            fail(f"sync_workspace should be tensor, input type: {type(sync_workspace)}", TypeError)
        operand()
        if sync_workspace.dtype != "int64" or sync_workspace.scope != scope_gm:
            fail("sync_workspace should be an int64 Tensor in scope_gm, input is "
                 f"{sync_workspace.dtype} in {sync_workspace.scope}")
        if sync_workspace.buffer.role != "workspace":
            fail("sync_workspace should be a Tensor with is_workspace=True")
        self._check_barrier_space(sync_workspace)
        self.program.emit({"do": "barrier"})

    def _check_barrier_space(self, workspace):
        blocks = next((f.blocks for f in self.program.frames if f.blocks is not None), 1)
        count, elements = constant_of(blocks), workspace.original_elements
        if count is not None and elements is not None and elements * 8 < count * BARRIER_BYTES:
            fail(f"sync_workspace should have at least {count * BARRIER_BYTES} bytes for {count} "
                 f"blocks, input has {elements * 8}")


def _check_in_range(name, value, low, high):
    if value is not None and not low <= value <= high:
        fail(f"{name} should be in the range of [{low}, {high}], input value is {value}")


def _whole(value):
    """4 for 4.0, as a division of Python leaves it."""
    is_float = isinstance(value, (float, numpy.floating))
    return int(value) if is_float and value.is_integer() else value


def _check_bounds(begint, endt):
    for name, value in (("begint", begint), ("endt", endt)):
        if not is_integer(value):
            fail(f"{name} should be int, Scalar or Expr, input type: {type(value)}", TypeError)
    begin, end = constant_of(begint), constant_of(endt)
    if strict() or begin is not None and begin > LOOP_MOST:
        _check_in_range("begint", begin, 0, LOOP_MOST)
    _check_in_range("endt", end, 0 if begin is None else begin, LOOP_MOST)


def _check_threads(thread_num, dtype):
    if isinstance(thread_num, bool) or not isinstance(thread_num, int):
        fail(f"thread_num should be int, input type: {type(thread_num)}", TypeError)
    _check_in_range("thread_num", thread_num, 0, THREADS_MOST)
    if dtype not in LOOP_DTYPES:
        fail(f"dtype of for_range should be int32, input value is {dtype}")


def _check_pipe(name, pipe, legal):
    if not isinstance(pipe, str) or pipe not in legal:
        fail(f"{name} should be one of {', '.join(legal)}, input value is {pipe}")
