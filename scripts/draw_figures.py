"""Draws the figures of docs/guide anew from docs/guide/figures/list.txt: a part of `make docs`.

A figure that differs from the file in the tree is written and reported, with exit code 1: look at
it and commit it. With --check nothing is written. Reported as well: a file that is not in the
list, and a figure that no page of the guide shows.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs/guide/figures"


def listed():
    """{name: arguments of vinci draw}, in the order of the list."""
    figures = {}
    for line in (FIGURES / "list.txt").read_text().splitlines():
        words = line.split("#")[0].split()
        if words:
            assert words[0] not in figures, f"list.txt: {words[0]} twice"
            figures[words[0]] = words[1:]
    return figures


def drawn(vinci, name, arguments):
    """The figure's text; None and a message if vinci refuses."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "figure.svg"
        done = subprocess.run([vinci, "draw", *arguments, "-o", path], capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            print(f"docs/guide/figures/{name}.svg: vinci draw failed: {done.stderr.strip()}")
            return None
        return path.read_text()


def main():
    """1 if a figure is missing, differs, or is of no use."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vinci", default=ROOT / "build/bin/vinci", help="the program to ask")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    figures = listed()
    problems = 0
    for name, arguments in figures.items():
        path = FIGURES / f"{name}.svg"
        text = drawn(options.vinci, name, arguments)
        if text is None:
            problems += 1
        elif not path.exists() or path.read_text() != text:
            problems += 1
            what = "differs from the one in the tree" if path.exists() else "is new"
            then = "not written" if options.check else "written; look at it and commit it"
            print(f"docs/guide/figures/{name}.svg {what}: {then}")
            if not options.check:
                path.write_text(text)
    pages = "".join(page.read_text() for page in (ROOT / "docs/guide").glob("*.md"))
    for path in sorted(FIGURES.glob("*.svg")):
        if path.stem not in figures:
            problems += 1
            print(f"{path.relative_to(ROOT)}: not in list.txt")
        elif f"(figures/{path.name})" not in pages:
            problems += 1
            print(f"{path.relative_to(ROOT)}: no page of docs/guide shows it")
    if problems:
        return 1
    print(f"figures: {len(figures)} as drawn by vinci")
    return 0


if __name__ == "__main__":
    sys.exit(main())
