// Tiling keys made from a template kernel's arguments. Host and kernel include the same text: for
// the host it is data, from which keys are made; kernels need none of it, as each is compiled for
// one key, whose arguments the host has told (vinci/op/template_keys.h).
#pragma once

#include "graph/c_types.h"

// Kinds of kernels, by the numbers of the toolkit.
#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIV_1_0 4
#define ASCENDC_TPL_MIX_AIC_1_0 5
#define ASCENDC_TPL_MIX_AIC_1_1 6
#define ASCENDC_TPL_MIX_AIC_1_2 7
#define ASCENDC_TPL_AICORE 8
#define ASCENDC_TPL_VECTORCORE 9
#define ASCENDC_TPL_MIX_AICORE 10
#define ASCENDC_TPL_MIX_VECTOR_CORE 11

// How the values of an integer are listed: ranges (how many, then first and last of each), single
// values, or ranges with values behind them.
#define ASCENDC_TPL_UI_RANGE 0
#define ASCENDC_TPL_UI_LIST 1
#define ASCENDC_TPL_UI_MIX 2

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_8_BW 8

// In place of values: those of a parameter of the operator.
#define ASCENDC_TPL_INPUT(index) (100000000 + (index))
#define ASCENDC_TPL_OUTPUT(index) (900000000 + (index))

#ifdef VINCI_PACKAGE_KERNEL

#define ASCENDC_TPL_ARGS_DECL(name, ...) static_assert(true)
#define ASCENDC_TPL_SEL(...) static_assert(true)

#else

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "vinci/op/template_keys.h"

namespace AscendC {

enum class TplKind {
  kDtype,
  kType,
  kFormat,
  kUint,
  kBool,
  kKernelTypeArgument,
  kKernelType,
  kDeterministic,
  kTilingStruct
};

struct ParamStruct {
  const char* name;
  TplKind kind;
  unsigned bits;                 // in the key; 0: not part of it
  std::vector<uint64_t> values;  // as written
};
using TilingDeclareParams = std::vector<ParamStruct>;
using TilingSelectParams = std::vector<std::vector<ParamStruct> >;

inline constexpr uint64_t kNoTilingKey = ~uint64_t{0};

// The values that an integer's list stands for, in the order of their codes.
inline std::vector<uint64_t> tpl_values(const ParamStruct& param) {
  if (param.kind != TplKind::kUint || param.values.empty()) return param.values;
  const auto& list = param.values;
  std::vector<uint64_t> values;
  size_t at = 1;
  if (list[0] != ASCENDC_TPL_UI_LIST && list.size() > 1) {
    const uint64_t ranges = list[1];
    at = 2;
    for (uint64_t i = 0; i < ranges && at + 1 < list.size(); ++i, at += 2) {
      for (uint64_t value = list[at]; value <= list[at + 1]; ++value) values.push_back(value);
    }
  }
  values.insert(values.end(), list.begin() + std::ptrdiff_t(std::min(at, list.size())), list.end());
  return values;
}

// Whether a selection's parameter, or a declaration's, takes the value.
inline bool tpl_takes(const ParamStruct& param, uint64_t value) {
  const std::vector<uint64_t> values = tpl_values(param);
  const bool is_of_parameter = !values.empty() && values[0] >= ASCENDC_TPL_INPUT(0);
  return is_of_parameter || std::find(values.begin(), values.end(), value) != values.end();
}

// Whether all parameters that it names take the arguments.
inline bool tpl_selects(const std::vector<ParamStruct>& selection,
                        const std::vector<vinci::op::TemplateArgument>& arguments) {
  for (const ParamStruct& param : selection) {
    for (const auto& argument : arguments) {
      const bool is_same = std::strcmp(param.name, argument.name) == 0;
      if (is_same && !tpl_takes(param, argument.value)) return false;
    }
  }
  return true;
}

// The key of these arguments, the first in its lowest bits: of an integer the place of its value in
// the declaration, of the rest the value.
inline uint64_t EncodeTilingKey(const TilingDeclareParams& declared,
                                const TilingSelectParams& selections,
                                const std::vector<uint64_t>& values) {
  uint64_t key = 0;
  unsigned used = 0;
  std::vector<vinci::op::TemplateArgument> arguments;
  for (size_t i = 0; i < std::min(declared.size(), values.size()); ++i) {
    const ParamStruct& param = declared[i];
    uint64_t code = values[i];
    if (param.kind == TplKind::kUint) {
      const std::vector<uint64_t> legal = tpl_values(param);
      const auto found = std::find(legal.begin(), legal.end(), code);
      if (found == legal.end()) return kNoTilingKey;
      code = uint64_t(found - legal.begin());
    }
    if (used + param.bits > 64) return kNoTilingKey;
    key |= (code & (~uint64_t{0} >> (64 - param.bits))) << used;
    used += param.bits;
    arguments.push_back({param.name, values[i], param.kind == TplKind::kType});
  }
  vinci::op::TemplateInstance instance{arguments.data(), arguments.size(), selections.empty(), -1,
                                       nullptr};
  for (const auto& selection : selections) {
    if (instance.is_selected || !tpl_selects(selection, arguments)) continue;
    instance.is_selected = true;
    for (const ParamStruct& param : selection) {
      if (param.kind == TplKind::kTilingStruct) instance.tiling_struct = param.name;
      if (param.kind == TplKind::kKernelType && !param.values.empty()) {
        instance.kernel_type = int(param.values[0]);
      }
    }
  }
  vinci::op::add_template_key(key, instance);
  return key;
}

}  // namespace AscendC

#define VINCI_TPL(name, kind, bits, ...)                  \
  ::AscendC::ParamStruct {                                \
    name, ::AscendC::TplKind::kind, bits, { __VA_ARGS__ } \
  }
#define ASCENDC_TPL_DTYPE_DECL(x, ...) VINCI_TPL(#x, kDtype, 8, __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_DECL(x, ...) VINCI_TPL(#x, kType, 8, __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_DECL(x, ...) VINCI_TPL(#x, kFormat, 8, __VA_ARGS__)
#define ASCENDC_TPL_UINT_DECL(x, bits, ...) VINCI_TPL(#x, kUint, bits, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_DECL(x, ...) VINCI_TPL(#x, kBool, 1, __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(x, ...) VINCI_TPL(#x, kKernelTypeArgument, 8, __VA_ARGS__)
#define ASCENDC_TPL_DTYPE_SEL ASCENDC_TPL_DTYPE_DECL
#define ASCENDC_TPL_DATATYPE_SEL ASCENDC_TPL_DATATYPE_DECL
#define ASCENDC_TPL_FORMAT_SEL ASCENDC_TPL_FORMAT_DECL
#define ASCENDC_TPL_UINT_SEL(x, ...) VINCI_TPL(#x, kUint, 0, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_SEL ASCENDC_TPL_BOOL_DECL
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL ASCENDC_TPL_KERNEL_TYPE_DECL
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...) VINCI_TPL("", kKernelType, 0, __VA_ARGS__)
#define ASCENDC_TPL_DETERMINISTIC_SEL(...) VINCI_TPL("", kDeterministic, 0, __VA_ARGS__)
#define ASCENDC_TPL_TILING_STRUCT_SEL(x, ...) VINCI_TPL(#x, kTilingStruct, 0, 0)

#define ASCENDC_TPL_ARGS_DECL(x, ...) \
  [[maybe_unused]] static const ::AscendC::TilingDeclareParams g_tilingDeclareParams { __VA_ARGS__ }
#define ASCENDC_TPL_ARGS_SEL(...) \
  { __VA_ARGS__ }
#define ASCENDC_TPL_SEL(...) \
  [[maybe_unused]] static const ::AscendC::TilingSelectParams g_tilingSelectParams { __VA_ARGS__ }

namespace AscendC {

template <class... T>
std::vector<uint64_t> tpl_numbers(T... values) {
  return {static_cast<uint64_t>(values)...};
}

}  // namespace AscendC

#define GET_TPL_TILING_KEY(...)                                           \
  ::AscendC::EncodeTilingKey(g_tilingDeclareParams, g_tilingSelectParams, \
                             ::AscendC::tpl_numbers(__VA_ARGS__))
#define ASCENDC_TPL_SEL_PARAM(context, ...)                             \
  do {                                                                  \
    (context)->SetTilingKey(uint64_t(GET_TPL_TILING_KEY(__VA_ARGS__))); \
  } while (0)

#endif
