// conv2d: a convolution as a kernel would write it. It computes nothing itself: it issues the
// loads, multiplications and copies, with the flags between their pipes, that make one.
//
//   for each tile of M, N and K, in the order of loopMode:
//     image to column, L1 -> L0A     LoadData 3D v1     when the tile of M or K is another one
//     weights, L1 -> L0B             LoadData 2D        when the tile of N or K is another one
//     C[m, n] (+)= A[m, k] * B[k, n] Mmad
//
// Sources and decisions: docs/spec/conv2d.md.
#include <algorithm>

#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "isa/operator/conv2d_tiling.h"
#include "isa/operator/event_flags.h"
#include "isa/operator/tile.h"
#include "kernel/fractal.h"
#include "vinci/record/conv2d.h"
#include "vinci/record/cube.h"
#include "vinci/record/move.h"

namespace vinci::isa {

extern const Instruction data_copy_l0c;
extern const Instruction data_copy_to_l0c;
extern const Instruction load_data_2d;
extern const Instruction load_data_3d_v1;
extern const Instruction mmad;

namespace {

using conv2d::kBlock;
using fractal::kBytes;

constexpr Signature kTypes[] = {{DType::kInt32, DType::kInt8, DType::kInt8},
                                {DType::kFloat, DType::kHalf, DType::kHalf},
                                {DType::kHalf, DType::kHalf, DType::kHalf}};
constexpr Support kSupport[] = {{kArch1001 | kArch2002, kTypes, true, kAscendC}};

Signature signature(const Conv2dRecord& record) {
  return {record.dst.dtype, record.feature_map.dtype, record.weight.dtype};
}
// The operator itself is scalar code; what it issues has pipes and regions of its own.

bool is_in_ub(const Conv2dRecord& record) { return record.dst.position == Position::CO2; }
bool accumulates(const Conv2dRecord& record) {
  return record.params.initY == (record.init_y_as_documented ? 0u : 1u);
}
uint64_t result_bytes(const Conv2dRecord& record) {
  return bytes_of(record.dst.dtype, uint64_t(record.tiling.roundM) * record.tiling.roundN);
}

bool has_same_dst(const PartialSums& sums, const Conv2dRecord& record) {
  return sums.dst.dtype != DType::kNone && is_in_ub(record) &&
         sums.dst.address == record.dst.address;
}
// The call goes on with what an earlier one left in L0C.
bool continues(const PartialSums& sums, const Conv2dRecord& record) {
  return has_same_dst(sums, record) && accumulates(record);
}

void check_partial_sums(const Conv2dRecord& record, Check& check) {
  const PartialSums& sums = check.registers().partial_sums;
  const Conv2dTilling& tiling = record.tiling;
  if (continues(sums, record)) {
    if (sums.dst.dtype == record.dst.dtype && sums.rows == tiling.roundM &&
        sums.columns == tiling.roundN) {
      return;
    }
    check.fail(
        Code::kCombination,
        fmt::format("the partial sums in L0C are {} x {}, and this call adds {} x {} to them",
                    sums.rows, sums.columns, tiling.roundM, tiling.roundN),
        "a result of the same type, roundM and roundN as in the call with partialSum 1");
  } else if (sums.dst.dtype != DType::kNone && is_in_ub(record) && !has_same_dst(sums, record)) {
    check.warn(Code::kNoEffect,
               "the sums that a call with partialSum 1 and another dstLocal left in L0C are lost",
               "partialSum 0 in the last call for a dstLocal");
  }
}

// Sums that are carried from call to call depend on what initY means.
void tell_reading(const Conv2dRecord& record, Check& check) {
  const bool leaves_sums = is_in_ub(record) && record.params.partialSum != 0;
  if (record.init_y_as_documented || (!accumulates(record) && !leaves_sums)) return;
  check.warn(Code::kInitYReversed,
             fmt::format("initY {} {}, as in the running library; the documents say the reverse",
                         record.params.initY,
                         accumulates(record) ? "adds to dstLocal" : "overwrites dstLocal"),
             "VINCI_CONV2D_INITY_AS_DOCUMENTED defined, to have it as documented");
}

// The operand holds `bytes` bytes, and they lie in the memory.
void check_extent(std::string_view name, const Operand& operand, uint64_t bytes,
                  std::string_view formula, Check& check) {
  const Space space = check.soc().space_of(operand.position);
  if (operand.bytes < bytes) {
    check.fail(Code::kOutOfTensor,
               fmt::format("{} takes {} bytes of a tensor of {} bytes in {}", name, bytes,
                           operand.bytes, name_of(operand.position)),
               fmt::format("{} elements: {}", bytes * 8 / bits_of(operand.dtype), formula));
  } else if (operand.address + bytes > check.soc().size_of(space)) {
    check.fail(Code::kOutOfBuffer,
               fmt::format("{} takes bytes {}..{} of {}, which has {} on {}", name, operand.address,
                           operand.address + bytes - 1, name_of(space), check.soc().size_of(space),
                           check.soc().name),
               fmt::format("bytes 0..{}", check.soc().size_of(space) - 1));
  }
}

void check_tensors(const Conv2dRecord& record, Check& check) {
  const Conv2dParams& params = record.params;
  const DType type = record.feature_map.dtype;
  const uint64_t image = bytes_of(type, uint64_t(params.cin) * record.tiling.hi * record.tiling.wi);
  const uint64_t weights = bytes_of(type, uint64_t(record.tiling.kNum) * params.cout);
  const uint32_t l0c = check.soc().size_of(Space::kL0C);
  if (result_bytes(record) > l0c) {
    check.fail(Code::kOutOfBuffer,
               fmt::format("the result takes {} bytes of L0C, which has {} on {}",
                           result_bytes(record), l0c, check.soc().name),
               fmt::format("roundM * roundN <= {}: fewer lines or a smaller cout in one call",
                           l0c / (bits_of(record.dst.dtype) / 8)));
    return;
  }
  check_extent("featureMap", record.feature_map, image, "C1 * H * W * C0", check);
  check_extent("weight", record.weight, weights, "C1 * Kh * Kw * Cout * C0", check);
  check_extent("dstLocal", record.dst, result_bytes(record),
               "Cout * round_howo, Ho * Wo rounded up to 16", check);
}

void check(const Conv2dRecord& record, Check& check) {
  const conv2d::Report report = [&](Code code, std::string text, std::string legal) {
    check.fail(code, std::move(text), std::move(legal));
  };
  if (record.dst.position != Position::CO1 && record.dst.position != Position::CO2) {
    check.fail(Code::kPosition, fmt::format("dstLocal is in {}", name_of(record.dst.position)),
               "CO1, CO2");
  }
  check.in_space("featureMap", record.feature_map, Space::kL1);
  check.in_space("weight", record.weight, Space::kL1);
  if (!check.ok()) return;
  check.aligned("featureMap", record.feature_map);
  check.aligned("weight", record.weight);
  const uint64_t l0c_alignment = bytes_of(record.dst.dtype, 256);
  check.aligned("dstLocal", record.dst, is_in_ub(record) ? 32 : l0c_alignment);
  const DType type = record.feature_map.dtype;
  if (!check.ok() || !conv2d::check_params(record.params, type, report) ||
      !conv2d::check_tiling(record.tiling, record.params, type, report)) {
    return;
  }
  check_tensors(record, check);
  if (!check.ok()) return;
  check_partial_sums(record, check);
  tell_reading(record, check);
}

// One direction of a matrix as tiles of whole blocks.
struct Tiles {
  uint32_t blocks, tile, count;

  uint32_t first(uint32_t index) const { return index * tile; }
  uint32_t size(uint32_t index) const { return std::min(tile, blocks - first(index)); }
};

// Which tile of each axis is multiplied.
struct TileIndices {
  uint32_t m, n, k;
};

// L0A or L0B, and in which half of it the tile is if there are two.
struct L0Tile : HeldTile {
  uint32_t half = 0;
};

class Convolution {
 public:
  Convolution(const Conv2dRecord& record, const Operand& c, bool from_zero, Core& core)
      : record_(record),
        t_(record.tiling),
        c_(c),
        from_zero_(from_zero),
        core_(core),
        m_{t_.mBlockNum, t_.mTileBlock, t_.mIterNum},
        n_{t_.nBlockNum, t_.nTileBlock, t_.nIterNum},
        k_{t_.kBlockNum, t_.kTileBlock, t_.kIterNum},
        buffers_(conv2d::has_two_buffers(t_) ? 2 : 1) {
    a_.memory = {0, conv2d::kL0Bytes / buffers_, 0, Position::A2, record.feature_map.dtype};
    b_.memory = {0, conv2d::kL0Bytes / buffers_, 0, Position::B2, record.weight.dtype};
  }

  void run() {
    EventFlags loaded(core_, HardEvent::MTE1_M, buffers_), used(core_, HardEvent::M_MTE1, buffers_);
    uint32_t steps = 0;
    for_each_step([&](const TileIndices& at) {
      if (steps >= buffers_) used.wait(steps);
      load(at);
      loaded.set_and_wait(steps);
      multiply(at);
      used.set(steps);
      ++steps;
    });
    for (uint32_t i = steps - std::min(steps, buffers_); i < steps; ++i) used.wait(i);
    loaded.release();
    used.release();
  }

 private:
  // The axis that loopMode does not name is outermost; its letters follow in their order.
  template <class F>
  void for_each_step(F f) const {
    const auto loop = [](const Tiles& tiles, auto body) {
      for (uint32_t i = 0; i < tiles.count; ++i) body(i);
    };
    const auto nest = [&](const Tiles& outer, const Tiles& middle, const Tiles& inner, auto body) {
      loop(outer, [&](uint32_t i) {
        loop(middle, [&](uint32_t j) { loop(inner, [&](uint32_t l) { body(i, j, l); }); });
      });
    };
    switch (t_.loopMode) {
      case LoopMode::MODE_NM:
        return nest(k_, n_, m_, [&](uint32_t k, uint32_t n, uint32_t m) {
          f(TileIndices{m, n, k});
        });
      case LoopMode::MODE_MN:
        return nest(k_, m_, n_, [&](uint32_t k, uint32_t m, uint32_t n) {
          f(TileIndices{m, n, k});
        });
      case LoopMode::MODE_KM:
        return nest(n_, k_, m_, [&](uint32_t n, uint32_t k, uint32_t m) {
          f(TileIndices{m, n, k});
        });
      case LoopMode::MODE_KN:
        return nest(m_, k_, n_, [&](uint32_t m, uint32_t k, uint32_t n) {
          f(TileIndices{m, n, k});
        });
    }
  }

  void load(const TileIndices& at) {
    if (!a_.holds(at.m, at.k)) {
      next_half(a_, at.m, at.k);
      load_a(at);
    }
    if (!b_.holds(at.n, at.k)) {
      next_half(b_, at.n, at.k);
      load_b(at);
    }
  }
  // Where the next tile goes: the other half.
  void next_half(L0Tile& operand, uint32_t outer, uint32_t k) const {
    operand.half = operand.loaded ? (operand.half + 1) % buffers_ : 0;
    operand.memory.address = operand.half * (conv2d::kL0Bytes / 2);
    operand.hold(outer, k);
  }

  // zZ, by rows of fractals (repeatMode 0) or by columns (1): what takes fewer loads.
  void load_a(const TileIndices& at) const {
    const uint32_t rows = m_.size(at.m), columns = k_.size(at.k);
    LoadData3DV1Record load = described();
    load.repeat_mode = columns < rows;
    load.jump_stride = uint8_t(columns);
    load.repeats = uint8_t(load.repeat_mode == 1 ? rows : columns);
    const uint32_t loads = load.repeat_mode == 1 ? columns : rows;
    for (uint32_t i = 0; i < loads; ++i) {
      const uint32_t row = load.repeat_mode == 1 ? 0 : i, column = load.repeat_mode == 1 ? i : 0;
      start_at(load, (m_.first(at.m) + row) * kBlock, k_.first(at.k) + column);
      load.dst = part_of(a_.memory, (row * columns + column) * kBytes);
      core_.issue(load);
    }
  }
  LoadData3DV1Record described() const {
    LoadData3DV1Record load;
    load.instruction = &load_data_3d_v1;
    load.src = record_.feature_map;
    for (int i = 0; i < 4; ++i) load.pad[i] = uint8_t(record_.params.padList[i]);
    load.l1_h = uint16_t(t_.hi);
    load.l1_w = uint16_t(t_.wi);
    load.stride_w = uint8_t(t_.strideW);
    load.stride_h = uint8_t(t_.strideH);
    load.filter_w = uint8_t(t_.width);
    load.filter_h = uint8_t(t_.height);
    load.dilation_w = uint8_t(t_.dilationW);
    load.dilation_h = uint8_t(t_.dilationH);
    return load;
  }
  // With window m at the point of the filter, and the channels, of block k.
  void start_at(LoadData3DV1Record& load, uint32_t m, uint32_t k) const {
    load.left_top_h = int16_t(m / t_.wo * t_.strideH - record_.params.padList[2]);
    load.left_top_w = int16_t(m % t_.wo * t_.strideW - record_.params.padList[0]);
    load.fetch_filter_w = uint8_t(k % t_.width);
    load.fetch_filter_h = uint8_t(k / t_.width % t_.height);
    load.c1_index = uint16_t(k / t_.width / t_.height);
  }

  // Columns of C that one Mmad makes. Its rows stand together, so that a part of the rows can be
  // put in its place for 16 columns at a time only.
  uint32_t panel(const TileIndices& at) const { return m_.count == 1 ? n_.size(at.n) : 1; }

  // Panels of nZ, one after the other. Weights are nZ already, with all columns.
  void load_b(const TileIndices& at) const {
    const uint32_t rows = k_.size(at.k), columns = n_.size(at.n), wide = panel(at);
    LoadData2DRecord load{{&load_data_2d}, {}, record_.weight, 0, 1, 0, 0, 0, false};
    const auto issue = [&](uint32_t to, uint32_t k, uint32_t n, uint32_t stride, uint32_t repeats) {
      load.start_index = uint16_t((k_.first(at.k) + k) * t_.nBlockNum + n_.first(at.n) + n);
      load.src_stride = uint16_t(stride);
      load.repeats = uint8_t(repeats);
      load.dst = part_of(b_.memory, to * kBytes);
      core_.issue(load);
    };
    if (wide == t_.nBlockNum) return issue(0, 0, 0, 1, rows * columns);
    for (uint32_t n = 0; n < columns; n += wide) {
      if (wide == 1) {
        issue(n * rows, 0, n, t_.nBlockNum, rows);
      } else {
        for (uint32_t k = 0; k < rows; ++k) issue(k * wide, k, n, 1, wide);
      }
    }
  }

  void multiply(const TileIndices& at) const {
    const uint32_t rows = m_.size(at.m), deep = k_.size(at.k), wide = panel(at);
    MmadRecord product;
    product.instruction = &mmad;
    product.a = a_.memory;
    product.m = uint16_t(rows * kBlock);
    product.n = uint16_t(wide * kBlock);
    product.k = uint16_t(deep * t_.c0Size);
    product.c_init_zero = from_zero_ && at.k == 0;
    // Small products are not in order by themselves, and this one adds to an earlier one's sums.
    if (!product.c_init_zero) core_.pipe_barrier(uint32_t(Pipe::kM));
    for (uint32_t n = 0; n < n_.size(at.n); n += wide) {
      const uint64_t fractal = uint64_t(n_.first(at.n) + n) * t_.mBlockNum + m_.first(at.m);
      product.b = part_of(b_.memory, n * deep * kBytes);
      product.c = part_of(c_, bytes_of(c_.dtype, fractal * kBlock * kBlock));
      core_.issue(product);
    }
  }

  const Conv2dRecord& record_;
  const Conv2dTilling& t_;
  Operand c_;
  bool from_zero_;
  Core& core_;
  Tiles m_, n_, k_;
  uint32_t buffers_;
  L0Tile a_, b_;
};

// The whole result between UB and L0C.
void copy_result(const Conv2dRecord& record, const Operand& c, bool out, Core& core) {
  DataCopyL0CRecord copy;
  copy.instruction = out ? &data_copy_l0c : &data_copy_to_l0c;
  copy.dst = out ? record.dst : c;
  copy.src = out ? c : record.dst;
  copy.bursts.length = uint16_t(record.tiling.mBlockNum * record.tiling.nBlockNum);
  copy.enhanced.block_mode = EnhancedCopy::BlockMode::kMatrix;
  core.issue(copy);
}

// Whether the kernel has left event identifiers for the flags inside.
bool has_identifiers(const Conv2dRecord& record, Core& core) {
  struct Need {
    HardEvent event;
    int32_t count;
  };
  const int32_t tiles = conv2d::has_two_buffers(record.tiling) ? 2 : 1, copies = is_in_ub(record);
  for (const Need& need : {Need{HardEvent::MTE1_M, tiles}, Need{HardEvent::M_MTE1, tiles},
                           Need{HardEvent::M_V, copies}, Need{HardEvent::V_M, copies}}) {
    const int32_t free = core.flags().free(uint32_t(need.event));
    if (free >= need.count) continue;
    core.report(Code::kEventId,
                fmt::format("Conv2D: it takes {} event identifiers of {}, and {} are free",
                            need.count, event_of(need.event).name, free),
                "a ReleaseEventID first");
    return false;
  }
  return true;
}

void expand(const Conv2dRecord& record, Core& core) {
  if (!has_identifiers(record, core)) return;
  const bool in_ub = is_in_ub(record), adds = accumulates(record);
  const Operand c =
      in_ub ? Operand{0, result_bytes(record), 0, Position::CO1, record.dst.dtype} : record.dst;
  PartialSums& sums = core.registers().partial_sums;
  if (in_ub && adds && !continues(sums, record)) {
    EventFlags free(core, HardEvent::M_V, 1), copied(core, HardEvent::V_M, 1);
    free.set_and_wait(0);
    copy_result(record, c, false, core);
    copied.set_and_wait(0);
    free.release();
    copied.release();
  }
  Convolution(record, c, !adds, core).run();
  if (!in_ub) return;
  sums = {};
  if (record.params.partialSum != 0) {
    sums = {record.dst, record.tiling.roundM, record.tiling.roundN};
    return;
  }
  EventFlags summed(core, HardEvent::M_V, 1), copied(core, HardEvent::V_M, 1);
  summed.set_and_wait(0);
  copy_result(record, c, true, core);
  copied.set_and_wait(0);  // L0C may be written again
  summed.release();
  copied.release();
}

constexpr Functions<Conv2dRecord> kFunctions{
    .signature = signature, .pipe = Pipe::kS, .check = check, .expand = expand};

}  // namespace

extern constinit const Instruction conv2d =
    make_instruction<kFunctions>("conv2d", "Conv2D", "Conv2D", kSupport);

}  // namespace vinci::isa
