"""`vinci draw`: the numbers in the picture are those of the formulas."""

import numpy as np
import pytest

from draw_kit import (BITS, CHIP_310P, CHIP_910A, CHIP_910B, Picture, check_cells)

ALL = {"--excerpt": 0, "--most": 256}


def fractal_of(number, dtype):
    """Element numbers of a source fractal, 16 rows."""
    width = 256 // BITS[dtype]
    return np.arange(16 * width).reshape(16, width) + number * 16 * width


# --- LoadData 2D --------------------------------------------------------------------------------

LOADS_2D = [
    (CHIP_310P, "half", {}),
    (CHIP_310P, "half", {"--ifTranspose": True}),
    (CHIP_310P, "int8", {"--to": "B2", "--startIndex": 0, "--srcStride": 1, "--dstGap": 0}),
    (CHIP_310P, "uint8", {"--from": "GM", "--startIndex": 300, "--repeatTimes": 7}),
    (CHIP_910A, "half", {"--dstGap": 3}),
    (CHIP_910B, "float", {"--srcStride": 0}),
    (CHIP_910B, "int4", {"--startIndex": 77, "--srcStride": 5, "--dstGap": 2}),
    (CHIP_910B, "bfloat16", {"--to": "B2", "--repeatTimes": 5, "--ifTranspose": True}),
    (CHIP_310P, "half", {"--to": "A1", "--addrMode": 1, "--startIndex": 9}),
    (CHIP_910A, "int16", {"--to": "B1", "--addrMode": 1, "--startIndex": 9}),
    (CHIP_310P, "half", {"--repeatTimes": 0}),
]


@pytest.mark.parametrize("chip, dtype, changes", LOADS_2D, ids=str)
def test_load_data_2d(chip, dtype, changes):
    values = {"--startIndex": 1, "--repeatTimes": 3, "--srcStride": 2, "--dstGap": 1} | changes
    down = values.get("--addrMode") == 1 and chip != CHIP_910A
    ignored = values["--repeatTimes"] == 0 or values.get("--addrMode") == 1 and not down
    picture = Picture("load_data_2d", values | ALL | {"--soc": chip, "--type": dtype},
                      "V2008" if ignored else None)
    gap = 0 if chip == CHIP_910A else values["--dstGap"]
    wanted, sources = {}, set()
    for i in range(values["--repeatTimes"]):
        source = values["--startIndex"] + (-i if down else i) * values["--srcStride"]
        numbers = fractal_of(source, dtype)
        wanted[i * (gap + 1)] = numbers.T if values.get("--ifTranspose") else numbers
        sources.add(source)
    drawn = picture.cells("destination")
    assert drawn.keys() == wanted.keys()
    for fractal, numbers in wanted.items():
        assert drawn[fractal] == {place: str(n) for place, n in np.ndenumerate(numbers)}
    assert picture.cells("source").keys() == sources
    if wanted:
        assert picture.unused("destination") == set(range(max(wanted))) - wanted.keys()
        assert picture.unused("source") == set(range(max(sources))) - sources
        assert len(picture.elements("path")) >= len(wanted)  # the arrows


def test_an_excerpt_has_the_first_and_the_last_rows_and_columns():
    cells = Picture("load_data_2d", {"--excerpt": 4}).cells("destination")[0]
    assert sorted({row for row, _ in cells}) == sorted({c for _, c in cells}) == [0, 1, 15]


def test_what_is_left_out_is_said():
    picture = Picture("load_data_2d", {"--repeatTimes": 60, "--dstGap": 0, "--most": 2})
    assert picture.cells("destination").keys() == {0, 1}
    assert "fractals 2 to 59, not drawn" in picture.words()
    assert "2 of 60 written fractals are drawn" in picture.words()


# --- LoadDataWithTranspose ----------------------------------------------------------------------

# Side of a square, and how its fractals stand: down and across.
SQUARES = {4: (64, 4, 1), 8: (32, 2, 1), 16: (16, 1, 1), 32: (16, 1, 2)}

LOADS_TRANSPOSED = [
    ("half", {"--startIndex": 1, "--srcStride": 2, "--dstGap": 1}),
    ("int8", {"--dstFracGap": 1, "--dstGap": 0}), ("uint8", {"--dstGap": 2, "--startIndex": 9}),
    ("float", {"--dstGap": 2}), ("int32", {"--dstFracGap": 3, "--to": "B2"}),
    ("int4", {"--to": "B2", "--repeatTimes": 3, "--dstFracGap": 1}), ("bfloat16", {}),
    ("int8", {"--repeatTimes": 0}), ("int8", {"--dstGap": 0}),  # the last falls on each other
]


def in_fractals(square, bits):
    """The fractals of a square, one after the other, each 16 rows."""
    side, down, across = SQUARES[bits]
    blocks = square.reshape(down, side // down, across, side // across).transpose(0, 2, 1, 3)
    return blocks.reshape(down * across, 16, -1)


@pytest.mark.parametrize("dtype, changes", LOADS_TRANSPOSED, ids=str)
def test_load_data_with_transpose(dtype, changes):
    bits = BITS[dtype]
    side, down, across = SQUARES[bits]
    fractals = down * across
    values = {"--startIndex": 0, "--repeatTimes": 2, "--srcStride": 1, "--dstFracGap": 0} | changes
    gap = values.get("--dstGap", fractals * (values["--dstFracGap"] + 1) - 1)
    targets = [i * (gap + 1) + j * (values["--dstFracGap"] + 1)
               for i in range(values["--repeatTimes"]) for j in range(fractals)]
    on_each_other = len({*targets}) < len(targets)
    picture = Picture("load_data_with_transpose", values | ALL | {"--type": dtype},
                      "V2009" if on_each_other else None if targets else "V2008")
    wanted = {}
    for i in range(values["--repeatTimes"]):
        first = (values["--startIndex"] + i * values["--srcStride"]) * side * side
        square = np.empty((side, side), int)
        in_order = np.arange(first, first + side * side).reshape(down, across, 16, -1)
        square[:] = in_order.transpose(0, 2, 1, 3).reshape(side, side)
        for j, fractal in enumerate(in_fractals(square.T, bits)):
            wanted[i * (gap + 1) + j * (values["--dstFracGap"] + 1)] = fractal
    drawn = picture.cells("destination")
    assert drawn.keys() == wanted.keys()
    for number, fractal in wanted.items():
        assert drawn[number] == {place: str(n) for place, n in np.ndenumerate(fractal)}


# --- LoadData 3D --------------------------------------------------------------------------------


class Map:
    """A feature map of numbered elements, with pads, and the matrix of its windows."""

    def __init__(self, options, channels, c0):
        self.h, self.w = options.get("--l1H", 4), options.get("--l1W", 4)
        self.pad = options.get("--padList", [1, 1, 1, 1])
        self.kh, self.kw = options.get("--filterH", 3), options.get("--filterW", 3)
        self.sh, self.sw = options.get("--strideH", 1), options.get("--strideW", 1)
        self.dh = options.get("--dilationFilterH", 1)
        self.dw = options.get("--dilationFilterW", 1)
        self.c0, self.channels = c0, channels
        wide = self.w + self.pad[0] + self.pad[1] - (self.kw - 1) * self.dw - 1
        self.wo = wide // self.sw + 1
        self.ho = (self.h + self.pad[2] + self.pad[3] - (self.kh - 1) * self.dh - 1) // self.sh + 1

    def element(self, channel, y, x):
        if not (0 <= y < self.h and 0 <= x < self.w):
            return "pad"
        whole = self.channels // self.c0 * self.c0
        pixel = y * self.w + x
        if channel < whole:
            return (channel // self.c0 * self.h * self.w + pixel) * self.c0 + channel % self.c0
        return whole * self.h * self.w + pixel * (self.channels - whole) + channel - whole

    def under(self, y, x, channel, point):
        """What lies under a filter point when the window's corner is at (y, x)."""
        return self.element(channel, y + point // self.kw * self.dh, x + point % self.kw * self.dw)

    def columns(self):
        """(channel, filter point) of the matrix's columns."""
        whole, rest = self.channels // self.c0, self.channels % self.c0
        points = range(self.kh * self.kw)
        order = [(c1 * self.c0 + c, p) for c1 in range(whole) for p in points
                 for c in range(self.c0)]
        return order + [(whole * self.c0 + c, p) for p in points for c in range(rest)]

    def at(self, m, k):
        """Element (m, k) of the matrix; None behind its last column."""
        columns = self.columns()
        if k >= len(columns):
            return None
        return self.under(m // self.wo * self.sh - self.pad[2],
                          m % self.wo * self.sw - self.pad[0], *columns[k])


LOADS_V1 = [
    ("half", {}), ("int8", {"--l1H": 9, "--l1W": 8}), ("uint8", {"--c1Index": 3}),
    ("half", {"--to": "B2", "--fetchFilterH": 2, "--fetchFilterW": 1}),
    ("half", {"--repeatMode": 1, "--jumpStride": 2, "--l1H": 6, "--l1W": 6}),
    ("half", {"--repeatMode": 1, "--to": "B2", "--l1W": 7, "--strideW": 2, "--fetchFilterW": 1}),
    ("half", {"--filterH": 2, "--filterW": 2, "--dilationFilterH": 2, "--dilationFilterW": 2,
              "--repeatTime": 4}),
    ("half", {"--padList": [2, 0, 1, 3], "--leftTopH": 1, "--leftTopW": -2, "--strideH": 2}),
]


@pytest.mark.parametrize("dtype, changes", LOADS_V1, ids=str)
def test_load_data_3d_v1(dtype, changes):
    c0 = 256 // BITS[dtype]
    picture = Picture("load_data_3d_v1", changes | ALL | {"--type": dtype})
    image = Map(changes, 4096 * c0, c0)
    point = changes.get("--fetchFilterH", 0) * image.kw + changes.get("--fetchFilterW", 0)
    first = changes.get("--leftTopH", -image.pad[2]), changes.get("--leftTopW", -image.pad[0])
    repeats = changes.get("--repeatTime", 3)
    last = image.w + image.pad[1] - (image.kw - 1) * image.dw - 1
    windows = [first]
    for _ in range(16 * repeats):
        y, x = windows[-1]
        x += image.sw
        windows.append((y, x) if x <= last else (y + image.sh, -image.pad[0]))
    memory, fractals = {}, set()
    for i in range(repeats):
        walks = changes.get("--repeatMode", 0) == 1
        fractal = i * changes.get("--jumpStride", 1) if walks else i
        fractals.add(fractal)
        p = point if walks else point + i
        c1 = changes.get("--c1Index", 0) + p // (image.kh * image.kw)
        for r in range(16):
            y, x = windows[16 * i + r if walks else r]
            for c in range(c0):
                place = c * 16 + r if changes.get("--to") == "B2" else r * c0 + c
                memory[fractal * 16 * c0 + place] = image.under(y, x, c1 * c0 + c,
                                                                p % (image.kh * image.kw))
    cells = picture.cells("destination")
    assert cells.keys() == fractals
    assert all(len(cell) == 16 * c0 for cell in cells.values())
    check_cells(cells, memory, dtype)
    assert picture.unused("destination") == set(range(max(fractals))) - fractals


LOADS_V2 = [
    ("half", {}), ("half", {"--l1H": 6, "--l1W": 6, "--padList": [0, 0, 0, 0]}),
    ("half", {"--channelSize": 24, "--kStartPt": 128, "--l1W": 6}),
    ("int8", {"--channelSize": 40, "--filterH": 1, "--filterW": 2}),
    ("int4", {"--channelSize": 80, "--filterH": 1}),
    ("float", {"--channelSize": 12, "--strideH": 2, "--dilationFilterW": 2, "--l1W": 6}),
    ("half", {"--channelSize": 16, "--to": "B2", "--padList": [2, 0, 1, 1]}),
    ("float", {"--channelSize": 8, "--to": "B2", "--filterH": 2}),
    ("half", {"--channelSize": 16, "--enTranspose": True, "--mStartPt": 16, "--l1H": 6,
              "--mExtension": 8}),
    ("float", {"--channelSize": 8, "--enTranspose": True, "--kExtension": 40}),
    ("half", {"--channelSize": 16, "--l1H": 6, "--l1W": 6, "--mStartPt": 16, "--mExtension": 16,
              "--kStartPt": 48, "--kExtension": 32}),
]


def place_of(bits, options, m, k, m_size, k_size):
    """Where element (m, k) of the block lies, by the table of the specification."""
    c0, blocks = 256 // bits, lambda size, unit: -(-size // unit)
    if options.get("--to") == "B2":
        return ((m // c0 * blocks(k_size, 16) + k // 16) * 16 + k % 16) * c0 + m % c0
    if options.get("--enTranspose"):
        across = blocks(m_size, 16) * (16 // c0)
        return ((k // 16 * across + m // c0) * 16 + k % 16) * c0 + m % c0
    return ((m // 16 * blocks(k_size, c0) + k // c0) * 16 + m % 16) * c0 + k % c0


@pytest.mark.parametrize("dtype, changes", LOADS_V2, ids=str)
def test_load_data_3d_v2(dtype, changes):
    c0 = 256 // BITS[dtype]
    picture = Picture("load_data_3d_v2", changes | ALL | {"--type": dtype})
    image = Map(changes, changes.get("--channelSize", 4), c0)
    width = -(-len(image.columns()) // c0) * c0
    m_start, k_start = changes.get("--mStartPt", 0), changes.get("--kStartPt", 0)
    m_size = changes.get("--mExtension", image.ho * image.wo - m_start)
    k_size = changes.get("--kExtension", width - k_start)
    unit = 8 if changes.get("--to") == "B2" and BITS[dtype] == 32 else 16
    by_element = changes.get("--to") == "B2" or changes.get("--enTranspose")
    k_written = k_size if by_element else -(-k_size // c0) * c0
    memory = {}
    for m in range(-(-m_size // unit) * unit):
        for k in range(k_written):
            place = place_of(BITS[dtype], changes, m, k, m_size, k_size)
            memory[place] = image.at(m_start + m, k_start + k)
    cells = picture.cells("destination")
    across = -(-k_size // (16 if by_element else c0))
    if changes.get("--enTranspose"):
        across = -(-m_size // 16) * (16 // c0)
    down = (max(memory) // (16 * c0) + 1) // across
    assert cells.keys() == {r * across + c for r in range(down) for c in range(min(across, 4))}
    assert all(len(cell) == 16 * c0 for cell in cells.values())
    check_cells(cells, memory, dtype)


def test_the_map_shows_the_first_element_of_each_pixel():
    options = {"--l1H": 5, "--l1W": 6, "--channelSize": 20, "--padList": [1, 2, 0, 3]}
    picture = Picture("load_data_3d_v2", options | {"--kStartPt": 128})
    image = Map(options, 20, 16)
    pixels = {}
    for cell in picture.elements("text", side="map"):
        place = tuple(int(cell.get(f"data-{name}")) for name in ("c1", "y", "x"))
        pixels[place] = cell.text
    assert pixels == {(c1, y, x): str(image.element(c1 * 16, y, x)) for c1 in (0, 1)
                      for y in range(8) for x in range(-1, 8)}


def test_windows_stand_where_the_rows_begin():
    picture = Picture("load_data_3d_v2", {"--l1H": 6, "--l1W": 6, "--channelSize": 16,
                                          "--mStartPt": 16, "--kExtension": 16})
    assert [rect.get("data-window") for rect in picture.elements("rect")
            if rect.get("data-window")] == ["16", "17"]


# --- Formats and Mmad ---------------------------------------------------------------------------


def memory_order(name, rows, columns, r0, c0):
    """(rows, columns) array of element numbers, by building the format with numpy."""
    high, wide = -(-rows // r0) * r0, -(-columns // c0) * c0
    blocks = np.arange(high * wide).reshape(high // r0, r0, wide // c0, c0)
    outer = (0, 2) if name[1] == "Z" else (2, 0)
    inner = (1, 3) if name[0] == "z" else (3, 1)
    in_memory = blocks.transpose(*outer, *inner).ravel()  # which matrix place comes where
    numbers = np.empty(high * wide, int)
    numbers[in_memory] = np.arange(high * wide)
    return numbers.reshape(high, wide)


@pytest.mark.parametrize("dtype", ["half", "int8", "float", "int4"])
@pytest.mark.parametrize("name", ["zZ", "zN", "nZ", "nN"])
def test_format(name, dtype):
    rows, columns, row, column = 70, 150, 66, 131
    run = 256 // BITS[dtype]
    r0, c0 = (16, run) if name[0] == "z" else (run, 16)
    numbers = memory_order(name, rows, columns, r0, c0)
    picture = Picture("format", {"--name": name, "--rows": rows, "--columns": columns, "--type":
                                 dtype, "--element": [row, column], "--excerpt": 0})
    offset = numbers[row, column]
    assert f"Element ({row}, {column}) is element {offset} in memory" in picture.words()
    (fractal, cells), = picture.cells("fractal").items()
    assert fractal == offset // (16 * run)
    top, left = row // r0 * r0, column // c0 * c0
    wanted = numbers[top:top + r0, left:left + c0]
    assert cells == {place: str(n) for place, n in np.ndenumerate(wanted)}
    stations = [int(cell.text) for cell in picture.elements("text", side="matrix")]
    firsts = numbers[::r0, ::c0][:5, :5] // (16 * run)
    assert stations == list(firsts.ravel())


def test_format_nd():
    picture = Picture("format", {"--name": "ND", "--rows": 20, "--columns": 28, "--element": [3, 20]})
    assert "is element 104 in memory, at byte 208." in picture.words()


@pytest.mark.parametrize("name, dtype, shape, place, offset", [
    ("zZ", "half", (20, 28), (3, 20), 308), ("zN", "half", (20, 28), (3, 20), 564),
    ("nN", "half", (20, 28), (3, 20), 579), ("nZ", "half", (20, 28), (3, 20), 323),
    ("zZ", "int8", (16, 64), (3, 40), 616), ("nZ", "int8", (64, 32), (40, 20), 1672),
    ("zZ", "int4", (16, 128), (2, 70), 1158), ("nZ", "float", (24, 16), (11, 5), 171)])
def test_known_elements(name, dtype, shape, place, offset):
    picture = Picture("format", {"--name": name, "--type": dtype, "--rows": shape[0], "--columns":
                                 shape[1], "--element": list(place)})
    assert f"is element {offset} in memory" in picture.words()


MMADS = [("half", 20, 40, 36, (3, 20)), ("int8", 33, 5, 70, (32, 4)), ("float", 16, 16, 9, (0, 0)),
         ("bfloat16", 1, 20, 40, (0, 17)), ("int4", 40, 20, 130, (20, 19)), ("half", 2, 1, 1, (1, 0)),
         ("uint8", 17, 33, 31, (16, 32))]


@pytest.mark.parametrize("dtype, m, n, k, element", MMADS, ids=str)
def test_mmad(dtype, m, n, k, element):
    picture = Picture("mmad", {"--type": dtype, "--m": m, "--n": n, "--k": k,
                               "--element": list(element)})
    k0 = 256 // BITS[dtype]
    a = memory_order("zZ", m, k, 16, k0) if m > 1 else np.arange(k).reshape(1, k)
    b = memory_order("nZ", k, n, k0, 16)
    cells = picture.cells("operands")[0]
    shown = {column for _, column in cells}
    assert {0, k - 1} <= shown
    for column in shown:
        assert cells[0, column] == str(a[element[0], column])
        assert cells[1, column] == str(b[column, element[1]])
    fractals = {side: [int(cell.text) for cell in picture.elements("text", side=side)]
                for side in "ABC"}
    c = memory_order("zN", m, n, 16, 16)
    assert fractals["B"] in ([], list((b[::k0, ::16][:5, :5] // (16 * k0)).ravel()))
    assert fractals["C"] in ([], list((c[::16, ::16][:5, :5] // 256).ravel()))
    assert (fractals["C"] == []) == (m <= 16 and n <= 16)
