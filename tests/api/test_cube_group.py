"""Groups of AICs that multiply for AIVs, which send them messages through queues in GM."""

import re

import numpy as np
import pytest

from api_kit import KERNELS, rng
from harness import Out, Value, check_clean, run_kernel
from matmul_cases import FIELDS

FILE = KERNELS / "cube_group.cpp"
SOURCE = FILE.read_text()
LINES = SOURCE.splitlines()
SOC = "Ascend910B1"
SIZE, MOST_ROUNDS = 32, 8
ROOM = SIZE * SIZE * 6 * MOST_ROUNDS  # of one AIV
MISTAKES = [name.strip() for name in
            re.search(r"enum Mistake \{(.*?),\s*\}", SOURCE, re.S)[1].split(",")]
TILING = dict(usedCoreNum=1, M=SIZE, N=SIZE, Ka=SIZE, Kb=SIZE, singleCoreM=SIZE, singleCoreN=SIZE,
              singleCoreK=SIZE, baseM=16, baseN=32, baseK=16, stepM=1, stepN=1)


def run(kernel, *, how=0, rounds=6, blocks=2, extra=(), cores="auto", soc=SOC, space=None, **more):
    """The run, and what A * B + 1 is for each AIV and round."""
    random = rng()
    aivs = 2 * blocks
    x, b = (random.integers(-5, 6, shape).astype(np.float16)
            for shape in ((aivs, SIZE, SIZE), (SIZE, SIZE)))
    tiling = np.array([TILING.get(field, 0) for field in FIELDS], np.int32)
    space = np.zeros(aivs * 4 * 128 * 2, np.uint8) if space is None else space
    done = run_kernel(FILE, x, b, tiling, space, np.zeros(aivs * ROOM, np.uint8),
                      Out("float", aivs, rounds, SIZE, SIZE, part=True), Value("int32", how),
                      Value("int32", rounds), soc=soc, blocks=blocks, kernel=kernel,
                      extra=["--cores", cores, *extra], **more)
    a = x[:, None].astype(np.float32) + np.arange(rounds, dtype=np.float32)[:, None, None]
    return done, a @ b.astype(np.float32) + 1


def untouched(values):
    return (values.view(np.uint32) == 0xFFFFFFFF).all()


@pytest.mark.parametrize("kernel", ["scalar_mode", "mte3_mode", "long_messages"])
@pytest.mark.parametrize("aics, blocks", [(1, 1), (1, 2), (2, 3), (3, 3)])
def test_products_of_many_aivs(kernel, aics, blocks):
    done, wanted = run(kernel, how=2 * aics, blocks=blocks)
    check_clean(done)
    assert (done.outputs[0] == wanted).all()


def test_all_cores_of_a_chip():
    done, wanted = run("scalar_mode", how=32, blocks=24, rounds=1)
    check_clean(done)
    assert (done.outputs[0] == wanted).all()


def test_more_messages_than_places():
    done, wanted = run("many_messages", rounds=8)
    check_clean(done)
    assert (done.outputs[0] == wanted).all()


def test_an_aiv_in_two_groups():
    done, wanted = run("two_groups", blocks=3)
    check_clean(done)
    assert (done.outputs[0] == wanted).all()


@pytest.mark.parametrize("late", [-1, 0, 2, 5])
def test_one_message_for_several(late):
    """Whichever of the AIVs comes late."""
    done, wanted = run("merged", blocks=3, how=late)
    check_clean(done)
    wanted[1:4] = wanted[0]
    assert (done.outputs[0] == wanted).all()


@pytest.mark.parametrize("aics", [1, 2])
def test_fake_messages_alone_and_queues_that_quit_one_by_one(aics):
    done, wanted = run("fakes", blocks=2, how=2 * aics, rounds=4)
    check_clean(done)
    for aiv in range(4):
        assert (done.outputs[0][aiv, :aiv + 1] == wanted[aiv, :aiv + 1]).all()
        assert untouched(done.outputs[0][aiv, aiv + 1:])


@pytest.mark.parametrize("extra", [["--schedule", "lazy"], ["--schedule", "random:3"],
                                   ["--schedule", "random:9"], ["--threads", "1"],
                                   ["--threads", "8"]])
@pytest.mark.parametrize("kernel, how", [("mte3_mode", 4), ("two_groups", 0), ("merged", 2),
                                         ("many_messages", 0)])
def test_schedules_and_threads_do_not_matter(kernel, how, extra):
    done, wanted = run(kernel, blocks=3, how=how, extra=extra)
    check_clean(done)
    if kernel == "merged":
        wanted[1:4] = wanted[0]
    assert (done.outputs[0] == wanted).all()


def test_a_kernel_as_the_documents_have_it():
    done, _ = run("documented", how=12, blocks=24)
    check_clean(done)
    assert untouched(done.outputs[0])


def test_without_checks():
    done, wanted = run("two_groups", blocks=3, check="off")
    assert done.code == 0 and (done.outputs[0] == wanted).all()


def mistake(name, threads=2, blocks=2, **more):
    return run("mistakes", how=MISTAKES.index(f"k{name}"), rounds=1, blocks=blocks,
               extra=["--threads", threads], **more)[0]


def marked(name):
    found = [number for number, line in enumerate(LINES, 1) if f"// WRONG {name}" in line]
    assert len(found) == 1, name
    return found[0]


def line_of(fault):
    return next(place["line"] for place in fault["lines"]
                if place["file"].endswith("cube_group.cpp"))


def test_without_a_mistake():
    done = mistake("None")
    check_clean(done)


@pytest.mark.parametrize("name, places", [
    ("NoQuit", {"create": "CreateCubeResGroup: no message comes in queue "}),
    ("NeverFreed", {"create": "CreateCubeResGroup: no message comes in queue ",
                    "wait": "CubeResGroupHandle::Wait: the message of queue "}),
    ("NeverFreedAsked", {"create": "CreateCubeResGroup: no message comes in queue ",
                         "asked": "CubeResGroupHandle::Wait: the message of queue "}),
    ("NeverFreedFull", {"create": "CreateCubeResGroup: no message comes in queue ",
                        "full": "AllocMessage: the message at place 0 of queue "})])
def test_who_waits_for_ever_is_told(name, places):
    done = mistake(name)
    assert done.code == 1 and set(done.codes) == {"V4006"}, done.stderr
    assert {line_of(fault) for fault in done.faults} == {marked(place) for place in places}
    for fault in done.faults:
        place = next(place for place in places if marked(place) == line_of(fault))
        assert places[place] in fault["message"], fault
    assert all(mistake(name, threads).faults == done.faults for threads in (1, 8))


def test_a_result_that_nobody_waits_for_is_a_race():
    done = mistake("NoWait")
    assert done.code == 1 and set(done.codes) == {"V4010"}, done.stderr
    assert "nothing orders the two" in done.faults[0]["message"]
    assert all(mistake("NoWait", threads).faults == done.faults for threads in (1, 8))


@pytest.mark.parametrize("name, code, place, words", [
    ("OddStart", "V2002", "create", "blockStart is 1"),
    ("OddSize", "V2002", "create", "blockSize is 1"),
    ("NoSize", "V2001", "create", "blockSize is 0"),
    ("TooFar", "V2001", "create", "blockStart + blockSize is 6"),
    ("ManyQueues", "V2001", "create", "msgQueueSize is 5"),
    ("IdleAic", "V2001", "create", "msgQueueSize is 1"),
    ("OddMessage", "V2002", "odd_message", "the size of a message is 96"),
    ("OddPlace", "V1004", "create", "the workspace is at 0x"),
    ("Event", "V2001", "event", "evtIDIn is 8"),
    ("ByHand", "V2001", "skip", "SetSkipMsg: skipCnt is 1"),
    ("QueueRange", "V2001", "assign", "queueIdIn is 4"),
    ("QueueTwice", "V2004", "assign", "queue 0 is that of core "),
    ("QueueNone", "V2004", "alloc", "the handle has no queue"),
    ("NoGroup", "V2004", "no_group", "the handle has no group"),
    ("QuitState", "V2001", None, "waitState is 2"),
    ("DoubleFree", "V2004", None, "has no message there"),
    ("OtherFree", "V2001", None, "the message is none of this AIC's"),
    ("ManySkips", "V2001", None, "skipCnt is 100"),
    ("FreeByAiv", "V2004", "free", "FreeMessage: outside of Call"),
    ("OtherMode", "V2004", "mode", "AllocMessage had another pipeMode"),
    ("FakeAfterMte3", "V2004", "fake", "AllocMessage had another pipeMode"),
    ("PostTwice", "V2004", "again", "has been posted already"),
    ("OtherSlot", "V2001", "post", "the message is none of queue "),
    ("NullMessage", "V2001", "post", "the message is none of queue "),
    ("FreeState", "V2004", "post", "msgState is 0"),
    ("Offset", "V2001", "wait", "offset is 32767")])
def test_wrong_use_is_told(name, code, place, words):
    done = mistake(name)
    assert done.code == 1 and done.codes[0] == code, done.stderr
    assert words in done.faults[0]["message"]
    if place is not None:
        assert line_of(done.faults[0]) == marked(place)
    assert done.faults == mistake(name, threads=1).faults


@pytest.mark.parametrize("name", ["OddSize", "NoSize", "QueueRange", "OtherSlot", "OtherFree"])
def test_wrong_use_without_checks_does_not_crash(name):
    assert mistake(name, check="off").codes[0].startswith("V2")


def test_messages_outside_of_gm():
    assert mistake("None", space=np.zeros(512, np.uint8)).codes == ["V1003"]


def test_a_workspace_that_is_not_cleared():
    done = mistake("None", space=np.full(4096, 0xFF, np.uint8))
    assert done.codes[0] == "V2001" and "the state of a message is 255" in done.faults[0]["message"]


def test_the_last_aic_of_a_chip_is_in_no_group():
    done, _ = run("scalar_mode", how=48, blocks=24, rounds=1)
    assert done.codes == ["V2001"] and "at most 47" in done.faults[0]["legal"]


@pytest.mark.parametrize("cores", ["whole", "aic", "aiv"])
def test_launches_without_both_kinds(cores):
    done, _ = run("scalar_mode", how=2, cores=cores)
    assert done.codes[0] == "V2004" and "both AICs and AIVs" in done.faults[0]["message"]


@pytest.mark.parametrize("soc", ["Ascend310P3", "Ascend910_9391"])
def test_other_chips(soc):
    done, _ = run("scalar_mode", how=2, soc=soc)
    assert done.codes[0].startswith("V6001"), done.stderr
