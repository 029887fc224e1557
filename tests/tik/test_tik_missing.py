"""Methods of TIK that vinci does not have say so by name."""

import pytest
from kernels import refusal, use
from vinci import tik

NAMES = """viou vaadd vrpac rpn_cor rpn_cor_diag set_rpn_cor_ir set_rpn_offset vmrgch vcbd
load_image set_cond_task_id set_tiling_params set_tik_tensor mov_vmrgsort4_sr_to_scalar
Vector vector_load vector_store vector_cast vector_vdup vector_vmul vector_vintlv vector_vdintlv
vector_vdhistv2 call_module""".split()


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


def test_the_kind_of_error(capsys):
    instance = tik.Tik(err_msg_level=1)
    with pytest.raises(NotImplementedError, match="unimplemented: viou"):
        instance.viou()
    with instance.if_scope(False):
        instance.viou()
    tik.Tik()
