"""The statements of a script while they are recorded; docs/spec/tik_statements.md is their form."""

import os

from .error import fail, script_callers, script_place, strict, warn
from .expr import Expr, json_of
from .memory import Memories
from .reach import check_reach


class Buffer:
    """What a Tensor defines: some memory. Views of it are Tensors too."""

    def __init__(self, name, scope, dtype, elements, frame):
        self.name = name
        self.scope = scope
        self.dtype = dtype
        self.elements = elements  # int, Scalar or Expr, of dtype
        self.dims = [elements]  # the shape of the Tensor that defines it
        self.frame = frame
        self.number = -1  # its place in the file; -1 in a branch that never runs
        self.address = None
        self.bytes = None  # None if known at run time only
        self.role = None
        self.init = None
        self.atomic = False
        self.is_global = False
        self.is_list = False
        self.used = False  # whether a statement has it as an operand

    def to_json(self):
        json = {"name": self.name, "scope": self.scope, "dtype": self.dtype}
        if self.address is not None:
            json.update(address=json_of(self.address), bytes=json_of(self.bytes))
            return json
        elements = self.elements
        json["role"] = self.role or "workspace"
        json["elements"] = elements if isinstance(elements, int) else json_of(elements)
        if self.init is not None:
            json["init"] = self.init
        if self.atomic or self.is_global:
            json["cleared"] = True
        if self.is_list:
            json["list"] = True
        return json


TOUCHING = ("call", "load", "store", "copy")  # statements that wait for what they need


class Frame:
    """A scope that is open: what a `with` of the script has entered."""

    def __init__(self, kind, body, live, mark=None):
        self.kind = kind  # "root", "if", "loop", "stmt"
        self.body = body
        self.live = live
        self.mark = mark
        self.open = True
        self.thread_num = 1
        self.blocks = None  # a block loop: how many
        self.disable_sync = False
        self.chain = None  # the if that an elif or else may follow


class IfChain:
    """An if with its elifs."""

    def __init__(self):
        self.node = None  # the innermost `if` statement; None while all conditions were false
        self.decided = False  # a condition was true for sure
        self.at = 0  # how long the body was after the last branch


class Program:
    """Buffers, scalars and nested lists of statements."""

    def __init__(self):
        self.buffers = []
        self.scalars = []
        self.files = []
        self.body = []
        self.memories = Memories()
        self.unentered = {}  # scopes that no `with` has entered: the place that made them
        # (pipe, trigger pipe, event id or None) of set_flag and wait_flag: the first place of each
        self.flags_set, self.flags_awaited = {}, {}
        self.sealed = False  # after BuildCCE names are no longer bound to their scopes
        self.frames = [Frame("root", self.body, True)]
        self._file_numbers = {}
        self._chains = {}  # what script_callers() gave: its number

    @property
    def frame(self):
        return self.frames[-1]

    @property
    def live(self):
        """False where no statement can be reached: nothing is checked or recorded there."""
        return self.frames[-1].live

    @property
    def in_scope(self):
        return len(self.frames) > 1

    @property
    def in_loop(self):
        """Whether what is recorded here may run more than once."""
        return any(frame.kind == "loop" and frame.blocks is None for frame in self.frames)

    def forget(self, kind, number):
        """A Tensor's buffer or a Scalar is defined, where another may have been before."""
        self.emit({"do": "forget", kind: number}, temporary=True)

    def _file_number(self, file):
        number = self._file_numbers.get(file)
        if number is None:
            number = self._file_numbers[file] = len(self.files)
            self.files.append(file)
        return number

    def place(self):
        """[number of the file, line] of the statement that the script is at, in a function with the number
        of its callers."""
        file, line = script_place()
        callers = script_callers()
        chain = self._chains.setdefault(callers, len(self._chains))
        return [self._file_number(file), line, *([chain] if callers else ())]

    def _callers(self):
        """The callers of each chain, but those that all statements share, which tell none apart."""
        chains = list(self._chains)
        shared = len(os.path.commonprefix([chain[::-1] for chain in chains]))
        return [[[self._file_number(file), line] for file, line in chain[:len(chain) - shared]]
                for chain in chains]

    def stamp(self, statement):
        statement["at"] = self.place()
        if statement["do"] in TOUCHING and any(frame.disable_sync for frame in self.frames):
            statement["own_sync"] = True
        return statement

    def emit(self, statement, temporary=False, inside=None, overlap=False, apart=None):
        """Records a statement. A temporary one computes what a condition needs, so that an elif
        may still follow. `inside`: the fields of a call whose Tensors it must not reach out of,
        each with the name that the page has for it; `overlap`: its results may not overlap its
        sources in part; `apart`: neither these Tensors nor those of this list share a byte."""
        frame = self.frames[-1]
        if frame.live:
            if self.sealed and not temporary:
                warn("this statement comes after BuildCCE, so the kernel does not have it")
            if inside:
                check_reach(self.buffers, statement, inside, overlap, apart)
            frame.body.append(self.stamp(statement))
            if not temporary:
                frame.chain = None

    def add_buffer(self, buffer):
        buffer.number = len(self.buffers)
        self.buffers.append(buffer)
        if buffer.address is not None and not (
                isinstance(buffer.address, int) and isinstance(buffer.bytes, int)):
            self.emit({"do": "place", "buffer": buffer.number})

    def add_scalar(self, name, dtype, is_input=False):
        """Its number, or -1 where nothing is recorded."""
        if not self.live:
            return -1
        scalar = {"name": name, "dtype": dtype}
        if is_input:
            scalar["input"] = True
        self.scalars.append(scalar)
        return len(self.scalars) - 1

    def temporary(self, dtype, operand):
        """An Expr of one element as it is now."""
        number = self.add_scalar(f"element{len(self.scalars)}", dtype)
        self.emit({"do": "load", "scalar": number, "from": operand}, temporary=True)
        return Expr(dtype, json=["scalar", number])

    def open(self, kind, body=None, live=True):
        """Enters a scope; its statements go to `body`, or to where they went before."""
        parent = self.frames[-1]
        body = parent.body if body is None else body
        frame = Frame(kind, body, live and parent.live, self.memories.mark())
        self.frames.append(frame)
        return frame

    def close(self):
        frame = self.frames.pop()
        frame.open = False
        self.memories.release(frame.mark)
        return frame

    def check_defined(self, what, name, frame):
        if not frame.open and not self.sealed and self.live:
            fail(f"{what} {name} is not defined in this scope.")

    def to_json(self, kernel, soc):
        more = {"strict": True} if strict() else {}
        if "VINCI_CHECK" in os.environ:
            more["check"] = os.environ["VINCI_CHECK"]
        callers = self._callers()
        return {
            "vinci_statements": 1,
            **more,
            "kernel": kernel,
            "soc": soc,
            "files": self.files,
            "callers": callers,
            "buffers": [buffer.to_json() for buffer in self.buffers],
            "scalars": self.scalars,
            "body": self.body,
        }
