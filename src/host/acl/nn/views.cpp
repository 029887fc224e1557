#include "host/acl/nn/views.h"

#include <cstring>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "host/memories.h"

namespace vinci::acl {
namespace {

// Calls `act` with the offset in elements of each element, in order.
void for_each(const aclTensor& tensor, const std::function<void(int64_t)>& act) {
  if (tensor.elements() == 0) return;
  std::vector<int64_t> index(tensor.view.size());
  int64_t offset = 0;
  while (true) {
    act(offset);
    size_t dimension = index.size();
    while (dimension > 0) {
      --dimension;
      offset += tensor.strides[dimension];
      if (++index[dimension] < tensor.view[dimension]) break;
      offset -= tensor.strides[dimension] * tensor.view[dimension];
      index[dimension] = 0;
      if (dimension == 0) return;
    }
    if (index.empty()) return;
  }
}

// From the first element to the end of the last.
uint64_t reach_of(const aclTensor& tensor) {
  int64_t last = 0;
  for (size_t i = 0; i < tensor.view.size(); ++i) last += (tensor.view[i] - 1) * tensor.strides[i];
  return uint64_t((last + 1) * bits_of(tensor.type) / 8);
}

}  // namespace

uint64_t bytes_of(const aclTensor& tensor) {
  return uint64_t(tensor.elements() * bits_of(tensor.type) + 7) / 8;
}

std::string problem_with_view(const aclTensor& tensor) {
  const int64_t bits = bits_of(tensor.type);
  if (bits % 8 != 0) return "elements of less than a byte that do not lie side by side";
  if (tensor.elements() == 0) return "";
  const auto memory = host::Memories::instance().find(tensor.first());
  const auto end = reinterpret_cast<uint64_t>(tensor.first()) + reach_of(tensor);
  if (memory && end <= memory->end()) return "";
  return fmt::format("the view [{}] with strides [{}] and offset {} reaches {}",
                     fmt::join(tensor.view, ", "), fmt::join(tensor.strides, ", "), tensor.offset,
                     memory ? fmt::format("{} bytes beyond its buffer", end - memory->end())
                            : std::string("outside of device memory"));
}

void gather_view(const aclTensor& tensor, void* to) {
  const size_t bytes = size_t(bits_of(tensor.type)) / 8;
  const auto* from = static_cast<const uint8_t*>(tensor.first());
  auto* place = static_cast<uint8_t*>(to);
  for_each(tensor, [&](int64_t offset) {
    std::memcpy(place, from + offset * int64_t(bytes), bytes);
    place += bytes;
  });
  host::Memories::instance().note_written(to, bytes_of(tensor));
}

void scatter_view(const aclTensor& tensor, const void* from) {
  const size_t bytes = size_t(bits_of(tensor.type)) / 8;
  auto* to = static_cast<uint8_t*>(tensor.first());
  const auto* place = static_cast<const uint8_t*>(from);
  for_each(tensor, [&](int64_t offset) {
    std::memcpy(to + offset * int64_t(bytes), place, bytes);
    place += bytes;
  });
  if (tensor.elements() != 0) host::Memories::instance().note_written(to, reach_of(tensor));
}

}  // namespace vinci::acl
