"""Methods of TIK that vinci does not have say so by name."""

import pytest
from kernels import refusal, use
from vinci import tik

NAMES = """vmrgch vcbd load_image set_cond_task_id set_tiling_params set_tik_tensor
Vector vector_load vector_store vector_cast vector_vdup vector_vmul vector_vintlv vector_vdintlv
vector_vdhistv2 call_module scatter_vector_mov scatter_vcmp scatter_vconv scatter_vmulconv""".split()


@pytest.mark.parametrize("name", NAMES)
def test_what_is_missing_is_named(name):
    use("310P")
    text = refusal(lambda instance, ub: getattr(instance, name)(1, dst=2))
    assert text.startswith(f"unimplemented: {name} is not there yet: ")


@pytest.mark.parametrize("name", ["vcmax", "vcmin"])
def test_counts_in_scalars_are_missing(name):
    use("310P")
    count = {f"{name[2:]}_cnt_index": 1}
    text = refusal(lambda instance, ub: getattr(instance, name)(64, ub.a, ub.a, 1, 1, 1, 8,
                                                                **count), a=("float16", 128))
    assert text.startswith(f"unimplemented: {name[2:]}_cnt_index of {name} is not there yet: ")


@pytest.mark.parametrize("soc, dtype, words", [
    ("310B", "int8", "unimplemented: "), ("310B", "uint8", "unimplemented: "),
    ("310B", "int64", "current chip: "), ("910B", "int8", "current chip: "),
    ("310P", "uint8", "current chip: ")])
def test_bytes_on_the_chip_that_has_them(soc, dtype, words):
    """TIK has them on the 310B alone, and no page says what they do."""
    use(soc)
    strides = {"vadd": (1, 1, 1, 8, 8, 8), "vec_add": (8, 8, 8), "vec_max": (8, 8, 8),
               "vor": (1, 1, 1, 8, 8, 8)}
    for name, more in strides.items():
        text = refusal(lambda instance, ub: getattr(instance, name)(64, ub.a, ub.a, ub.a, 1, *more),
                       a=(dtype, 256))
        assert text.startswith(words) and name in text, text
    for name, more in {"vec_adds": (8, 8), "vec_dup": (8,)}.items():
        sources = ("a",) if name == "vec_adds" else ()
        text = refusal(lambda instance, ub: getattr(instance, name)(
            32, ub.a, *(getattr(ub, one) for one in sources), 1, 1, *more), a=(dtype, 256))
        # int64 may be filled in, in TIK.
        assert text is None and (name, dtype) == ("vec_dup", "int64") or \
            text.startswith(words) and name in text, text
    # What is there for no type is not said to be there for bytes.
    assert refusal(lambda instance, ub: instance.vec_mul(64, ub.a, ub.a, ub.a, 1, 8, 8, 8),
                   a=(dtype, 256)).startswith("current chip: ")


def test_the_kind_of_error(capsys):
    instance = tik.Tik(err_msg_level=1)
    with pytest.raises(NotImplementedError, match="unimplemented: vmrgch"):
        instance.vmrgch()
    with instance.if_scope(False):
        instance.vmrgch()
    tik.Tik()
