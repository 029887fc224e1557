"""The engine on statement files of its own: control flow, blocks, barriers, faults."""

import json

import numpy as np
import pytest
from engine_kit import at, gm, loop, only_fault, out_of, program, scalar, store, ub
from vinci import _engine


def test_loops_break_continue_and_return():
    count = at(3, do="set", scalar=1, value=["+", "int64", ["scalar", 1], 1])
    body = [
        at(1, do="set", scalar=1, value=0),
        loop(0, 0, 10,
             at(2, do="if", when=["==", "int32", ["%", "int32", ["scalar", 0], 2], 0],
                then=[at(2, do="continue")]),
             at(2, do="if", when=[">", "int32", ["scalar", 0], 6], then=[at(2, do="break")]),
             loop(2, 0, 3, count,
                  at(2, do="if", when=["==", "int32", ["scalar", 2], 1], then=[at(2, do="break")],
                     **{"else": [count]}))),
        store(0, 0, ["scalar", 1]),
        loop(0, 3, 3, store(0, 1, 99)),
        at(5, do="return"), store(0, 3, 99)]
    result = program(body, [gm("out")], [scalar("i", "int32"), scalar("n"),
                                         scalar("j", "int32")]).run({})
    # i = 1, 3, 5: j = 0 counts twice, j = 1 once.
    assert result["faults"] == []
    assert list(out_of(result)[:4]) == [9, 0, 0, 0]


def test_a_loop_from_above_never_runs_and_warns():
    result = program([loop(0, 5, 2, store(0, 0, 1))], [gm("out")], [scalar("i", "int32")]).run({})
    assert [(fault["code"], fault["severity"], fault["line"]) for fault in result["faults"]] == \
        [("V2008", "warning", 9)]
    assert out_of(result)[0] == 0


@pytest.mark.parametrize("threads", [1, 4])
def test_blocks_run_what_stands_outside_of_their_loop(threads):
    """Each begins with what stands before it, and ends with what stands behind it: at a place of its
    own, lest they race."""
    def copy(line, dst, src):
        return at(line, do="call", instruction="data_copy", dst=dst, src=src, bursts=1, length=1,
                  **{"as": "data_move"})

    behind = ["-", "int32", ["*", "int32", ["scalar", 1], 8], 280]  # scalar 1 is 40 and the block's index
    add = at(4, do="call", instruction="adds", dst=[2, 0, "int32"], src0=[2, 0, "int32"],
             mask={"first": 8}, repeats=1, scalar=["cast", "int32", ["scalar", 0]],
             **{"as": "vec_adds"})
    body = [copy(1, [2, 0, "int32"], [0, 0, "int32"]), at(1, do="set", scalar=1, value=40),
            loop(0, 0, 5, add, at(5, do="set", scalar=1,
                                  value=["+", "int32", ["scalar", 1], ["scalar", 0]]),
                 copy(6, [1, ["*", "int32", ["scalar", 0], 8], "int32"], [2, 0, "int32"]),
                 store(3, ["scalar", 0], ["scalar", 1], "int32"), blocks=True),
            copy(7, [1, behind, "int32"], [2, 0, "int32"])]
    source = np.arange(8, dtype=np.int32) * 10
    result = program(body, [gm("in", "int32", 8, "input"), gm("out", "int32", 80),
                            ub("u", "int32", 8), gm("sums", "int32", 8)],
                     [scalar("block", "int32"), scalar("sum", "int32")]).run({"in": source},
                                                                            threads=threads)
    assert result["faults"] == []
    rows = out_of(result, dtype=np.int32).reshape(10, 8)
    assert (rows == source + np.arange(10).reshape(10, 1) % 5).all()
    assert list(out_of(result, "sums", np.int32)[:6]) == [40, 41, 42, 43, 44, 0]


@pytest.mark.parametrize("threads", [1, 3])
def test_all_blocks_wait_at_a_barrier(threads):
    """Each block writes its place, and behind the barrier reads its neighbour's; memories on chip
    and scalars stay over it."""
    blocks = 6
    neighbour = ["%", "int32", ["+", "int32", ["scalar", 0], 1], blocks]
    body = [loop(0, 0, blocks,
                 at(1, do="set", scalar=1, value=["*", "int32", ["scalar", 0], 7]),
                 store(1, 0, ["scalar", 1], "int64"),
                 store(0, ["scalar", 0], ["scalar", 1]), at(2, do="barrier"),
                 at(3, do="load", scalar=2, **{"from": [0, neighbour, "int64"]}),
                 at(3, do="load", scalar=3, **{"from": [1, 0, "int64"]}),
                 at(4, do="barrier"),
                 store(0, ["scalar", 0],
                       ["+", "int64", ["scalar", 2],
                        ["*", "int64", 1000, ["+", "int64", ["scalar", 3], ["scalar", 1]]]]),
                 blocks=True)]
    scalars = [scalar("block", "int32"), scalar("mine", "int32"), scalar("theirs"),
               scalar("kept")]
    result = program(body, [gm("out", elements=blocks), ub("u")], scalars).run({}, threads=threads)
    assert result["faults"] == []
    assert list(out_of(result)) == [(i + 1) % blocks * 7 + 14000 * i for i in range(blocks)]


def test_a_barrier_that_a_block_never_reaches():
    body = [loop(0, 0, 3, at(2, do="if", when=["<", "int32", ["scalar", 0], 2],
                             then=[at(3, do="barrier"), store(0, 0, 1)]), blocks=True)]
    result = program(body, [gm("out")], [scalar("block", "int32")]).run({})
    fault, = result["faults"]
    assert (fault["code"], fault["severity"]) == ("V4005", "error")
    assert "2 of 3 blocks wait" in fault["message"] and "block 2 has ended" in fault["message"]
    assert not result["finished"] and out_of(result)[0] == 0


def test_a_scalar_without_a_value():
    body = [store(0, 0, ["scalar", 0], line=7), store(0, 1, 5)]
    result = program(body, [gm("out")], [scalar("count")]).run({})
    fault = only_fault(result)
    assert (fault["code"], fault["file"], fault["line"]) == ("V2010", "script.py", 7)
    assert "count" in fault["message"] and list(out_of(result)[:2]) == [0, 5]


def test_division_by_zero():
    body = [at(3, do="set", scalar=0, value=0), store(0, 0, ["/", "int64", 5, ["scalar", 0]], line=4)]
    fault = only_fault(program(body, [gm("out")], [scalar("n")]).run({}))
    assert (fault["code"], fault["line"]) == ("V5002", 4)


@pytest.mark.parametrize("value,good", [(0, False), (1, True), (255, True), (256, False)])
def test_checks_of_numbers_that_are_fed_in(value, good):
    body = [at(6, do="check", value=["scalar", 0], least=1, most=255, what="repeat_times",
               **{"as": "vec_add"})]
    result = program(body, [gm("out")], [scalar("n", "int32", input=True)]).run({"n": value})
    if good:
        assert result["faults"] == []
    else:
        fault = only_fault(result)
        assert (fault["code"], fault["line"], fault["legal"]) == ("V2001", 6, "1..255")
        assert fault["message"] == f"vec_add: repeat_times is {value}"


@pytest.mark.parametrize("value,good", [(0, False), (1, True), (255, True), (256, False),
                                        (-2**63, False), (2**63 - 1, False)])
def test_a_parameter_within_its_range(value, good):
    """The call is left out; what follows it runs."""
    body = [at(6, do="call", instruction="duplicate", dst=[1, 0, "int32"], mask={"first": 8},
               repeats=["within", 1, 255, "repeat_times", ["scalar", 0]], scalar=["int32", 5],
               **{"as": "vec_dup"}),
            at(7, do="copy", to=[0, 0, "int32"], **{"from": [1, 0, "int32"]})]
    result = program(body, [gm("out", "int32", 8), ub("u", "int32", 64 * 255)],
                     [scalar("n", input=True)]).run({"n": value})
    assert out_of(result, dtype=np.int32)[0] == (5 if good else -1)
    if good:
        assert result["faults"] == []
    else:
        fault = only_fault(result)
        assert (fault["code"], fault["line"], fault["legal"]) == ("V2001", 6, "1..255")
        assert fault["message"] == f"vec_dup: repeat_times is {value}"


@pytest.mark.parametrize("offset,code", [(-1, "V1001"), (0, None), (48, None), (49, "V1001"),
                                         (64, "V1001"), (1 << 40, "V1001")])
def test_accesses_outside_a_tensor(offset, code):
    """16 elements from an offset into 64, by a copy to UB; and the statement writes nothing then."""
    body = [at(8, do="call", instruction="data_copy", dst=[1, 0, "int32"],
               src=[0, offset, "int32"], bursts=1, length=2, **{"as": "data_move"}),
            at(9, do="call", instruction="data_copy", dst=[2, 0, "int32"], src=[1, 0, "int32"],
               bursts=1, length=2, **{"as": "data_move"})]
    source = np.arange(64, dtype=np.int32)
    result = program(body, [gm("in", "int32", 64, "input"), ub("u", "int32", 16),
                            gm("out", "int32", 16)]).run({"in": source})
    if code is None:
        assert result["faults"] == []
        assert (out_of(result, dtype=np.int32) == source[offset:offset + 16]).all()
        return
    fault = only_fault(result)
    assert (fault["code"], fault["line"]) == (code, 8) and "data_move" in fault["message"]
    assert (out_of(result, dtype=np.int32) == -1).all()


def test_gm_may_be_touched_up_to_the_next_32_bytes():
    for elements, reach in ((1, 8), (8, 8), (9, 16)):
        for index, good in ((reach - 1, True), (reach, False)):
            result = program([store(0, index, 1, "int32")], [gm("out", "int32", elements)]).run({})
            assert (result["faults"] == []) == good
            assert out_of(result, dtype=np.int32).size == elements


def test_outputs_and_workspaces_start_as_zeros_and_init_as_its_numbers():
    body = [at(1, do="copy", to=[0, i, "float16"], **{"from": [1 + i, 3, "float16"]})
            for i in range(2)]
    result = program(body, [gm("out", "float16", 4), gm("space", "float16", 4, "workspace"),
                            gm("table", "float16", 4, "init", init=[1, 2.5, 3, 0.1])]).run({})
    assert list(out_of(result, dtype=np.float16)) == [0, np.float16(0.1), 0, 0]


def test_lists_of_arrays():
    body = [at(1, do="copy", to=[1, 0, "int32"], **{"from": [0, 1, "int32", ["scalar", 0]]})]
    arrays = [np.array([1, 2], np.int32), np.array([3, 4, 5], np.int32)]
    for index, expected in ((0, 2), (1, 4), (2, None), (-1, None)):
        result = program(body, [gm("list", "int32", 0, "input", list=True), gm("out", "int32", 1)],
                         [scalar("i", "int32", input=True)]).run({"list": arrays, "i": index})
        if expected is None:
            assert only_fault(result)["code"] == "V1001"
        else:
            assert result["faults"] == [] and out_of(result, dtype=np.int32)[0] == expected


def test_callbacks_see_what_the_statement_sees():
    body = [at(1, do="set", scalar=0, value=3), store(0, 1, ["scalar", 0], "int64", 2),
            at(3, do="print", id=17)]
    running = program(body, [gm("out"), ub("u")], [scalar("s"), scalar("t", "float32")])
    seen, lines = [], []

    def on_print(number, block):
        seen.append((number, block, np.frombuffer(running.peek(0), np.int64)[1],
                     running.peek_scalar(0), running.peek_scalar(1), running.peek(1)[:2]))

    running.run({}, on_print=on_print,
                on_statement=lambda file, line, block: lines.append((file, line)))
    assert seen == [(17, 0, 3, 3, None, b"\xff\xff")]
    assert lines == [(0, 1), (0, 2), (0, 3)]
    with pytest.raises(RuntimeError):
        running.peek(0)


@pytest.mark.parametrize("callback", ["on_print", "on_statement"])
def test_an_exception_of_a_callback_ends_the_run(callback):
    def stop(*place):
        raise KeyboardInterrupt

    running = program([at(1, do="print", id=0)], [gm("out")])
    with pytest.raises(KeyboardInterrupt):
        running.run({}, **{callback: stop})
    with pytest.raises(RuntimeError):  # what it saw is gone
        running.peek(0)


def sixteen(count):
    """A transposition with so many sources."""
    block = [0, 0, "int16"]
    return at(1, do="call", instruction="trans_data_to_5hd", dst=[block] * 16, src=[block] * count,
              **{"as": "vnchwconv"})


GOOD = {"vinci_statements": 1, "kernel": "k", "soc": "Ascend310P3", "files": ["f"],
        "buffers": [gm("out")], "scalars": [scalar("s")], "body": []}
BROKEN = {
    "no JSON": "{", "another version": {**GOOD, "vinci_statements": 2},
    "an unknown statement": {**GOOD, "body": [at(1, do="jump")]},
    "an unknown instruction": {**GOOD, "body": [at(1, do="call", instruction="x", **{"as": "x"})]},
    "an unknown field": {**GOOD, "body": [at(1, do="call", instruction="add", x=1, **{"as": "x"})]},
    "an unknown operation": {**GOOD, "body": [store(0, 0, ["**", "int64", 1, 2])]},
    "a range without a name": {**GOOD, "body": [store(0, 0, ["within", 1, 2, 1])]},
    "a range that is no number": {**GOOD, "body": [store(0, 0, ["within", "1", 2, "x", 1])]},
    "an unknown type": {**GOOD, "body": [store(0, 0, ["int5", 1])]},
    "an unknown scalar": {**GOOD, "body": [at(1, do="set", scalar=1, value=0)]},
    "a scalar in an expression": {**GOOD, "body": [store(0, 0, ["scalar", 4])]},
    "an unknown buffer": {**GOOD, "body": [store(1, 0, 0)]},
    "a file that is not there": {**GOOD, "body": [{**store(0, 0, 0), "at": [1, 1]}]},
    "callers that are not there": {**GOOD, "body": [{**store(0, 0, 0), "at": [0, 1, 0]}]},
    "callers in a file that is not there": {**GOOD, "callers": [[[1, 1]]]},
    "too few operands in a list": {**GOOD, "body": [sixteen(15)]},
    "too many operands in a list": {**GOOD, "body": [sixteen(17)]},
    "an unknown register": {**GOOD, "body": [at(1, do="read", scalar=0, register="x",
                                                **{"as": "vreduce"})]},
    "a mask of four words": {**GOOD, "body": [
        at(1, do="call", instruction="abs", mask={"bits": [0, 0, 0, 1]}, **{"as": "vabs"})]},
    "a place for what lies still": {**GOOD, "body": [at(1, do="place", buffer=0)]},
    "a place for nothing": {**GOOD, "body": [at(1, do="place", buffer=1)]},
    "break outside a loop": {**GOOD, "body": [at(1, do="break")]},
    "nothing": {},
}


@pytest.mark.parametrize("what", BROKEN)
def test_files_that_break_the_rules(what):
    text = BROKEN[what] if isinstance(BROKEN[what], str) else json.dumps(BROKEN[what])
    with pytest.raises(ValueError):
        _engine.Program(text)


def test_files_that_keep_them():
    for body in ([], [sixteen(16)], [at(1, do="read", scalar=0, register="gathered",
                                        **{"as": "vreduce"})]):
        _engine.Program(json.dumps({**GOOD, "body": body}))


@pytest.mark.parametrize("scope,address,size,good", [
    ("local.UB", 0, 262144, True), ("local.UB", 0, 262145, False), ("local.UB", 262144, 0, True),
    ("local.UB", 262113, 32, False), ("local.UB", 2**64 - 1, 32, False),
    ("local.UB", 32, 2**64 - 1, False), ("local.L1", 0, 1 << 20, True),
    ("local.L1", 0, (1 << 20) + 1, False)])
def test_tensors_on_chip_lie_in_its_memory(scope, address, size, good):
    """The 310P3 has 256 KB of UB and 1 MB of L1; its Vector Core has no L1."""
    tensor = {"name": "u", "scope": scope, "dtype": "int8", "address": address, "bytes": size}
    running = program([at(1, do="print", id=0)], [gm("out"), tensor], soc="Ascend310P3")
    seen = []
    if good:
        running.run({}, on_print=lambda number, block: seen.append(len(running.peek(1))))
        assert seen == [size]
    else:
        with pytest.raises(ValueError, match="u does not lie in"):
            running.run({})
    if scope == "local.L1":
        with pytest.raises(ValueError, match="u does not lie in"):
            program([], [gm("out"), tensor], soc="Ascend310P3-VectorCore").run({})


def test_initial_numbers_fit_their_tensor():
    for elements, good in ((3, True), (2, False)):
        running = program([], [gm("table", "int32", elements, "init", init=[1, 2, 3])])
        if good:
            assert running.run({})["finished"]
        else:
            with pytest.raises(ValueError, match="table has 2 elements, and 3 numbers"):
                running.run({})


@pytest.mark.parametrize("instruction,sources,good", [
    ("add", ["float16", "float16"], True), ("add", ["float16"], False), ("add", [], False),
    ("add", ["float16", "float32"], False), ("exp", ["float16"], True), ("exp", [], False),
    ("exp", ["float16", "float16"], False), ("duplicate", [], True),
    ("duplicate", ["float16"], False), ("mul_add_dst", ["float16"], False)])
def test_a_call_has_the_sources_of_its_instruction(instruction, sources, good):
    fields = {f"src{i}": [1, 256, dtype] for i, dtype in enumerate(sources)}
    body = [at(4, do="call", instruction=instruction, dst=[1, 0, "float16"], mask={"first": 64},
               repeats=1, scalar=["float16", 1], **{"as": "call"}, **fields)]
    faults = program(body, [gm("out"), ub("u", "float16", 1024)]).run({})["faults"]
    assert [(fault["code"], fault["line"]) for fault in faults] == ([] if good else [("V2004", 4)])


def test_arrays_with_gaps_are_refused():
    running = program([], [gm("in", "int32", 4, "input")])
    every_second = np.arange(8, dtype=np.int32)[::2]
    with pytest.raises(ValueError, match="contiguous"):
        running.run({"in": every_second})
    assert running.run({"in": every_second.copy()})["finished"]
    column = np.asfortranarray(np.arange(4, dtype=np.int32).reshape(2, 2))
    with pytest.raises(ValueError, match="contiguous"):
        running.run({"in": column})


def test_what_cannot_run():
    with pytest.raises(ValueError, match="Ascend1"):
        program([], [gm("out")], soc="Ascend1").run({})
    with pytest.raises(ValueError, match="fed in"):
        program([], [gm("in", role="input")]).run({})
    with pytest.raises(ValueError, match="chip"):
        _engine.supported("Ascend1", "add", ["float16"])
    with pytest.raises(ValueError, match="instruction"):
        _engine.supported("Ascend310", "plus", ["float16"])
