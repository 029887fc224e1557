// TCubeTiling as host code fills it.
#pragma once

#include <cstring>

#include "ascendc/matmul/tiling_data.h"

namespace optiling {

class TCubeTiling {
 public:
#define VINCI_FIELD(name)                                \
  void set_##name(int32_t value) { data_.name = value; } \
  int32_t get_##name() const { return data_.name; }
  VINCI_MATMUL_TILING_FIELDS(VINCI_FIELD)
#undef VINCI_FIELD

  size_t GetDataSize() const { return sizeof(data_); }
  // Nothing if there is no room.
  void SaveToBuffer(void* buffer, size_t capacity) const {
    if (buffer != nullptr && capacity >= sizeof(data_)) std::memcpy(buffer, &data_, sizeof(data_));
  }
  void SetDataPtr(void* data) { std::memcpy(&data_, data, sizeof(data_)); }

  const AscendC::tiling::TCubeTiling& data() const { return data_; }
  AscendC::tiling::TCubeTiling& data() { return data_; }

 private:
  AscendC::tiling::TCubeTiling data_;
};

}  // namespace optiling
