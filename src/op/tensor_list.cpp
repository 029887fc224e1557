#include "op/tensor_list.h"

namespace vinci::op {

std::vector<uint64_t> tensor_list(const std::vector<Tensor>& tensors) {
  std::vector<uint64_t> words = {0};
  for (const Tensor& tensor : tensors) {
    words.push_back(uint64_t{1} << 32 | tensor.shape.size());
    for (const int64_t dim : tensor.shape) words.push_back(static_cast<uint64_t>(dim));
  }
  words[0] = words.size() * sizeof(uint64_t);
  for (const Tensor& tensor : tensors) {
    words.push_back(reinterpret_cast<uint64_t>(tensor.data));
  }
  return words;
}

}  // namespace vinci::op
