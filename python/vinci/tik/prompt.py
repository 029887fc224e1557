"""The prompt of start_debug(interactive=True): [TIK]>."""

import linecache
import os
import shlex
import sys

from .evaluate import Watch, names_in

HELP = """b, break [file:]line [block ...]   stop there, in these blocks; without anything: the list
clear [number ...]                 forget breakpoints, or all
enable, disable number             a breakpoint
c, continue [-a]                   run to the next breakpoint; -a: to the end
n, next, s, step [-a]              run to the next statement; -a: of any block
l, list, w, where                  the place in the script
p, print expression                its value; names are those of start_debug's caller and of
                                   the Tensors and Scalars themselves
block [number]                     which block is shown and stopped in
q, quit                            end the program
An empty line repeats the last command."""

MISSING = ("mi", "dump_debug_info")  # of the toolkit's prompt
WINDOW = 5  # lines of the script before and after the one that is next


class Breakpoint:
    """A line of a file, in some blocks or all."""

    def __init__(self, file, line, blocks):
        self.file, self.line, self.blocks, self.enabled = file, line, blocks, True

    def __str__(self):
        blocks = f" in block {', '.join(map(str, self.blocks))}" if self.blocks else ""
        return f"{self.file}:{self.line}{blocks}{'' if self.enabled else ' (disabled)'}"

    def hit(self, file, line, block):
        """Whether this statement is there."""
        return self.enabled and line == self.line and (not self.blocks or block in self.blocks) \
            and (file == self.file or os.path.basename(file) == self.file
                 or os.path.abspath(file) == os.path.abspath(self.file))


class Prompt:
    """Reads commands before a statement that is to be looked at. It stops before the first one."""

    def __init__(self, program, state, names):
        self._files, self._state = program.files, state
        self._names = {**names, **names_in(program)}
        self._breakpoints = {}
        self._last_number = 0
        self._block = None     # the only block that is stopped in, or None
        self._stepping = True  # at the next statement
        self._ended = False    # nothing more is asked
        self._again = ""
        self._place = ("", 0, 0)

    def at_statement(self, file, line, block):
        """The engine's callback before each statement."""
        name = self._files[file] if 0 <= file < len(self._files) else "?"
        if self._ended or self._block not in (None, block):
            return
        if not self._stepping and not any(
                one.hit(name, line, block) for one in self._breakpoints.values()):
            return
        self._stepping, self._place = False, (name, line, block)
        self._show_line()
        while not self._command():
            pass

    def _show_line(self):
        name, line, block = self._place
        print(f"block {block}, {name}:{line}\n-> {line:5} {linecache.getline(name, line).rstrip()}")

    def _command(self):
        """Reads and does one command; whether the program goes on."""
        try:
            text = input("[TIK]>").strip()
        except EOFError:
            print()
            self._ended = True
            return True
        text = self._again = text or self._again
        word, _, rest = text.partition(" ")
        command = _COMMANDS.get(word)
        if word in MISSING:
            print(f"unimplemented: {word} is not there yet: no published source says what it shows")
            return False
        if command is None:
            if word:
                print(f"there is no command {word}; h shows what there is")
            return False
        try:
            return bool(command(self, rest.strip()))
        except ValueError as error:
            print(error)
            return False

    # Commands: each gets the rest of its line, and returns True if the program goes on.

    def do_break(self, rest):
        """Sets a breakpoint, or lists all."""
        words = shlex.split(rest)
        if not words:
            for number, one in self._breakpoints.items():
                print(f"{number}: {one}")
            return
        file, _, line = words[0].rpartition(":")
        one = Breakpoint(file or self._place[0], _number(line), [_number(n) for n in words[1:]])
        if not any(os.path.basename(name) == os.path.basename(one.file) for name in self._files):
            raise ValueError(f"no statement is in {one.file}; files: {', '.join(self._files)}")
        self._last_number += 1
        self._breakpoints[self._last_number] = one
        print(f"{self._last_number}: {one}")

    def do_clear(self, rest):
        """Forgets breakpoints."""
        for number in [self._existing(word) for word in rest.split()] or list(self._breakpoints):
            del self._breakpoints[number]

    def do_enable(self, rest):
        """Stops at a breakpoint again."""
        self._set_enabled(rest, True)

    def do_disable(self, rest):
        """Stops at a breakpoint no more."""
        self._set_enabled(rest, False)

    def _set_enabled(self, rest, enabled):
        for number in [self._existing(word) for word in rest.split()] or self._breakpoints:
            self._breakpoints[number].enabled = enabled

    def _existing(self, word):
        number = _number(word)
        if number not in self._breakpoints:
            raise ValueError(f"there is no breakpoint {number}")
        return number

    def do_continue(self, rest):
        """To the next breakpoint."""
        self._ended = _is_all(rest)
        return True

    def do_next(self, rest):
        """To the next statement of this block."""
        if _is_all(rest):
            self._block = None
        else:
            self._block = self._place[2] if self._block is not None else None
        self._stepping = True
        return True

    def do_list(self, rest):
        """The lines around the place."""
        name, line, block = self._place
        print(f"block {block}, {name}:{line}")
        for number in range(max(1, line - WINDOW), line + WINDOW + 1):
            text = linecache.getline(name, number).rstrip("\n")
            if text or number == line:
                print(f"{'->' if number == line else '  '} {number:5} {text}")

    def do_print(self, rest):
        """A value."""
        try:
            print(Watch(rest, self._names).text(self._state))
        except SyntaxError as error:
            print(f"SyntaxError: {error.msg}")

    def do_block(self, rest):
        """The block that is stopped in."""
        if rest:
            self._block = _number(rest)
        print(f"in block {self._place[2]}; stops in "
              f"{'all blocks' if self._block is None else f'block {self._block}'}")

    def do_quit(self, rest):
        """Ends the program."""
        print("The debugger is quit, and with it the script.")
        sys.exit(0)

    def do_help(self, rest):
        """All commands."""
        print(HELP)


_COMMANDS = {
    **dict.fromkeys(("b", "break"), Prompt.do_break), "clear": Prompt.do_clear,
    "enable": Prompt.do_enable, "disable": Prompt.do_disable,
    **dict.fromkeys(("c", "continue"), Prompt.do_continue),
    **dict.fromkeys(("n", "next", "s", "step"), Prompt.do_next),
    **dict.fromkeys(("l", "list", "w", "where"), Prompt.do_list),
    **dict.fromkeys(("p", "print"), Prompt.do_print), "block": Prompt.do_block,
    **dict.fromkeys(("q", "quit"), Prompt.do_quit),
    **dict.fromkeys(("h", "help"), Prompt.do_help),
}


def _number(word):
    if not word.isdigit():
        raise ValueError(f"a number is missing, input is {word!r}")
    return int(word)


def _is_all(rest):
    if rest not in ("", "-a"):
        raise ValueError(f"only -a may follow, input is {rest!r}")
    return rest == "-a"
