// The walk over the tiles of a product of matrices in L1:
//
//   for each tile of M, N and K, in the order of loopMode:
//     A, L1 -> L0A               the caller's loads    when the tile of M or K is another one
//     B, L1 -> L0B               LoadData 2D           when the tile of N or K is another one
//     C[m, n] (+)= A[m, k] * B[k, n]   Mmad
//
// Sources and decisions: docs/spec/conv2d.md, docs/spec/gemm.md.
#include "isa/operator/tiled_product.h"

#include <algorithm>

#include <fmt/format.h>

#include "isa/operator/event_flags.h"
#include "isa/operator/tile.h"
#include "kernel/fractal.h"
#include "vinci/record/cube.h"
#include "vinci/record/move.h"

namespace vinci::isa {

extern const Instruction data_copy_l0c;
extern const Instruction data_copy_to_l0c;
extern const Instruction load_data_2d;
extern const Instruction mmad;

namespace {

using fractal::kBytes;
using product::kBlock;

bool is_in_ub(const TiledProduct& product) { return product.dst.position == Position::CO2; }
uint32_t rows_of(const TiledProduct& product) { return kBlock * product.tiling.m_blocks; }
uint32_t columns_of(const TiledProduct& product) { return kBlock * product.tiling.n_blocks; }
uint64_t result_bytes(const TiledProduct& product) {
  return bytes_of(product.dst.dtype, uint64_t(rows_of(product)) * columns_of(product));
}

bool has_same_dst(const PartialSums& sums, const TiledProduct& product) {
  return sums.dst.dtype != DType::kNone && is_in_ub(product) &&
         sums.dst.address == product.dst.address;
}
// The call goes on with what an earlier one left in L0C.
bool continues(const PartialSums& sums, const TiledProduct& product) {
  return has_same_dst(sums, product) && product.adds;
}

}  // namespace

void check_places(const TiledProduct& product, Check& check) {
  const ProductNames& names = product.names;
  if (product.dst.position != Position::CO1 && product.dst.position != Position::CO2) {
    check.fail(Code::kPosition,
               fmt::format("{} is in {}", names.dst, name_of(product.dst.position)), "CO1, CO2");
  }
  check.in_space(names.a, product.a, Space::kL1);
  check.in_space(names.b, product.b, Space::kL1);
  if (!check.ok()) return;
  check.aligned(names.a, product.a);
  check.aligned(names.b, product.b);
  check.aligned(names.dst, product.dst, is_in_ub(product) ? 32 : bytes_of(product.dst.dtype, 256));
}

void check_sizes(const TiledProduct& product, Check& check) {
  const ProductNames& names = product.names;
  const uint32_t l0c = check.soc().size_of(Space::kL0C);
  if (result_bytes(product) > l0c) {
    check.fail(Code::kOutOfBuffer,
               fmt::format("the result takes {} bytes of L0C, which has {} on {}",
                           result_bytes(product), l0c, check.soc().name),
               fmt::format("roundM * roundN <= {}: fewer rows or columns in one call",
                           l0c / (bits_of(product.dst.dtype) / 8)));
    return;
  }
  check_extent(names.a, product.a, product.a_bytes, names.a_elements, check);
  check_extent(names.b, product.b, product.b_bytes, names.b_elements, check);
  check_extent(names.dst, product.dst, result_bytes(product), names.dst_elements, check);
}

void check_partial_sums(const TiledProduct& product, Check& check) {
  const PartialSums& sums = check.registers().partial_sums;
  const uint32_t rows = rows_of(product), columns = columns_of(product);
  if (continues(sums, product)) {
    if (sums.dst.dtype == product.dst.dtype && sums.rows == rows && sums.columns == columns) {
      return;
    }
    check.fail(
        Code::kCombination,
        fmt::format("the partial sums in L0C are {} x {}, and this call adds {} x {} to them",
                    sums.rows, sums.columns, rows, columns),
        fmt::format("a result of the same type, roundM and roundN as in the call with {} 1",
                    product.names.partial_sum));
  } else if (sums.dst.dtype != DType::kNone && is_in_ub(product) && !has_same_dst(sums, product)) {
    check.warn(Code::kNoEffect,
               fmt::format("the sums that a call with {} 1 and another {} left in L0C are lost",
                           product.names.partial_sum, product.names.dst),
               fmt::format("{} 0 in the last call for a {}", product.names.partial_sum,
                           product.names.dst));
  }
}

namespace {

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

class Walk {
 public:
  Walk(const TiledProduct& product, const TiledProduct::LoadA& load_a, const Operand& c, Core& core)
      : product_(product),
        t_(product.tiling),
        load_a_(load_a),
        c_(c),
        core_(core),
        m_{t_.m_blocks, t_.m_tile, t_.m_count},
        n_{t_.n_blocks, t_.n_tile, t_.n_count},
        k_{t_.k_blocks, t_.k_tile, t_.k_count},
        buffers_(t_.has_two_buffers() ? 2 : 1) {
    a_.memory = {0, product::kL0Bytes / buffers_, 0, Position::A2, product.a.dtype};
    b_.memory = {0, product::kL0Bytes / buffers_, 0, Position::B2, product.b.dtype};
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
    switch (t_.loop_mode) {
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
      load_a_(a_.memory, {m_.first(at.m), m_.size(at.m)}, {k_.first(at.k), k_.size(at.k)});
    }
    if (!b_.holds(at.n, at.k)) {
      next_half(b_, at.n, at.k);
      load_b(at);
    }
  }
  // Where the next tile goes: the other half.
  void next_half(L0Tile& operand, uint32_t outer, uint32_t k) const {
    operand.half = operand.loaded ? (operand.half + 1) % buffers_ : 0;
    operand.memory.address = operand.half * (product::kL0Bytes / 2);
    operand.hold(outer, k);
  }

  // Columns of C that one Mmad makes. Its rows stand together, so that a part of the rows can be
  // put in its place for 16 columns at a time only.
  uint32_t panel(const TileIndices& at) const { return m_.count == 1 ? n_.size(at.n) : 1; }

  // Panels of nZ, one after the other. B is nZ already, with all columns.
  void load_b(const TileIndices& at) const {
    const uint32_t rows = k_.size(at.k), columns = n_.size(at.n), wide = panel(at);
    LoadData2DRecord load{{&load_data_2d}, {}, product_.b, 0, 1, 0, 0, 0, false};
    const auto issue = [&](uint32_t to, uint32_t k, uint32_t n, uint32_t stride, uint32_t repeats) {
      load.start_index = uint16_t((k_.first(at.k) + k) * t_.n_blocks + n_.first(at.n) + n);
      load.src_stride = uint16_t(stride);
      load.repeats = uint8_t(repeats);
      load.dst = part_of(b_.memory, to * kBytes);
      core_.issue(load);
    };
    if (wide == t_.n_blocks) return issue(0, 0, 0, 1, rows * columns);
    for (uint32_t n = 0; n < columns; n += wide) {
      if (wide == 1) {
        issue(n * rows, 0, n, t_.n_blocks, rows);
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
    product.k = uint16_t(std::min(deep * t_.c0, product_.k - k_.first(at.k) * t_.c0));
    product.c_init_zero = !product_.adds && at.k == 0;
    // Small products are not in order by themselves, and this one adds to an earlier one's sums.
    if (!product.c_init_zero) core_.pipe_barrier(uint32_t(Pipe::kM));
    for (uint32_t n = 0; n < n_.size(at.n); n += wide) {
      const uint64_t fractal = uint64_t(n_.first(at.n) + n) * t_.m_blocks + m_.first(at.m);
      product.b = part_of(b_.memory, n * deep * kBytes);
      product.c = part_of(c_, bytes_of(c_.dtype, fractal * kBlock * kBlock));
      core_.issue(product);
    }
  }

  const TiledProduct& product_;
  const product::Tiling& t_;
  const TiledProduct::LoadA& load_a_;
  Operand c_;
  Core& core_;
  Tiles m_, n_, k_;
  uint32_t buffers_;
  L0Tile a_, b_;
};

// The whole result between UB and L0C.
void copy_result(const TiledProduct& product, const Operand& c, bool out, Core& core) {
  DataCopyL0CRecord copy;
  copy.instruction = out ? &data_copy_l0c : &data_copy_to_l0c;
  copy.dst = out ? product.dst : c;
  copy.src = out ? c : product.dst;
  copy.bursts.length = uint16_t(product.tiling.m_blocks * product.tiling.n_blocks);
  copy.enhanced.block_mode = EnhancedCopy::BlockMode::kMatrix;
  core.issue(copy);
}

// The same between two products.
void copy_in_order(const TiledProduct& product, const Operand& c, bool out, Core& core) {
  EventFlags ready(core, HardEvent::M_V, 1), copied(core, HardEvent::V_M, 1);
  ready.set_and_wait(0);
  copy_result(product, c, out, core);
  copied.set_and_wait(0);  // L0C may be read, or written again
  ready.release();
  copied.release();
}

// Whether the kernel has left event identifiers for the flags inside.
bool has_identifiers(const TiledProduct& product, Core& core) {
  struct Need {
    HardEvent event;
    int32_t count;
  };
  const int32_t tiles = product.tiling.has_two_buffers() ? 2 : 1, copies = is_in_ub(product);
  for (const Need& need : {Need{HardEvent::MTE1_M, tiles}, Need{HardEvent::M_MTE1, tiles},
                           Need{HardEvent::M_V, copies}, Need{HardEvent::V_M, copies}}) {
    const int32_t free = core.flags().free(uint32_t(need.event));
    if (free >= need.count) continue;
    core.report(Code::kEventId,
                fmt::format("{}: it takes {} event identifiers of {}, and {} are free",
                            product.names.api, need.count, event_of(need.event).name, free),
                "a ReleaseEventID first");
    return false;
  }
  return true;
}

}  // namespace

void expand(const TiledProduct& product, const TiledProduct::LoadA& load_a, Core& core) {
  if (!has_identifiers(product, core)) return;
  const bool in_ub = is_in_ub(product);
  const Operand c =
      in_ub ? Operand{0, result_bytes(product), 0, Position::CO1, product.dst.dtype} : product.dst;
  PartialSums& sums = core.registers().partial_sums;
  if (in_ub && product.adds && !continues(sums, product)) copy_in_order(product, c, false, core);
  Walk(product, load_a, c, core).run();
  if (!in_ub) return;
  sums = {};
  if (product.leaves_sums) {
    sums = {product.dst, rows_of(product), columns_of(product)};
    return;
  }
  copy_in_order(product, c, true, core);
}

}  // namespace vinci::isa
