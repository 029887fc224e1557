// Binary vector instructions: dst[i] = op(src0[i], src1[i]). An instruction gives the operation on
// one element; this file gives masks, strides, checks and the loop.
#pragma once

#include <type_traits>

#include "core/instruction.h"
#include "isa/family/lanes.h"
#include "numeric/half_array.h"

namespace vinci::vector {

inline Pipe pipe_v(const Record&, const Soc&) { return Pipe::kV; }

// A repeat's worth of results. Half goes through float and is rounded once; integers wrap.
template <class Op>
struct BinaryLoop {
  static void run(const uint16_t* a, const uint16_t* b, uint16_t* out, const Soc& soc) {
    float wide_a[kMostLanes], wide_b[kMostLanes];
    floats_of_halves(a, wide_a, kMostLanes);
    floats_of_halves(b, wide_b, kMostLanes);
    for (unsigned i = 0; i < kMostLanes; ++i) wide_a[i] = Op::apply(wide_a[i], wide_b[i]);
    halves_of_floats(wide_a, out, kMostLanes, soc.has(Feature::kFloatSaturates));
  }
  static void run(const float* a, const float* b, float* out, const Soc&) {
    for (unsigned i = 0; i < kRepeatBytes / sizeof(float); ++i) {
      const float result = Op::apply(a[i], b[i]);
      out[i] = result != result ? __builtin_nanf("") : result;
    }
  }
  template <class T>
  requires std::is_integral_v<T>
  static void run(const T* a, const T* b, T* out, const Soc&) {
    using Unsigned = std::make_unsigned_t<T>;
    for (unsigned i = 0; i < lanes_per_repeat(sizeof(T)); ++i) {
      out[i] = T(Op::apply(Unsigned(a[i]), Unsigned(b[i])));
    }
  }
};

template <class T, class Op>
void run_binary(const BinaryRecord& record, Core& core) {
  using Lane = std::conditional_t<std::is_same_v<T, half>, uint16_t, T>;
  const uint8_t* src0 = core.data(record.src0);
  const uint8_t* src1 = core.data(record.src1);
  const LanePlan plan(record.lanes, sizeof(Lane));
  alignas(64) Lane a[kMostLanes] = {}, b[kMostLanes] = {};
  for_each_repeat<Lane>(core.data(record.dst), record.dst_stride, plan,
                        [&](uint64_t repeat, unsigned end, Lane* out) {
                          read_lanes(src0, record.src0_stride, repeat, end, a);
                          read_lanes(src1, record.src1_stride, repeat, end, b);
                          if constexpr (std::is_same_v<T, half>) {
                            BinaryLoop<Op>::run(a, b, out, core.soc());
                          } else {
                            BinaryLoop<Op>::run(a, b, out, core.soc());
                          }
                        });
}

inline unsigned width_of(const Operand& operand) { return bits_of(operand.dtype) / 8; }

// The documents let half, float and int32 accumulate into src1.
inline void check_binary(const BinaryRecord& record, Check& check) {
  check_operand("dst", record.dst, check);
  check_operand("src0", record.src0, check);
  check_operand("src1", record.src1, check);
  const unsigned width = width_of(record.dst);
  check_lanes(record.lanes, width, check, check.soc().has(Feature::kMaskZeroIsNop));
  if (!check.ok()) return;
  const LanePlan plan(record.lanes, width);
  check_overlap("dst", record.dst, record.dst_stride, "src0", record.src0, record.src0_stride, plan,
                width, false, check);
  check_overlap("dst", record.dst, record.dst_stride, "src1", record.src1, record.src1_stride, plan,
                width, record.dst.dtype != DType::kInt16, check);
}

inline void footprint_binary(const BinaryRecord& record, Core&, Footprint& footprint) {
  const unsigned width = width_of(record.dst);
  const LanePlan plan(record.lanes, width);
  add_lanes(footprint, record.src0, "src0", Access::kRead, record.src0_stride, plan, width);
  add_lanes(footprint, record.src1, "src1", Access::kRead, record.src1_stride, plan, width);
  add_lanes(footprint, record.dst, "dst", Access::kWrite, record.dst_stride, plan, width);
}

template <class Op>
void execute_binary(const BinaryRecord& record, Core& core) {
  switch (record.dst.dtype) {
    case DType::kHalf: return run_binary<half, Op>(record, core);
    case DType::kFloat: return run_binary<float, Op>(record, core);
    case DType::kInt16: return run_binary<int16_t, Op>(record, core);
    case DType::kInt32: return run_binary<int32_t, Op>(record, core);
    default: return;
  }
}

// The instruction `mnemonic` that computes Op::apply, with the types of `support`.
template <class Op>
constexpr Instruction binary_instruction(std::string_view mnemonic, std::string_view api,
                                         std::span<const Support> support) {
  return make_instruction<BinaryRecord,
                          [](const BinaryRecord& r) { return Signature(r.dst.dtype); }, pipe_v,
                          check_binary, footprint_binary, execute_binary<Op>>(mnemonic, api, api,
                                                                              support);
}

}  // namespace vinci::vector
