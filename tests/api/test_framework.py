"""What the framework offers beside TPipe, TQue and TBuf, and what scalar code may call."""

import math
import struct

import numpy as np
import pytest

import harness
from api_kit import KERNELS, SOC, Out, Value, output, outputs, rng

FILE = "framework.cpp"
SCALARS = "scalars.cpp"
VECCALC, VECOUT, A1, A2, B2, CO1 = 11, 10, 1, 2, 4, 7


def fails(kernel, *parameters, soc=SOC, code="V2001"):
    """The message of a run's only fault."""
    run = harness.run_kernel(KERNELS / FILE, *parameters, soc=soc, kernel=kernel)
    assert run.codes == [code], run.stderr
    return run.faults[0]["message"]


@pytest.mark.parametrize("soc", ["Ascend310P3", "Ascend910B1"])
def test_a_kernel_may_place_its_tensors_itself(soc):
    x, y = rng().standard_normal(512).astype(np.float16).reshape(2, -1)
    assert (output(FILE, "placed", x, y, Out("half", 256), soc=soc) == x + y).all()


def test_an_allocator_hands_out_a_memory_from_its_start():
    got = output(FILE, "allocators", Out("int64", 11)).tolist()
    assert got == [0, 96, 33, 32, VECCALC, VECOUT, A1, A2, B2, CO1, 64]


def test_an_allocator_knows_its_memorys_end():
    run = harness.run_kernel(KERNELS / FILE, Out("int8", 1), Value("uint32", 262144), soc=SOC,
                             kernel="allocate_all")
    assert "V2001" not in run.codes, run.stderr
    message = fails("allocate_all", Out("int8", 1), Value("uint32", 262145))
    assert "LocalMemAllocator::Alloc" in message and "262176" in message


@pytest.mark.parametrize("soc, lanes", [("Ascend310P3", 8), ("Ascend910B1", 64)])
def test_the_state_is_that_of_the_start(soc, lanes):
    """Atomic copies are off everywhere; MASK is all ones only on the A2."""
    got = output(FILE, "init_state", Out("float", 64), soc=soc)
    assert got.tolist() == [5.0] * lanes + [0.0] * (64 - lanes)


def test_chips_without_that_state_say_so():
    assert "InitSocState" in fails("init_state", Out("float", 64), soc="Ascend310B1", code="V6001")


def test_the_pipe_is_found():
    assert output(FILE, "find_pipe", Out("int64", 4)).tolist() == [1, 1, 1, 16]
    assert "GetTPipePtr" in fails("find_no_pipe", Out("int8", 1), code="V3001")


def test_tensors_lie_behind_the_base_of_their_position():
    assert output(FILE, "base_addresses", Out("int64", 6)).tolist() == [0, 96, 64, 512, 1024, 0]


@pytest.mark.parametrize("way, overtaken", [(0, False), (1, False), (2, True)])
def test_a_pipe_ends_with_all_that_it_began(way, overtaken, monkeypatch):
    """Unless the kernel says that it cares for that itself."""
    monkeypatch.setenv("VINCI_SCHEDULE", "lazy")
    data = np.full(64, 7, np.float32)
    run = harness.run_kernel(KERNELS / FILE, data, Out("float", 64), Value("int32", way), soc=SOC,
                             kernel="two_pipes")
    assert run.codes == (["V4009"] if overtaken else [])
    assert run.outputs[0].tolist() == [7.0 if overtaken else 1.0] * 64


def test_the_rest_of_a_memory():
    assert output(FILE, "rest", Out("int64", 5)).tolist() == [1, 253952, 1, 253952 - 1024, 7]


def test_buffers_in_other_forms():
    got = output(FILE, "buffers", Out("int64", 6)).tolist()
    assert got == [16, 4 * 64, 33, 4096, 128, 0]


def test_pools_share_their_bytes():
    got = output(FILE, "pools", Out("int64", 8)).tolist()
    assert got == [0, 256, 256, 384, 416, 1024, 1280, 3]


def test_pools_have_limits():
    for kernel, most, message in [("pool_too_small", 256, "288"), ("pool_of_many", 4, "5")]:
        harness.check_clean(harness.run_kernel(KERNELS / FILE, np.zeros(1, np.int8), Value("uint32", most),
                                               soc=SOC, kernel=kernel))
        assert message in fails(kernel, Out("int8", 1), Value("uint32", most + 1))


def test_tensors_are_found_in_a_list():
    words = np.array([48, 2 | 0 << 32, 5, 6, 1 | 9 << 32, 7, 0, 0], np.uint64)
    got = output(FILE, "list_of_tensors", words, Out("int64", 14)).tolist()[:14]
    assert got == [2, 0, 2, 5, 6, 48, 48, 0, 9, 1, 7, 2, 2, 8]


def test_the_workspace_begins_with_the_systems():
    got = output(FILE, "workspaces", np.zeros(4, np.uint64), Out("int64", 5)).tolist()
    assert got == [1, 1, 1, 16 << 20, 1]


def numbers(kernel, count):
    """What a kernel of scalars.cpp answers."""
    return output(SCALARS, kernel, Out("int64", count)).view(np.float64).tolist()


def test_small_functions_on_integers():
    assert numbers("integers", 24) == [
        4, 4, 0, 3, 0, 64, 64,
        1004, 1008, 4, 8,  # a kernel's own functions are its choice
        -2, 3, 2.5, 9, 7, 1.5,
        3, 4.5, 4, 4,
        1, 0, 1]


def test_bits_are_counted():
    assert numbers("bits", 15) == [16, 48, 2, 8, 8, -1, -1, 8, 48, 64, 0, 7, 63, 63, 62]


def odd_half(value):
    """The nearer to 0 of the halfs beside a float, or the other one, whichever ends in 1."""
    half = np.float16(value)
    if float(half) == value or math.isnan(value):
        return half
    inner = np.nextafter(half, np.float16(0)) if abs(float(half)) > abs(value) else half
    return (inner.view(np.uint16) | np.uint16(1)).view(np.float16)


def test_numbers_are_converted_as_asked():
    some = [0.0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 1e-9, 1 + 2.0**-11, 65504.0, 65520.0, 1e6,
            -1e6, 2147483647.0, -2147483648.0, 3e9, -3e9, math.inf, -math.inf, math.nan]
    values = np.concatenate([np.array(some, np.float32),
                             (rng().standard_normal(200) * 3000).astype(np.float32)])
    halves, ints = outputs(SCALARS, "casts", values, Out("half", values.size),
                           Out("int32", 4 * values.size), Value("int32", values.size))
    wanted = [odd_half(float(value)) for value in values]
    assert np.array_equal(halves, np.array(wanted, np.float16), equal_nan=True)

    def whole(value, rounded):
        if math.isnan(value):
            return 0
        return int(min(max(rounded(value), -2.0**31), 2.0**31 - 1))

    away = lambda value: math.copysign(math.floor(abs(value) + 0.5), value)  # exact in double
    for value, got in zip(values.tolist(), ints.reshape(-1, 4).tolist()):
        wanted = [whole(value, rounded) for rounded in (np.rint, away, np.floor, np.ceil)
                  ] if math.isfinite(value) else [whole(value, float)] * 4
        assert got == wanted, value


def test_types_and_constants_have_their_names():
    got = numbers("types", 18)
    near = struct.unpack("f", b"\0\0" + struct.pack("f", 3.14159)[2:])[0]
    assert near == 3.140625
    assert got == [1, 0, 1, 1, 0, 4, 2.5, 9, near, 0.5, near, 32, 16, 32, 4, 8, 5120, 1]


def test_layouts_turn_coordinates_into_indices():
    assert numbers("layouts", 8) == [590, 590, 13, 5, 5, 1, 0, 11]
