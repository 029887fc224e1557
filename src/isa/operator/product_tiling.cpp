// What must hold of a tiling, and the rules that GetConv2dTiling and GetGemmTiling share.
// Sources and decisions: docs/spec/get_conv2d_tiling.md, docs/spec/get_gemm_tiling.md.
#include "isa/operator/product_tiling.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "core/core.h"
#include "kernel/fractal.h"

namespace vinci::product {
namespace {

bool check_room(const char* operand, const char* memory, uint64_t bytes, const char* legal,
                const Report& report) {
  if (bytes <= kL0Bytes) return true;
  report(Code::kOutOfBuffer,
         fmt::format("a tile of {} takes {} bytes of {}, which has {}", operand, bytes, memory,
                     kL0Bytes),
         legal);
  return false;
}

}  // namespace

bool check_ranges(std::initializer_list<Ranged> list, const Report& report) {
  for (const Ranged& item : list) {
    if (item.value >= item.low && item.value <= item.high) continue;
    report(Code::kRange, fmt::format("{} is {}", item.name, item.value),
           fmt::format("{}..{}", item.low, item.high));
    return false;
  }
  return true;
}

bool check_axis(const char* prefix, const Axis& axis, const Report& report) {
  const auto name = [&](const char* rest) {
    return fmt::format("{}{}{}", prefix, axis.letter, rest);
  };
  if (axis.tile > axis.blocks) {
    report(Code::kCombination,
           fmt::format("{} is {} of {} blocks", name("TileBlock"), axis.tile, axis.blocks),
           fmt::format("1..{}", axis.blocks));
    return false;
  }
  const auto iterations = uint32_t(ceil_div(axis.blocks, axis.tile));
  const uint32_t tail = axis.blocks - (iterations - 1) * axis.tile;
  if (axis.iterations != iterations) {
    report(Code::kCombination,
           fmt::format("{} is {}, where tiles of {} cut {} blocks", name("IterNum"),
                       axis.iterations, axis.tile, axis.blocks),
           fmt::format("{}", iterations));
    return false;
  }
  if (axis.tail != tail) {
    report(Code::kCombination,
           fmt::format("{} is {}, where tiles of {} cut {} blocks", name("TailBlock"), axis.tail,
                       axis.tile, axis.blocks),
           fmt::format("{}", tail));
    return false;
  }
  return true;
}

uint64_t Tiling::a_tile_bytes() const { return uint64_t(m_tile) * k_tile * fractal::kBytes; }
uint64_t Tiling::b_tile_bytes() const { return uint64_t(n_tile) * k_tile * fractal::kBytes; }
bool Tiling::has_two_buffers() const {
  return 2 * std::max(a_tile_bytes(), b_tile_bytes()) <= kL0Bytes;
}

bool check_rooms(const Tiling& tiling, const char* a, const char* b, const Report& report) {
  return check_room(a, "L0A", tiling.a_tile_bytes(), "mTileBlock * kTileBlock <= 128", report) &&
         check_room(b, "L0B", tiling.b_tile_bytes(), "nTileBlock * kTileBlock <= 128", report);
}

uint32_t deepest_tile(uint32_t rows, uint32_t columns, uint32_t k, uint32_t c0,
                      uint32_t element_bytes) {
  const uint32_t rows_fit = kL0Bytes / 2 / (rows * element_bytes);
  const uint32_t columns_fit = kL0Bytes / 2 / (columns * element_bytes);
  return std::max(1u, std::min({rows_fit, columns_fit, k}) / c0);
}

Report report_of(std::string function) {
  return [function = std::move(function)](Code code, std::string text, std::string legal) {
    text = function + ": " + text;
    if (Core* core = Core::current_or_null()) {
      core->report(code, std::move(text), std::move(legal));
      return;
    }
    fmt::print(stderr, "error[{0}] {1}\n  = legal: {2}\n  = see: vinci explain {0}\n",
               to_string(code), text, legal);
    std::exit(entry_of(code).kind == FaultClass::kSoc ? 4 : 1);
  };
}

}  // namespace vinci::product
