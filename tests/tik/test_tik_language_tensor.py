"""Tensors: what a definition checks, where it lies, views, elements."""

import numpy
import pytest
import vinci.tik as tik
from language import GM, UB, body, on, refused
from vinci.tik.tensor import Tensor

L1, L0A, L0B, L0C = tik.scope_cbuf, tik.scope_ca, tik.scope_cb, tik.scope_cc


@pytest.fixture
def instance():
    return tik.Tik()


def buffers(instance):
    return instance.program.to_json("k", "soc")["buffers"]


def test_definitions(instance):
    instance.Tensor("float16", (2, 64), GM, "a")
    instance.Tensor("int32", [8], name="w", scope=GM, is_workspace=True)
    instance.Tensor("int8", (2, 2), GM, "c", init_value=[[1, 2], [3, 4]])
    instance.Tensor("float32", (2,), GM, "d", init_value=numpy.array([0.5, 1], "float32"))
    instance.Tensor("int32", (3,), GM, "e", init_value=7)
    instance.Tensor("float32", (16, 4.0), name="u", scope=UB)
    assert buffers(instance) == [
        {"name": "a", "scope": "global", "dtype": "float16", "role": "workspace", "elements": 128},
        {"name": "w", "scope": "global", "dtype": "int32", "role": "workspace", "elements": 8},
        {"name": "c", "scope": "global", "dtype": "int8", "role": "init", "elements": 4,
         "init": [1, 2, 3, 4]},
        {"name": "d", "scope": "global", "dtype": "float32", "role": "init", "elements": 2,
         "init": [0.5, 1.0]},
        {"name": "e", "scope": "global", "dtype": "int32", "role": "init", "elements": 3,
         "init": [7, 7, 7]},
        {"name": "u", "scope": "local.UB", "dtype": "float32", "address": 0, "bytes": 256},
    ]
    instance.program.buffers[0].role = "input"
    assert buffers(instance)[0]["role"] == "input"


def test_what_a_definition_refuses(instance):
    def tensor(dtype="int32", shape=(8,), scope=UB, name="t", **more):
        return lambda: instance.Tensor(dtype, shape, scope, name, **more)

    refused(tensor(dtype="float64"), "Tensor's dtype")
    refused(tensor(dtype=int), "Tensor's dtype should be str")
    refused(tensor(name="1a"), "should not start with a digit")
    refused(tensor(name="a b"), "Tensor's name")
    refused(tensor(name=""), "Tensor's name")
    refused(tensor(scope="local.XY"), "Tensor's scope")
    refused(tensor(shape=8), "shape should be list or tuple")
    refused(tensor(shape=()), "1 to 8 dimensions")
    refused(tensor(shape=(1,) * 9), "1 to 8 dimensions")
    tensor(shape=(1,) * 8)()
    refused(tensor(shape=(8, 0)), "larger than 0")
    refused(tensor(shape=(8, -1)), "larger than 0")
    refused(tensor(shape=(8, 0.5)), "shape's element")
    refused(tensor(shape=("8",)), "shape's element")
    refused(tensor(is_workspace=True), "is_workspace", "scope_gm")
    refused(tensor(is_atomic_add=True), "is_atomic_add", "scope_gm")
    refused(tensor(init_value=1), "init_value", "scope_gm")
    refused(tensor(is_global_tensor=True), "is_global_tensor", "scope_gm")
    refused(tensor(scope=GM, init_value=[1, 2]), "8 numbers")
    refused(tensor(scope=GM, init_value="abc"), "8 numbers")
    refused(tensor(scope=GM, shape=(256 * 1024 + 1,), init_value=0), "262144 elements")
    tensor(scope=GM, shape=(256 * 1024,), init_value=0)()
    refused(tensor(scope=tik.scope_reg), "has no REG")
    refused(tensor(max_mem_size=31), "max_mem_size", "32")
    refused(tensor(max_mem_size=0), "max_mem_size")
    refused(tensor(max_mem_size=64.0), "max_mem_size")
    tensor(max_mem_size=32)()
    with instance.new_stmt_scope():
        refused(tensor(scope=GM), "Tensor can't be defined in local")
    scalar = instance.Scalar("float32", "f")
    refused(tensor(shape=(scalar,)), "shape's element")
    with pytest.raises(TypeError):
        instance.Tensor("int32", (8,), UB)


def test_shapes_of_run_time(instance):
    n = instance.InputScalar("int32", "n")
    gm = instance.Tensor("float16", (n, 16), GM, "gm")
    ub = instance.Tensor("float16", (n * 2, 16), UB, "ub", max_mem_size=1024)
    assert buffers(instance)[0]["elements"] == ["*", "int64", ["scalar", 0], 16]
    assert buffers(instance)[1]["bytes"] == 1024
    late = instance.Tensor("float16", (n, 8), UB, "late")
    bytes_ = ["*", "int64", ["*", "int64", ["scalar", 0], 8], 2]
    assert (buffers(instance)[2]["address"], buffers(instance)[2]["bytes"]) == (1024, bytes_)
    assert late.original_elements is None
    instance.Tensor("float16", (16,), UB, "behind")
    address, room = buffers(instance)[3]["address"], buffers(instance)[3]["bytes"]
    assert address[:3] == ["+", "int64", 1024] and room == 32
    assert [one["buffer"] for one in body(instance) if one["do"] == "place"] == [2, 3]
    refused(instance.get_available_buffer_size, "available depends on a Scalar")
    instance.Tensor("float16", (n,), GM, "line")
    assert buffers(instance)[4]["elements"] == ["scalar", 0]
    assert gm.original_elements is None and ub.original_elements is None
    assert gm.shape[0] is n and gm.shape[1] == 16
    assert gm[n - 1, 3].operand() == [
        0, ["+", "int64", ["*", "int64", ["-", "int32", ["scalar", 0], 1], 16], 3], "float16"]
    refused(lambda: instance.Tensor("float16", (8,), GM, "x", init_value=1)[8], "out of the range")
    refused(lambda: instance.Tensor("float16", (n,), GM, "y", init_value=1), "known when")


def addresses(instance):
    return [(b["name"], b["address"]) for b in buffers(instance) if "address" in b]


def test_addresses(instance):
    for number, (scope, count) in enumerate([(UB, 33), (UB, 1), (L1, 1), (L1, 1), (L0A, 1),
                                             (L0A, 1), (L0B, 1), (L0C, 1), (L0C, 1), (UB, 1)]):
        instance.Tensor("int8", (count,), scope, f"t{number}")
    assert addresses(instance) == [("t0", 0), ("t1", 64), ("t2", 0), ("t3", 512), ("t4", 0),
                                   ("t5", 512), ("t6", 0), ("t7", 0), ("t8", 1024), ("t9", 96)]
    assert [b["bytes"] for b in buffers(instance)[:2]] == [33, 1]


def test_room_is_given_back_when_a_scope_closes(instance):
    instance.Tensor("int8", (64,), UB, "a")
    with instance.new_stmt_scope():
        instance.Tensor("int8", (64,), UB, "b")
        with instance.for_range(0, 2):
            instance.Tensor("int8", (64,), UB, "c")
        instance.Tensor("int8", (64,), UB, "d")
    with instance.if_scope(instance.Scalar("int32", "s") > 0):
        instance.Tensor("int8", (64,), UB, "e")
    instance.Tensor("int8", (64,), UB, "f")
    assert addresses(instance) == [("a", 0), ("b", 64), ("c", 128), ("d", 128), ("e", 64),
                                   ("f", 64)]


@pytest.mark.parametrize("scope, capacity", [(UB, 256), (L1, 1024), (L0A, 64), (L0C, 256)])
def test_capacity(scope, capacity):
    instance = tik.Tik()
    size = capacity * 1024
    refused(lambda: instance.Tensor("int8", (size + 1,), scope, "t"), f"{size} bytes are available")
    assert instance.get_available_buffer_size(scope) == size
    instance.Tensor("int8", (size - 1024,), scope, "most")
    assert instance.get_available_buffer_size(scope) == 1024
    instance.Tensor("int8", (1024,), scope, "rest")
    refused(lambda: instance.Tensor("int8", (1,), scope, "t"), "0 of")
    assert instance.get_available_buffer_size()[scope] == 0


def test_who_has_the_room_is_told():
    instance = tik.Tik()
    instance.Tensor("float16", (100,), UB, "before")
    with instance.new_stmt_scope():
        instance.Tensor("float16", (9999,), UB, "gone")
    with instance.for_range(0, 2, thread_num=2):
        for number in range(1, 8):
            instance.Tensor("float32", (number * 64,), UB, f"u{number}")
        text = refused(lambda: instance.Tensor("int8", (1 << 20,), UB, "t"), "bytes are available")
    assert text.endswith("There are u7 (3584), u6 (3072), u5 (2560), u4 (2048), u3 (1536), u2 (1024) and 2 "
                         "more.")
    empty = refused(lambda: tik.Tik().Tensor("int8", (1 << 20,), UB, "t"), "bytes are available")
    assert empty.endswith("bytes are available.")


def test_double_buffers_cost_as_often_as_threads():
    for threads, cost in ((0, 1), (1, 1), (2, 2), (3, 3), (4, 4)):
        instance = tik.Tik()
        with instance.for_range(0, 8, thread_num=threads):
            instance.Tensor("int8", (64,), UB, "a")
            with instance.if_scope(instance.Scalar("int32", "s") > 0):
                instance.Tensor("int8", (64,), UB, "inner")
            instance.Tensor("int8", (64,), UB, "b")
        assert addresses(instance) == [("a", 0), ("inner", 64 * cost), ("b", 64 * cost)]
    instance = tik.Tik()
    with instance.for_range(0, 2, thread_num=2):
        refused(lambda: instance.Tensor("int8", (128 * 1024 + 1,), UB, "t"), "262144")
        instance.Tensor("int8", (128 * 1024,), UB, "t")


def test_start_addr(instance):
    instance.Tensor("int8", (64,), UB, "a")
    instance.Tensor("int8", (64,), UB, "b", start_addr=0)
    instance.Tensor("int8", (64,), UB, "c", start_addr=96)
    instance.Tensor("int8", (64,), UB, "d")
    with instance.new_stmt_scope():
        instance.Tensor("int8", (64,), UB, "e", start_addr=256)
        instance.Tensor("int8", (64,), UB, "f")
    instance.Tensor("int8", (64,), UB, "g")
    assert addresses(instance) == [("a", 0), ("b", 0), ("c", 96), ("d", 160), ("e", 256),
                                   ("f", 320), ("g", 224)]
    for bad, words in ((8, "multiple of 32"), (-32, "multiple of 32"), (32.0, "int"),
                       (256 * 1024 - 32, "needs 64 bytes")):
        refused(lambda: instance.Tensor("int8", (64,), UB, "x", start_addr=bad), words)
    instance.Tensor("int8", (64,), UB, "x", start_addr=256 * 1024 - 64)


def test_properties(instance):
    t = instance.Tensor("float16", (2, 3, 16), UB, "t")
    assert (t.shape, t.dtype, t.scope, t.name) == ([2, 3, 16], "float16", UB, "t")
    assert (t.size, t.offset, t.buffer_size, t.original_elements) == (96, 0, 192, 96)
    assert isinstance(t, Tensor) and isinstance(t, tik.Tensor)


@pytest.mark.parametrize("subscript, offset, shape", [
    (0, 0, [1]), (47, 47, [1]), (slice(16, 32), 16, [16]), (slice(None), 0, [48]), (-1, 47, [1]),
    ((0, 0), 0, [1, 1]), ((2, 15), 47, [1, 1]), ((-1, -1), 47, [1, 1]), ((1, slice(None)), 16,
                                                                       [1, 16]),
    ((slice(1, 3), slice(4, 8)), 20, [2, 4]), ((slice(None), slice(0, 16, 5)), 0, [3, 4]),
    (slice(0, 48, 7), 0, [7]), (numpy.int64(5), 5, [1]), (2.0, 2, [1]),
])
def test_views(instance, subscript, offset, shape):
    t = instance.Tensor("int32", (3, 16), UB, "t")
    view = t[subscript]
    assert (view.offset, view.shape) == (offset, shape)
    assert view.operand() == [0, offset, "int32"]
    assert view.original_elements == 48 and view.buffer is t.buffer


@pytest.mark.parametrize("subscript", [
    48, -2, slice(0, 49), slice(48, 49), slice(5, 5), slice(6, 5), slice(-3, None), slice(0, 8, 0),
    slice(0, 8, 1.5), slice(0, 8, -1), 0.5, "x", (3, 0), (0, 16), (-2, 0), (0, slice(0, 17)),
    (0, 0, 0), (slice(3, 4), 0), None,
])
def test_subscripts_that_are_refused(instance, subscript):
    t = instance.Tensor("int32", (3, 16), UB, "t")
    refused(lambda: t[subscript], "Tensor t")


def test_views_of_views(instance):
    t = instance.Tensor("int32", (64,), UB, "t")
    assert t[8:][4:12][3].operand() == [0, 15, "int32"]
    assert t[0:64:4][3].offset == 12
    refused(lambda: t[8:16][8], "out of the range")


def test_views_of_run_time(instance):
    t = instance.Tensor("int32", (4, 16), UB, "t")
    s = instance.Scalar("uint8", "s")
    r = ["scalar", 0]
    assert t[s].operand() == [0, r, "int32"]
    assert t[s, 3].operand() == [0, ["+", "int64", ["*", "int64", r, 16], 3], "int32"]
    view = t[s * 4 :]
    assert view.constant_offset is None and view.original_elements == 64
    assert t[s, 0:8].shape == [1, 8]
    assert t[s : s + 2, 0:8].shape[0].to_json() == ["-", "int64", ["+", "uint8", r, 2], r]
    f = instance.Scalar("float32", "f")
    refused(lambda: t[f], "index of Tensor t")


def test_reshape(instance):
    t = instance.Tensor("int32", (3, 16), UB, "t")
    assert t.reshape((2, 24))[1, 5].offset == 29
    assert t.flatten().shape == [48] and t.shape == [3, 16]
    t.change_shape([48])
    assert t.shape == [48] and t[5].offset == 5
    refused(lambda: t.reshape((2, 25)), "48 elements", "50")
    refused(lambda: t[0:16].reshape((2, 8)), "sliced")
    refused(lambda: t[0:16].change_shape((2, 8)), "sliced")
    refused(lambda: t.reshape(48), "shape should be")


@pytest.mark.parametrize("old, new, shape, offset, total", [
    ("float16", "int16", [4, 16], 16, 64), ("float16", "float32", [4, 8], 8, 32),
    ("float16", "int64", [4, 4], 4, 16), ("float32", "float16", [4, 16, 2], 32, 128),
    ("int64", "uint8", [4, 16, 8], 128, 512), ("bool", "int8", [4, 16], 16, 64),
])
def test_reinterpret_cast_to(instance, old, new, shape, offset, total):
    t = instance.Tensor(old, (4, 16), UB, "t")
    cast = t.reinterpret_cast_to(new)
    assert (cast.shape, cast.dtype, cast.original_elements) == (shape, new, total)
    view = t[1:2, 0:16].reinterpret_cast_to(new)
    assert view.operand() == [0, offset, new]
    assert cast[(1,) + (0,) * (len(shape) - 1)].offset == offset


def test_reinterpret_cast_to_refuses(instance):
    t = instance.Tensor("int16", (4, 6), UB, "t")
    t.reinterpret_cast_to("int32")
    refused(lambda: t.reinterpret_cast_to("int64"), "last dimension", "multiple of 4")
    refused(lambda: t[1:3].reinterpret_cast_to("int32"), "offset", "multiple of 2")
    refused(lambda: t.reinterpret_cast_to("float64"), "Tensor's dtype")
    s = instance.Scalar("int32", "s")
    assert t[s:].shape[0].to_json() == ["-", "int64", 24, ["scalar", 0]]
    assert t[s, 0:6].reinterpret_cast_to("int32").operand() == [
        0, ["/", "int64", ["*", "int64", ["scalar", 0], 6], 2], "int32"]


def test_set_as(instance):
    ub = instance.Tensor("float16", (64,), UB, "ub")
    words = instance.Tensor("int32", (64,), UB, "words")
    s = instance.Scalar("int32", "s")
    h = instance.Scalar("float16", "h")
    n = instance.InputScalar("int32", "n")
    ub[0].set_as(1)
    ub[1] = 1e9
    ub[2] = s
    ub[3] = s + 1
    words[4] = -2.5
    words[s] = h
    words[5] = n
    words[6] = ub[7]
    words.set_as(words[1], 8, s)
    words[0].set_as(2**31)
    with instance.for_range(0, 4) as i:
        ub[i] = i
    assert [{k: v for k, v in one.items() if k != "do"} for one in body(instance)[:-1]] == [
        {"to": [0, 0, "float16"], "value": ["float16", 1.0]},
        {"to": [0, 1, "float16"], "value": ["float16", 65504.0]},
        {"to": [0, 2, "float16"], "value": ["scalar", 0]},
        {"to": [0, 3, "float16"], "value": ["cast", "float16", ["+", "int32", ["scalar", 0], 1]]},
        {"to": [1, 4, "int32"], "value": -2},
        {"to": [1, ["scalar", 0], "int32"], "value": ["scalar", 1]},
        {"to": [1, 5, "int32"], "value": ["scalar", 2]},
        {"to": [1, 6, "int32"], "from": [0, 7, "float16"]},
        {"to": [1, 8, "int32"], "from": [1, ["+", "int64", 1, ["scalar", 0]], "int32"]},
        {"to": [1, 0, "int32"], "value": -(2**31)},
    ]
    assert [one["do"] for one in body(instance)] == ["store"] * 7 + ["copy"] * 2 + ["store", "for"]
    assert body(instance)[-1]["body"][0]["value"] == ["cast", "float16", ["scalar", 3]]
    refused(lambda: ub[0].set_as("x"), "value should be")
    refused(lambda: ub[0].set_as(1, 0.5), "offset")
    refused(lambda: ub[0].set_as(1, 0, 1), "src_offset")


def test_elements_of_other_memories():
    for chip, stores, reads in (("Ascend310", False, False), ("Ascend910A", False, False),
                                ("Ascend310P3", False, True), ("Ascend910B1", True, True),
                                ("Ascend310B1", True, True)):
        on(chip)
        instance = tik.Tik()
        gm = instance.Tensor("int32", (64,), GM, "gm")
        ub = instance.Tensor("int32", (64,), UB, "ub")
        l1 = instance.Tensor("int32", (64,), L1, "l1")
        refused(lambda: l1[0].set_as(1), "UB", "l1")
        refused(lambda: ub[0].set_as(l1[0]), "UB or GM")
        for allowed, use in ((stores, lambda: gm[0].set_as(1)),
                             (reads, lambda: ub[0].set_as(gm[0]))):
            if allowed:
                use()
            else:
                refused(use, "gm")


def test_comparing_an_element(instance):
    t = instance.Tensor("int32", (8,), UB, "t")
    e = t[3] > 5
    assert e.to_json() == [">", "int32", ["scalar", 0], 5]
    assert body(instance) == [{"do": "load", "scalar": 0, "from": [0, 3, "int32"]}]
    assert (t[1] == t[2]).dtype == "bool"
    assert (instance.Scalar("int32", "s") < t[0]).dtype == "bool"
    assert (t == t) is True and (t == 5) is False and t in [t]
    refused(lambda: instance.Scalar("int32", "s") < t, "more than one element")
    flags = instance.Tensor("bool", (8,), UB, "flags")
    (flags[0] == 1)
    assert instance.program.scalars[-1]["dtype"] == "uint8"
    refused(lambda: list(t), "for_range")


def test_tensors_have_no_arithmetic(instance):
    """But an element may stand beside a Scalar."""
    t = instance.Tensor("int32", (8,), UB, "t")
    s = instance.Scalar("int32", init_value=1)
    for use in (lambda: t + 1, lambda: 1 - t[0], lambda: t[0] * t[1], lambda: t[0] / 2,
                lambda: -t[0], lambda: 2 << t[0], lambda: t[0] & 1, lambda: t % 2, lambda: ~t):
        refused(use, "vec_add", "s.set_as(")
    assert (t[0] + s).dtype == (s - t[0]).dtype == "int32"


def test_a_tensor_ends_with_its_scope(instance):
    with instance.new_stmt_scope():
        t = instance.Tensor("int32", (8,), UB, "t")
        view = t[0:4]
    for use in (lambda: t[0], view.operand, lambda: t.reshape((2, 4)), lambda: view.set_as(1),
                lambda: t.reinterpret_cast_to("int8")):
        refused(use, "Tensor t is not defined in this scope.")
    assert t.shape == [8]
    instance.program.sealed = True
    assert t[0].operand() == [0, 0, "int32"]


def test_lists_of_addresses(instance):
    gm = instance.TensorAddrList(4, GM, "gm")
    ub = instance.TensorAddrList(4, UB, "ub")
    s = instance.Scalar("int32", "s")
    assert buffers(instance) == [
        {"name": "gm", "scope": "global", "dtype": "uint64", "role": "input", "elements": 4,
         "list": True},
        {"name": "ub", "scope": "local.UB", "dtype": "uint64", "address": 0, "bytes": 32},
    ]
    assert gm[1].value.array("float16").operand() == [0, 0, "float16", 1]
    assert (gm[s].value + 64).array("float16").operand() == [0, 64, "float16", ["scalar", 0]]
    assert (gm[0].value + s * 2 + 4).array("int32").operand()[1] == [
        "+", "int64", ["*", "int32", ["scalar", 0], 2], 4]
    refused(lambda: ub[0].value.array("int8").operand(), "no addresses")
    instance.data_move(ub, gm, 0, 1, 1, 0, 0)
    assert ub[3].value.array("int8").operand() == [0, 0, "int8", 3]
    assert len(gm) == 4
    for index in (-1, 4):
        refused(lambda: gm[index], "[0, 3]")
    for size in (0, 1.5):
        refused(lambda: instance.TensorAddrList(size, GM, "x"), "size of TensorAddrList")
    refused(lambda: instance.TensorAddrList(1, L1, "x"), "scope")
    with instance.new_stmt_scope():
        refused(lambda: instance.TensorAddrList(1, GM, "x"), "local")


def test_moving_addresses(instance):
    gm, ub = instance.TensorAddrList(6, GM, "gm"), instance.TensorAddrList(6, UB, "ub")
    one = instance.TensorAddrList(1, UB, "one")
    line = instance.Tensor("float16", (32,), UB, "line")
    instance.data_move(one, gm, 0, 1, 1, 0, 0)
    for burst, text in ((1, "[2, 2]"), (3, "[2, 2]")):
        refused(lambda: instance.data_move(ub, gm, 0, 1, burst, 0, 0), "burst", text)
    refused(lambda: instance.data_move(ub, gm, 0, 2, 2, 0, 0), "nburst", "[1, 1]")
    for dst, src in ((gm, ub), (gm, gm), (ub, ub), (ub, line), (line, gm)):
        refused(lambda: instance.data_move(dst, src, 0, 1, 2, 0, 0), "in GM to one in UB")
    assert body(instance) == []
    refused(lambda: instance.data_move(gm[0].value, gm[1].value, 0, 1, 1, 0, 0), "addresses")
    instance.data_move(line, one[0].value + 16, 0, 1, 1, 0, 0)
    instance.data_move(gm[5].value, line, 0, 1, 1, 0, 0)
    load, store = body(instance)
    assert load["src"] == [0, 16, "float16", 0] and store["dst"] == [0, 0, "float16", 5]
