"""What the operators that people have import of the toolkit, module by module: it is there, or is
told when it is called."""

import pytest
from tik_harness import run_script

# Module: what works; what belongs to the operator language, so that it is told when called.
MODULES = {
    "te": ("tik platform utils", "tvm lang"),
    "tbe": ("tik dsl common", "tvm"),
    "te.tik": ("Tik Dprofile Tensor Scalar Expr all any negate scope_gm scope_ubuf scope_cbuf "
               "scope_cbuf_out scope_ca scope_cb scope_cc", ""),
    "te.lang.cce": ("", "tuple_sum vadd vmul cast_to sum reduce_max auto_schedule cce_build_code "
                        "broadcast"),
    "te.lang.dynamic": ("", "compute var build"),
    "te.tvm": ("register_func tag_scope", "placeholder compute const var"),
    "tbe.dsl": ("", "vadd auto_schedule build classify cast_to broadcast reduce_sum"),
    "tbe.dsl.base": ("", "var"),
    "tbe.dsl.base.operation": ("register_schedule", "var get_te_var get_context add_build_arg"),
    "tbe.dsl.instrinsic.cce_intrin": ("get_bit_len", ""),
    "te.platform": ("get_soc_spec te_set_version te_update_version scope_ubuf scope_gm scope_cbuf "
                    "cce_conf cce_params cce_build cce_intrin fusion_manager "
                    "get_bit_len api_check_support CORE_NUM UB_SIZE L1_SIZE SHORT_SOC_VERSION "
                    "set_current_compile_soc_info CceProductParams is_vector_core",
                    "get_const"),
    "te.platform.cce_conf": ("get_soc_spec te_set_version CceProductParams api_check_support "
                             "intrinsic_check_support is_v200_version_new get_bit_len", ""),
    "te.platform.cce_build": ("build_config", ""),
    "te.platform.cce_policy": ("", "disableL2 OpL2Fusion"),
    "te.platform.cce_params": ("scope_ubuf UB_SIZE BLOCK_IN BLOCK_OUT BLOCK_REDUCE C0_SIZE CUBE_MKN",
                               ""),
    "te.platform.fusion_manager": ("fusion_manager register", ""),
    "te.utils": ("para_check shape_util op_utils error_manager", ""),
    "te.utils.op_utils": ("check_op_params check_dtype check_shape REQUIRED_INPUT REQUIRED_OUTPUT "
                          "OPTION_INPUT OPTION_ATTR_INT REQUIRED_ATTR_LIST_INT KERNEL_NAME "
                          "broadcast_shapes", "variable_shape"),
    "te.utils.error_manager": ("error_manager_vector error_manager_util error_manager_cube", ""),
    "te.utils.error_manager.error_manager_vector": (
        "raise_err_input_value_invalid raise_err_check_params_wrong", ""),
    "tbe.common.register": ("register_operator register_op_compute register_param_generalization "
                            "register_operator_compute get_operator register_tune_space",
                            ""),
    "tbe.common.context": ("get_context OpContext op_context", ""),
    "tbe.common.context.op_context": ("get_context OpContext", ""),
    "tbe.common.context.op_info": ("OpInfo", "no_such_name"),
    "tbe.common.buildcfg": ("build_config get_current_build_config set_current_build_config",
                            ""),
    "tbe.common.buildcfg.buildcfg_mapping": ("", "kernel_meta_parent_dir"),
    "tbe.common.rl_bank": ("", "rl_bank query_rl_bank"),
    "tbe.common.platform": (
        "set_current_compile_soc_info get_soc_spec get_soc_name get_bit_len get_block_size "
        "api_check_support scope_ubuf scope_gm CORE_NUM UB_SIZE L1_SIZE L0A_SIZE L0B_SIZE L0C_SIZE "
        "SHORT_SOC_VERSION SOC_VERSION FULL_SOC_VERSION AICORE_TYPE ASCEND_310 ASCEND_910 "
        "ASCEND_310P ASCEND_310B ASCEND_910B platform_info is_vector_core CUBE_MKN VECTOR_CORE_CNT "
        "CUBE_CORE_CNT CUBE_VECTOR_SPLIT", ""),
    "tbe.common.platform.platform_info": ("get_soc_spec UB_SIZE api_check_support", ""),
    "tbe.common.utils": ("para_check shape_util errormgr broadcast_shapes", "log"),
    "tbe.common.utils.op_tiling": ("", "do_op_tiling decode"),
    "tbe.common.utils.para_check": (
        "check_op_params check_dtype check_shape check_shape_rule check_shape_size check_format "
        "check_kernel_name check_dtype_rule check_tensor_shape_size check_input_type "
        "REQUIRED_INPUT OPTION_INPUT DYNAMIC_INPUT REQUIRED_OUTPUT OPTION_OUTPUT DYNAMIC_OUTPUT "
        "REQUIRED_ATTR_INT REQUIRED_ATTR_FLOAT REQUIRED_ATTR_STR REQUIRED_ATTR_BOOL "
        "REQUIRED_ATTR_TYPE REQUIRED_ATTR_LIST_INT REQUIRED_ATTR_LIST_FLOAT "
        "REQUIRED_ATTR_LIST_BOOL REQUIRED_ATTR_LIST_LIST_INT OPTION_ATTR_INT OPTION_ATTR_FLOAT "
        "OPTION_ATTR_STR OPTION_ATTR_BOOL OPTION_ATTR_TYPE OPTION_ATTR_LIST_INT "
        "OPTION_ATTR_LIST_FLOAT OPTION_ATTR_LIST_BOOL OPTION_ATTR_LIST_LIST_INT KERNEL_NAME",
        ""),
    "tbe.common.utils.shape_util": ("broadcast_shapes produce_shapes shape_refine axis_check "
                                    "scalar2tensor_one wrap_axes_to_positive shape_to_list "
                                    "refine_shape_axes simplify_axis_shape",
                                    "variable_shape"),
    "tbe.common.utils.errormgr": ("error_manager_vector error_manager_util error_manager_cube",
                                  ""),
    "tbe.common.utils.errormgr.error_manager_vector": (
        "raise_err_input_dtype_not_supported raise_err_input_shape_invalid "
        "raise_err_specific_reson", ""),
    "topi": ("", "tag"),
    "topi.generic": ("", "schedule_injective"),
    "topi.cce": ("util", ""),
    "topi.cce.util": ("get_product_version VERSION_MINI VERSION_CLOUD VERSION_SHISI "
                      "check_kernel_name check_shape_rule check_dtype_rule check_tensor_shape_size "
                      "check_shape_size scalar2tensor_one fusion_decorator is_vector_core "
                      "compare_tensor_dict_key is_v200_version is_mini_version",
                      "check_load3d_support"),
    "impl.util.platform_adapter": (
        "tik tbe tbe_platform tbe_context tbe_register tbe_build para_check shape_util "
        "register_operator register_operator_compute error_manager_vector error_manager_cube "
        "OpImplMode OpPatternMode build_config", "tvm operation"),
    "impl.util.util_common": ("is_unknown_rank_input is_unknown ceil align floor is_dynamic_input",
                              "write_code"),
    "impl.util.util_select_op_base": ("gen_param get_dynamic_param_in_json",
                                      "SplitInput SplitOutput ReduceInput get_op_cal_info"),
    "impl.util.util_binary": ("get_bit_len", "binary_match"),
    "impl.util.util_compute": ("", "fetch_data"),
    "impl.util.util_attr_common": ("", "get_attr_by_cls"),
    "impl.util.util_cube_dynamic": ("", "CubeParaProcess"),
    "impl.util.util_tik_comm_func": ("", "ceil_div gm2ub"),
    "impl.common_util": ("get_data_size get_block_element", ""),
    "impl.common_util_v1": ("get_data_size get_block_element", ""),
    "impl.constant_util": ("BLOCK_SIZE MASK128 MASK64 DATA_TYPE_FP16 STRIDE_ONE", ""),
    "impl.constant_util_v1": ("BLOCK_SIZE MASK128 MASK64 DATA_TYPE_FP16 STRIDE_ONE", ""),
    "te.tik.common.util": ("DTYPE_SIZE ceil_div reduce_mul get_bit_len", "check_integer_in_range"),
    "te.tik.tik_lib.tik_expr": ("Expr", "BasicExpr"),
    "tbe.tik.api.tik_scalar": ("Scalar InputScalar ScalarArray", ""),
    "tbe.tik.api.tik_tensor": ("Tensor", ""),
    "te.utils.check_para": ("check_shape check_dtype check_op_params KERNEL_NAME", ""),
    "mindspore": ("ops", "context Tensor nn"),
    "mindspore.ops": ("op_info_register TBERegOp DataType AiCPURegOp CustomRegOp prim_attr_register",
                      "PrimitiveWithInfer"),
    "mindspore.common.initializer": ("", "initializer"),
    "mindspore.ops.op_info_register": ("op_info_register TBERegOp DataType", ""),
}
CHECK = """
import importlib, sys
from vinci.tik.absent import Absent
for line in sys.stdin:
    module, real, name = line.split()
    try:
        exec(f"from {module} import {name} as value")
        is_absent = isinstance(value, Absent) or type(value).__name__ == "_Module"
        if is_absent == (real == "real"):
            print(module, name, "is", value)
        if is_absent:
            try:
                value()
                print(module, name, "can be called")
            except NotImplementedError as error:
                if f".{name} is not part of vinci" not in str(error):
                    print(error)
    except Exception as error:
        print(module, name, repr(error))
"""


def test_an_argument_that_vinci_does_not_have_is_named(tmp_path):
    script = """
import te.lang.cce
from tbe import tik
t = tik.Tik()
t.Tensor(te.lang.cce.some_dtype, (3,), tik.scope_gm, "x")
"""
    done = run_script(tmp_path, script)
    assert done.returncode == 1
    assert "te.lang.cce.some_dtype, which vinci does not have" in done.stderr, done.stderr


def lines_of(module):
    real, absent = MODULES[module]
    if module not in ("te.tik", "mindspore.ops.op_info_register"):
        absent += " no_such_name"
    return [f"{module} real {name}" for name in real.split()] + [
        f"{module} absent {name}" for name in absent.split()]


@pytest.mark.parametrize("package", ["te", "tbe", "topi", "impl", "mindspore"])
def test_names_of_modules(package, tmp_path):
    lines = [line for module in MODULES if module.partition(".")[0] == package
             for line in lines_of(module)]
    done = run_script(tmp_path, CHECK, stdin="\n".join(lines))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_products_of_the_first_releases(tmp_path):
    script = "from topi.cce import util\nprint(util.get_product_version() == util.VERSION_{})\n"
    for soc, version in (("Ascend310", "MINI"), ("Ascend910A", "CLOUD"), ("SD3403", "SHISI")):
        done = run_script(tmp_path, script.format(version), options=("--soc", soc))
        assert done.stdout == "True\n", done.stderr
