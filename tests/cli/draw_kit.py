"""Reads the pictures of `vinci draw` back."""

import xml.etree.ElementTree as ElementTree

import harness

SVG = "{http://www.w3.org/2000/svg}"
BITS = {"int4": 4, "int8": 8, "uint8": 8, "int16": 16, "uint16": 16, "half": 16, "bfloat16": 16,
        "int32": 32, "uint32": 32, "float": 32}
CHIP_310P, CHIP_910A, CHIP_910B = "Ascend310P3", "Ascend910A", "Ascend910B1"


def words(options):
    """{"--startIndex": 3, "--ifTranspose": True} as a command line has it."""
    line = []
    for name, value in options.items():
        if value is True:
            line.append(name)
        elif value is not False:
            line += [name, ",".join(map(str, value)) if isinstance(value, list) else str(value)]
    return line


def draw(what, options=None, **more):
    """The Run of `vinci draw`, the picture on stdout."""
    return harness.vinci("draw", what, *words(options or {}), "-o", "-", **more)


class Picture:
    """A picture that vinci drew without complaint, or with one warning of a code."""

    def __init__(self, what, options=None, warning=None):
        done = draw(what, options)
        assert done.code == 0, f"exit {done.code}\n{done.stderr}"
        assert done.stderr.count("[V") == (warning is not None), done.stderr
        assert warning is None or done.stderr.startswith(f"warning[{warning}]")
        self.text = done.stdout
        self.root = ElementTree.fromstring(done.stdout)

    def elements(self, tag, **attributes):
        wanted = {f"data-{name}": str(value) for name, value in attributes.items()}
        return [element for element in self.root.iter(SVG + tag)
                if all(element.get(name) == value for name, value in wanted.items())]

    def cells(self, side):
        """{fractal: {(row, column): text}}"""
        fractals = {}
        for element in self.elements("text", side=side):
            if element.get("data-row") is None:
                continue
            place = int(element.get("data-row")), int(element.get("data-column"))
            fractal = fractals.setdefault(int(element.get("data-fractal")), {})
            assert place not in fractal, "a cell is drawn twice"
            fractal[place] = element.text
        return fractals

    def unused(self, side):
        """Fractals that are drawn as not read, or as untouched."""
        fractals = set()
        for element in self.elements("rect", side=side):
            if element.get("data-state") in ("not read", "untouched"):
                fractals |= set(range(int(element.get("data-first")),
                                      int(element.get("data-last")) + 1))
        return fractals

    def words(self):
        return " ".join(element.text or "" for element in self.root.iter(SVG + "text"))


def check_cells(cells, memory, dtype):
    """All drawn cells against memory[element]: a number, "pad", or None for untouched."""
    width = 256 // BITS[dtype]
    for fractal, drawn in cells.items():
        for (row, column), text in drawn.items():
            wanted = memory.get((fractal * 16 + row) * width + column)
            assert text == ("–" if wanted is None else str(wanted)), (fractal, row, column)
