// The tilings of library functions as classes that host code fills: parts of its own classes of
// tiling data, with the bytes of the structs that kernels read.
#pragma once

#include <type_traits>

#include "kernel_tiling/kernel_tiling.h"
#include "register/tilingdata_base.h"

// Struct(name, list of its fields), of those that are in no other list.
#define VINCI_LIBRARY_TILINGS(Struct)                                                 \
  Struct(SoftMaxTiling, VINCI_SOFT_MAX_TILING) Struct(TopkTiling, VINCI_TOP_K_TILING) \
      Struct(TConv3DApiTiling, VINCI_CONV3D_TILING)                                   \
          Struct(TConv3DBackpropInputTiling, VINCI_CONV3D_BP_INPUT_TILING)            \
              Struct(TConv3DBpFilterTiling, VINCI_CONV3D_BP_FILTER_TILING)            \
                  VINCI_LAYOUT_TILINGS(Struct)

namespace optiling {

#define VINCI_TILING_CLASS(name, fields) \
  BEGIN_TILING_DATA_DEF(name)            \
  fields(TILING_DATA_FIELD_DEF) END_TILING_DATA_DEF;
VINCI_NORM_TILINGS(VINCI_TILING_CLASS)
VINCI_LIBRARY_TILINGS(VINCI_TILING_CLASS)
#undef VINCI_TILING_CLASS
using LogSoftMaxTiling = SoftMaxTiling;

BEGIN_TILING_DATA_DEF(Conv3DBackpropInputTilingData)
TILING_DATA_FIELD_DEF_STRUCT(TConv3DBackpropInputTiling, conv3DDxTiling)
END_TILING_DATA_DEF;
BEGIN_TILING_DATA_DEF(Conv3DBackpropFilterTilingData)
TILING_DATA_FIELD_DEF_STRUCT(TConv3DBpFilterTiling, dwTiling)
END_TILING_DATA_DEF;

}  // namespace optiling

namespace AscendC::in_api {

// From a struct to one, or to a class with its fields.
template <class Tiling>
void take_tiling(const Tiling& from, Tiling& to) {
  to = from;
}
#define VINCI_TAKE_FIELD(type, name) to.set_##name(from.name);
#define VINCI_TAKE(name, fields)                                              \
  inline void take_tiling(const tiling::name& from, ::optiling::name& to) {   \
    static_assert(sizeof(tiling::name) % 8 == 0, "classes have whole words"); \
    fields(VINCI_TAKE_FIELD)                                                  \
  }
VINCI_NORM_TILINGS(VINCI_TAKE)
VINCI_LIBRARY_TILINGS(VINCI_TAKE)
#undef VINCI_TAKE
#undef VINCI_TAKE_FIELD

}  // namespace AscendC::in_api
