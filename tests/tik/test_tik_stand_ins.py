"""GM Tensors with as many elements as an int32 counts take arrays of any length."""

import numpy as np
import pytest
from language import GM, UB, refused
from vinci import tik


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_stand_in_takes_any_length():
    instance = tik.Tik()
    most, count = 2**31 - 1, instance.InputScalar("int32", "count")
    a, b = (instance.Tensor("int32", (most,), GM, name) for name in "ab")
    ub = instance.Tensor("int32", (64,), UB, "ub")
    instance.data_move(ub, a, 0, 1, (count + 7) // 8, 0, 0)
    instance.data_move(b, ub, 0, 1, (count + 7) // 8, 0, 0)
    instance.BuildCCE("k", [a, count], [b])
    for count in (8, 21):
        fed = np.arange(count, dtype=np.int32)
        got, = instance.tikdb.start_debug({"a": fed, "b": np.zeros_like(fed), "count": count})
        assert (got == fed).all() and got.shape == (count,)
    feeds = {"a": fed, "count": 21}
    refused(lambda: instance.tikdb.start_debug(feeds), "b has 2147483647 elements", "feed_dict")
    # What the kernel reaches beyond the array is a fault.
    refused(lambda: instance.tikdb.start_debug({"a": fed[:8], "b": fed, "count": 21}), "V1001")
    refused(lambda: instance.tikdb.start_debug({**feeds, "b": fed.astype(np.int64)}), "dtype")


def test_one_element_less_is_no_stand_in():
    instance = tik.Tik()
    a = instance.Tensor("int8", (2**31 - 2,), GM, "a")
    b = instance.Tensor("int8", (32,), GM, "b")
    instance.BuildCCE("k", [a], [b])
    refused(lambda: instance.tikdb.start_debug({"a": np.zeros(32, np.int8)}), "(2147483646)")
