// The second phase: the kernel on a stream.
#include <cstring>
#include <memory>
#include <new>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/functions.h"
#include "host/acl/lent.h"
#include "host/acl/nn/executor.h"
#include "host/acl/nn/views.h"
#include "host/acl/runtime.h"
#include "op/tensor_list.h"
#include "vinci/door.h"
#include "vinci/op/aclnn.h"

namespace vinci::acl {
namespace {

// One launch: a copy of what the executor knew then, and memory of its own until it has ended.
class Launch {
 public:
  Launch(const aclOpExecutor& executor, int32_t device, void* workspace)
      : executor_(executor), device_(device), workspace_(static_cast<uint8_t*>(workspace)) {
    for (const Slot& slot : executor_.inputs) add(slot);
    for (const Slot& slot : executor_.outputs) {
      add(slot.same_as < 0 ? slot : executor_.inputs[size_t(slot.same_as)]);
    }
    if (!executor_.shapes_from_kernel.empty())
      pointers_.push_back(workspace_ + executor_.shapes_at);
    uint8_t* const own = executor_.has_workspace ? workspace_ : nullptr;
    pointers_.push_back(own);
    pointers_.push_back(own == nullptr ? nullptr : own + executor_.user_workspace);
    pointers_.push_back(executor_.tiling.empty() ? nullptr
                                                 : lend(executor_.tiling.data(),
                                                        executor_.tiling.size(), "tiling data"));
    for (void*& pointer : pointers_) addresses_.push_back(&pointer);
  }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  const host::KnownKernel& kernel() const { return *executor_.kernel; }
  size_t pointers() const { return pointers_.size(); }

  void before() const {
    for (const Slot& slot : executor_.inputs) {
      for (const Place& place : slot.places) {
        if (place.is_copied) gather_view(place.tensor, workspace_ + place.copy_at);
      }
    }
    for (size_t i = 0; i < executor_.first_bytes.size(); ++i) fill(i);
    if (!executor_.shapes_from_kernel.empty()) {
      std::memset(workspace_ + executor_.shapes_at, 0, shape_bytes());
      host::Memories::instance().note_written(workspace_ + executor_.shapes_at, shape_bytes());
    }
  }

  void run() const {
    const auto run = executor_.kernel->code[size_t(core_kind())];
    if (run != nullptr) run(addresses_.data());
  }

  void after() const {
    for (const Slot& slot : executor_.inputs) {
      for (const Place& place : slot.places) {
        if (place.is_written_back) scatter_view(place.tensor, workspace_ + place.copy_at);
      }
    }
    for (size_t i = 0; i < executor_.shapes_from_kernel.size(); ++i) take_shape(i);
  }

 private:
  void add(const Slot& slot) {
    std::vector<op::Tensor> tensors;
    for (size_t i = 0; i < slot.places.size(); ++i) {
      op::Tensor& tensor = tensors.emplace_back();
      tensor.shape = slot.places[i].tensor.view;
      tensor.data = address_of(slot, i);
    }
    if (!slot.is_present) {
      pointers_.push_back(nullptr);
    } else if (slot.is_list) {
      const std::vector<uint64_t> words = op::tensor_list(tensors);
      pointers_.push_back(lend(words.data(), words.size() * sizeof(words[0]), "tensor list"));
    } else {
      pointers_.push_back(tensors[0].data);
    }
  }

  void* address_of(const Slot& slot, size_t index) {
    const Place& place = slot.places[index];
    if (place.is_copied) return workspace_ + place.copy_at;
    if (slot.values.empty()) return place.tensor.first();
    return lend(slot.values[index].data(), slot.values[index].size(), "value");
  }

  void* lend(const void* data, size_t bytes, const char* name) {
    lent_.push_back(std::make_unique<Lent>(device_, data, bytes, name));
    return lent_.back()->gm();
  }

  size_t shape_bytes() const {
    return executor_.shapes_from_kernel.size() * kShapeWords * sizeof(uint64_t);
  }

  void fill(size_t output) const {
    const std::vector<uint8_t>& bytes = executor_.first_bytes[output];
    if (bytes.empty()) return;
    for (const Place& place : executor_.outputs[output].places) {
      auto* const to = static_cast<uint8_t*>(place.tensor.first());
      const uint64_t size = bytes_of(place.tensor);
      for (uint64_t at = 0; at < size; ++at) to[at] = bytes[at % bytes.size()];
      host::Memories::instance().note_written(to, size);
    }
  }

  // The shape that the kernel has found out becomes that of the program's tensor, if it is there.
  void take_shape(size_t index) const {
    const auto* words =
        reinterpret_cast<const uint64_t*>(workspace_ + executor_.shapes_at) + index * kShapeWords;
    const Slot& slot = executor_.outputs[executor_.shapes_from_kernel[index]];
    const uint64_t rank = words[0] & 0x7fffffffu;  // the bit above says how wide dimensions are
    if (slot.places.empty() || rank >= kShapeWords) return;
    aclTensor* const tensor = slot.places[0].own;
    if (!is_alive(tensor, Kind::kTensor)) return;
    tensor->view.assign(words + 1, words + 1 + rank);
    tensor->strides = contiguous_strides(tensor->view);
  }

  const aclOpExecutor executor_;
  const int32_t device_;
  uint8_t* const workspace_;
  std::vector<std::unique_ptr<Lent>> lent_;
  std::vector<void*> pointers_;
  std::vector<const void*> addresses_;
};

aclnnStatus launch(const char* api, const aclOpExecutor& executor, void* workspace,
                   aclrtStream stream) {
  int32_t device = 0;
  if (stream_of(api, stream, &device) == nullptr) return last_error();
  const auto launch = std::make_shared<const Launch>(executor, device, workspace);
  const host::KnownKernel& kernel = launch->kernel();
  if (kernel.parameters.size() != launch->pointers()) {
    return fail(ACLNN_ERR_INNER, api,
                fmt::format("{} has {} parameters, not {}", kernel.name, kernel.parameters.size(),
                            launch->pointers()));
  }
  Grid grid = kernel.block();
  grid.blocks = executor.blocks;
  const aclError code = enqueue(
      stream, kernel.name.c_str(), kernel.soc, grid, [launch] { launch->before(); },
      [launch] { launch->run(); });
  if (code != ACL_SUCCESS) return code;
  return add_task(api, stream, [launch] {
    launch->after();
    return Ending{};
  });
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" aclnnStatus vinci_aclnn_run(const char* api, void* workspace, uint64_t size,
                                       aclOpExecutor* executor, aclrtStream stream) {
  const aclnnStatus code = check_object(api, executor, Kind::kExecutor);
  if (code != ACLNN_SUCCESS) return code;
  if (workspace == nullptr && executor->workspace_size > 0) {
    return fail(
        ACLNN_ERR_PARAM_NULLPTR, api,
        fmt::format("the workspace is null; {} bytes are needed", executor->workspace_size));
  }
  if (size < executor->workspace_size) {
    return refuse(ACLNN_ERR_PARAM_INVALID, api, fmt::format("a workspace of {} bytes", size),
                  fmt::format("{} or more, as the first phase said", executor->workspace_size));
  }
  aclnnStatus result = ACLNN_SUCCESS;
  try {
    if (!executor->is_empty) result = launch(api, *executor, workspace, stream);
  } catch (const std::bad_alloc&) {
    result = fail(ACLNN_ERR_RUNTIME_ERROR, api, "memory for the arguments is not to be had");
  }
  if (!executor->is_repeatable && leave(executor, Kind::kExecutor)) delete executor;
  return result;
}
