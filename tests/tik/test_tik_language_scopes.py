"""Scopes and loops: what they record, what folds away, what they refuse."""

import pytest
import vinci.tik as tik
from language import GM, UB, body, refused


@pytest.fixture
def instance():
    return tik.Tik()


def set_to(number, scalar=0):
    return {"do": "set", "scalar": scalar, "value": number}


def test_branches(instance):
    s = instance.Scalar("int32", "s")
    with instance.if_scope(s > 1):
        s.set_as(1)
    with instance.elif_scope(s > 2):
        s.set_as(2)
    with instance.elif_scope(s):
        s.set_as(3)
    with instance.else_scope():
        s.set_as(4)
    r = ["scalar", 0]
    inner = {"do": "if", "when": ["!=", "int32", r, 0], "then": [set_to(3)], "else": [set_to(4)]}
    assert body(instance) == [
        {"do": "if", "when": [">", "int32", r, 1], "then": [set_to(1)], "else": [
            {"do": "if", "when": [">", "int32", r, 2], "then": [set_to(2)], "else": [inner]}]}]


T, F, V = True, False, None  # a condition that is true, false, or known at run time


@pytest.mark.parametrize("conditions, wanted", [
    ([T], [1]), ([F], []), ([V], [[1, []]]),
    ([T, T], [1]), ([T, F], [1]), ([T, V], [1]), ([F, T], [2]), ([F, F], []), ([F, V], [[2, []]]),
    ([V, T], [[1, [2]]]), ([V, F], [[1, []]]), ([V, V], [[1, [[2, []]]]]),
    ([V, F, T], [[1, [3]]]), ([V, T, V], [[1, [2]]]), ([F, V, T], [[2, [3]]]),
])
@pytest.mark.parametrize("otherwise", [False, True])
def test_branches_fold(instance, conditions, wanted, otherwise):
    s = instance.Scalar("int32", "s")
    for number, value in enumerate(conditions, 1):
        scope = instance.if_scope if number == 1 else instance.elif_scope
        with scope(s > 5 if value is None else value):
            s.set_as(number)
    if otherwise:
        with instance.else_scope():
            s.set_as(9)

    def shape(statements):
        return [one["value"] if one["do"] == "set"
                else [one["then"][0]["value"], shape(one.get("else", []))] for one in statements]

    def with_else(shaped):
        if not shaped:
            return [9]
        last = shaped[0]
        return shaped if isinstance(last, int) else [[last[0], with_else(last[1])]]

    assert shape(body(instance)) == (with_else(wanted) if otherwise else wanted)


def test_nothing_is_checked_or_recorded_in_a_false_branch(instance):
    ub = instance.Tensor("int32", (8,), UB, "ub")
    with instance.if_scope(False):
        assert not instance.program.live
        big = instance.Tensor("int32", (2**20,), UB, "big")
        other = instance.Tensor("nonsense", (8,), GM, "1")
        s = instance.Scalar("int32", "s", 5)
        s.set_as(ub[99])
        big[2**20 + 5].set_as(s + 1)
        other.reshape((4,))
        ub.reinterpret_cast_to("int64")
        instance.set_flag("nonsense", 1, 2)
        instance.pipe_barrier(5)
        instance.block_barrier(7)
        instance.tik_break()
        with instance.for_range(5, 2, thread_num=9) as i:
            ub[i] = 3
        with instance.if_scope(s > 2):
            ub[0] = 1
        with instance.elif_scope(ub[0] > 2):
            ub[0] = 1
        with instance.else_scope():
            ub[0] = 2
    assert instance.program.live
    assert body(instance) == [] and instance.program.scalars == []
    assert [b.name for b in instance.program.buffers] == ["ub"]
    assert instance.get_available_buffer_size(UB) == 256 * 1024 - 32


def test_what_an_elif_needs_is_computed_if_the_if_was_false(instance):
    ub = instance.Tensor("int32", (8,), UB, "ub")
    with instance.if_scope(ub[0] > 1):
        ub[0] = 1
    with instance.elif_scope(ub[1] > 2):
        ub[0] = 2
    load, branch = body(instance)
    assert load == {"do": "load", "scalar": 0, "from": [0, 0, "int32"]}
    assert [one["do"] for one in branch["else"]] == ["load", "if"]
    assert branch["else"][0]["from"] == [0, 1, "int32"]
    with instance.if_scope(False):
        pass
    with instance.elif_scope(ub[1] > 2):
        ub[0] = 2
    assert [one["do"] for one in body(instance)[2:]] == ["load", "if"]


def test_else_follows_if_directly(instance):
    s = instance.Scalar("int32", "s")
    refused(lambda: instance.else_scope(), "else_scope should follow")
    refused(lambda: instance.elif_scope(s > 1), "elif_scope should follow")
    for between in (lambda: s.set_as(1), lambda: instance.new_stmt_scope().__enter__()):
        with instance.if_scope(s > 1):
            pass
        between()
        refused(lambda: instance.else_scope(), "else_scope should follow")
    with instance.if_scope(s > 1):
        with instance.if_scope(s > 2):
            pass
        with instance.else_scope():
            pass
    with instance.else_scope():
        refused(lambda: instance.else_scope(), "else_scope should follow")
    with instance.for_range(0, 2):
        refused(lambda: instance.else_scope(), "else_scope should follow")
    refused(lambda: instance.if_scope("x"), "cond should be")


@pytest.mark.parametrize("api, arguments", [
    ("if_scope", ("s",)), ("for_range", (0, 2)), ("new_stmt_scope", ()), ("new_scope", ())])
def test_scopes_that_no_with_enters(instance, api, arguments):
    s = instance.Scalar("int32", "s", 1)
    gm = instance.Tensor("int32", (8,), GM, "gm")
    with instance.if_scope(False):
        instance.new_stmt_scope()  # is never reached
    scope = getattr(instance, api)(*(s > 0 if one == "s" else one for one in arguments))
    s.set_as(2)
    refused(lambda: instance.BuildCCE("kernel", [], [gm]), f"{api} has no effect without `with`")
    refused(lambda: [0 for _ in scope], f"{api} belongs behind `with`")


def test_a_scope_may_be_made_before_it_is_entered(instance, tmp_path):
    s = instance.Scalar("int32", "s", 1)
    gm = instance.Tensor("int32", (8,), GM, "gm")
    scope = instance.if_scope(s > 0)
    with scope:
        s.set_as(2)
    instance.BuildCCE("kernel", [], [gm], str(tmp_path))


def test_no_second_else(instance):
    s = instance.Scalar("int32", "s")
    with instance.if_scope(s > 1):
        pass
    with instance.else_scope():
        pass
    refused(lambda: instance.else_scope(), "else_scope should follow")
    refused(lambda: instance.elif_scope(s), "elif_scope should follow")


def test_loops(instance):
    n = instance.Scalar("int32", "n")
    with instance.for_range(0, 4, name="i") as i:
        with instance.for_range(i, n + 1, name="j", thread_num=2) as j:
            n.set_as(i * j)
            instance.tik_continue()
            n.set_as(5)
        instance.tik_break()
    instance.tik_return()
    n.set_as(6)
    assert instance.program.scalars[1:] == [{"name": "i", "dtype": "int32"},
                                            {"name": "j", "dtype": "int32"}]
    assert body(instance) == [
        {"do": "for", "var": 1, "from": 0, "to": 4, "body": [
            {"do": "for", "var": 2, "from": ["scalar", 1], "to": ["+", "int32", ["scalar", 0], 1],
             "body": [
                 {"do": "set", "scalar": 0, "value": ["*", "int32", ["scalar", 1], ["scalar", 2]]},
                 {"do": "continue"}]},
            {"do": "break"}]},
        {"do": "return"},
    ]


def test_bounds(instance, monkeypatch):
    loop = instance.for_range
    n = instance.Scalar("int32", "n")
    for begin, end in ((0, 0), (3, 3), (0, 2147483647), (-1, 2), (n, 5), (0, n)):
        with loop(begin, end):
            pass
    with loop(0.0, 32 / 4):  # a division of Python leaves whole floats
        pass
    assert (body(instance)[-1]["from"], body(instance)[-1]["to"]) == (0, 8)
    refused(lambda: loop(3, 2), "endt should be in the range of [3, 2147483647]", "2")
    refused(lambda: loop(0, 2147483648), "endt")
    refused(lambda: loop(n, 2147483648), "endt")
    refused(lambda: loop(n, -1), "endt should be in the range of [0, 2147483647]")
    refused(lambda: loop(2147483648, n), "begint")
    refused(lambda: loop(0.5, 2), "begint should be int")
    refused(lambda: loop(0, 2.5), "endt should be int")
    refused(lambda: loop(0, "2"), "endt should be int")
    refused(lambda: loop(0, instance.Scalar("float32", "f")), "endt should be int")
    count = len(body(instance))
    monkeypatch.setenv("VINCI_TIK_STRICT", "1")
    refused(lambda: loop(-1, 2), "begint should be in the range of [0, 2147483647]")
    with loop(n, 5):
        pass
    r = ["scalar", 0]
    assert body(instance)[count:][:2] == [
        {"do": "check", "value": r, "least": 0, "most": 2147483647, "what": "begint of for_range"},
        {"do": "check", "value": 5, "least": r, "most": 2147483647, "what": "endt of for_range"}]


def test_threads(instance):
    for threads in (0, 1, 2, 4):
        with instance.for_range(0, 2, thread_num=threads):
            pass
    for threads in (-1, 5):
        refused(lambda: instance.for_range(0, 2, thread_num=threads), "thread_num", "[0, 4]")
    with instance.for_range(0, 2, thread_num=2):
        refused(lambda: instance.Tensor("int8", (1 << 20,), UB, "ub"),
                "2097152 bytes (1048576 for each of 2 threads) of UB")
    for threads in (2.0, True, None):
        refused(lambda: instance.for_range(0, 2, thread_num=threads), "thread_num should be int")
    refused(lambda: instance.for_range(0, 2, dtype="float32"), "dtype of for_range")
    refused(lambda: instance.for_range(0, 8, 2), "name should be str", "it has no step")


def test_blocks(instance):
    loop = instance.for_range
    cores = instance.InputScalar("int32", "cores")
    with loop(0, 8, block_num=8):
        refused(lambda: loop(0, 2, block_num=2), "nested")
        refused(instance.tik_break, "tik_break", "block_num")
        refused(instance.tik_continue, "tik_continue", "block_num")
        with loop(0, 2, block_num=1):
            instance.tik_break()
        with instance.if_scope(cores > 2):
            refused(instance.tik_break, "block_num")
            instance.tik_return()
    with loop(0, cores, block_num=cores):
        pass
    first, second = body(instance)
    assert first["blocks"] is True and first["to"] == 8
    assert "blocks" not in first["body"][0]
    assert second["blocks"] is True and second["to"] == ["scalar", 0]
    refused(lambda: loop(1, 8, block_num=8), "begint should be 0")
    refused(lambda: loop(0, 7, block_num=8), "endt should be equal to block_num 8")
    refused(lambda: loop(0, 8, block_num=8, thread_num=2), "thread_num should be 0 or 1")
    refused(lambda: loop(0, cores + 0, block_num=cores), "same Scalar")
    refused(lambda: loop(0, 8, block_num=cores), "same Scalar")
    refused(lambda: loop(0, cores, block_num=cores + 1), "same Scalar")
    refused(lambda: loop(0, 0, block_num=0), "block_num", "[1, 65535]")
    refused(lambda: loop(0, 65536, block_num=65536), "block_num", "[1, 65535]")
    refused(lambda: loop(0, 8, block_num=8.5), "block_num should be")
    with loop(0, 65535, block_num=65535):
        pass
    with loop(0, 4.0, block_num=4.0):
        pass
    assert body(instance)[-1]["blocks"] and body(instance)[-1]["to"] == 4


def test_leaving_needs_a_loop(instance):
    for leave in (instance.tik_break, instance.tik_continue):
        refused(leave, "should be used in for_range")
        with instance.if_scope(instance.Scalar("int32", "s") > 0):
            refused(leave, "should be used in for_range")
    instance.tik_return()


def test_flags(instance):
    for flag in (instance.set_flag, instance.wait_flag):
        refused(lambda: flag("PIPE_V", "PIPE_MTE2", 0), "disable_sync=True")
        with instance.new_stmt_scope():
            refused(lambda: flag("PIPE_V", "PIPE_MTE2", 0), "disable_sync=True")
        with instance.new_stmt_scope(disable_sync=True):
            with instance.for_range(0, 2) as i:
                flag("PIPE_V", "PIPE_MTE2", i)
            flag("PIPE_V", "PIPE_MTE3", 7)
            for event in (-1, 8):
                refused(lambda: flag("PIPE_V", "PIPE_MTE2", event), "event_id", "[0, 7]")
            refused(lambda: flag("PIPE_V", "PIPE_MTE2", 0.0), "event_id should be int")
            refused(lambda: flag("PIPE_X", "PIPE_MTE2", 0), "pipe should be")
            refused(lambda: flag("PIPE_V", 5, 0), "trigger_pipe should be")
            refused(lambda: instance.new_stmt_scope(True), "nested")
            refused(lambda: instance.check_high_level("vec_x"), "vec_x can't be used")
            with instance.new_stmt_scope():
                pass
    refused(lambda: instance.new_stmt_scope(1), "disable_sync should be bool")
    instance.check_high_level("vec_x")
    instance.pipe_barrier("PIPE_ALL")
    instance.pipe_barrier("PIPE_MTE3")
    refused(lambda: instance.pipe_barrier("ALL"), "pipe should be")
    assert [one["do"] for one in body(instance)] == ["pipes", "for", "flag"] * 2


def test_block_barrier(instance):
    def workspace(count, dtype="int64", **more):
        return instance.Tensor(dtype, (count,), GM, "w", **more)

    good = workspace(8, is_workspace=True, is_atomic_add=True)
    small, plain = workspace(7, is_workspace=True), workspace(8)
    wrong = workspace(8, "int32", is_workspace=True)
    ub = instance.Tensor("int64", (8,), UB, "ub")
    with instance.for_range(0, 2, block_num=2):
        instance.block_barrier(good)
        refused(lambda: instance.block_barrier(small), "at least 64 bytes", "56")
        refused(lambda: instance.block_barrier(plain), "is_workspace=True")
        refused(lambda: instance.block_barrier(wrong), "int64")
        refused(lambda: instance.block_barrier(ub), "scope_gm")
        refused(lambda: instance.block_barrier(5), "sync_workspace should be tensor")
    instance.block_barrier(small)
    assert body(instance)[0]["body"] == [{"do": "barrier"}]


def test_plain_scopes(instance):
    with instance.new_scope():
        instance.scope_attr(None, "key", 1)
        s = instance.Scalar("int32", "s", 1)
    refused(lambda: s + 1, "not defined in this scope")
    assert body(instance) == [set_to(1)]


def test_an_exception_leaves_the_scopes_closed(instance):
    with pytest.raises(ValueError):
        with instance.for_range(0, 2):
            with instance.if_scope(instance.Scalar("int32", "s") > 0):
                raise ValueError
    assert len(instance.program.frames) == 1


@pytest.mark.parametrize("flags, awaited", [
    ([("set", "PIPE_MTE2", "PIPE_V", 0), ("wait", "PIPE_MTE2", "PIPE_V", 0)], None),
    ([("wait", "PIPE_MTE2", "PIPE_V", 0), ("set", "PIPE_MTE2", "PIPE_V", 0)], None),
    ([("set", "PIPE_MTE2", "PIPE_V", "s"), ("wait", "PIPE_MTE2", "PIPE_V", 3)], None),
    ([("set", "PIPE_MTE2", "PIPE_V", 0), ("wait", "PIPE_MTE2", "PIPE_V", "s")], None),
    ([("set", "PIPE_MTE2", "PIPE_V", 0)], None),
    ([("wait", "PIPE_MTE2", "PIPE_V", 0)], '("PIPE_MTE2", "PIPE_V", 0)'),
    ([("set", "PIPE_MTE2", "PIPE_V", 0), ("wait", "PIPE_MTE2", "PIPE_V", 1)],
     '("PIPE_MTE2", "PIPE_V", 1)'),
    ([("set", "PIPE_V", "PIPE_MTE2", 0), ("wait", "PIPE_MTE2", "PIPE_V", 0)],
     '("PIPE_MTE2", "PIPE_V", 0)')])
def test_flags_that_nothing_sets(instance, flags, awaited, tmp_path):
    s = instance.Scalar("int32", "s", 0)
    gm = instance.Tensor("int32", (8,), GM, "gm")
    with instance.new_stmt_scope(disable_sync=True), instance.for_range(0, 2):
        for name, pipe, trigger, event in flags:
            getattr(instance, f"{name}_flag")(pipe, trigger, s if event == "s" else event)
    with instance.if_scope(False), instance.new_stmt_scope(disable_sync=True):
        instance.wait_flag("PIPE_S", "PIPE_V", 0)  # is never reached

    def build():
        instance.BuildCCE("kernel", [], [gm], str(tmp_path))

    if awaited is None:
        build()
    else:
        refused(build, f"wait_flag{awaited} waits without end")
