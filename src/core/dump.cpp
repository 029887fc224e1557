// DumpTensor, Print and ToFile: what lies in a tensor.
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/core.h"
#include "numeric/dtype.h"
#include "vinci/debug.h"
#include "vinci/float_bits.h"

namespace vinci {
namespace {

constexpr uint64_t kMostDumped = 30 << 10;

std::string_view shown_name(DType type) {
  if (type == DType::kHalf) return "float16";
  return type == DType::kFloat ? "float32" : name_of(type);
}

template <class T>
T read(const uint8_t* data, uint64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

std::string element(const uint8_t* data, DType type, uint64_t i) {
  switch (type) {
    case DType::kInt4: return fmt::format("{}", int8_t(data[i / 2] << (i % 2 ? 0 : 4)) >> 4);
    case DType::kInt8: return fmt::format("{}", read<int8_t>(data, i));
    case DType::kUint8: return fmt::format("{}", read<uint8_t>(data, i));
    case DType::kInt16: return fmt::format("{}", read<int16_t>(data, i));
    case DType::kUint16: return fmt::format("{}", read<uint16_t>(data, i));
    case DType::kHalf: return fmt::format("{:f}", float_of_half(read<uint16_t>(data, i)));
    case DType::kBfloat16: return fmt::format("{:f}", float_of_bfloat16(read<uint16_t>(data, i)));
    case DType::kInt32: return fmt::format("{}", read<int32_t>(data, i));
    case DType::kUint32: return fmt::format("{}", read<uint32_t>(data, i));
    case DType::kFloat: return fmt::format("{:f}", read<float>(data, i));
    case DType::kInt64: return fmt::format("{}", read<int64_t>(data, i));
    case DType::kUint64: return fmt::format("{}", read<uint64_t>(data, i));
    case DType::kNone: break;
  }
  return "?";
}

// As a C++ stream shows it.
std::string streamed(const uint8_t* data, DType type, uint64_t i) {
  switch (type) {
    case DType::kHalf: return fmt::format("{:g}", float_of_half(read<uint16_t>(data, i)));
    case DType::kBfloat16: return fmt::format("{:g}", float_of_bfloat16(read<uint16_t>(data, i)));
    case DType::kFloat: return fmt::format("{:g}", read<float>(data, i));
    default: return element(data, type, i);
  }
}

// All that the kernel has issued is in the tensor's first elements; false: these are not there.
bool settled(Core& core, const Operand& tensor, uint32_t count) {
  const Region region{tensor,
                      "the tensor",
                      Access::kRead,
                      true,
                      tensor.address,
                      uint32_t(bytes_of(tensor.dtype, count)),
                      1,
                      0,
                      1,
                      0,
                      nullptr,
                      core.space_of(tensor.position)};
  return count == 0 || core.settle({&region, 1});
}

// Brackets around the last `sizes`; `next` counts the elements that are shown.
std::string bracketed(const std::vector<std::string>& elements, std::span<const uint32_t> sizes,
                      size_t& next) {
  if (sizes.empty()) {
    const std::string text = next < elements.size() ? elements[next] : "-";
    ++next;
    return text;
  }
  std::vector<std::string> parts;
  for (uint32_t i = 0; i < sizes[0]; ++i) {
    parts.push_back(bracketed(elements, sizes.subspan(1), next));
  }
  return fmt::format("[{}]", fmt::join(parts, sizes.size() == 1 ? "," : ",\n"));
}

// What a shape and a number of elements that differ have to say; nothing if they agree.
std::string difference(std::span<const uint32_t> sizes, uint64_t elements, uint32_t count) {
  if (elements == count) return "";
  return fmt::format(
      "shape is [{}], dumpSize is {}, {}\n", fmt::join(sizes, ", "), count,
      elements > count ? "data is not enough." : "dumpSize is greater than shapeSize.");
}

}  // namespace

void dump_tensor(const Operand& tensor, uint32_t desc, uint32_t count, const uint32_t* sizes,
                 uint32_t dims, const char* type) {
  Core& core = Core::current();
  if (core.is_foreign(tensor.position)) return core.leave_out("DumpTensor");
  const std::span<const uint32_t> shape(sizes, dims);
  uint64_t elements = 1;
  for (const uint32_t size : shape) elements *= size;
  const uint64_t largest = std::max<uint64_t>(count, dims == 0 ? 0 : elements);
  if (bytes_of(tensor.dtype, largest) > kMostDumped) return;
  if (!settled(core, tensor, count)) return;
  std::vector<std::string> values;
  for (uint32_t i = 0; i < count; ++i) {
    values.push_back(element(core.data(tensor), tensor.dtype, i));
  }
  std::string text =
      fmt::format("DumpTensor: desc={}, addr={:#x}, data_type={}, position={}, dump_size={}\n",
                  desc, tensor.address, type == nullptr ? shown_name(tensor.dtype) : type,
                  name_of(core.space_of(tensor.position)), count);
  if (dims == 0) {
    text += fmt::format("[{}]\n", fmt::join(values, ", "));
  } else {
    size_t next = 0;
    text += difference(shape, elements, count) + bracketed(values, shape, next) + "\n";
  }
  if (core.await_turn()) std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_tensor(const Operand& tensor, uint32_t count) {
  Core& core = Core::current();
  if (core.is_foreign(tensor.position)) return core.leave_out("Print");
  if (!settled(core, tensor, count)) return;
  const uint32_t in_line = 256 / bits_of(tensor.dtype);
  std::string text;
  for (uint32_t first = 0; first < count; first += in_line) {
    text += fmt::format("{:04}:", first);
    for (uint32_t i = first; i < std::min(count, first + in_line); ++i) {
      text += " " + streamed(core.data(tensor), tensor.dtype, i);
    }
    text += "\n";
  }
  if (core.await_turn()) std::fwrite(text.data(), 1, text.size(), stdout);
}

int32_t save_tensor(const Operand& tensor, const char* file) {
  Core& core = Core::current();
  if (core.is_foreign(tensor.position)) {
    core.leave_out("ToFile");
    return 0;
  }
  const auto count = uint32_t(tensor.bytes * 8 / bits_of(tensor.dtype));
  if (!settled(core, tensor, count) || !core.await_turn()) return -1;
  std::FILE* to = std::fopen(file, "wb");
  if (to == nullptr) return -1;
  const bool whole = std::fwrite(core.data(tensor), 1, tensor.bytes, to) == tensor.bytes;
  return std::fclose(to) == 0 && whole ? 0 : -1;
}

Operand tensor_at(const void* pointer, Position position, DType type) {
  Core& core = Core::current();
  const Space space = core.local().space_of(pointer);
  Operand operand{uint64_t(reinterpret_cast<uintptr_t>(pointer)), kUnknownExtent, 0, position,
                  type};
  if (space == Space::kNone) return operand;
  for (int i = 1; core.space_of(position) != space && i < int(Position::MAX); ++i) {
    if (core.space_of(Position(i)) == space) operand.position = Position(i);
  }
  operand.address = uint64_t(static_cast<const uint8_t*>(pointer) - core.local().data(space));
  return operand;
}

}  // namespace vinci
