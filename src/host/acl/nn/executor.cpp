// What programs do with an executor besides the second phase.
#include "host/acl/nn/executor.h"

#include <fmt/format.h>

#include "aclnn/aclnn_base.h"
#include "host/acl/error.h"

namespace vinci::acl {
namespace {

aclnnStatus check_repeatable(const char* api, aclOpExecutor* executor) {
  const aclnnStatus code = check_object(api, executor, Kind::kExecutor);
  if (code != ACLNN_SUCCESS || executor->is_repeatable) return code;
  return refuse(ACLNN_ERR_PARAM_INVALID, api, "an executor for one call only",
                "aclSetAclOpExecutorRepeatable before the second phase");
}

aclnnStatus no_such(const char* api, size_t index, size_t count) {
  return refuse(ACLNN_ERR_PARAM_INVALID, api, fmt::format("index {}", index),
                count == 0 ? std::string("none: there is no such parameter")
                           : fmt::format("0..{}", count - 1));
}

void move(Place& place, void* address) { place.tensor.data = address; }

// The slots that an index counts: inputs, outputs, or both.
std::vector<Slot*> slots_of(aclOpExecutor& executor, bool inputs, bool outputs) {
  std::vector<Slot*> slots;
  if (inputs) {
    for (Slot& slot : executor.inputs) slots.push_back(&slot);
  }
  if (outputs) {
    for (Slot& slot : executor.outputs) {
      if (slot.same_as < 0 || !inputs) slots.push_back(&slot);
    }
  }
  // An output that is an input as well lies where the input does.
  for (Slot*& slot : slots) {
    if (slot->same_as >= 0) slot = &executor.inputs[size_t(slot->same_as)];
  }
  return slots;
}

aclnnStatus set_address(const char* api, aclOpExecutor* executor, bool inputs, bool outputs,
                        size_t index, aclTensor* tensor, void* address) {
  if (const aclnnStatus code = check_repeatable(api, executor); code != 0) return code;
  if (const aclnnStatus code = check_object(api, tensor, Kind::kTensor); code != 0) return code;
  const std::vector<Slot*> slots = slots_of(*executor, inputs, outputs);
  if (index >= slots.size()) return no_such(api, index, slots.size());
  Slot& slot = *slots[index];
  if (slot.is_list || slot.places.empty()) {
    return refuse(ACLNN_ERR_PARAM_INVALID, api, fmt::format("parameter {} is no tensor", index),
                  "a parameter that was a tensor in the first phase");
  }
  tensor->data = address;
  move(slot.places[0], address);
  return ACLNN_SUCCESS;
}

aclnnStatus set_address_in(const char* api, aclOpExecutor* executor, bool inputs, bool outputs,
                           size_t index, size_t relative, aclTensorList* list, void* address) {
  if (const aclnnStatus code = check_repeatable(api, executor); code != 0) return code;
  if (const aclnnStatus code = check_object(api, list, Kind::kTensors); code != 0) return code;
  const std::vector<Slot*> slots = slots_of(*executor, inputs, outputs);
  if (index >= slots.size()) return no_such(api, index, slots.size());
  Slot& slot = *slots[index];
  if (relative >= slot.places.size() || relative >= list->values.size()) {
    return no_such(api, relative, std::min(slot.places.size(), list->values.size()));
  }
  list->values[relative]->data = address;
  move(slot.places[relative], address);
  return ACLNN_SUCCESS;
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

// There is nothing to prepare.
aclnnStatus aclnnInit(const char*) { return ACLNN_SUCCESS; }
aclnnStatus aclnnFinalize(void) { return ACLNN_SUCCESS; }

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  const aclnnStatus code = check_object("aclSetAclOpExecutorRepeatable", executor, Kind::kExecutor);
  if (code == ACLNN_SUCCESS) executor->is_repeatable = true;
  return code;
}

// One that went with its second phase is none any more: programs that destroy it all the same are
// many, and right by some of the documents.
aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  if (executor == nullptr) {
    return fail(ACLNN_ERR_PARAM_NULLPTR, "aclDestroyAclOpExecutor", "the executor is null");
  }
  if (leave(executor, Kind::kExecutor)) delete executor;
  return ACLNN_SUCCESS;
}

#define VINCI_SET_ADDRESS(prefix, part, inputs, outputs)                                           \
  aclnnStatus prefix##Set##part##TensorAddr(aclOpExecutor* executor, const size_t index,           \
                                            aclTensor* tensor, void* address) {                    \
    return set_address(#prefix "Set" #part "TensorAddr", executor, inputs, outputs, index, tensor, \
                       address);                                                                   \
  }                                                                                                \
  aclnnStatus prefix##SetDynamic##part##TensorAddr(aclOpExecutor* executor, size_t index,          \
                                                   const size_t relative, aclTensorList* list,     \
                                                   void* address) {                                \
    return set_address_in(#prefix "SetDynamic" #part "TensorAddr", executor, inputs, outputs,      \
                          index, relative, list, address);                                         \
  }
VINCI_SET_ADDRESS(acl, Input, true, false)
VINCI_SET_ADDRESS(acl, Output, false, true)
VINCI_SET_ADDRESS(acl, , true, true)
VINCI_SET_ADDRESS(Acl, Input, true, false)
VINCI_SET_ADDRESS(Acl, Output, false, true)
VINCI_SET_ADDRESS(Acl, , true, true)
#undef VINCI_SET_ADDRESS

}  // extern "C"
