// Reading and writing .npy: a magic, a Python dictionary as text, the data.
#include "cli/npy.h"

#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/error.h"
#include "numeric/dtype.h"

namespace vinci::cli {
namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr uint64_t kMostElements = uint64_t{1} << 44;

struct Kind {
  const char* descr;
  DType dtype;
};
constexpr Kind kKinds[] = {
    {"|i1", DType::kInt8},  {"|u1", DType::kUint8},  {"|b1", DType::kUint8},
    {"<i2", DType::kInt16}, {"<u2", DType::kUint16}, {"<f2", DType::kHalf},
    {"<i4", DType::kInt32}, {"<u4", DType::kUint32}, {"<f4", DType::kFloat},
    {"<i8", DType::kInt64}, {"<u8", DType::kUint64},
};

DType dtype_of_descr(const std::string& path, const std::string& descr) {
  for (const Kind& kind : kKinds) {
    if (descr == kind.descr) return kind.dtype;
  }
  std::vector<const char*> legal;
  for (const Kind& kind : kKinds) legal.push_back(kind.descr);
  throw usage(
      fmt::format("{}: dtype {} cannot be used; legal: {}", path, descr, fmt::join(legal, ", ")));
}

// The descr of what is stored for a dtype that NumPy lacks.
const char* descr_of_dtype(DType dtype) {
  if (dtype == DType::kBfloat16) return "<u2";
  if (dtype == DType::kInt4) return "|u1";
  for (const Kind& kind : kKinds) {
    if (kind.dtype == dtype) return kind.descr;
  }
  return "|u1";
}

std::string header_of(std::ifstream& file, const std::string& path) {
  char start[10];
  if (!file.read(start, 8) || std::memcmp(start, kMagic, 6) != 0) {
    throw usage(fmt::format("{} is not an .npy file", path));
  }
  const int length_bytes = start[6] == 1 ? 2 : 4;
  uint32_t length = 0;
  if (!file.read(reinterpret_cast<char*>(&length), length_bytes) || length > (1u << 20)) {
    throw usage(fmt::format("{}: the .npy header is cut off or too long", path));
  }
  std::string header(length, ' ');
  if (!file.read(header.data(), length)) {
    throw usage(fmt::format("{}: the .npy header is cut off", path));
  }
  return header;
}

// The value behind a key of the header's dictionary: 'text' without its quotes, (a, tuple) with its
// parentheses, anything else up to the next comma.
std::string field(const std::string& path, const std::string& header, const std::string& key) {
  const size_t name = header.find("'" + key + "'");
  size_t start = name == std::string::npos ? name : header.find(':', name);
  if (start != std::string::npos) start = header.find_first_not_of(' ', start + 1);
  size_t stop = start;
  if (start != std::string::npos) {
    const char first = header[start];
    stop = first == '\''  ? header.find('\'', ++start)
           : first == '(' ? header.find(')', start)
                          : header.find_first_of(",}", start);
    if (first == '(' && stop != std::string::npos) ++stop;
  }
  if (stop == std::string::npos) {
    throw usage(fmt::format("{}: the .npy header is not understood: {}", path, header));
  }
  return header.substr(start, stop - start);
}

// "(3, 4)", "(3,)" or "()".
std::vector<uint64_t> shape_in_header(const std::string& path, const std::string& text) {
  const auto bad = [&](const char* why) {
    return usage(fmt::format("{}: shape {} {}", path, text, why));
  };
  if (text.front() != '(') throw bad("is not understood");
  std::vector<uint64_t> shape;
  uint64_t elements = 1;
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size() - 1;  // the ')'
  while (at != end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    uint64_t size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (next == at) throw bad("is not understood");
    if (error != std::errc() || __builtin_mul_overflow(elements, size, &elements) ||
        elements > kMostElements) {
      throw bad("is too large");
    }
    shape.push_back(size);
    at = next;
  }
  return shape;
}

}  // namespace

uint64_t Array::elements() const {
  uint64_t product = 1;
  for (const uint64_t size : shape) product *= size;
  return product;
}

std::string shape_text(const std::vector<uint64_t>& shape) {
  return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

Array read_npy(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (exists(status) && !is_regular_file(status)) {
    throw usage(fmt::format("{} is no .npy file, but a folder, a pipe or a device", path));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) throw usage(fmt::format("{} cannot be opened: {}", path, std::strerror(errno)));
  const std::string header = header_of(file, path);
  Array array;
  array.dtype = dtype_of_descr(path, field(path, header, "descr"));
  array.shape = shape_in_header(path, field(path, header, "shape"));
  const std::string order = field(path, header, "fortran_order");
  if (order == "True") {
    throw usage(fmt::format("{} is in Fortran order; save np.ascontiguousarray(x)", path));
  }
  if (order != "False") {
    throw usage(fmt::format("{}: fortran_order is {}; legal: False, True", path, order));
  }
  const uint64_t bytes = bytes_of(array.dtype, array.elements());
  const auto start = file.tellg();
  file.seekg(0, std::ios::end);
  if (uint64_t(file.tellg() - start) < bytes) {
    throw usage(fmt::format("{}: {} bytes of data are missing", path,
                            bytes - uint64_t(file.tellg() - start)));
  }
  file.seekg(start);
  array.data.resize(bytes);
  file.read(reinterpret_cast<char*>(array.data.data()), std::streamsize(bytes));
  return array;
}

void write_npy(const std::string& path, DType dtype, const std::vector<uint64_t>& shape,
               const void* data) {
  std::vector<uint64_t> stored = shape;
  uint64_t elements = 1;
  for (const uint64_t size : shape) elements *= size;
  if (dtype == DType::kInt4) {
    if (!stored.empty() && stored.back() % 2 == 0) {
      stored.back() /= 2;
    } else {
      stored = {bytes_of(dtype, elements)};
    }
  }
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}",
                  descr_of_dtype(dtype), fmt::join(stored, ", "), stored.size() == 1 ? "," : "");
  const size_t unpadded = 10 + header.size() + 1;
  header.append((64 - unpadded % 64) % 64, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  const auto length = uint16_t(header.size());
  file.write(kMagic, 6).write("\x01\x00", 2);
  file.write(reinterpret_cast<const char*>(&length), 2).write(header.data(), length);
  file.write(static_cast<const char*>(data), std::streamsize(bytes_of(dtype, elements)));
  file.close();
  if (!file) throw usage(fmt::format("{} cannot be written: {}", path, std::strerror(errno)));
}

}  // namespace vinci::cli
