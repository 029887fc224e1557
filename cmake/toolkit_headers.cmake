# Headers of the vendor's toolkit by the names under which programs include them: a folder for each
# group of functions, and one file for each part of the framework. vinci has what is in them in a few
# headers, so each is a line that includes one of these. `make_toolkit_headers` writes them.
#
# Of a name in include/ that stands here, too, the one in include/ counts.

set(OF_KERNELS kernel_operator.h)
set(OF_MATMUL lib/matmul_intf.h)
set(OF_TILING tiling/tiling_api.h)
set(OF_TILING_DATA kernel_tiling/kernel_tiling.h)

# Functions of the library, by their folders in lib/ and adv_api/. Each has a header for kernels, also
# as kernel_operator_<name>_intf.h, and those for its tiling.
set(LIBRARY activation filter index math normalization pad quantization reduce select sort transpose
    utils)
set(LIBRARY_activation geglu gelu logsoftmax reglu sigmoid silu simplesoftmax softmax softmaxflash
    softmaxflashv2 softmaxflashv3 softmaxgrad swiglu swish simple_softmax softmax_flash
    softmax_flashv2 softmax_grad)
set(LIBRARY_filter dropout)
set(LIBRARY_index arithprogression)
set(LIBRARY_math acos acosh asin asinh atan atanh axpy bitwise_and bitwise_not bitwise_or bitwise_xor
    ceil clamp cos cosh cumsum digamma erf erfc exp floor fma fmod frac hypot is_finite is_inf is_nan
    lgamma log logical_and logical_ands logical_not logical_or logical_ors logical_xor philox power
    rint round sign sin sincos sinh tan tanh trunc where xor)
set(LIBRARY_normalization batchnorm deepnorm groupnorm layernorm layernormgrad layernormgradbeta
    layernorm_grad layernorm_grad_beta normalize rmsnorm welfordfinalize)
set(LIBRARY_pad broadcast pad)
set(LIBRARY_quantization antiquantize ascend_antiquant ascend_dequant ascend_quant dequantize quantize)
set(LIBRARY_reduce mean reduce reduce_common reduce_xor_sum sum)
set(LIBRARY_select selectwithbytesmask)
set(LIBRARY_sort sort topk)
set(LIBRARY_transpose confusion_transpose transdata)
set(LIBRARY_utils init_global_memory)

# Of the framework: in no folder, or in basic_api/ or interface/.
set(FRAMEWORK
    base_types basic_intf bf16 check common cube_intf event fp16 log macros process_lock prof_trace reg
    scalar tensor tensor_base tensor_impl tpipe tpipe_base tpipe_impl type utils vec_intf vectorized
    operator_atomic_intf operator_block_sync_intf operator_cache_intf operator_common_impl
    operator_common_intf operator_conv2d_intf operator_data_copy_intf
    operator_determine_compute_sync_intf operator_dump_tensor_intf operator_fixpipe_intf
    operator_gemm_intf operator_intf operator_layout operator_limits_intf operator_list_tensor_intf
    operator_mm_intf operator_proposal_intf operator_scalar_intf operator_set_atomic_intf
    operator_swap_mem_intf operator_sys_var_intf operator_tensor_trait operator_utils_intf
    operator_vec_bilinearinterpolation_intf operator_vec_binary_intf
    operator_vec_binary_scalar_intf operator_vec_brcb_intf operator_vec_cmpsel_intf
    operator_vec_createvecindex_intf operator_vec_duplicate_intf operator_vec_gather_intf
    operator_vec_gather_mask_intf operator_vec_mulcast_intf operator_vec_reduce_intf
    operator_vec_scatter_intf operator_vec_ternary_scalar_intf operator_vec_transpose_intf
    operator_vec_unary_intf operator_vec_vconv_intf operator_vec_vpadding_intf
    struct_binary struct_brcb struct_conv2d struct_data_copy struct_fixpipe struct_gather struct_mm
    struct_proposal struct_transpose struct_unary struct_vdeq)

# What the CPU twin's own are called.
set(TWIN stub_def stub_fun)

set(MATMUL constant_tiling matmul matmul_client matmul_config matmul_intf tiling)
set(MATMUL_TILING bmm_tiling matmul_tiling matmul_tiling_base)
set(STANDARD algorithm cmath tuple type_traits utility)

# Host code: what is part of another header, and older places of headers.
set(HOST
    register/op_def_factory.h register/op_def_registry.h register/op_check.h register/op_def_registry.h
    register/op_ct_impl_registry.h register/op_impl_registry.h
    register/op_registry.h register/register.h graph/operator_factory.h graph/operator_reg.h
    exe_graph/runtime/base_type.h exe_graph/runtime/shape.h
    exe_graph/runtime/range.h exe_graph/runtime/infer_shape_range_context.h
    graph/ascend_limits.h graph/types.h graph/common_error_codes.h graph/ge_error_codes.h
    graph/shape.h graph/tensor.h
    platform/platform_info_def.h platform/platform_infos_def.h
    experiment/platform/platform/platform_info.h platform/platform_info.h
    experiment/platform/platform/platform_infos_def.h platform/platform_infos_def.h
    tiling/data_copy_transpose_tiling.h tiling/tiling_api.h
    tiling/softmax/softmax_tiling.h tiling/tiling_api.h
    tiling/template_argument.h ascendc/host_api/tiling/template_argument.h
    register/op_impl_registry_base.h register/op_impl_registry.h
    register/op_impl_kernel_registry.h register/op_impl_registry.h
    log/ops_log.h log/log.h dlog_pub.h toolchain/slog.h error_log.h log/log.h
    error/ops_error.h log/log.h err/ops_err.h log/log.h tiling_base/error_log.h log/log.h
    op_host/error_log.h log/log.h tiling/tiling_base.h op_common/op_host/tiling_base_class.h
    tiling/tiling_templates_registry.h op_common/op_host/tiling_templates_registry.h
    runtime/runtime/rt_ffts.h runtime/rt_ffts.h experiment/runtime/runtime/rt_ffts.h runtime/rt_ffts.h
    acl/acl_base_rt.h acl/acl.h acl/acl_rt_allocator.h acl/acl.h acl/acl_dump.h acl/acl.h)
# Folders whose headers also are in external/.
set(EXTERNAL acl graph register exe_graph platform)
# The runtime below acl, and the folders that its headers lie in.
set(RUNTIME rt rt_ffts base config context dev event kernel mem stream)
set(RUNTIME_FOLDERS runtime runtime/runtime experiment/runtime experiment/runtime/runtime
    pkg_inc/runtime pkg_inc/runtime/runtime)

# toolkit_header(name target): `name`, which includes `target`.
macro(toolkit_header name target)
  if(NOT EXISTS "${OURS}/${name}" AND NOT EXISTS "${TO}/${name}")
    file(WRITE "${TO}/${name}" "#pragma once\n\n#include <${target}>\n")
  endif()
endmacro()

# Writes them below `to`, but for those that `ours` has.
function(make_toolkit_headers ours to)
  set(OURS "${ours}")
  set(TO "${to}")
  file(REMOVE_RECURSE "${to}")
  foreach(group ${LIBRARY})
    foreach(name ${LIBRARY_${group}})
      foreach(folder lib/${group} adv_api/${group})
        toolkit_header(${folder}/${name}.h ${OF_KERNELS})
        toolkit_header(${folder}/kernel_operator_${name}_intf.h ${OF_KERNELS})
        toolkit_header(${folder}/${name}_tiling.h ${OF_TILING})
        toolkit_header(${folder}/${name}_tiling_intf.h ${OF_TILING})
        toolkit_header(${folder}/${name}_tilingdata.h ${OF_TILING_DATA})
      endforeach()
    endforeach()
  endforeach()
  foreach(name ${FRAMEWORK})
    foreach(folder "" basic_api/ interface/)
      toolkit_header(${folder}kernel_${name}.h ${OF_KERNELS})
    endforeach()
  endforeach()
  foreach(name ${TWIN})
    toolkit_header(${name}.h ${OF_KERNELS})
  endforeach()
  foreach(folder lib/matmul lib/matrix/matmul adv_api/matmul)
    foreach(name ${MATMUL})
      toolkit_header(${folder}/${name}.h ${OF_MATMUL})
    endforeach()
    foreach(name ${MATMUL_TILING})
      toolkit_header(${folder}/${name}.h ${OF_TILING})
    endforeach()
    toolkit_header(${folder}/matmul_tilingdata.h ${OF_TILING_DATA})
  endforeach()
  foreach(name ${STANDARD})
    foreach(folder lib/std std utils/std)
      toolkit_header(${folder}/${name}.h ${OF_KERNELS})
    endforeach()
  endforeach()
  toolkit_header(adv_api/hccl/hccl.h lib/hccl/hccl.h)
  foreach(name conv3d_api conv3d_tiling)
    toolkit_header(adv_api/conv/conv3d/${name}.h lib/conv/conv3d/${name}.h)
  endforeach()
  foreach(name input_api input_tiling filter_api filter_tiling)
    toolkit_header(adv_api/conv_backprop/conv3d_bp_${name}.h lib/conv_backprop/conv3d_bp_${name}.h)
  endforeach()
  set(host ${HOST})
  while(host)
    list(POP_FRONT host name target)
    toolkit_header(${name} ${target})
  endwhile()
  foreach(folder ${RUNTIME_FOLDERS})
    foreach(name ${RUNTIME})
      toolkit_header(${folder}/${name}.h runtime/rt.h)
    endforeach()
  endforeach()
  foreach(folder ${EXTERNAL})
    file(GLOB_RECURSE names CONFIGURE_DEPENDS RELATIVE "${ours}" "${ours}/${folder}/*.h")
    foreach(name ${names})
      toolkit_header(external/${name} ${name})
    endforeach()
  endforeach()
  toolkit_header(adv_api/kernel_api.h ${OF_MATMUL})
  toolkit_header(adv_api/tiling_api.h ${OF_TILING})
endfunction()
