"""AllocTensor, EnQue, DeQue and FreeTensor out of order; flags between pipes."""

import pytest

import fault_case
from fault_case import BUILDS, Case

INIT = "TPipe::InitBuffer for the queue before it is used"
ONCE = "a tensor that AllocTensor or DeQue of this queue returned, once"
BEFORE = "a SetFlag of the same event and identifier before it"

QUEUES = [
    Case("without_init", 1, 0, "V3001", "AllocTensor: the queue has no buffers", INIT, "S"),
    Case("forgotten_by_reset", 0, 1, "V3001", "AllocTensor: the queue has no buffers", INIT, "S"),
    Case("two_tensors", 2, 1, "V3002", "AllocTensor: all 1 buffers of this VECIN queue are in use",
         "FreeTensor before the next AllocTensor, or more buffers in InitBuffer", "S"),
    Case("deep", 1, 2, "V3003", "EnQue: 1 tensors already wait in this VECIN queue of depth 1",
         "at most 1 EnQue without a DeQue", "S"),
    Case("enque_twice", 1, 2, "V3004", "EnQue: the tensor still waits in the queue", ONCE, "S"),
    Case("enque_foreign", 0, 1, "V3004",
         "EnQue: the tensor belongs to another queue, of position VECOUT", ONCE, "S"),
    Case("enque_freed", 0, 1, "V3004", "EnQue: the tensor was already freed", ONCE, "S"),
    Case("enque_tbuf", 0, 1, "V3004", "EnQue: the tensor comes from no AllocTensor", ONCE, "S"),
    Case("deque", 1, 2, "V3005", "DeQue: no tensor waits in this VECIN queue",
         "an EnQue before each DeQue", "S"),
    Case("free_tensor", 1, 2, "V3006", "FreeTensor: the tensor was already freed", ONCE, "S"),
    Case("free_while_waiting", 0, 1, "V3006", "FreeTensor: the tensor still waits in the queue", ONCE,
         "S"),
    Case("never_freed", 1, 0, "V3007", "AllocTensor: a tensor of the VECIN queue was never freed",
         "one FreeTensor for each AllocTensor", severity="warning", exit=0),
    Case("never_dequeued", 1, 0, "V4003",
         "AllocTensor: a tensor of the VECIN queue still waits for its DeQue at the end",
         "one DeQue for each EnQue, then FreeTensor"),
    Case("used_after_free", 0, 1, "V3010", "Duplicate: dst is a tensor of a VECIN queue that was freed",
         "use before FreeTensor", "V", severity="warning", exit=0),
    Case("used_in_another", 0, 1, "V3008",
         "Duplicate: dst is a tensor of a VECIN queue that was freed and whose buffer another tensor has",
         "use before FreeTensor", "V"),
    Case("used_while_waiting", 0, 1, "V3008",
         "scalar code: the tensor is a tensor of a VECIN queue that waits between EnQue and DeQue",
         "use before EnQue, or what DeQue returned"),
    Case("second_pipe", 0, 1, "V3009",
         "TPipe: the kernel already has one, whose buffers this one hands out again",
         "one TPipe at a time"),
]

FLAGS = [
    Case("wait_without_set", 0, 1, "V4001",
         "WaitFlag: nobody has set flag 3 of MTE2_V; the chip would wait for ever", BEFORE,
         pipe="V"),
    Case("wait_for_another", 0, 1, "V4001",
         "WaitFlag: nobody has set flag 1 of V_MTE3; the chip would wait for ever", BEFORE,
         pipe="MTE3"),
    Case("set_twice", 0, 1, "V4002", "SetFlag: flag 1 of MTE1_M is already set",
         "a WaitFlag between two SetFlag", pipe="MTE1"),
    Case("left_set", 0, 1, "V4003",
         "SetFlag: flag 2 of M_V is still set at the end of the block", "one WaitFlag for each SetFlag"),
    Case("set_id", 7, 8, "V4004", "SetFlag: event identifier 8 is not legal on Ascend310P3", "0..7",
         pipe="S"),
    Case("set_id", 7, -1, "V4004", "SetFlag: event identifier -1 is not legal on Ascend310P3", "0..7",
         pipe="S"),
    Case("wait_id", 7, 8, "V4004", "WaitFlag: event identifier 8 is not legal on Ascend310P3", "0..7",
         pipe="V"),
    Case("many_ids", 8, 9, "V4004", "AllocEventID: all 8 identifiers of MTE2_V are taken",
         "a ReleaseEventID first"),
    Case("release_id", 0, 1, "V4004", "ReleaseEventID: identifier 1 of V_S is not taken",
         "an identifier from AllocEventID, once"),
    Case("wait_for_core", 0, 1, "V4006",
         "CrossCoreWaitFlag: nobody sets flag 4; 1 of 1 blocks wait",
         "a CrossCoreSetFlag for each CrossCoreWaitFlag", pipe="S", soc="Ascend910B1",
         good_soc="Ascend910B1"),
    Case("count_for_core", 15, 16, "V4007",
         "CrossCoreSetFlag: flag 4 of core 0 would count more than 15; 1 of 1 blocks wait",
         "a CrossCoreWaitFlag for each CrossCoreSetFlag", pipe="S", soc="Ascend910B1",
         good_soc="Ascend910B1"),
]

CASES = [("queues.cpp", case) for case in QUEUES] + [("flags.cpp", case) for case in FLAGS]


@pytest.mark.parametrize("build", BUILDS)
@pytest.mark.parametrize("file, case", CASES, ids=str)
def test_a_broken_protocol_is_one_fault_at_its_line(file, case, build):
    fault_case.check_bad(file, case, build)


@pytest.mark.parametrize("file, case", CASES, ids=str)
def test_the_kept_protocol_is_clean(file, case):
    fault_case.check_good(file, case)


@pytest.mark.parametrize("soc, identifiers", [("Ascend310", 4), ("Ascend910A", 4), ("Ascend910B1", 8)])
def test_the_chip_decides_how_many_event_identifiers_there_are(soc, identifiers):
    assert fault_case.call("flags.cpp", "many_ids", identifiers, soc=soc).codes == []
    run = fault_case.call("flags.cpp", "many_ids", identifiers + 1, soc=soc)
    assert run.faults[0]["message"] == (
        f"AllocEventID: all {identifiers} identifiers of MTE2_V are taken")
