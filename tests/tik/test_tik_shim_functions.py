"""What functions of the toolkit's packages do: checks of parameters, helpers, questions about the chip,
contexts."""

import importlib
import sys

import pytest


@pytest.fixture(name="checks", scope="module")
def fixture_checks():
    from vinci.tik import toolkit
    before = list(sys.path)
    toolkit.install()
    from tbe.common.utils import para_check
    yield para_check
    sys.path[:] = before


@pytest.mark.parametrize("call", [
    lambda c: c.check_dtype("Float16", ("float16",)), lambda c: c.check_dtype("bfloat16"),
    lambda c: c.check_shape((1,) * 8), lambda c: c.check_shape([]), lambda c: c.check_shape([0, 3]),
    lambda c: c.check_shape((2, 3), min_rank=2, max_rank=2, min_size=6, max_size=6),
    lambda c: c.check_shape_rule((1,)), lambda c: c.check_shape_rule((4, 4), 2, 2, 16),
    lambda c: c.check_shape_rule((2, 100000000)),
    lambda c: c.check_shape_size((2, 3), 6), lambda c: c.check_kernel_name("_k" * 100),
    lambda c: c.check_dtype_rule("int8", ["int8"]), lambda c: c.check_format("ND")])
def test_checks_pass(checks, call):
    call(checks)


@pytest.mark.parametrize("call, text", [
    (lambda c: c.check_dtype("float64", ("float16", "int8"), param_name="x"),
     "x: float64 is not one of float16, int8"),
    (lambda c: c.check_dtype(None), "the type is given as a str"),
    (lambda c: c.check_shape((1,) * 9), "9 dimensions, legal: 0..8"),
    (lambda c: c.check_shape(5), "a list or tuple"),
    (lambda c: c.check_shape((2, -1)), "a dimension of -1"),
    (lambda c: c.check_shape((2, 1.0)), "a dimension of 1.0"),
    (lambda c: c.check_shape((2, True)), "a dimension of True"),
    (lambda c: c.check_shape((2**16, 2**15)), "legal: 0..2147483647"),
    (lambda c: c.check_shape((2, 3), min_rank=3), "2 dimensions, legal: 3..8"),
    (lambda c: c.check_shape((2, 3), max_size=5, param_name="w"), "w: 6 elements"),
    (lambda c: c.check_shape_rule(()), "0 dimensions, legal: 1..8"),
    (lambda c: c.check_shape_rule((4, 5), 2, 2, 19), "20 elements"),
    (lambda c: c.check_shape_rule((3, 100000000)), "legal: 0..200000000"),
    (lambda c: c.check_shape_rule((0,)), "a dimension of 0"),
    (lambda c: c.check_shape_size((2, 3), 5), "6 elements"),
    (lambda c: c.check_kernel_name("k" * 201), "kernel_name"),
    (lambda c: c.check_kernel_name("1k"), "kernel_name"),
    (lambda c: c.check_kernel_name(""), "kernel_name"),
    (lambda c: c.check_kernel_name("k\n"), "kernel_name"),
    (lambda c: c.check_dtype_rule(None, ["int8"]), "is None"),
    (lambda c: c.check_format("NDX", param_name="y"), "y: NDX"),
    (lambda c: c.check_range(3, 0, 2), "3, legal: 0..2")])
def test_checks_fail(checks, call, text):
    with pytest.raises(RuntimeError, match=text.replace("(", r"\(")):
        call(checks)


def test_helpers(checks):
    from impl import common_util
    from impl.util import util_common, util_select_op_base
    from tbe.common.platform import get_bit_len
    from tbe.common.utils import shape_util
    from tbe.common.utils.errormgr import error_manager_vector
    widths = {"int8": 8, "bool": 8, "uint16": 16, "bfloat16": 16, "float32": 32, "uint64": 64}
    assert {dtype: get_bit_len(dtype) for dtype in widths} == widths
    assert common_util.get_data_size("float16") == 2 and common_util.get_data_size("int64") == 8
    assert common_util.get_block_element("float16") == 16 and common_util.get_block_element("int64") == 4
    with pytest.raises(RuntimeError):
        get_bit_len("half")
    assert [util_common.ceil(n, 16) for n in (0, 1, 16, 17)] == [0, 1, 1, 2]
    assert util_common.align(17, 16) == 32 and util_common.floor(17, 16) == 1
    assert util_common.is_unknown_rank_input({"shape": (-2,)})
    assert not util_common.is_unknown_rank_input([{"shape": (2,)}, {"shape": [3]}])
    assert util_common.is_unknown([{"shape": (2, -1)}])
    assert not util_common.is_unknown({"shape": ()})
    assert shape_util.broadcast_shapes((4, 1), (3,)) == ([4, 1], [1, 3], [4, 3])
    with pytest.raises(RuntimeError, match="do not broadcast"):
        shape_util.broadcast_shapes((4,), (3,))
    assert shape_util.get_shape_size((3, 4, 5)) == 60 and shape_util.get_shape_size(()) == 1
    assert shape_util.scalar2tensor_one(()) == (1,) and shape_util.shape_refine((1, 2, 1)) == [2]
    assert shape_util.axis_check(3, -1) == [2] and shape_util.axis_check(3, [1, -3]) == [0, 1]
    with pytest.raises(RuntimeError):
        shape_util.axis_check(3, 3)
    with pytest.raises(RuntimeError, match="check_params_wrong: op, x, got=3"):
        error_manager_vector.raise_err_check_params_wrong("op", "x", got=3)
    text = util_select_op_base.get_dynamic_param_in_json(
        [util_select_op_base.gen_param(classify="input0", name="x", datatype="float16",
                                       format="ND")])
    assert __import__("json").loads(text) == {
        "input0": {"name": "x", "dtype": "float16", "format": "ND"}}


def test_axes_keys_and_formats(checks):
    from tbe.common.utils import shape_util
    from te.utils import op_utils
    from topi.cce import util
    assert shape_util.wrap_axes_to_positive(-1, 3) == [2]
    assert op_utils.wrap_axes_to_positive((1, -3), 3) == [1, 0]
    for axes in (3, [0, -4]):
        with pytest.raises(RuntimeError, match=r"legal: -3..2"):
            shape_util.wrap_axes_to_positive(axes, 3)
    assert shape_util.shape_to_list((2, 3)) == [2, 3]
    one, other = {"shape": (1,), "dtype": "int8"}, {"shape": (1,), "dtype": "int32"}
    util.compare_tensor_dict_key(one, other, "shape")
    with pytest.raises(RuntimeError, match="dtype: int8 and int32 differ"):
        util.compare_tensor_dict_key(one, other, "dtype")
    with pytest.raises(RuntimeError, match="there is no range"):
        util.compare_tensor_dict_key(one, other, "range")
    keys = checks.OpParamInfoKey
    assert [key.value for key in (keys.SHAPE, keys.FORMAT, keys.ORI_SHAPE, keys.ORI_FORMAT,
                                  keys.D_TYPE, keys.RANGE)] == [
        "shape", "format", "ori_shape", "ori_format", "dtype", "range"]
    assert op_utils.TensorFormat.NC1HWC0.value == "NC1HWC0"


@pytest.mark.parametrize("soc, answers", [
    ("Ascend310", (False, False, True, False)), ("Ascend910A", (True, False, True, False)),
    ("Ascend310P3", (True, False, True, False)), ("Ascend910B1", (True, True, False, True))])
def test_questions_about_intrinsics(checks, soc, answers):
    from tbe.common import platform
    from te.platform import cce_conf
    platform.set_current_compile_soc_info(soc)
    assert tuple(cce_conf.intrinsic_check_support(*query) for query in (
        ("Intrinsic_vdiv", "float32"), ("Intrinsic_fix_pipe_l0c2out",),
        ("Intrinsic_data_move_l0c2ub",), ("Intrinsic_data_move_out2l1_nd2nz",))) == answers
    assert platform.intrinsic_check_support("Intrinsic_vconv", "f162s32f")
    assert not platform.intrinsic_check_support("Intrinsic_no_such_thing")
    with pytest.raises(RuntimeError):
        platform.intrinsic_check_support(1)


def test_context(checks):
    from tbe.common import context
    outside = context.get_context()
    with context.op_context.OpContext("dynamic") as inner:
        inner.add_compile_info("vars", {"core_num": 2})
        assert context.get_context() is inner and inner.get_op_mode() == "dynamic"
        assert inner.get_compile_info() == {"vars": {"core_num": 2}}
        inner.add_addition("a", 1)
        assert inner.get_addition("a") == 1 and inner.get_addition("b") is None
    assert context.get_context() is outside
    with pytest.raises(RuntimeError):
        context.OpContext("fast")


@pytest.mark.parametrize("module", ["te.op", "te.lang.base", "te.lang.base.operation", "te.lang.dynamic",
                                    "tbe.dsl", "tbe.dsl.base.operation"])
def test_older_places_of_the_context(checks, module):
    """As operators end that were written before tbe.common.context was there."""
    from tbe.common import context
    old = importlib.import_module(module)
    with old.dynamic():
        assert context.get_context().get_op_mode() == "dynamic"
        old.add_compile_info("vars", {"core_num": 32})
        assert old.get_compile_info() == {"vars": {"core_num": 32}}
        assert old.register_operator("Op")(len) is len
    assert context.get_context().get_op_mode() == "static"
    with pytest.raises(NotImplementedError):
        old.compute()


def test_older_places_are_found_by_their_package_alone(checks):
    import te.lang.dynamic
    with te.op.dynamic():
        te.op.add_compile_info("vars", 1)
        assert te.op.get_compile_info() == {"vars": 1}


def test_build_config(checks):
    from tbe.common import buildcfg
    with buildcfg.build_config(double_buffer_non_reuse=True):
        assert buildcfg.get_current_build_config("double_buffer_non_reuse") is True
    assert buildcfg.get_current_build_config("double_buffer_non_reuse") is None


DESCRIBED = {"shape": (2, 16), "dtype": "float16", "format": "ND", "ori_shape": (2, 16),
             "ori_format": "ND"}
DYNAMIC = {"shape": (-1, 16), "dtype": "float16", "range": [(1, None), (16, 16)]}


def operator(checks):
    """With one parameter of each kind."""
    kinds = ("REQUIRED_INPUT OPTION_INPUT DYNAMIC_INPUT REQUIRED_OUTPUT REQUIRED_ATTR_INT "
             "OPTION_ATTR_LIST_INT OPTION_ATTR_FLOAT OPTION_ATTR_BOOL OPTION_ATTR_STR "
             "OPTION_ATTR_LIST_LIST_INT KERNEL_NAME").split()

    @checks.check_op_params(*(getattr(checks, kind) for kind in kinds))
    def mine(x, mask, many, y, axis, pads=None, scale=1.0, flag=False, mode="a", pairs=None,
             kernel_name="mine"):
        return kernel_name, axis

    return mine


@pytest.mark.parametrize("arguments, more", [
    ((DESCRIBED, None, [DESCRIBED], DESCRIBED, 3), {}),
    ((DYNAMIC, DYNAMIC, (DYNAMIC, DYNAMIC), {"shape": [-2], "dtype": "FLOAT16"}, -1), {}),
    ((DESCRIBED, DESCRIBED, [DESCRIBED], DESCRIBED), {"axis": 0, "kernel_name": "other"}),
    ((DESCRIBED, DESCRIBED, [DESCRIBED], DESCRIBED, 0, [1, 2], 0.5, True, "b", [[1], (2, 3)]), {}),
    ((DESCRIBED, DESCRIBED, [DESCRIBED], DESCRIBED, 0, (), 2), {"mode": None}),
    ((dict(DESCRIBED, format="FRACTAL_Z:16", dtype="complex64"), None, [DESCRIBED], DESCRIBED, 0), {})])
def test_parameters_of_operators(checks, arguments, more):
    mine = operator(checks)
    assert mine(*arguments, **more) == (more.get("kernel_name", "mine"),
                                        more.get("axis", arguments[-1] if len(arguments) == 5 else 0))
    assert mine.__name__ == "mine"


@pytest.mark.parametrize("place, value, code", [
    (0, None, "E80001"), (0, 5, "E80003"), (0, {"shape": (1,)}, "E80004"),
    (0, dict(DESCRIBED, shape=(1,) * 9), "E80012"), (0, dict(DESCRIBED, shape=3), "E80003"),
    (0, dict(DESCRIBED, shape=(2, -3)), "E80002"), (0, dict(DESCRIBED, shape=(2, 1.5)), "E80003"),
    (0, dict(DESCRIBED, dtype="half"), "E80008"), (0, dict(DESCRIBED, dtype=16), "E80003"),
    (0, dict(DESCRIBED, format="NDX"), "E80015"), (1, [DESCRIBED], "E80003"),
    (2, DESCRIBED, "E80003"), (2, [], "E80001"), (2, [DESCRIBED, None], "E80003"),
    (3, None, "E80001"), (4, None, "E80001"), (4, 1.0, "E80003"), (4, True, "E80003"),
    (5, 3, "E80003"), (5, [1, 2.0], "E80003"), (6, "1", "E80003"), (7, 1, "E80003"),
    (8, 1, "E80003"), (9, [1], "E80003"), (10, "1k", "E80003")])
def test_parameters_that_are_not_what_they_should_be(checks, place, value, code):
    arguments = [DESCRIBED, DESCRIBED, [DESCRIBED], DESCRIBED, 0, [], 1.0, True, "", [], "mine"]
    operator(checks)(*arguments)
    arguments[place] = value
    with pytest.raises(RuntimeError) as caught:
        operator(checks)(*arguments)
    description, text = caught.value.args
    assert description["errCode"] == code and description["param_name"] and text


def test_parameters_that_are_left_out(checks):
    with pytest.raises(RuntimeError, match=r"E80001.*mandatory parameter\[many\] is missed"):
        operator(checks)(DESCRIBED, None)


def test_codes_of_the_checks(checks):
    for call, code in ((lambda: checks.check_dtype("int8", ("int16",)), "E80008"),
                       (lambda: checks.check_shape((2, 3), max_size=5), "E80011"),
                       (lambda: checks.check_shape((2, 3), max_rank=1), "E80012"),
                       (lambda: checks.check_range(3, 0, 2), "E80002")):
        with pytest.raises(RuntimeError) as caught:
            call()
        assert caught.value.args[0]["errCode"] == code


def test_types_of_arguments(checks):
    @checks.check_input_type(dict, (list, tuple), str)
    def mine(x, shape, kernel_name="mine"):
        return kernel_name

    assert mine({}, (1,)) == "mine" and mine({}, shape=[1], kernel_name="other") == "other"
    for arguments, more in (((1, ()), {}), (({}, 3), {}), (({}, ()), {"kernel_name": 3})):
        with pytest.raises(RuntimeError, match="E80003"):
            mine(*arguments, **more)


def test_the_l2_cache_changes_nothing(checks):
    import te.platform
    from tbe.common import platform
    assert te.platform.te_set_l2_mode(1) is None and te.platform.cce_conf.te_set_l2_mode(0) is None
    assert platform.te_set_l2_mode(1) is None


def test_descriptions_of_operators(checks):
    from tbe.common.context import OpContext, get_context, op_info
    with OpContext("dynamic"):
        info = op_info.OpInfo("add_1", "Add")
        info.precision_mode = "high_precision"
        get_context().add_op_info(info)
        assert [(one.op_name, one.op_type, one.inputs) for one in get_context().get_op_info()] == [
            ("add_1", "Add", [])]


@pytest.mark.parametrize("dtype, k", [("float16", 16), ("bfloat16", 16), ("int8", 32), ("uint8", 32), ("int4", 64)])
def test_what_the_matrix_unit_multiplies_at_once(checks, dtype, k):  # pylint: disable=unused-argument
    from te import platform
    assert platform.CUBE_MKN[dtype] == {"mac": [16, k, 16]}
    assert platform.cce_params.CUBE_MKN is platform.CUBE_MKN
    assert platform.get_soc_spec(platform.VECTOR_CORE_CNT) == 0  # of the 910
