"""How TIK reports a mistake: one function for all checks, as docs/spec/tik_language.md says.

The text goes to stderr with the place in the script. What is raised then depends:
SystemExit(text) by default, the named kind with Tik(err_msg_level=1), and
RuntimeError({...}) where CONTEXT_MODELCOMPILING=TRUE.
"""

import functools
import linecache
import os
import sys
import sysconfig
import traceback

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
# What stands between the functions of a script: vinci, Python's own modules, installed packages.
LIBRARIES = (os.path.dirname(PACKAGE.rstrip(os.sep)) + os.sep, sysconfig.get_path("stdlib") + os.sep)
INSTALLED = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")
MOST_CALLERS = 8
WINDOW = 2  # lines of the script before and after the one at fault

last = None  # the last mistake that was reported: (text, file, line)
advice = []  # functions of such a text: what to print below it, or ""

_level = 0
_inside = {}  # file name -> whether it belongs to this package
_warned = set()


def set_level(level):
    """err_msg_level of the Tik that was made last."""
    global _level
    _level = level


def strict():
    """Whether mistakes that hardware forgives are errors, as in the vendor's debugger."""
    return os.environ.get("VINCI_TIK_STRICT") == "1"


def script_frame():
    """The innermost frame that is not of this package, or None."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        inside = _inside.get(name)
        if inside is None:
            inside = _inside[name] = os.path.abspath(name).startswith(PACKAGE)
        if not inside:
            return frame
        frame = frame.f_back
    return None


def script_place():
    """Its (file, line)."""
    frame = script_frame()
    return ("<unknown>", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)


@functools.cache
def is_beside(name):
    """Whether a file belongs to no script."""
    path = os.path.abspath(name)
    return (name.startswith("<frozen ") or path.startswith(LIBRARIES)
            or any(one in path for one in INSTALLED))


def script_callers():
    """The (file, line) of each call in the script that leads to script_place(), the innermost first;
    the last one stands in no function."""
    callers = []
    frame = script_frame()
    while frame is not None:
        inner, frame = frame, frame.f_back
        beside = frame is None or is_beside(frame.f_code.co_filename)
        if beside and inner.f_code.co_name == "<module>":
            break  # a file; what exec runs goes on in who calls it
        if not beside:
            callers.append((frame.f_code.co_filename, frame.f_lineno))
    return tuple(callers)


def _window(file, line):
    lines = []
    for number in range(max(1, line - WINDOW), line + WINDOW + 1):
        text = linecache.getline(file, number).rstrip("\n")
        if text or number == line:
            mark = "->" if number == line else "  "
            lines.append(f"{mark} {number:5} {text}")
    return "\n".join(lines)


def fail(text, kind=RuntimeError, place=None):
    """Reports a mistake of the script, at (file, line) or where the script is; does not return."""
    global last
    file, line = place or script_place()
    last = text, file, line
    print(f"Error: {text}\nFile: {file}, line {line}\n{_window(file, line)}", file=sys.stderr)
    for caller in () if place else script_callers()[:MOST_CALLERS]:
        print("called from {}, line {}".format(*caller), file=sys.stderr)
    for line_below in filter(None, [one(text) for one in advice]):
        print(line_below, file=sys.stderr)
    if os.environ.get("CONTEXT_MODELCOMPILING", "").upper() == "TRUE":
        raise RuntimeError(
            {
                "errCode": "EA0000",
                "message": text,
                "traceback": "".join(traceback.format_stack(sys._getframe(1))),
            }
        )
    if _level == 1:
        raise kind(text)
    raise SystemExit(text)


def unimplemented(what, why):
    """Reports something of TIK that vinci does not have; does not return."""
    fail(f"unimplemented: {what} is not there yet: {why}", NotImplementedError)


def warn_of_inference(api):
    """No document that was read has the formula of what the instruction computes."""
    warn(f"{api}: no document has its formula, and the one that is computed is inferred; "
         f"see vinci explain {api}")


def warn(text):
    """Says something once for each place in the script."""
    file, line = script_place()
    if (file, line, text) not in _warned:
        _warned.add((file, line, text))
        print(f"warning: {text} ({file}:{line})", file=sys.stderr)
