"""python3 -m vinci.tik: runs a TIK script as it is, or all scripts of a folder."""

import os
import runpy
import sys

from . import chip, folder, script_file, toolkit

USAGE = """usage: python3 -m vinci.tik [--soc CHIP] script.py [arguments of the script]
       python3 -m vinci.tik [--soc CHIP] -m MODULE [arguments of the module]
       python3 -m vinci.tik [--soc CHIP] [--timeout SECONDS] --all FOLDER

Runs a TIK script unmodified: te, tbe, topi and impl are found, and its kernels run on vinci.

  --soc CHIP         the chip at the start, as of `vinci run --soc`; the script may choose another.
                     Without it: $VINCI_SOC, or Ascend310
  -m MODULE          a module instead of a script, as Python's -m: -m pytest tests
  --all FOLDER       every script in the folder and those below it, and a table of what became of
                     each: whether it ran, equals its golden function, or what is missing
  --timeout SECONDS  with --all: how long a script may take; 600
  -h, --help         this text

The exit code is the script's; of --all 1 if one was refused, failed or differs."""


NEEDS = {"--soc": "a chip", "--all": "a folder", "--timeout": "seconds", "-m": "a module"}


def _wrong(text):
    print(f"{text}\n\n{USAGE}", file=sys.stderr)
    return 2


def _parse(arguments):
    """(options by name, script and its arguments)."""
    options = {}
    while arguments and arguments[0].startswith("-"):
        option, equals, value = arguments.pop(0).partition("=")
        if option not in NEEDS:
            raise ValueError(f"there is no option {option}")
        if not equals:
            if not arguments:
                raise ValueError(f"{option} needs {NEEDS[option]}")
            value = arguments.pop(0)
        options[option] = value
        if option == "-m":  # what follows is the module's
            return options, arguments
    if "--all" in options:
        if arguments:
            raise ValueError(f"--all takes no script, but there is {arguments[0]}")
        if not os.path.isdir(options["--all"]):
            raise ValueError(f"there is no folder {options['--all']}")
    elif not arguments:
        raise ValueError("no script is given")
    return options, arguments


def _seconds(text):
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"--timeout is in seconds, not {text!r}") from None


def _run_module(module, arguments):
    toolkit.install()
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return 0


def main(arguments):
    """Runs the script of a command line; returns an exit code if there is none to run."""
    if arguments and arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0
    try:
        options, script = _parse(list(arguments))
        soc, timeout = options.get("--soc"), _seconds(options.get("--timeout", "600"))
        if soc is not None:
            chip.use(chip.named_by_user(soc))
        else:
            chip.current()
    except (ValueError, RuntimeError) as error:
        return _wrong(error)
    if "--all" in options:
        return folder.run_all(options["--all"], soc, timeout)
    if "-m" in options:
        return _run_module(options["-m"], script)
    if not os.path.isfile(script[0]):
        return _wrong(f"there is no file {script[0]}")
    script_file.extend_path(script[0])
    toolkit.install()
    sys.argv = script
    sys.excepthook = script_file.print_exception
    script_file.run(script[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
