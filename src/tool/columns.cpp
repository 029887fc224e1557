#include "tool/columns.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>

#include "numeric/dtype.h"
#include "tool/is_record.h"
#include "vinci/float_bits.h"
#include "vinci/record/cube.h"
#include "vinci/record/library.h"
#include "vinci/record/vector.h"

namespace vinci {
namespace {

template <class T>
double read(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return double(value);
}

// What a function of the library leaves of a source that it uses up is no number.
bool is_used_up(const Record& record, const Region& region) {
  if (region.access != Access::kWrite || !is<LibraryRecord>(record)) return false;
  const auto& call = static_cast<const LibraryRecord&>(record);
  for (int i = 0; call.used_up >> i != 0; ++i) {
    const bool is_source = call.src[i].address == region.operand.address;
    if ((call.used_up >> i & 1) == 0 || !is_source) continue;
    return std::ranges::none_of(call.dst, [&](const Operand& dst) {
      return dst.dtype != DType::kNone && dst.address == call.src[i].address;
    });
  }
  return false;
}

}  // namespace

double number_at(DType dtype, const uint8_t* at, unsigned bit) {
  switch (dtype) {
    case DType::kInt4: return double(int8_t(*at << (4 - bit)) >> 4);
    case DType::kInt8: return read<int8_t>(at);
    case DType::kUint8: return read<uint8_t>(at);
    case DType::kInt16: return read<int16_t>(at);
    case DType::kUint16: return read<uint16_t>(at);
    case DType::kInt32: return read<int32_t>(at);
    case DType::kUint32: return read<uint32_t>(at);
    case DType::kInt64: return read<int64_t>(at);
    case DType::kUint64: return read<uint64_t>(at);
    case DType::kFloat: return read<float>(at);
    case DType::kHalf:
    case DType::kBfloat16: {
      uint16_t bits;
      std::memcpy(&bits, at, sizeof(bits));
      return dtype == DType::kHalf ? float_of_half(bits) : float_of_bfloat16(bits);
    }
    case DType::kNone: return 0;
  }
  return 0;
}

bool is_float(DType dtype) {
  return dtype == DType::kHalf || dtype == DType::kBfloat16 || dtype == DType::kFloat;
}

bool by_elements(const Record& record) {
  return is<ElementwiseRecord>(record) || is<ShiftRecord>(record) || is<CastRecord>(record);
}

bool has_lanes(const Record& record) {
  if (is<LibraryRecord>(record)) return static_cast<const LibraryRecord&>(record).count != 0;
  return by_elements(record) || is<CastDequantRecord>(record);
}

bool makes_numbers(const Record& record) {
  if (is<LibraryRecord>(record)) {
    // Sorted, what looks like a float may be an index; a choice may be an infinite scalar.
    const std::string_view name = mnemonic_of(record);
    return name != "sort" && name != "select_by_bytes" && name != "pad";
  }
  return by_elements(record) || is<CastDequantRecord>(record) || is<MmadRecord>(record) ||
         mnemonic_of(record).ends_with("reduce_sum");
}

uint64_t Column::index_of(size_t i) const {
  return (addresses[i] - operand.address * 8) / bits_of(operand.dtype);
}

void collect(CoreView& core, const Step& step, Access access, std::vector<Column>& columns) {
  columns.clear();
  for (const Region& region : step.regions) {
    const DType dtype = region.operand.dtype;
    if (region.access != access || region.empty() || dtype == DType::kNone ||
        region.space == Space::kCells || region.space == Space::kNone ||
        is_used_up(step.record, region)) {
      continue;
    }
    if (columns.empty() || std::string_view(columns.back().name) != region.name) {
      columns.push_back({region.name, region.operand, region.space, {}, {}});
    }
    Column& column = columns.back();
    const uint64_t width = bits_of(dtype);
    const uint8_t* memory =
        region.space == Space::kGm ? nullptr : core.bytes_of(region.space).data();
    region.for_each_block([&](Interval block) {
      for (uint64_t at = block.first * 8; at + width <= block.end * 8; at += width) {
        const auto* byte =
            memory == nullptr ? reinterpret_cast<const uint8_t*>(at / 8) : memory + at / 8;
        column.addresses.push_back(at);
        column.values.push_back(number_at(dtype, byte, unsigned(at % 8)));
      }
    });
  }
}

void add_scalar(const Record& record, std::vector<Column>& columns) {
  const auto& of = static_cast<const ElementwiseRecord&>(record);
  if (of.scalar_dtype == DType::kNone) return;
  const auto* bits = reinterpret_cast<const uint8_t*>(&of.scalar);
  Operand scalar;
  scalar.dtype = of.scalar_dtype;
  columns.push_back({"scalar", scalar, Space::kNone, {}, {}, number_at(scalar.dtype, bits, 0)});
}

bool matches(const Column& dst, const Column& source) {
  if (source.addresses.empty()) return true;
  if (source.addresses.size() != dst.addresses.size()) return false;
  if (source.space != dst.space || source.addresses == dst.addresses) return true;
  const auto [low, high] = std::ranges::minmax(source.addresses);
  const uint64_t end = dst.addresses.back() + bits_of(dst.operand.dtype);
  return high + bits_of(source.operand.dtype) <= dst.addresses.front() || end <= low;
}

bool have_lanes(const Column& dst, const std::vector<Column>& sources) {
  const auto& at = dst.addresses;
  if (std::ranges::adjacent_find(at, std::greater_equal()) != at.end()) return false;
  return std::ranges::all_of(sources, [&](const Column& source) { return matches(dst, source); });
}

}  // namespace vinci
