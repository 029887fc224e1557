"""The h_ methods of TIK that go element by element over whole Tensors, run against numpy."""

import random

import numpy as np
import pytest
from kernels import CHIPS, Call, fault, numbers, refusal, run, same, use
from vinci import tik

HALF, FLOAT = "float16", "float32"
FLOATS = (HALF, FLOAT)
NEWER = ("310P", "310P vector", "910B", "310B")
TYPES = (HALF, FLOAT, "int16", "uint16", "int32", "uint32", "int8", "uint8")
SIZES = (1, 63, 64, 127, 128, 255 * 64 + 5, 255 * 128 + 77)
BIG = 255 * 64  # from here on a Tensor is written in place, as UB is not endless
SEED = 41

UNARY = {"h_abs": np.abs, "h_exp": np.exp, "h_ln": np.log, "h_relu": lambda x: np.maximum(x, 0),
         "h_rec": lambda x: 1 / x, "h_sqrt": np.sqrt, "h_rsqrt": lambda x: 1 / np.sqrt(x),
         "h_not": np.invert, "h_sin": np.sin, "h_cos": np.cos}
BINARY = {"h_add": np.add, "h_sub": np.subtract, "h_mul": np.multiply, "h_div": np.divide,
          "h_max": np.maximum, "h_min": np.minimum, "h_and": np.bitwise_and,
          "h_or": np.bitwise_or}
POSITIVE = ("h_ln", "h_sqrt", "h_rsqrt")
ROUNDED = ("h_exp", "h_ln", "h_rec", "h_rsqrt", "h_sin", "h_cos")  # a last digit may differ


def types_of(method, soc):
    """The types that the TIK reference lists."""
    if method in ("h_and", "h_or", "h_not"):
        return ("int16", "uint16")
    if method == "h_duplicate":
        return TYPES[:6]
    if method in ("h_add", "h_sub", "h_mul", "h_max", "h_min"):
        return (*FLOATS, "int32", *(("int16",) if soc in NEWER else ()))
    if method in ("h_div", "h_sqrt"):
        return () if soc == "310" else FLOATS
    if method in ("h_exp", "h_ln"):
        return (HALF,) if soc == "310" else FLOATS
    if method == "h_relu":
        return (*FLOATS, "int32") if soc in NEWER else (HALF,)
    return FLOATS


def padded(elements, dtype):
    """So many elements with at least a datablock behind them."""
    block = 32 // np.dtype(dtype).itemsize
    return (elements + block - 1) // block * block + block


def values(source, method, dtype, count):
    """Numbers for which no result is out of range."""
    if np.dtype(dtype).kind != "f":
        found = numbers(source, dtype, count)
        return found if method in ("h_and", "h_or", "h_not") else found % 181 - 90
    found = numbers(source, dtype, count) / np.array(4, dtype)
    if method in POSITIVE or method in ("h_rec", "h_div"):
        found = np.abs(found) + np.array(0.25, dtype)
    return found.astype(dtype)


def exact(function, *sources):
    """In float64, rounded once."""
    dtype = sources[0].dtype
    if dtype.kind == "f":
        sources = [source.astype("float64") for source in sources]
    return function(*sources).astype(dtype)


def alike(method, got, wanted):
    if method not in ROUNDED or got.dtype.kind != "f":
        return same(got, wanted)
    wide = wanted.astype("float64")
    return (np.abs(got - wide) <= np.spacing(np.abs(wanted)).astype("float64")).all()


def element_call(source, method, dtype, size):
    """(Call, the elements that follow, what it is)"""
    names = ["src"] if method in UNARY else ["src0", "src1"]
    function = UNARY.get(method) or BINARY[method]
    room = padded(size, dtype)
    arrays = {name: values(source, method, dtype, room) for name in names}
    dst = names[0] if size >= BIG else "dst"
    if dst == "dst":
        arrays["dst"] = numbers(source, dtype, room)
    wanted = arrays[dst].copy()
    wanted[:size] = exact(function, *(arrays[name][:size] for name in names))

    def call(instance, ub):
        getattr(instance, method)(*(getattr(ub, name)[:size] for name in [dst, *names]))

    return Call(call, [dst], **arrays), wanted, (method, dtype, size)


def check(cases, folder, monkeypatch):
    """`cases`: (Call that writes one array, what that holds afterwards, what it is)."""
    found = run([case[0] for case in cases], folder, monkeypatch)
    for (_, wanted, what), left in zip(cases, found):
        (got,) = left.values()
        assert alike(what[0], got, wanted), (SEED, what, np.flatnonzero(got != wanted)[:9])


@pytest.mark.parametrize("soc", CHIPS)
def test_all_sizes(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    check([element_call(source, method, dtype, size) for method in (*UNARY, *BINARY)
           for dtype in types_of(method, soc) for size in SIZES
           if size * np.dtype(dtype).itemsize < 80000], tmp_path, monkeypatch)


@pytest.mark.parametrize("soc", CHIPS)
def test_types(soc):
    use(soc)
    for method in (*UNARY, *BINARY, "h_duplicate"):
        sources = 0 if method == "h_duplicate" else 1 if method in UNARY else 2
        for dtype in TYPES:
            text = refusal(lambda instance, ub: getattr(instance, method)(
                ub.dst, *([ub.src] * sources or [1])), dst=(dtype, 100), src=(dtype, 100))
            if dtype in types_of(method, soc):
                assert text is None, (method, dtype, text)
            else:
                assert text.startswith("current chip: ") and method in text, (method, dtype, text)


# Numbers as sources.


def number_call(source, method, dtype, size, side, kind):
    """One source is a number: an immediate, a Scalar, or an element of a Tensor."""
    room = padded(size, dtype)
    src = values(source, method, dtype, room)
    number = values(source, method, dtype, 32)
    wanted = numbers(source, dtype, room)
    arrays = {"dst": wanted.copy(), "src": src, "number": number}
    full = np.full(size, number[3])
    pair = (full, src[:size]) if side == 0 else (src[:size], full)
    wanted[:size] = exact(BINARY[method], *pair)

    def call(instance, ub):
        if kind == "immediate":
            one = number[3].item()
        elif kind == "Scalar":
            one = instance.Scalar(dtype, "one", ub.number[3])
        else:
            one = ub.number[3]
        operands = [ub.src[:size]]
        operands.insert(side, one)
        getattr(instance, method)(ub.dst[:size], *operands)

    return Call(call, ["dst"], **arrays), wanted, (method, dtype, size, side, kind)


@pytest.mark.parametrize("soc", CHIPS)
def test_a_source_may_be_a_number(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    check([number_call(source, method, dtype, source.choice([3, 65, 300, 8321]), side, kind)
           for method in BINARY for dtype in types_of(method, soc) for side in (0, 1)
           for kind in ("immediate", "Scalar", "element")], tmp_path, monkeypatch)


@pytest.mark.parametrize("soc", CHIPS)
def test_duplicate(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    cases = []
    for dtype in types_of("h_duplicate", soc):
        for size in SIZES:
            for kind in ("immediate", "Scalar", "element"):
                number = numbers(source, dtype, 32)
                wanted = numbers(source, dtype, padded(size, dtype))
                dst = wanted.copy()
                wanted[:size] = number[5]

                def call(instance, ub, size=size, kind=kind, number=number):
                    one = {"immediate": number[5].item(), "element": ub.number[5]}.get(kind)
                    if one is None:
                        one = instance.Scalar(str(number.dtype), "one", ub.number[5])
                    instance.h_duplicate(ub.dst[:size], one)

                cases.append((Call(call, ["dst"], dst=dst, number=number), wanted,
                              ("h_duplicate", dtype, size, kind)))
    check(cases, tmp_path, monkeypatch)


def test_a_tensor_of_one_element(tmp_path, monkeypatch):
    """It is a Tensor for a dst of one element, and the number for one that has more."""
    use("910")
    src = np.arange(1, 17, dtype=HALF)
    dst = np.full(32, -1, HALF)
    one = np.array([18] + 31 * [-1], HALF)
    many = np.array(20 * [18] + 12 * [-1], HALF)

    cases = [(Call(lambda instance, ub: instance.h_add(ub.dst[0], ub.src[0], ub.src[16:17]),
                   ["dst"], dst=dst, src=np.append(src, src + 16).astype(HALF)), one,
              ("h_add", "one"))]
    cases.append((Call(lambda instance, ub: instance.h_add(ub.dst[:20], ub.src[:20], ub.one[1]),
                       ["dst"], dst=dst, src=np.full(32, 16, HALF), one=src), many,
                  ("h_add", "many")))
    check(cases, tmp_path, monkeypatch)
    text = refusal(lambda instance, ub: instance.h_add(ub.dst[:20], ub.src[0:1], ub.one[0]),
                   dst=(HALF, 32), src=(HALF, 32), one=(HALF, 16))
    assert text.startswith("h_add: src0 or src1 should be a tensor with as many elements")


# Views.


def strided_call(source, method, dtype):
    """Slices of Tensors of three dimensions: some rows, some columns of each."""
    block = 32 // np.dtype(dtype).itemsize
    shape = [source.randint(1, 4), source.randint(1, 5), source.choice([2, 5, 9]) * block]
    start = [source.randrange(shape[0]), source.randrange(shape[1]),
             source.randrange(shape[2] // block) * block]
    stop = [source.randint(start[i] + 1, shape[i]) for i in range(3)]
    place = tuple(slice(a, b) for a, b in zip(start, stop))
    names = ["src"] if method in UNARY else ["src0", "src1"]
    arrays = {name: values(source, method, dtype, shape[0] * shape[1] * shape[2]).reshape(shape)
              for name in names}
    wanted = numbers(source, dtype, shape[0] * shape[1] * shape[2]).reshape(shape)
    arrays["dst"] = wanted.copy()
    function = UNARY.get(method) or BINARY[method]
    wanted[place] = exact(function, *(arrays[name][place] for name in names))

    def call(instance, ub):
        getattr(instance, method)(*(getattr(ub, name)[place] for name in ["dst", *names]))

    return Call(call, ["dst"], **arrays), wanted, (method, dtype, shape, place)


@pytest.mark.parametrize("soc", ["310", "910", "310P", "910B", "310B"])
def test_slices(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    check([strided_call(source, method, dtype) for method in (*UNARY, *BINARY)
           for dtype in types_of(method, soc) for _ in range(4)], tmp_path, monkeypatch)


def test_sizes_known_at_run_time_only(tmp_path, monkeypatch):
    """Whole repeats of 255, whole repeats, a tail, and none of them."""
    use("310P")
    source = random.Random(SEED)
    cases = []
    for dtype in FLOATS:
        for size in (1, 8, 64, 128, 130, 255 * 64, 255 * 128, 255 * 64 + 64 + 1, 2 * 255 * 64):
            src = numbers(source, dtype, padded(size, dtype))
            wanted, number = src.copy(), np.full(8, size, "int32")
            wanted[:size] = np.abs(src[:size])

            def call(instance, ub):
                count = instance.Scalar("int32", "count", ub.count[0])
                instance.h_abs(ub.src[0:count], ub.src[0:count])

            cases.append((Call(call, ["src"], src=src, count=number), wanted,
                          ("h_abs", dtype, size)))
    check(cases, tmp_path, monkeypatch)
    room = np.ones(64, HALF)
    text = fault(Call(lambda instance, ub: instance.h_abs(
        ub.src[0:instance.Scalar("int32", "n", ub.count[0])],
        ub.src[0:instance.Scalar("int32", "m", ub.count[0])]), ["src"], src=room,
                      count=np.full(8, 65, "int32")), tmp_path, monkeypatch)
    assert text.startswith("V"), text


# h_cast.

LETTERS = {"": "", "none": "", "round": "r", "floor": "f", "ceil": "c", "ceiling": "c",
           "away-zero": "a", "to-zero": "z", "odd": "o"}
ROUND = {"round": np.rint, "floor": np.floor, "ceil": np.ceil, "ceiling": np.ceil,
         "away-zero": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x), "to-zero": np.trunc}
OLDEST = {(FLOAT, HALF): " ", (HALF, "int8"): " ", (HALF, "uint8"): " ", (HALF, "int32"): " ",
          ("int32", HALF): "rfc", ("int8", HALF): " ", ("uint8", HALF): " ", (HALF, FLOAT): " "}
PLAIN = {**OLDEST, ("int32", HALF): "rfcaz", ("int8", HALF): " fcaz", ("uint8", HALF): " fcaz",
         (HALF, FLOAT): " o", ("int32", FLOAT): "rfcaz", (FLOAT, "int32"): " "}
P310 = {**PLAIN, ("int16", HALF): "r", (HALF, "int16"): " "}
VECTOR = {**P310, ("int16", FLOAT): "rz", (FLOAT, "int16"): " "}
NEWEST = {**PLAIN, (FLOAT, FLOAT): "rfcaz", (HALF, FLOAT): " rfcazo", ("int16", FLOAT): "rfcaz",
          ("int16", HALF): "rfcaz", ("int8", HALF): " rfcaz", ("uint8", HALF): " rfcaz",
          (HALF, "int16"): " rfcaz", (FLOAT, "int16"): " ", (FLOAT, "int32"): " rfcaz",
          ("int16", "int32"): " "}
CASTS = {"310": OLDEST, "910": PLAIN, "310P": P310, "310P vector": VECTOR, "910B": NEWEST,
         "310B": {**NEWEST, ("uint8", "int16"): " "}}  # (dst, src): letters


def cast_call(source, to, dtype, mode, size):
    """To integers, and where each value has its like: small integers and quarters of them."""
    count = padded(max(size, 16), dtype)
    count += -count % 32
    low = 0 if "u" in to + dtype else -100
    quarters = np.dtype(dtype).kind == "f" and np.dtype(to).kind in "iu" and mode in ROUND
    src = np.random.default_rng(source.getrandbits(32)).integers(low, 100, count)
    src = (src / 4 if quarters else src).astype(dtype)
    wanted = numbers(source, to, count)
    dst = wanted.copy()
    exact_ones = src[:size].astype("float64")
    wanted[:size] = (ROUND[mode](exact_ones) if quarters else exact_ones).astype(to)

    def call(instance, ub):
        instance.h_cast(ub.dst[:size], ub.src[:size], mode)

    return Call(call, ["dst"], dst=dst, src=src), wanted, ("h_cast", to, dtype, mode, size)


@pytest.mark.parametrize("soc", CHIPS)
def test_casts(soc, tmp_path, monkeypatch):
    use(soc)
    source = random.Random(SEED)
    check([cast_call(source, to, dtype, mode, size)
           for (to, dtype), letters in CASTS[soc].items()
           for mode, letter in LETTERS.items() if (letter or " ") in letters
           for size in (1, 63, 65, 128, source.choice(SIZES))
           if size * max(np.dtype(to).itemsize, np.dtype(dtype).itemsize) < 80000],
          tmp_path, monkeypatch)


@pytest.mark.parametrize("soc", CHIPS)
def test_types_of_casts(soc):
    use(soc)
    for to in TYPES:
        for dtype in TYPES:
            for mode, letter in LETTERS.items():
                text = refusal(lambda instance, ub: instance.h_cast(ub.dst, ub.src, mode),
                               dst=(to, 64), src=(dtype, 64))
                if (letter or " ") in CASTS[soc].get((to, dtype), ""):
                    assert text is None, (to, dtype, mode, text)
                else:
                    assert text.startswith("current chip: "), (to, dtype, mode, text)
                    assert "h_cast" in text


# h_data_move.


@pytest.mark.parametrize("soc", CHIPS)
def test_moves_of_whole_blocks(soc, tmp_path, monkeypatch):
    """In UB; kernels.run itself shows what lies behind."""
    use(soc)
    source = random.Random(SEED)
    cases = []
    for dtype in TYPES:
        for blocks in (1, 7, 1025):
            size = blocks * 32 // np.dtype(dtype).itemsize
            src, dst = (numbers(source, dtype, padded(size, dtype)) for _ in range(2))
            wanted = dst.copy()
            wanted[:size] = src[:size]
            cases.append((Call(lambda instance, ub, size=size: instance.h_data_move(
                ub.dst[:size], ub.src[:size]), ["dst"], dst=dst, src=src), wanted,
                          ("h_data_move", dtype, size)))
    check(cases, tmp_path, monkeypatch)


def through_ub(dtype, shape, place):
    """A slice of GM to UB and to another Tensor of GM; the rest of that is 0."""
    instance = tik.Tik()
    source = instance.Tensor(dtype, shape, tik.scope_gm, "source")
    target = instance.Tensor(dtype, shape, tik.scope_gm, "target")
    lengths = [one.stop - one.start for one in place]
    ub = instance.Tensor(dtype, lengths, tik.scope_ubuf, "ub")
    instance.h_data_move(ub, source[place])
    instance.h_data_move(target[place], ub)
    instance.BuildCCE("moves", [source], [target])
    data = numbers(random.Random(SEED), dtype, int(np.prod(shape))).reshape(shape)
    left, = instance.tikdb.start_debug({"source": data}, interactive=False)
    wanted = np.zeros_like(data)
    wanted[place] = data[place]
    return left, wanted


@pytest.mark.parametrize("soc", CHIPS)
@pytest.mark.parametrize("dtype", TYPES)
def test_moves_between_gm_and_ub(soc, dtype, tmp_path, monkeypatch):
    use(soc)
    monkeypatch.chdir(tmp_path)
    left, wanted = through_ub(dtype, (5, 3, 64), (slice(1, 4), slice(0, 2), slice(32, 64)))
    assert same(left, wanted)


@pytest.mark.parametrize("soc", CHIPS)
def test_moves_to_the_byte(soc, tmp_path, monkeypatch):
    """Where the chip moves bytes; elsewhere blocks only."""
    use(soc)
    monkeypatch.chdir(tmp_path)
    for dtype, size in ((HALF, 5), (FLOAT, 1001), ("int8", 33)):
        if soc in ("910B", "310B"):
            left, wanted = through_ub(dtype, (size + 60,), (slice(7, 7 + size),))
            assert same(left, wanted), (dtype, size)
        else:
            text = refusal(lambda instance, ub: instance.h_data_move(ub.dst[:size], ub.src[:size]),
                           dst=(dtype, 2048), src=(dtype, 2048))
            assert text.startswith("h_data_move: elements that follow each other should fill")


# What is refused.

REFUSED = [
    (lambda ib, ub: ib.h_add(ub.dst, ub.a, ub.b[:99]), "h_add: dst and src1 should have as many"),
    (lambda ib, ub: ib.h_add(ub.dst[:99], ub.a, ub.b), "h_add: dst and src0 should have as many"),
    (lambda ib, ub: ib.h_add(ub.dst, ub.a, ub.other), "dst and src1 should have the same dtype"),
    (lambda ib, ub: ib.h_add(ub.dst, 1.0, 2.0), "h_add: src0 or src1 should be a tensor"),
    (lambda ib, ub: ib.h_add(3, ub.a, ub.b), "dst should be tensor"),
    (lambda ib, ub: ib.h_abs(ub.dst, 3), "src should be tensor"),
    (lambda ib, ub: ib.h_add(ub.dst, ub.a, "1"), "src1"),
    (lambda ib, ub: ib.h_abs(ub.dst[1:], ub.a[1:]), "Address align error, dst[1]"),
    (lambda ib, ub: ib.h_abs(ub.dst[:99], ub.a[1:]), "Address align error, src[1]"),
    (lambda ib, ub: ib.h_abs(ub.a[16:], ub.a[:84]), "h_abs dst and src address overlapping error"),
    (lambda ib, ub: ib.h_add(ub.a[16:], ub.b[16:], ub.a[:84]), "h_add dst and src1 address overl"),
    (lambda ib, ub: ib.h_abs(ub.gm, ub.gm), "dst's scope must be UB"),
    (lambda ib, ub: ib.h_add(ub.int32, ub.int32, 1.5), "src1 should be int for a tensor of int32"),
    (lambda ib, ub: ib.h_duplicate(ub.int32, 1.5), "scalar should be int for a tensor of int32"),
    (lambda ib, ub: ib.h_duplicate(ub.dst, ib.Scalar("int32", "s", 1)),
     "scalar's dtype should be float16, input is int32"),
    (lambda ib, ub: ib.h_add(ub.dst, ub.a, ib.Scalar("int32", "s", 1)),
     "src1's dtype should be float16, input is int32"),
    (lambda ib, ub: ib.h_cast(ub.dst, ub.a, "up"), "round_mode: up is not supported"),
    (lambda ib, ub: ib.h_cast(ub.int32, ub.a[:99], "round"), "h_cast: dst and src should have as"),
    (lambda ib, ub: ib.h_data_move(ub.dst, ub.other), "dst and src should have the same dtype"),
    (lambda ib, ub: ib.h_data_move(ub.gm, ub.gm), "h_data_move doesn't support GM to GM"),
    (lambda ib, ub: ib.h_abs(ub.wide[:, 0:16], ub.wide[0:2, :]), "h_abs dst and src address"),
    (lambda ib, ub: ib.h_abs(ub.wide[0:3, 0:16], ub.wide[1:4, 0:16]), "h_abs dst and src address"),
]


def refused(call):
    def with_gm(instance, ub):
        ub.gm = instance.Tensor(HALF, (100,), tik.scope_gm, "gm")
        ub.wide = instance.Tensor(HALF, (4, 32), tik.scope_ubuf, "wide")
        ub.odd = instance.Tensor(HALF, (4, 20), tik.scope_ubuf, "odd")
        call(instance, ub)

    return refusal(with_gm, dst=(HALF, 100), a=(HALF, 100), b=(HALF, 100), other=(FLOAT, 100),
                   int32=("int32", 100))


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_what_is_refused(number):
    use("910")
    call, words = REFUSED[number]
    text = refused(call)
    assert text is not None and text.startswith(words), text


@pytest.mark.parametrize("call", [
    lambda ib, ub: ib.h_abs(ub.a, ub.a), lambda ib, ub: ib.h_add(ub.a, ub.a, ub.a),
    lambda ib, ub: ib.h_abs(ub.a[:48], ub.a[48:96]),
    lambda ib, ub: ib.h_abs(ub.dst[16:], ub.a[:84]),
    lambda ib, ub: ib.h_add(ub.dst, 1, ub.a), lambda ib, ub: ib.h_cast(ub.other, ub.a, "none"),
    lambda ib, ub: ib.h_abs(ub.wide[:, 0:16], ub.wide[:, 0:16]),
    lambda ib, ub: ib.h_abs(ub.wide[:, 0:16], ub.wide[:, 16:32])])
def test_what_is_accepted(call):
    use("910")
    assert refused(call) is None


def test_rows_start_at_blocks():
    use("910")
    for call, text in [
            (lambda ib, ub: ib.h_abs(ub.odd[:, 0:16], ub.odd[:, 0:16]),
             "h_abs: rows of dst should start at multiples of 32 bytes"),
            (lambda ib, ub: ib.h_abs(ub.wide[:, 0:16:2], ub.wide[:, 0:16:2]), "h_abs: the last"),
            (lambda ib, ub: ib.h_abs(ub.wide[:, 0:16], ub.a[0:64]), "h_abs: dst and src should")]:
        assert refused(call).startswith(text)


def test_not_where_sync_is_off():
    use("910")
    for method in (*UNARY, *BINARY):
        def call(instance, ub, method=method):
            with instance.new_stmt_scope(disable_sync=True):
                getattr(instance, method)(*([ub.dst] * (2 if method in UNARY else 3)))

        text = refusal(call, dst=("int16" if method[2:] in ("not", "and", "or") else HALF, 64))
        assert text.startswith(f"{method} can't be used in new_stmt_scope")
