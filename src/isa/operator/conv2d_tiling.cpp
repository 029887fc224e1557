// GetConv2dTiling, and what must hold of parameters and tilings.
// Sources and decisions: docs/spec/get_conv2d_tiling.md.
#include "isa/operator/conv2d_tiling.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/core.h"
#include "kernel/fractal.h"
#include "numeric/dtype.h"

namespace vinci::conv2d {
namespace {

using product::check_ranges;
using product::kBlock;

uint32_t c0_of(DType type) { return fractal::row_elements(type); }

bool check_channels(const Conv2dParams& params, DType type, const Report& report) {
  const uint32_t c0 = c0_of(type);
  if (params.cin % c0 != 0 || params.cin == 0 || params.cin > 4 * c0) {
    report(params.cin % c0 != 0 ? Code::kMultiple : Code::kRange,
           fmt::format("cin is {} with {}, whose C0 is {}", params.cin, name_of(type), c0),
           fmt::format("C1 * C0 with C1 in 1..4: {}, {}, {}, {}", c0, 2 * c0, 3 * c0, 4 * c0));
    return false;
  }
  if (params.cout % kBlock != 0) {
    report(Code::kMultiple, fmt::format("cout is {}", params.cout), "a multiple of 16");
    return false;
  }
  const uint32_t filters[] = {16, 32, 64, 128};
  if (std::ranges::find(filters, params.cout) != std::end(filters)) return true;
  report(Code::kRange, fmt::format("cout is {}", params.cout), "16, 32, 64, 128");
  return false;
}

// Positions of the window along an axis; 0 or less: it does not fit.
int64_t positions(int64_t size, int64_t pads, int64_t kernel, int64_t dilation, int64_t stride) {
  const int64_t room = size + pads - dilation * (kernel - 1) - 1;
  return room < 0 ? 0 : room / stride + 1;
}
int64_t ho_of(const Conv2dParams& p) {
  return positions(p.imgShape[0], int64_t(p.padList[2]) + p.padList[3], p.kernelShape[0],
                   p.dilation[0], p.stride[0]);
}
int64_t wo_of(const Conv2dParams& p) {
  return positions(p.imgShape[1], int64_t(p.padList[0]) + p.padList[1], p.kernelShape[1],
                   p.dilation[1], p.stride[1]);
}

bool check_output(const Conv2dParams& params, const Report& report) {
  const int64_t ho = ho_of(params), wo = wo_of(params);
  if (ho <= 0 || wo <= 0) {
    report(Code::kCombination,
           fmt::format("the dilated kernel of {} x {} is larger than the padded feature map of {} "
                       "x {}",
                       params.dilation[0] * (params.kernelShape[0] - 1) + 1,
                       params.dilation[1] * (params.kernelShape[1] - 1) + 1,
                       params.imgShape[0] + params.padList[2] + params.padList[3],
                       params.imgShape[1] + params.padList[0] + params.padList[1]),
           "dilation * (kernelShape - 1) + 1 <= imgShape + pads, along H and W");
    return false;
  }
  if (!check_ranges({{"ho, which follows from imgShape, kernelShape, stride, padList and dilation,",
                      ho, 1, 40},
                     {"wo, which follows from imgShape, kernelShape, stride, padList and dilation,",
                      wo, 1, 40}},
                    report)) {
    return false;
  }
  if (params.imgShape[1] == params.kernelShape[1] && params.imgShape[0] > params.kernelShape[0]) {
    report(Code::kCombination,
           fmt::format("W = Kw = {} with H = {} > Kh = {}", params.imgShape[1], params.imgShape[0],
                       params.kernelShape[0]),
           "W != Kw or H <= Kh: the documents call the result unpredictable");
    return false;
  }
  return true;
}

using T = Conv2dTilling;
constexpr product::Field<T> kFields[] = {
    {"c0Size", &T::c0Size, 16, 32, true},
    {"dTypeSize", &T::dTypeSize, 1, 2, true},
    {"strideH", &T::strideH, 1, 4, true},
    {"strideW", &T::strideW, 1, 4, true},
    {"dilationH", &T::dilationH, 1, 4, true},
    {"dilationW", &T::dilationW, 1, 4, true},
    {"hi", &T::hi, 1, 40, true},
    {"wi", &T::wi, 1, 40, true},
    {"ho", &T::ho, 1, 40, true},
    {"wo", &T::wo, 1, 40, true},
    {"height", &T::height, 1, 5, true},
    {"width", &T::width, 1, 5, true},
    {"howo", &T::howo, 1, 1600, true},
    {"mNum", &T::mNum, 1, 4096, true},
    {"nNum", &T::nNum, 1, 4096, true},
    {"kNum", &T::kNum, 1, 4096, true},
    {"mBlockNum", &T::mBlockNum, 1, 4096, true},
    {"kBlockNum", &T::kBlockNum, 1, 4096, true},
    {"nBlockNum", &T::nBlockNum, 1, 4096, true},
    {"roundM", &T::roundM, 1, 4096, true},
    {"roundN", &T::roundN, 1, 4096, true},
    {"roundK", &T::roundK, 1, 4096, true},
    {"mTileBlock", &T::mTileBlock, 1, 4096, false},
    {"nTileBlock", &T::nTileBlock, 1, 4096, false},
    {"kTileBlock", &T::kTileBlock, 1, 4096, false},
    {"mIterNum", &T::mIterNum, 1, 4096, false},
    {"nIterNum", &T::nIterNum, 1, 4096, false},
    {"kIterNum", &T::kIterNum, 1, 4096, false},
    {"mTileNums", &T::mTileNums, 1, 4096, false},
    {"kTailBlock", &T::kTailBlock, 1, 4096, false},
    {"mTailBlock", &T::mTailBlock, 1, 4096, false},
    {"nTailBlock", &T::nTailBlock, 1, 4096, false},
    {"mTailNums", &T::mTailNums, 1, 4096, false},
};

}  // namespace

bool check_type(DType type, const Report& report) {
  if (type == DType::kInt8 || type == DType::kHalf) return true;
  report(Code::kSocTypes, fmt::format("a feature map of {} is not legal", name_of(type)),
         type == DType::kFloat
             ? "int8, half: the documents give channels for float (C0 = 8), but no combination of "
               "types has it"
             : "int8, half");
  return false;
}

bool check_params(const Conv2dParams& params, DType type, const Report& report) {
  const Conv2dParams& p = params;
  return check_ranges({{"imgShape[0] (H)", p.imgShape[0], 1, 40},
                       {"imgShape[1] (W)", p.imgShape[1], 1, 40},
                       {"kernelShape[0] (Kh)", p.kernelShape[0], 1, 5},
                       {"kernelShape[1] (Kw)", p.kernelShape[1], 1, 5},
                       {"stride[0] (stride_h)", p.stride[0], 1, 4},
                       {"stride[1] (stride_w)", p.stride[1], 1, 4},
                       {"padList[0] (pad_left)", p.padList[0], 0, 4},
                       {"padList[1] (pad_right)", p.padList[1], 0, 4},
                       {"padList[2] (pad_top)", p.padList[2], 0, 4},
                       {"padList[3] (pad_bottom)", p.padList[3], 0, 4},
                       {"dilation[0] (dilation_h)", p.dilation[0], 1, 4},
                       {"dilation[1] (dilation_w)", p.dilation[1], 1, 4},
                       {"initY", p.initY, 0, 1},
                       {"partialSum", p.partialSum, 0, 1}},
                      report) &&
         check_channels(params, type, report) && check_output(params, report);
}

bool check_tiling(const Conv2dTilling& tiling, const Conv2dParams& params, DType type,
                  const Report& report) {
  const Conv2dTilling& t = tiling;
  if (!check_ranges({{"tilling.loopMode", int64_t(t.loopMode), 0, 3}}, report) ||
      !product::check_fields(kFields, "tilling.", tiling, tiling_of(params, type),
                             fmt::format("conv2dParams with {}", name_of(type)),
                             "the tilling that GetConv2dTiling gives for these parameters and "
                             "this type",
                             report) ||
      !product::check_axes("tilling.", tiling, report)) {
    return false;
  }
  if (t.mTileNums != kBlock * t.mTileBlock) {
    report(Code::kCombination,
           fmt::format("tilling.mTileNums is {}, with mTileBlock {}", t.mTileNums, t.mTileBlock),
           fmt::format("{}", kBlock * t.mTileBlock));
    return false;
  }
  return product::check_rooms(product::tiling_from(t), "featureMap", "weight", report);
}

Conv2dTilling tiling_of(const Conv2dParams& params, DType type) {
  Conv2dTilling t;
  t.c0Size = c0_of(type);
  t.dTypeSize = bits_of(type) / 8;
  t.strideH = params.stride[0];
  t.strideW = params.stride[1];
  t.dilationH = params.dilation[0];
  t.dilationW = params.dilation[1];
  t.hi = params.imgShape[0];
  t.wi = params.imgShape[1];
  t.ho = uint32_t(ho_of(params));
  t.wo = uint32_t(wo_of(params));
  t.height = params.kernelShape[0];
  t.width = params.kernelShape[1];
  t.howo = t.mNum = t.mTailNums = t.ho * t.wo;
  t.nNum = params.cout;
  t.kNum = params.cin * t.height * t.width;
  t.mBlockNum = t.mTileBlock = t.mTailBlock = uint32_t(ceil_div(t.mNum, kBlock));
  t.nBlockNum = t.nTileBlock = t.nTailBlock = uint32_t(ceil_div(t.nNum, kBlock));
  t.kBlockNum = uint32_t(ceil_div(t.kNum, t.c0Size));
  t.roundM = t.mTileNums = kBlock * t.mBlockNum;
  t.roundN = kBlock * t.nBlockNum;
  t.roundK = t.c0Size * t.kBlockNum;
  // Only K is cut.
  t.kTileBlock = product::deepest_tile(t.roundM, t.roundN, t.kNum, t.c0Size, t.dTypeSize);
  t.mIterNum = t.nIterNum = 1;
  t.kIterNum = uint32_t(ceil_div(t.kBlockNum, t.kTileBlock));
  t.kTailBlock = t.kBlockNum - (t.kIterNum - 1) * t.kTileBlock;
  t.mHasTail = t.howo != t.mTileNums;
  t.kHasTail = t.kTailBlock != t.kTileBlock;
  return t;
}

}  // namespace vinci::conv2d

namespace vinci {

Conv2dTilling conv2d_tiling(const Conv2dParams& params, DType type) {
  const product::Report report = product::report_of("GetConv2dTiling");
  if (!conv2d::check_type(type, report) || !conv2d::check_params(params, type, report)) return {};
  return conv2d::tiling_of(params, type);
}

}  // namespace vinci
