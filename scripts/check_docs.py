"""Checks the pages that the program, the tests and the reports rely on: what `make docs` does.

Every fault code has a page with the table's title, every instruction file has a page, `vinci
explain` knows every page and every topic that a text names, and no relative link in a .md file is
dead.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Checker:
    """Collects what is wrong."""

    def __init__(self, vinci):
        self.vinci, self.problems, self.links = vinci, [], 0
        self.explained = {}

    def expect(self, holds, problem):
        """Notes `problem` unless `holds`."""
        if not holds:
            self.problems.append(problem)

    def explain(self, topic):
        """What `vinci explain` prints about a topic; None if it knows nothing."""
        if topic not in self.explained:
            done = subprocess.run([self.vinci, "explain", topic], capture_output=True, text=True,
                                  check=False)
            self.explained[topic] = done.stdout if done.returncode == 0 else None
        return self.explained[topic]

    def check_faults(self):
        """Codes against pages, and titles against the table."""
        header = (ROOT / "include/vinci/fault.h").read_text()
        numbers = dict(re.findall(r"^\s*(k\w+) = (\d{4}),", header, re.M))
        table = dict(re.findall(r'\{Code::(k\w+),[^"}]*"([^"]*)"(?:, true)?\}',
                                (ROOT / "src/report/fault.cpp").read_text()))
        codes = {f"V{number}": table.get(name) for name, number in numbers.items()}
        pages = {path.stem: path for path in (ROOT / "docs/fault").glob("*.md")}
        self.expect(codes, "include/vinci/fault.h: no codes found")
        for code in sorted(codes.keys() - pages.keys()):
            self.expect(False, f"docs/fault/{code}.md is missing")
        for name in sorted(pages.keys() - codes.keys()):
            self.expect(False, f"docs/fault/{name}.md: there is no such code")
        for code in sorted(codes.keys() & pages.keys()):
            wanted = f"# {code}: {codes[code]}"
            first = pages[code].read_text().partition("\n")[0]
            self.expect(codes[code], f"src/report/fault.cpp: {code} is not in the table")
            self.expect(first == wanted, f"docs/fault/{code}.md begins {first!r}, not {wanted!r}")

    def check_instructions(self):
        """A page for each instruction file: those without a header of their name."""
        for source in sorted((ROOT / "src/isa").glob("*/*.cpp")):
            page = ROOT / "docs/spec" / f"{source.stem}.md"
            self.expect(page.exists() or source.with_suffix(".h").exists(),
                        f"docs/spec/{source.stem}.md is missing")

    def check_pages(self):
        """`vinci explain` shows each page as the file has it. Returns the number of pages."""
        pages = [page for folder in ("fault", "spec")
                 for page in sorted((ROOT / "docs" / folder).glob("*.md"))]
        for page in pages:
            name = page.relative_to(ROOT)
            shown = self.explain(page.stem)
            self.expect(shown is not None, f"{name}: vinci explain {page.stem} fails")
            self.expect(shown is None or page.read_text() in shown,
                        f"{name}: vinci explain {page.stem} shows another text; run make")
        return len(pages)

    def check_text(self, path):
        """Links of one file, and the topics it sends readers to."""
        name = path.relative_to(ROOT)
        text = path.read_text()
        for topic in sorted(set(re.findall(r"vinci explain ([A-Za-z]\w+)", text))):
            if topic.isupper():  # a placeholder, as in a usage line
                continue
            self.expect(self.explain(topic) is not None, f"{name}: vinci explain {topic} fails")
        prose = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.M | re.S)
        prose = re.sub(r"^(?: {4}|\t).*$|`[^`\n]*`", "", prose, flags=re.M)
        targets = re.findall(r"\]\(\s*<?([^)>\s]+)", prose)
        targets += re.findall(r"^\[[^\]]+\]:\s*<?([^>\s]+)", prose, re.M)
        for target in targets:
            if re.match(r"[a-z][a-z0-9+.-]*:|#", target):
                continue
            self.links += 1
            file = target.partition("#")[0]
            base = ROOT if file.startswith("/") else path.parent
            self.expect((base / file.lstrip("/")).exists(), f"{name}: link to {target}: not there")

    def check_texts(self):
        """All .md files of the repository; builds and hidden folders are not part of it."""
        for path in sorted(ROOT.rglob("*.md")):
            folders = path.relative_to(ROOT).parts[:-1]
            if not any(folder.startswith((".", "build")) for folder in folders):
                self.check_text(path)


def main():
    """Runs all checks; 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vinci", default=ROOT / "build/bin/vinci", help="the program to ask")
    checker = Checker(parser.parse_args().vinci)
    checker.check_faults()
    checker.check_instructions()
    pages = checker.check_pages()
    checker.check_texts()
    for problem in checker.problems:
        print(problem)
    if checker.problems:
        return 1
    print(f"docs: {pages} pages, {checker.links} links checked")
    return 0


if __name__ == "__main__":
    sys.exit(main())
