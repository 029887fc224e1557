// Fixpipe, one case a block. The image is L0C, L1 and a piece of GM, before and after.
#include "fixpipe_types.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : l0c_bytes(values.next()),
        l1_bytes(values.next()),
        form(values.next()),
        types(values.next()),
        dst(values),
        src(values),
        vector(values.next()),
        scales(values),
        row_major(values.next()) {
    fields.nSize = values.next();
    fields.mSize = values.next();
    fields.srcStride = values.next();
    fields.dstStride = values.next();
    fields.quantPre = QuantMode_t(values.next());
    fields.deqScalar = uint64_t(values.next());
    fields.ndNum = values.next();
    fields.srcNdStride = values.next();
    fields.dstNdStride = values.next();
    fields.reluEn = values.next();
    fields.unitFlag = values.next();
    fields.isChannelSplit = values.next();
    atomic = values.next();
  }

  // The same numbers through each of the constructors; the short ones leave defaults.
  FixpipeParamsV220 params() const {
    const FixpipeParamsV220& f = fields;
    switch (form) {
      case 0: return {f.nSize, f.mSize, f.srcStride, f.dstStride, f.reluEn};
      case 1:
        return {f.nSize,
                f.mSize,
                f.srcStride,
                f.dstStride,
                f.reluEn,
                f.quantPre,
                int64_t(f.deqScalar),
                f.ndNum,
                f.srcNdStride,
                f.dstNdStride,
                f.unitFlag};
      case 2:
        return {f.nSize,       f.mSize,       f.srcStride,          f.dstStride,
                f.reluEn,      f.quantPre,    int64_t(f.deqScalar), f.ndNum,
                f.srcNdStride, f.dstNdStride, f.unitFlag,           f.isChannelSplit};
      default: return f;
    }
  }

  uint32_t l0c_bytes, l1_bytes;  // 0, 0: no memory is filled or saved
  int64_t form, types;
  Place dst, src;
  bool vector;
  Place scales;
  bool row_major;
  FixpipeParamsV220 fields;
  int64_t atomic;  // 1, 2, 3: SetAtomicAdd, SetAtomicMax, SetAtomicMin on elements of dst
};

template <class Dst, class Src, const FixpipeConfig& config, class To>
void move(const Call& call, const To& dst) {
  const auto src = call.src.tensor<Src>();
  if (call.vector) {
    Fixpipe<Dst, Src, config>(dst, src, call.scales.tensor<uint64_t>(), call.params());
  } else {
    Fixpipe<Dst, Src, config>(dst, src, call.params());
  }
}

template <class Dst, class Src>
void fixpipe(const Call& call, const GlobalTensor<uint8_t>& gm) {
  const auto layouts = [&](const auto& dst) {
    if (call.row_major) {
      // CFG_ROW_MAJOR is the default.
      if (call.vector || call.form != 3) return move<Dst, Src, CFG_ROW_MAJOR>(call, dst);
      return Fixpipe<Dst, Src>(dst, call.src.tensor<Src>(), call.params());
    }
    move<Dst, Src, CFG_NZ>(call, dst);
  };
  if (call.dst.position != TPosition::GM) return layouts(call.dst.tensor<Dst>());
  layouts(gm_tensor<Dst>(gm, call.dst));
}

void run(const Call& call, const GlobalTensor<uint8_t>& gm) {
  with_fixpipe_types(call.types, [&](auto dst, auto src) {
    using Dst = decltype(dst);
    if (call.atomic == 1) SetAtomicAdd<Dst>();
    if (call.atomic == 2) SetAtomicMax<Dst>();
    if (call.atomic == 3) SetAtomicMin<Dst>();
    fixpipe<Dst, decltype(src)>(call, gm);
    if (call.atomic != 0) DisableDmaAtomic();
  });
}

}  // namespace

extern "C" __global__ __aicore__ void fixpipe_cases(GM_ADDR table, GM_ADDR images,
                                                    GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  const uint32_t local_bytes = call.l0c_bytes + call.l1_bytes;
  const GlobalTensor<uint8_t> gm = values.result()[local_bytes];
  if (local_bytes == 0) return run(call, gm);
  fill_memory(TPosition::CO1, values.image(), call.l0c_bytes);
  fill_memory(TPosition::A1, values.image()[call.l0c_bytes], call.l1_bytes);
  fill_gm(gm, values.image()[local_bytes], values.image_bytes - local_bytes);
  run(call, gm);
  save_memory(values.result(), TPosition::CO1, call.l0c_bytes);
  save_memory(values.result()[call.l0c_bytes], TPosition::A1, call.l1_bytes);
}
