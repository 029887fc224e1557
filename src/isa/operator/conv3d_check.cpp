#include "isa/operator/conv3d_check.h"

#include <fmt/format.h>

#include "isa/operator/conv3d_tiling.h"
#include "isa/operator/tile.h"

namespace vinci::conv3d {
namespace {

using isa::check_address;
using isa::check_fits;

using Call = Conv3dTileRecord::Call;

constexpr const char* kGetTiling = "a tiling as GetTiling gives it";

void check_order(const Conv3dTileRecord& r, std::initializer_list<SetTensor> tensors,
                 Check& check) {
  const std::string_view call = r.call == Call::kIterate      ? "Iterate"
                                : r.call == Call::kGetTensorC ? "GetTensorC"
                                                              : "End";
  if (r.inits == 0) return fail_missing("Init", call, check);
  if (r.call == Call::kEnd) return;
  if (r.inits > 1) {
    return check.fail(Code::kCombination, fmt::format("Init was called {} times", r.inits),
                      "once for an object");
  }
  for (const SetTensor& tensor : tensors) {
    if (!tensor.is_set) return fail_missing(tensor.call, call, check);
  }
  if (r.call == Call::kGetTensorC) {
    if (r.is_over) fail_missing("an Iterate that returned true", call, check);
    return check.range("enAtomic", r.atomic, 0, 1);
  }
  if (!r.is_over) return;
  check.fail(Code::kCombination, "Iterate after it returned false",
             "ctx.isFirstIter_ = true before the next product");
}

}  // namespace

void check_derived(std::initializer_list<Derived> numbers, Check& check) {
  for (const auto& [name, value, wanted] : numbers) {
    if (value == wanted) continue;
    check.fail(
        Code::kCombination,
        fmt::format("the tiling's {} is {}, and its other fields make it {}", name, value, wanted),
        kGetTiling);
  }
}

void check_tiles(const Factors& names, const TileSize& m, const TileSize& k, const TileSize& n,
                 uint64_t rows, Check& check) {
  for (const TileSize& size : {m, k, n}) {
    check.range(size.name, size.value, kC0, 4095);
    check.multiple(size.name, size.value, kC0);
  }
  if (!check.ok()) return;
  const auto fits = [&](const char* what, const TileSize& x, const TileSize& y, uint64_t bytes,
                        Space space) {
    check_fits(fmt::format("a tile of {}, {} * {},", what, x.name, y.name), bytes, space,
               kGetTiling, check);
  };
  fits(names.a, m, k, uint64_t(m.value) * k.value * 2, Space::kL0A);
  fits(names.b, k, n, uint64_t(k.value) * n.value * 2, Space::kL0B);
  fits(names.c, m, n, rows * n.value * 4, Space::kL0C);
}

void check_one_repeat(Check& check) {
  if (check.registers().load_repeat.times == 1) return;
  check.fail(Code::kCombination, "SetLoadDataRepeat has left more than one repeat",
             "SetLoadDataRepeat({0, 1, 0}) before it");
}

void fail_missing(std::string_view what, std::string_view before, Check& check) {
  check.fail(Code::kCombination, fmt::format("{} without {} before it", before, what),
             fmt::format("{}, then {}", what, before));
}

bool check_calls(const Conv3dTileRecord& r, std::initializer_list<SetTensor> tensors,
                 std::string_view output, Check& check) {
  check_order(r, tensors, check);
  if (!check.ok() || r.call == Call::kEnd) return false;
  for (const SetTensor& tensor : tensors) check_address(tensor.name, tensor.memory, check);
  if (r.call == Call::kGetTensorC) check_address(output, r.output, check);
  check_one_repeat(check);
  return check.ok();
}

}  // namespace vinci::conv3d
