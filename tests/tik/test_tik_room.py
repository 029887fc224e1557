"""How much room a Tensor has: sizes that Scalars say, and what lies behind the last element."""

import numpy as np
import pytest
from kernels import Call, fault, refusal, run, use
from vinci import tik

HALVES = np.arange(64, dtype="float16")


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


# Shapes with Scalars.


def tail_copy(number, before=0, tensors=1, soc="910"):
    """A kernel that copies 16 * n numbers through as many Tensors of UB, one behind the other, each
    of n blocks, behind one of `before` bytes."""
    use(soc)
    instance = tik.Tik()
    n = instance.InputScalar("int32", "n")
    source = instance.Tensor("float16", (n * 16,), tik.scope_gm, "source")
    target = instance.Tensor("float16", (n * 16,), tik.scope_gm, "target")
    if before:
        instance.Tensor("int8", (before,), tik.scope_ubuf, "before")
    with instance.for_range(0, 2):
        with instance.if_scope(n > 0):
            ubs = [instance.Tensor("float16", (n, 16), tik.scope_ubuf, f"ub{i}")
                   for i in range(tensors)]
            one = instance.Tensor("float16", (16,), tik.scope_ubuf, "one")
            for ub in ubs:
                instance.data_move(ub, source, 0, 1, n, 0, 0)
                instance.vec_dup(16, one, -1.0, 1, 8)
                instance.vec_adds(16, ub[n - 1, 0], ub[n - 1, 0], 1.0, 1, 8, 8)
                instance.data_move(target, ub, 0, 1, n, 0, 0)
    instance.BuildCCE("k", [source, n], [target])
    numbers = (np.arange(16 * number) % 1000).astype("float16")
    target, = instance.tikdb.start_debug({"source": numbers, "n": number}, interactive=False)
    wanted = numbers.copy()
    wanted[16 * number - 16:] += 1
    return target, wanted


@pytest.mark.parametrize("soc", ["310", "910", "310P", "910B", "310B"])
def test_a_scalar_in_the_shape_says_the_size(soc):
    for number in (1, 2, 63):
        for before, tensors in ((0, 1), (1, 2), (64, 3)):
            got, wanted = tail_copy(number, before, tensors, soc)
            assert (got == wanted).all(), (number, before, tensors)


def test_it_has_all_the_room_there_is_and_no_more(capsys):
    whole = 262144
    got, wanted = tail_copy((whole - 32) // 32 - 1, 32)
    assert (got == wanted).all()
    for number, words in (((whole - 32) // 32, "Tensor one needs 32 bytes of UB"),
                          (whole // 32, "Tensor ub0 needs 262144 bytes of UB")):
        with pytest.raises(SystemExit, match="V2001: " + words):
            tail_copy(number, 32)
        assert f"test_tik_room.py:{31 if 'ub0' in words else 33}" in capsys.readouterr().err


def test_a_scalar_without_a_value():
    instance = tik.Tik()
    n = instance.Scalar("int32", "n")
    instance.Tensor("float16", (n,), tik.scope_ubuf, "ub")
    instance.BuildCCE("k", [], [])
    with pytest.raises(SystemExit, match="V2010: .*Scalar n has no value"):
        instance.tikdb.start_debug({}, interactive=False)


def test_a_size_below_zero():
    instance = tik.Tik()
    n = instance.Scalar("int32", "n", -3)
    instance.Tensor("float16", (n,), tik.scope_ubuf, "ub")
    instance.BuildCCE("k", [], [])
    with pytest.raises(SystemExit, match="V2001: Tensor ub needs -6 bytes of UB"):
        instance.tikdb.start_debug({}, interactive=False)


def test_a_fixed_tensor_is_not_overrun():
    """What a Scalar sizes lies behind all Tensors with start_addr."""
    instance = tik.Tik()
    out = instance.Tensor("float16", (32,), tik.scope_gm, "out")
    n = instance.Scalar("int32", "n", 16)
    fixed = instance.Tensor("float16", (16,), tik.scope_ubuf, "fixed", start_addr=64)
    late = instance.Tensor("float16", (n,), tik.scope_ubuf, "late")
    behind = instance.Tensor("float16", (16,), tik.scope_ubuf, "behind")
    for value, tensor in enumerate((fixed, late, behind)):
        instance.vec_dup(16, tensor, float(value), 1, 8)
    instance.data_move(out, fixed, 0, 1, 1, 0, 0)
    instance.data_move(out[16], late, 0, 1, 1, 0, 0)
    instance.BuildCCE("k", [], [out])
    out, = instance.tikdb.start_debug({}, interactive=False)
    assert out.tolist() == [0] * 16 + [1] * 16


# Behind the last element.


def short(elements, blocks, place=0):
    """64 halves by way of a Tensor in UB of so many, from a place that the run knows."""
    instance = tik.Tik()
    source = instance.Tensor("float16", (64,), tik.scope_gm, "source")
    target = instance.Tensor("float16", (64,), tik.scope_gm, "target")
    ub = instance.Tensor("float16", (elements,), tik.scope_ubuf, "ub")
    behind = instance.Tensor("float16", (16,), tik.scope_ubuf, "behind")
    at = instance.Scalar("int32", "at", place)
    instance.vec_dup(16, behind, 0.5, 1, 8)
    for _ in range(2):
        instance.data_move(ub[at], source, 0, 1, blocks, 0, 0)
    instance.data_move(target, ub[at], 0, 1, blocks, 0, 0)
    instance.data_move(target[48], behind, 0, 1, 1, 0, 0)
    instance.BuildCCE("k", [source], [target])
    return instance.tikdb.start_debug({"source": HALVES}, interactive=False)[0].tolist()


def test_a_view_of_gm_says_where_it_begins(capsys):
    """Its bytes are the rest of the Tensor, which nobody would recognise by their number."""
    instance = tik.Tik()
    source, target = (instance.Tensor("float16", (6, 21), tik.scope_gm, name)
                      for name in ("source", "target"))
    ub = instance.Tensor("float16", (64,), tik.scope_ubuf, "ub")
    with instance.for_range(0, 6) as row:
        instance.data_move(ub, source[row, 0], 0, 1, 2, 0, 0)
    instance.BuildCCE("k", [source], [target])
    with pytest.raises(SystemExit, match=(
            "V1001: data_move: src reads bytes 0..63 of a tensor of 46 bytes in GM, which begins at "
            "byte 210 of GM buffer source")):
        instance.tikdb.start_debug({"source": np.zeros((6, 21), np.float16)}, interactive=False)
    capsys.readouterr()


def test_the_last_datablock_is_forgiven_and_told_once_a_line(capsys):
    whole = HALVES.tolist()
    assert short(33, 3) == whole[:48] + [0.5] * 16
    told = capsys.readouterr().err
    assert told.count("warning[V1011]") == 2  # two lines, of which one is reached twice
    assert "of a tensor of 66 bytes" in told
    assert short(20, 1, 16) == whole[:16] + [0.0] * 32 + [0.5] * 16
    assert "V1011" in capsys.readouterr().err
    assert short(48, 3) == whole[:48] + [0.5] * 16
    assert "V1011" not in capsys.readouterr().err


@pytest.mark.parametrize("elements, blocks, place", [(32, 3, 0), (33, 4, 0), (17, 2, 16)])
def test_behind_it_is_a_fault(elements, blocks, place):
    with pytest.raises(SystemExit, match="V1001"):
        short(elements, blocks, place)


def test_strict_mode_forgives_nothing(monkeypatch):
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")
    with pytest.raises(SystemExit, match="V1001: data_move: dst writes bytes 0..95 of a tensor"):
        short(33, 3)
    assert short(48, 3)[:48] == HALVES.tolist()[:48]


def test_calls_that_the_script_judges(monkeypatch):
    use("910")

    def call(instance, ub):
        instance.vec_adds(64, ub.a, ub.a, 1.0, 1, 8, 8)

    assert refusal(call, a=("float16", 49)) is None
    assert refusal(call, a=("float16", 48)).startswith("dst tensor overflow, 64 elements are")
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")
    assert refusal(call, a=("float16", 49)).startswith("dst tensor overflow, 64 elements are")


def test_an_element_is_one_of_the_tensor(tmp_path, monkeypatch):
    use("910")

    def call(instance, ub):
        at = instance.Scalar("int32", "at", 33)
        short_one = instance.Tensor("float16", (33,), tik.scope_ubuf, "short")
        short_one[at].set_as(1.0)

    text = fault(Call(call, ["a"], a=HALVES), tmp_path, monkeypatch)
    assert text.startswith("V1001: ") and "starts at element 33 of short, which has 33" in text


def test_a_tensor_that_is_left_at_run_time_is_named(tmp_path, monkeypatch):
    """And not told as an overlap with the one behind it."""
    use("910")

    def call(instance, ub):
        count = instance.Scalar("int32", "count", 7)
        instance.vec_abs(128, ub.a, ub.b, count, 16, 8)

    arrays = {"a": np.zeros(512, "float16"), "b": np.zeros(1024, "float16")}
    text = fault(Call(call, ["a"], **arrays), tmp_path, monkeypatch)
    assert text.startswith("V1001: vec_abs: dst writes bytes 0..3327 of a tensor of 1024 bytes "
                           "(Tensor ub0_a) in UB"), text


@pytest.mark.parametrize("place,words", [
    (3, "src reads bytes 0..31 behind the end of GM buffer x, at byte 96"),
    (4, "src starts at element 64 of x, which has 48")])
def test_a_row_behind_the_last(place, words, capsys):
    use("910")
    instance = tik.Tik()
    x, y = (instance.Tensor("float16", (rows, 16), tik.scope_gm, name)
            for rows, name in ((3, "x"), (1, "y")))
    row = instance.Tensor("float16", (16,), tik.scope_ubuf, "row")
    at = instance.Scalar("int32", "at", place)
    instance.data_move(row, x[at, 0], 0, 1, 1, 0, 0)
    instance.data_move(y, row, 0, 1, 1, 0, 0)
    instance.BuildCCE("k", [x], [y])
    with pytest.raises(SystemExit, match=words):
        instance.tikdb.start_debug({"x": np.zeros((3, 16), "float16")}, interactive=False)
    assert "the tensor is empty" not in capsys.readouterr().err


def test_no_repeats_at_the_end_are_no_access(tmp_path, monkeypatch):
    use("910")

    def call_with(repeats, place):
        def call(instance, ub):
            count = instance.Scalar("int32", "count", repeats)
            at = instance.Scalar("int32", "at", place)
            instance.vec_adds(64, ub.a[at], ub.a[at], 1.0, count, 8, 8)
        return Call(call, ["a"], a=HALVES)

    left, = run([call_with(0, 64)], tmp_path, monkeypatch)
    assert (left["a"] == HALVES).all()
    for repeats, place in ((1, 64), (0, 80)):
        assert fault(call_with(repeats, place), tmp_path, monkeypatch).startswith("V1001: ")


# What the kernel writes of its inputs.


def test_arrays_that_are_fed_change_where_the_kernel_writes():
    instance = tik.Tik()
    a, b, c = (instance.Tensor("float16", (2, 32), tik.scope_gm, name) for name in "abc")
    ub = instance.Tensor("float16", (64,), tik.scope_ubuf, "ub")
    instance.data_move(ub, a, 0, 1, 4, 0, 0)
    instance.vec_adds(64, ub, ub, 1.0, 1, 8, 8)
    with instance.for_range(0, 2) as i:
        instance.data_move(b[i, 0], ub[i * 32], 0, 1, 2, 0, 0)
    instance.data_move(c, ub, 0, 1, 4, 0, 0)
    instance.BuildCCE("k", [a, b], [c])
    given = HALVES.reshape(2, 32)
    fed = {"a": given.copy(), "b": np.zeros((32, 2), "float16").T}
    out, = instance.tikdb.start_debug(fed, interactive=False)
    assert (fed["b"] == given + 1).all() and (out == given + 1).all() and (fed["a"] == given).all()
    fixed = {"a": given, "b": np.zeros((2, 32), "float16")}
    fixed["b"].flags.writeable = False
    instance.tikdb.start_debug(fixed, interactive=False)
    assert not fixed["b"].any()


def test_an_input_that_is_an_output_too():
    instance = tik.Tik()
    a = instance.Tensor("float16", (64,), tik.scope_gm, "a")
    ub = instance.Tensor("float16", (64,), tik.scope_ubuf, "ub")
    instance.data_move(ub, a, 0, 1, 4, 0, 0)
    instance.vec_muls(64, ub, ub, 2.0, 1, 8, 8)
    instance.data_move(a, ub, 0, 1, 4, 0, 0)
    instance.BuildCCE("k", [a], [a])
    fed = HALVES.copy()
    out, = instance.tikdb.start_debug({"a": fed}, interactive=False)
    assert (out == HALVES * 2).all() and (fed == HALVES * 2).all()
    fed[:] = 7  # an array of its own
    assert (out == HALVES * 2).all()


def test_lists_of_arrays_change_too():
    instance = tik.Tik()
    many = instance.TensorAddrList(3, tik.scope_gm, "many")
    local = instance.TensorAddrList(3, tik.scope_ubuf, "local")
    ub = instance.Tensor("float16", (64,), tik.scope_ubuf, "ub")
    instance.data_move(local, many, 0, 1, 1, 0, 0)
    for number in (0, 2):
        instance.vec_dup(64, ub, float(number + 1), 1, 8)
        instance.data_move(local[number].value, ub, 0, 1, 4, 0, 0)
    instance.BuildCCE("k", [many], [])
    fed = [np.zeros(64, "float16") for _ in range(3)]
    instance.tikdb.start_debug({"many": fed}, interactive=False)
    assert [set(array) for array in fed] == [{1}, {0}, {3}]


def test_a_tensor_of_a_name_that_nothing_uses():
    instance = tik.Tik()
    a, unused, out = (instance.Tensor("float16", (64,), tik.scope_gm, name)
                      for name in ("a", "a", "out"))
    assert unused.name == "a"
    ub = instance.Tensor("float16", (64,), tik.scope_ubuf, "ub")
    instance.data_move(ub, a, 0, 1, 4, 0, 0)
    instance.data_move(out, ub, 0, 1, 4, 0, 0)
    instance.BuildCCE("k", [a], [out])
    out, = instance.tikdb.start_debug({"a": HALVES}, interactive=False)
    assert (out == HALVES).all()


# Faults of a run in TIK's words.


def at_run_time(repeats, call):
    """`call` with a Scalar of so many repeats, which nobody knows before."""
    return Call(lambda instance, ub: call(instance, ub, instance.Scalar("int32", "s", repeats)),
                ["a"], a=np.zeros(256, "float16"), b=np.zeros(256, "float16"),
                at=np.zeros(128, "int32"), work=np.zeros(16, "float16"))


def to_l1(instance, ub, _):
    l1 = instance.Tensor("float16", (256,), tik.scope_cbuf, "l1")
    instance.data_move(l1, ub.a, 0, 1, 16, 0, 0)


@pytest.mark.parametrize("call, soc, text", [
    (lambda t, ub, s: t.vadds(128, ub.a, ub.b, 1.0, s, 1, 1, 8, 8), "310P",
     "vadds: src reads bytes 0..2047 of a tensor of 512 bytes in UB"),
    (lambda t, ub, s: t.vec_reduce_add(128, ub.a, ub.b, ub.work, s * 4, 0), "310P",
     "vec_reduce_add: work_tensor writes bytes 0..63 of a tensor of 32 bytes in UB"),
    (lambda t, ub, s: t.vgather(128, ub.a, ub.b, ub.at, s, 8), "310P",
     "vgather: src_offset reads bytes 0..4095 of a tensor of 512 bytes in UB"),
    (to_l1, "910B", "data_move: Ascend910B1 has no route from UB to L1")],
    ids=("memory", "work_tensor", "src_offset", "route"))
def test_faults_of_a_run_are_told_in_tiks_words(call, soc, text, tmp_path, monkeypatch, capsys):
    use(soc)
    with pytest.raises(SystemExit) as caught:
        run([at_run_time(8, call)], tmp_path, monkeypatch)
    assert str(caught.value).partition(": ")[2].startswith(text), caught.value
    report = capsys.readouterr().err.partition("\nError: ")[0]  # then the script's lines follow
    assert text in report.splitlines()[0] and "VECCALC" not in report
