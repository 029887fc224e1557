// What the objects for gradients of convolutions of volumes share: types of tensors, and calls that
// make one tile after the other.
#pragma once

#include "ascendc/conv3d_names.h"
#include "ascendc/tensor.h"
#include "vinci/record/conv3d_backprop.h"

namespace ConvBackpropApi {

using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;

template <TPosition POSITION, ConvFormat FORMAT, typename T>
struct ConvType {
  static constexpr TPosition pos = POSITION;
  static constexpr ConvFormat format = FORMAT;
  using Type = T;
};

namespace in_api {

template <class... TYPES>
inline constexpr bool all_in_gm = ((TYPES::pos == TPosition::GM) && ...);

// RECORD is a Conv3dTileRecord. ATOMIC: what GetTensorC does if it is not told.
template <class RECORD, class T, uint8_t ATOMIC>
class TileByTile {
 public:
  struct Context {
    bool isFirstIter_ = true;  // kernels set it before the next product
  } ctx;

  // Multiplies the next tile, if there is one. enPartialSum is reserved.
  template <bool sync = true>
  bool Iterate(bool enPartialSum = false) {
    (void)enPartialSum;
    bool has_tile = false;
    record_.tile = ctx.isFirstIter_ ? 0 : record_.tile + 1;
    record_.is_over = !ctx.isFirstIter_ && is_over_;
    record_.has_tile = &has_tile;
    send(Call::kIterate);
    record_.has_tile = nullptr;
    ctx.isFirstIter_ = false;
    is_over_ = !has_tile;
    return has_tile;
  }
  // `output`: the core's first element, whichever tile it is. enSequentialWrite is reserved.
  template <bool sync = true>
  void GetTensorC(const AscendC::GlobalTensor<T>& output, uint8_t enAtomic = ATOMIC,
                  bool enSequentialWrite = false) {
    (void)enSequentialWrite;
    record_.output = output.operand();
    record_.atomic = enAtomic;
    record_.is_over = is_over_;
    send(Call::kGetTensorC);
  }
  void End() { send(Call::kEnd); }

 protected:
  explicit TileByTile(const RECORD& record) : record_(record) {}

  RECORD record_;

 private:
  using Call = vinci::Conv3dTileRecord::Call;

  void send(Call call) {
    record_.call = call;
    record_.object = reinterpret_cast<uint64_t>(this);
    vinci::issue(record_);
  }

  bool is_over_ = true;
};

}  // namespace in_api
}  // namespace ConvBackpropApi
