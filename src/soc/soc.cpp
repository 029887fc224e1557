// Questions to a chip's data.
#include "soc/soc.h"

#include <algorithm>
#include <bit>
#include <cctype>

namespace vinci {
namespace {

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

uint32_t Soc::usable_bytes(Space space) const {
  if (space == Space::kUb) return usable_ub_bytes;
  if (space == Space::kL1) return usable_l1_bytes;
  return size_of(space);
}

Pipe Soc::route(Space from, Space to) const {
  for (const Route& route : arch->routes) {
    if (route.from == from && route.to == to) return route.pipe;
  }
  return Pipe::kNone;
}

std::vector<std::string> Soc::definitions(CoreKind kind) const {
  std::vector<std::string> list;
  if (arch->npu_arch != 0) list.push_back("__NPU_ARCH__=" + std::to_string(arch->npu_arch));
  list.push_back("__CCE_AICORE__=" + std::to_string(arch->cce_aicore));
  const std::string dav = "__DAV_" + std::string(arch->dav);
  if (kind == CoreKind::kWhole || !arch->split) {
    list.push_back(dav + "__=1");
    return list;
  }
  const std::string half = kind == CoreKind::kAic ? "CUBE__=1" : "VEC__=1";
  list.push_back(dav + "_" + half);
  list.push_back("__DAV_" + half);
  return list;
}

std::string_view name_of(Space space) {
  constexpr std::string_view kNames[] = {
      "GM",  "L1", "L0A", "L0B", "L0C", "UB", "BT", "FB", "the sparse indices", "the registers",
      "none"};
  return kNames[static_cast<int>(space)];
}

std::string_view name_of(Pipe pipe) {
  constexpr std::string_view kNames[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "ALL", "FIX", "-"};
  return kNames[static_cast<int>(pipe)];
}

std::string_view name_of(Position position) {
  constexpr std::string_view kNames[] = {
      "GM",  "A1",    "A2",     "B1",      "B2",  "C1",   "C2",        "CO1",
      "CO2", "VECIN", "VECOUT", "VECCALC", "SPM", "TSCM", "C2PIPE2GM", "C2PIPE2LOCAL"};
  return position < Position::MAX ? kNames[static_cast<int>(position)] : "no position";
}

std::string_view name_of(Feature feature) {
  constexpr std::string_view kNames[kFeatures] = {"float_saturates",     "load_2d_dst_gap",
                                                  "load_2d_addr_mode",   "mask_zero_is_nop",
                                                  "gather_narrow_index", "gather_stride_8bit",
                                                  "bias_table",          "load_3d_lists_bytes_to_b",
                                                  "fill_blocks",         "load_3d_repeat_64",
                                                  "count_fills_mask",    "deq_scale",
                                                  "control_bits",        "reduce_fills_empty",
                                                  "reduce_moves_on",     "reduce_sum_in_order",
                                                  "compare_mask",        "select_from_ub",
                                                  "gather_mask_total",   "inits_masks",
                                                  "reduce_registers",    "reduce_extreme",
                                                  "store_atomic_config", "fixpipe_extras",
                                                  "aipp_rounds"};
  return kNames[std::countr_zero(uint32_t(feature))];
}

std::string positions_in(const Soc& soc, Space space) {
  std::string names;
  for (int i = 0; i < static_cast<int>(Position::MAX); ++i) {
    const auto position = static_cast<Position>(i);
    if (soc.space_of(position) != space) continue;
    if (!names.empty()) names += ", ";
    names += name_of(position);
  }
  return names;
}

const Soc* find_toolkit_soc(std::string_view spelling) {
  for (const ToolkitName& name : toolkit_names()) {
    if (equal_ignoring_case(name.spelling, spelling)) return name.soc;
  }
  return nullptr;
}

const Soc* find_soc(std::string_view name) {
  for (const Family& family : soc_families()) {
    if (equal_ignoring_case(family.name, name)) name = family.representative;
  }
  for (const Soc& soc : all_socs()) {
    if (equal_ignoring_case(soc.name, name)) return &soc;
  }
  return nullptr;
}

}  // namespace vinci
