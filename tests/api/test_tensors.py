"""GlobalTensor and LocalTensor: values, views, sizes."""

import numpy as np
import pytest

import harness
from api_kit import KERNELS, Out, Value, output, rng

FILE = "tensors.cpp"


@pytest.mark.parametrize("dtype", [name for name in harness.NUMPY if name != "int4"])
def test_values_go_through_get_and_set_in_every_type(dtype):
    words = rng().integers(0, 256, 100 * np.dtype(harness.NUMPY[dtype]).itemsize, dtype=np.uint8)
    data = words.view(harness.NUMPY[dtype])
    got = output(FILE, f"reverse_{dtype}", data, Out(dtype, 100), Value("uint32", 100))
    same_bits = got.view(np.uint8) == np.ascontiguousarray(data[::-1]).view(np.uint8)
    assert same_bits.all()


def test_int4_values_share_bytes():
    packed = rng().integers(0, 256, 50, dtype=np.uint8)
    got = output(FILE, "reverse_int4", packed, Out("uint8", 50), Value("uint32", 100))
    assert (got == (packed << 4 | packed >> 4)[::-1]).all()


def test_copies_of_int4_by_count_reach_as_far_as_their_tensors():
    packed = rng().integers(0, 256, 160, dtype=np.uint8)
    got = output(FILE, "copy_int4", packed[:128], Out("uint8", 128), Value("uint32", 128),
                 soc="Ascend910B1")
    assert (got == packed[:128]).all()
    run = harness.run_kernel(KERNELS / FILE, packed, Out("uint8", 160), Value("uint32", 160),
                             soc="Ascend910B1", kernel="copy_int4")
    assert set(run.codes) & {"V1001", "V1011"}


def test_doubles_are_copied_and_no_more():
    numbers = rng().standard_normal(35)
    done, refused = (harness.run_kernel(KERNELS / "doubles.cpp", numbers.view(np.int64), Out("int64", 36),
                                        Value("int32", computes), soc="Ascend910B1") for computes in (0, 1))
    harness.check_clean(done)
    assert done.outputs[0].view(float).tolist() == [*numbers, numbers[2]]
    assert refused.codes == ["V6002"]


def test_operators_read_write_and_shift():
    data = np.arange(32, dtype=np.int32) * 3
    local = data + 1
    local[11] += 100
    local[16] = -1
    got = output(FILE, "operators", data, Out("int32", 32))
    assert (got == np.concatenate([local[16:], local[:16]])).all()


def test_sizes_count_elements_of_the_views_type():
    names = ["half", "bytes", "from 40", "from the end", "as int32", "as int8", "as int4",
             "from 2 as float", "SetSize(64)", "its bytes", "SetBufferLen(256)", "sizeof",
             "position", "position A2", "GetPhyAddr(10)", "alignment", "default"]
    wanted = [100, 200, 60, 0, 50, 200, 400, 49, 64, 128, 128, 2, 11, 2, 10, 512, 0]
    got = output(FILE, "sizes", Out("int64", len(wanted)))
    assert dict(zip(names, got.tolist())) == dict(zip(names, wanted))


def test_sizes_and_addresses_of_global_tensors():
    got = output(FILE, "global_sizes", Out("int64", 7), np.zeros(40, np.uint8))
    assert got.tolist() == [0, 10, 6, 0, 0, 12, 20]


def test_a_tensor_can_be_set_to_a_part_of_another():
    assert output(FILE, "set_address", Out("int32", 4)).tolist() == [24, 40, 50, 1]


def test_a_tag_goes_with_its_buffer_through_a_queue():
    assert output(FILE, "tags_through_a_queue", Out("int32", 6)).tolist() == [10, 10, 0, 0, 0, 0]


def test_tags_and_shapes_are_kept():
    assert output(FILE, "tags_and_shapes", Out("int32", 10)).tolist() == [
        0, 77, 3, 2, 3, 4, 3, 4, 1, 2]


def test_a_global_tensor_has_its_address_as_a_member_too():
    data = np.arange(8, dtype=np.int32)
    assert output(FILE, "global_address", data, Out("int32", 3)).tolist() == [3, 4, 1]


def test_the_physical_address_is_the_buffer_itself():
    assert output(FILE, "physical", Out("int32", 2)).tolist() == [5, 6]


def test_all_views_see_the_same_bytes():
    assert output(FILE, "reinterpret", Out("uint32", 5)).tolist() == [2, 1, 0x3C, 3, 0x3C00400F]


def test_an_expression_of_tensors_is_a_vector_instruction():
    data = rng().standard_normal(128).astype(np.float16)
    got = output(FILE, "expression", data, Out("half", 64))
    assert (got == data[:64] + data[64:]).all()


def test_tensors_made_by_hand():
    data = rng().standard_normal(64).astype(np.float16)
    assert (output(FILE, "by_hand", data, Out("half", 64)) == data + np.float16(1)).all()
    run = harness.run_kernel(KERNELS / FILE, data, Out("half", 64, part=True), soc="Ascend910B1",
                     kernel="by_hand_too_short")
    assert run.codes == ["V1011"]


def test_memory_that_nobody_wrote_is_nan_and_minus_one():
    got = output(FILE, "unwritten", Out("float", 2), check="basic")
    assert np.isnan(got[0]) and got[1] == -1


def test_a_block_finds_nothing_of_the_block_before():
    got = output(FILE, "unwritten_by_another_block", Out("int32", 3), blocks=3,
                 check="basic")
    assert got.tolist() == [-1, -1, -1]
