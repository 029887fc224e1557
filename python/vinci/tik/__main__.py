"""python3 -m vinci.tik: runs a TIK script as it is."""

import os
import runpy
import sys

from . import chip, toolkit

USAGE = """usage: python3 -m vinci.tik [--soc CHIP] script.py [arguments of the script]

Runs a TIK script unmodified: te, tbe, topi and impl are found, and its kernels run on vinci.

  --soc CHIP   the chip at the start, as of `vinci run --soc`; the script may choose another.
               Without it: $VINCI_SOC, or Ascend910A
  -h, --help   this text

The exit code is the script's."""


def _wrong(text):
    print(f"{text}\n\n{USAGE}", file=sys.stderr)
    return 2


def _parse(arguments):
    """(chip or None, script and its arguments)."""
    soc = None
    while arguments and arguments[0].startswith("-"):
        option, equals, value = arguments.pop(0).partition("=")
        if option != "--soc":
            raise ValueError(f"there is no option {option}")
        if not equals:
            if not arguments:
                raise ValueError("--soc needs a chip")
            value = arguments.pop(0)
        soc = value
    if not arguments:
        raise ValueError("no script is given")
    return soc, arguments


def main(arguments):
    """Runs the script of a command line; returns an exit code if there is none to run."""
    if arguments and arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0
    try:
        soc, script = _parse(list(arguments))
        if soc is not None:
            chip.use(chip.named_by_user(soc))
        else:
            chip.current()
    except (ValueError, RuntimeError) as error:
        return _wrong(error)
    if not os.path.isfile(script[0]):
        return _wrong(f"there is no file {script[0]}")
    sys.path.insert(0, os.path.dirname(os.path.abspath(script[0])))
    toolkit.install()
    sys.argv = script
    runpy.run_path(script[0], run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
