// DataCopy out of L0C and the setters: a short program, one case a block. The image is FB,
// L0C, L1 and a piece of GM, before and after.
#include "fixpipe_types.h"

namespace {

enum Operation {
  kNothing,
  kConfigPair,      // an empty reluPre
  kConfig,          // one tensor
  kConfigOfInt32,   // the same of 32-bit elements
  kConfigWithRelu,  // reluPre that is not empty
  kConfigRelu,      // setRelu = true
  kPreQuant,
  kNz2nd,
  kCopy,  // through the constructor
  kCopyByFields,
  kFixpipe,
  kScalesToFb,
  kConfigWithFlag,  // one tensor, isUnitFlag = true
  kClip,            // SetFixPipeClipRelu
  kAddress,         // SetFixPipeAddr
  kAddressOfFloat,
};

struct Step {
  explicit Step(Case& values)
      : operation(Operation(values.next())),
        types(values.next()),
        dst(values),
        src(values),
        scales(values),
        word(uint64_t(values.next())),
        matrices(values.next()),
        src_matrix(values.next()),
        dst_matrix(values.next()) {
    fields.nSize = values.next();
    fields.mSize = values.next();
    fields.srcStride = values.next();
    fields.dstStride = values.next();
    fields.quantPre = QuantMode_t(values.next());
    fields.reluPre = values.next();
    fields.channelSplit = values.next();
    fields.nz2ndEn = values.next();
    fields.unitFlag = values.next();
    fields.sid = values.next();
    fields.clipReluPre = values.next();
    fields.eltWiseOp = values.next();
  }

  DataCopyCO12DstParams params() const {
    const DataCopyCO12DstParams& f = fields;
    if (operation == kCopyByFields) return f;
    return {f.nSize,    f.mSize,   f.dstStride,    f.srcStride,
            f.quantPre, f.reluPre, f.channelSplit, f.nz2ndEn};
  }

  FixpipeParamsV220 fixpipe_params() const {
    const DataCopyCO12DstParams& f = fields;
    return {f.nSize,       f.mSize,  f.srcStride, f.dstStride, f.reluPre != 0, f.quantPre,
            int64_t(word), matrices, src_matrix,  dst_matrix,  f.unitFlag,     f.channelSplit};
  }

  Operation operation;
  int64_t types;
  Place dst, src, scales;
  uint64_t word;
  uint16_t matrices, src_matrix, dst_matrix;
  DataCopyCO12DstParams fields;
};

template <class Dst, class Src, const FixpipeConfig& config, class To>
void fixpipe(const Step& step, const To& dst) {
  const auto src = step.src.tensor<Src>();
  if (step.scales.elements == 0) {
    Fixpipe<Dst, Src, config>(dst, src, step.fixpipe_params());
  } else {
    Fixpipe<Dst, Src, config>(dst, src, step.scales.tensor<uint64_t>(), step.fixpipe_params());
  }
}

template <class Dst, class Src, class To>
void move(const Step& step, const To& dst) {
  if (step.operation != kFixpipe) return DataCopy(dst, step.src.tensor<Src>(), step.params());
  if (step.fields.nz2ndEn) return fixpipe<Dst, Src, CFG_ROW_MAJOR>(step, dst);
  fixpipe<Dst, Src, CFG_NZ>(step, dst);
}

void run(const Step& step, const GlobalTensor<uint8_t>& gm) {
  const auto scales = step.scales.tensor<uint64_t>();
  switch (step.operation) {
    case kNothing: return;
    case kConfigPair: return SetFixPipeConfig(LocalTensor<uint64_t>(), scales);
    case kConfig: return SetFixPipeConfig(scales);
    case kConfigWithFlag: return SetFixPipeConfig(scales, true);
    case kConfigOfInt32: return SetFixPipeConfig<int32_t>(step.scales.tensor<int32_t>());
    case kConfigWithRelu: return SetFixPipeConfig(scales, scales);
    case kConfigRelu: return SetFixPipeConfig<uint64_t, true>(scales);
    case kPreQuant: return SetFixpipePreQuantFlag(step.word);
    case kNz2nd: return SetFixpipeNz2ndFlag(step.matrices, step.src_matrix, step.dst_matrix);
    case kClip: return SetFixPipeClipRelu(step.word);
    case kAddress: return SetFixPipeAddr(step.scales.tensor<half>(), step.matrices);
    case kAddressOfFloat: return SetFixPipeAddr(step.scales.tensor<float>(), step.matrices);
    case kScalesToFb:
      return DataCopy(scales, step.src.tensor<uint64_t>(),
                      DataCopyParams(1, step.fields.nSize, 0, 0));
    default: break;
  }
  with_fixpipe_types(step.types, [&](auto to, auto from) {
    using Dst = decltype(to);
    using Src = decltype(from);
    if (step.dst.position == TPosition::GM)
      return move<Dst, Src>(step, gm_tensor<Dst>(gm, step.dst));
    move<Dst, Src>(step, step.dst.tensor<Dst>());
  });
}

}  // namespace

extern "C" __global__ __aicore__ void fixpipe_registers_cases(GM_ADDR table, GM_ADDR images,
                                                              GM_ADDR results) {
  Case values(table, images, results);
  const uint32_t fb_bytes = values.next(), l0c_bytes = values.next(), l1_bytes = values.next();
  const uint32_t l0c = fb_bytes, l1 = l0c + l0c_bytes, local_bytes = l1 + l1_bytes;
  const GlobalTensor<uint8_t> gm = values.result()[local_bytes];
  if (local_bytes > 0) {  // else nothing is filled or saved
    fill_memory(TPosition::C2PIPE2GM, values.image(), fb_bytes);
    fill_memory(TPosition::CO1, values.image()[l0c], l0c_bytes);
    fill_memory(TPosition::A1, values.image()[l1], l1_bytes);
    fill_gm(gm, values.image()[local_bytes], values.image_bytes - local_bytes);
  }
  const int64_t steps = values.next();
  for (int64_t i = 0; i < steps; ++i) {
    run(Step(values), gm);
    PipeBarrier<PIPE_FIX>();  // the scales are there, and results overlap
  }
  if (local_bytes == 0) return;
  save_memory(values.result(), TPosition::C2PIPE2GM, fb_bytes);
  save_memory(values.result()[l0c], TPosition::CO1, l0c_bytes);
  save_memory(values.result()[l1], TPosition::A1, l1_bytes);
}
