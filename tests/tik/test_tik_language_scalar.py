"""Scalar, ScalarArray and InputScalar."""

import pytest
import vinci.tik as tik
from language import GM, UB, body, on, refused

BITS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16",
        "bfloat16", "float32")


@pytest.mark.parametrize("dtype", BITS)
def test_a_scalar_of_each_type(dtype):
    instance = tik.Tik()
    s = instance.Scalar(dtype, "s", 1)
    assert s.dtype == dtype
    value = ["bfloat16" if dtype == "bfloat16" else dtype, 1.0] if "float" in dtype else 1
    assert instance.program.scalars == [{"name": "s", "dtype": dtype}]
    assert body(instance) == [{"do": "set", "scalar": 0, "value": value}]


def test_defaults_and_names():
    instance = tik.Tik()
    assert instance.Scalar().dtype == "int64"
    instance.Scalar()
    assert [s["name"] for s in instance.program.scalars] == ["reg_buf0", "reg_buf1"]
    refused(lambda: instance.Scalar("bool"), "Scalar's dtype")
    refused(lambda: instance.Scalar("double"), "Scalar's dtype")
    refused(lambda: instance.Scalar(5), "Scalar's dtype should be str")
    refused(lambda: instance.Scalar("int32", "a-b"), "Scalar's name")
    refused(lambda: instance.Scalar("int32", 5), "Scalar's name")
    with pytest.raises(TypeError):
        instance.Scalar(kind="int32")


def test_set_as():
    on("Ascend910B1")
    instance = tik.Tik()
    gm = instance.Tensor("float32", (64,), GM, "gm")
    ub = instance.Tensor("float16", (64,), UB, "ub")
    s, f, n = (instance.Scalar(t, t[0]) for t in ("int32", "float32", "uint8"))
    count = instance.InputScalar("int64", "count")
    s.set_as(2.9)
    s.set_as(-2.9)
    n.set_as(257)
    f.set_as(3)
    s.set_as(f)
    s.set_as(count + 1)
    s.set_as(n)
    s.set_as(ub[3])
    s.set_as(ub[3], 4)
    s.set_as(ub[s], src_offset=s)
    f.set_as(gm[5])
    f.set_as(ub)
    assert [{k: v for k, v in one.items() if k != "do"} for one in body(instance)] == [
        {"scalar": 0, "value": 2},
        {"scalar": 0, "value": -2},
        {"scalar": 2, "value": 1},
        {"scalar": 1, "value": ["float32", 3.0]},
        {"scalar": 0, "value": ["cast", "int32", ["scalar", 1]]},
        {"scalar": 0, "value": ["cast", "int32", ["+", "int64", ["scalar", 3], 1]]},
        {"scalar": 0, "value": ["cast", "int32", ["scalar", 2]]},
        {"scalar": 0, "from": [1, 3, "float16"]},
        {"scalar": 0, "from": [1, 7, "float16"]},
        {"scalar": 0, "from": [1, ["+", "int64", ["scalar", 0], ["scalar", 0]], "float16"]},
        {"scalar": 1, "from": [0, 5, "float32"]},
        {"scalar": 1, "from": [1, 0, "float16"]},
    ]
    refused(lambda: s.set_as("x"), "value should be")
    refused(lambda: s.set_as(5, 1), "src_offset")
    refused(lambda: s.set_as(ub[0], 0.5), "src_offset")


def test_gm_as_a_source():
    for chip, allowed in (("Ascend310", False), ("Ascend910A", False), ("Ascend310P3", True),
                          ("Ascend910B1", True), ("Ascend310B1", True)):
        on(chip)
        instance = tik.Tik()
        gm = instance.Tensor("int32", (8,), GM, "gm")
        l1 = instance.Tensor("int32", (8,), tik.scope_cbuf, "l1")
        s = instance.Scalar("int32", "s")
        if allowed:
            s.set_as(gm[0])
        else:
            refused(lambda: s.set_as(gm[0]), chip, "GM", "gm; data_move it to UB first")
        refused(lambda: s.set_as(l1[0]), "UB or GM")


@pytest.mark.parametrize("scalar, element, count", [
    ("int64", "int32", 2), ("float32", "float16", 2), ("uint64", "uint8", 8), ("int32", "int32", 0),
    ("int32", "int64", 0), ("uint16", "float16", 0)])
def test_a_scalar_that_takes_several_elements_is_told(scalar, element, count, capsys):
    on("Ascend910A")
    instance = tik.Tik()
    ub = instance.Tensor(element, (64,), UB, "ub")
    instance.Scalar(scalar, "s").set_as(ub[0])
    told = capsys.readouterr().err
    assert told.startswith(f"warning: Scalar({scalar}, s) takes the bits of {count} elements of "
                           f"Tensor ub, which is {element} (") if count else told == ""


@pytest.mark.parametrize("to, source, told", [
    ("float16", "float32", True), ("float16", "float16", False), ("float16", "uint16", False),
    ("uint16", "float32", False), ("int32", "float32", False)])
def test_bits_of_a_float_of_another_type_are_told(to, source, told, capsys):
    on("Ascend910A")
    instance = tik.Tik()
    a, b = (instance.Tensor(dtype, (64,), UB, f"{name}_ub") for dtype, name in ((to, "a"), (source, "b")))
    scalar, element = instance.Scalar(to, "s"), instance.Scalar(source, "e", 0)
    words = f"which is {source}: in {to} they are another number; vec_conv and scalar_conv convert ("
    for call, first in ((lambda: scalar.set_as(b[1]), f"Scalar({to}, s) takes the bits of an element of "
                                                      "Tensor b_ub, "),
                        (lambda: a[1].set_as(b[1]), "Tensor a_ub takes the bits of an element of Tensor "
                                                    "b_ub, "),
                        (lambda: a[1].set_as(element), f"Tensor a_ub takes the bits of Scalar({source}, "
                                                       "e), ")):
        call()
        text = capsys.readouterr().err
        assert text.startswith(f"warning: {first}{words}") if told else text == "", text
    a[1].set_as(element + 1)
    assert capsys.readouterr().err == ""  # an Expr is converted


@pytest.mark.parametrize("soc, dtype, words", [
    ("Ascend910A", "float16", "float16 Scalars cannot be compared; scalar_conv to a float32 Scalar first"),
    ("Ascend310", "float16", "float16 Scalars cannot be compared; vec_cmpv compares elements of Tensors"),
    ("Ascend310", "float32", "Ascend310 cannot compare float32 Scalars; vec_cmpv compares elements of Tensors")])
def test_floats_that_cannot_be_compared(soc, dtype, words):
    on(soc)
    scalar = tik.Tik().Scalar(dtype, "s", 1)
    assert refused(lambda: scalar > 0.5) == words


def test_the_oldest_chip_converts_no_floats():
    for chip, refuses in (("Ascend310", True), ("Ascend910A", False)):
        on(chip)
        instance = tik.Tik()
        i, h, f = (instance.Scalar(t, t) for t in ("int32", "float16", "float32"))
        for to, value in ((i, f), (f, i), (h, f), (f, h), (f, i + 1)):
            if refuses:
                refused(lambda: to.set_as(value), "Ascend310")
            else:
                to.set_as(value)
        f.set_as(1)
        h.set_as(0.5)
        f.set_as(f + 1)
        i.set_as(instance.Scalar("int64", "wide"))


def test_input_scalar():
    instance = tik.Tik()
    n = instance.InputScalar("float16", "n")
    assert instance.program.scalars == [{"name": "n", "dtype": "float16", "input": True}]
    assert n.dtype == "float16" and n.name == "n"
    assert not hasattr(n, "set_as")
    refused(lambda: instance.InputScalar("bfloat16", "n"), "InputScalar's dtype")
    refused(lambda: instance.InputScalar("int32", "n n"), "InputScalar's name")


def test_scalars_end_with_their_scope():
    instance = tik.Tik()
    with instance.new_stmt_scope():
        s = instance.Scalar("int32", "s", 1)
        s + 1
    refused(lambda: s + 1, "Scalar s is not defined in this scope.")
    refused(lambda: s.set_as(1), "Scalar s is not defined in this scope.")
    instance.program.sealed = True
    assert (s + 1).dtype == "int32"


def test_scalar_array_with_numbers():
    instance = tik.Tik()
    array = instance.ScalarArray("int32", 3, "a", [4, 5, 6])
    array[1].set_as(array[2] + 1)
    array[0] = 9
    assert len(array) == 3 and [s.name for s in array] == ["a_0", "a_1", "a_2"]
    assert body(instance)[3:] == [
        {"do": "set", "scalar": 1, "value": ["+", "int32", ["scalar", 2], 1]},
        {"do": "set", "scalar": 0, "value": 9},
    ]
    array.set_as([1, 2, 3])
    assert len(body(instance)) == 8
    for index in (3, -1):
        refused(lambda: array[index], "[0, 2]")
    refused(lambda: array[0.5], "index")
    refused(lambda: array.set_as([1, 2]), "3 values")
    for length in (0, -1):
        refused(lambda: instance.ScalarArray("int32", length), "length")
    refused(lambda: instance.ScalarArray("int32", 2.0), "length")
    refused(lambda: instance.ScalarArray("int32", 2, "b", [1]), "init_value")


def test_scalar_array_with_an_index_of_run_time():
    instance = tik.Tik()
    array = instance.ScalarArray("int32", 2, "a")
    s = instance.Scalar("int32", "s")
    s.set_as(array[s])
    element, index = 3, 4
    cases = [
        {"do": "set", "scalar": index, "value": ["scalar", 2]},
        {"do": "check", "value": ["scalar", index], "least": 0, "most": 1,
         "what": "index of ScalarArray a"},
        {"do": "if", "when": ["==", "int64", ["scalar", index], 0],
         "then": [{"do": "set", "scalar": element, "value": ["scalar", 0]}]},
        {"do": "if", "when": ["==", "int64", ["scalar", index], 1],
         "then": [{"do": "set", "scalar": element, "value": ["scalar", 1]}]},
    ]
    assert body(instance) == cases + [{"do": "set", "scalar": 2, "value": ["scalar", element]}]
    array[s].set_as(7)
    assert body(instance)[5] == {"do": "set", "scalar": 5, "value": 7}
    assert body(instance)[8]["then"] == [{"do": "set", "scalar": 0, "value": ["scalar", 5]}]
