// What host libraries register, as it comes: JSON and pointers. Libraries register while they are
// loaded, which several threads may do.
#include "op/registry.h"

#include <algorithm>
#include <mutex>

namespace vinci::op {
namespace {

struct Registry {
  std::mutex mutex;
  Registered all;
};

Registry& registry() {
  static Registry* const made = new Registry;  // never destroyed: libraries are unloaded later
  return *made;
}

template <typename T>
void replace(T& place, T value) {
  if (value != T()) place = value;
}

void merge(Functions& known, const Functions& said) {
  replace(known.tiling, said.tiling);
  replace(known.tiling_parse, said.tiling_parse);
  replace(known.tiling_parse_kernel, said.tiling_parse_kernel);
  replace(known.new_compile_info, said.new_compile_info);
  replace(known.delete_compile_info, said.delete_compile_info);
  replace(known.infer_shape, said.infer_shape);
  replace(known.infer_dtype, said.infer_dtype);
  known.value_dependent |= said.value_dependent;
  known.shape_from_kernel |= said.shape_from_kernel;
  replace(known.most_tiling_bytes, said.most_tiling_bytes);
  known.dtypes_as_first_input |= said.dtypes_as_first_input;
  known.calls_operators |= said.calls_operators;
}

}  // namespace

Registered registered() {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  return known.all;
}

void set_registered(Registered all) {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  known.all = std::move(all);
}

uint32_t (*tiling_function(const char* type))(gert::TilingContext*) {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  const auto found = known.all.functions.find(type);
  return found == known.all.functions.end() ? nullptr : found->second.tiling;
}

void add_definition(const char* type, const char* json) {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  known.all.definitions[type] = json;
}

void add_chip(const char* type, const char* soc, const char* json) {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  known.all.chips[type][soc] = json;
}

void add_functions(const char* type, const Functions& functions) {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  merge(known.all.functions[type], functions);
}

void add_private_attribute(const char* type, const char* json) {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  auto& list = known.all.private_attributes[type];
  if (std::find(list.begin(), list.end(), json) == list.end()) list.emplace_back(json);
}

void add_tiling_class(const char* key, const char* json) {
  Registry& known = registry();
  const std::lock_guard lock(known.mutex);
  known.all.tiling_classes[key] = json;
}

}  // namespace vinci::op
