// Where a tensor's values are. Whoever makes one owns the memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gert {

using TensorAddress = void*;
using TensorAddrPtr = void*;

enum TensorPlacement { kOnDeviceHbm, kOnHost, kFollowing, kOnDeviceP2p, kTensorPlacementEnd };

class TensorData {
 public:
  explicit TensorData(TensorAddress address = nullptr, size_t bytes = 0,
                      TensorPlacement placement = kTensorPlacementEnd)
      : address_(address), bytes_(bytes), placement_(placement) {}

  TensorAddress GetAddr() const { return address_; }
  size_t GetSize() const { return bytes_; }
  void SetSize(size_t bytes) { bytes_ = bytes; }
  TensorPlacement GetPlacement() const { return placement_; }
  void SetPlacement(TensorPlacement placement) { placement_ = placement; }
  void SetAddr(TensorAddress address) { address_ = address; }

 private:
  TensorAddress address_;
  size_t bytes_;
  TensorPlacement placement_;
};

}  // namespace gert
