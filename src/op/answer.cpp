// What vinci asks of a package's host library, in a process that may crash: the library and the
// question are this process's, the answer goes back as text.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/core.h"
#include "op/answer.h"
#include "op/call_json.h"
#include "op/definitions.h"
#include "op/error.h"
#include "op/template_keys.h"
#include "op/tile.h"

namespace vinci::op {
namespace {

using nlohmann::json;

constexpr const char* name_of(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::kDefinition: return "definition";
    case Error::Kind::kCall: return "call";
    case Error::Kind::kFunction: return "function";
    case Error::Kind::kLacks: return "lacks";
  }
  return "";
}

bool are_empty(const std::vector<std::optional<std::vector<Tensor>>>& outputs) {
  bool any = false;
  for (const auto& output : outputs) {
    if (!output) continue;
    for (const Tensor& tensor : *output) {
      any = true;
      if (tensor.elements() != 0) return false;
    }
  }
  return any;
}

// What is not known of the outputs is inferred, then the tiling function runs.
// Where the function is, for who reads the answer in another process.
void add_place(json& told, const void* function) {
  Dl_info library{};
  if (function == nullptr || dladdr(function, &library) == 0) return;
  // As /proc/self/maps has the library; that file cannot be opened in a sandbox.
  const auto start = reinterpret_cast<uintptr_t>(library.dli_fbase);
  const auto address = reinterpret_cast<uintptr_t>(function);
  told["function"] = address;
  told["maps"] =
      fmt::format("{:x}-{:x} r-xp 00000000 00:01 1 {}\n", start, address + 16, library.dli_fname);
}

json answer_call(const json& question) {
  const Operator op = find_operator(question.at("type"));
  Call call = call_of(question.at("call"));
  json answer;
  if (question.at("infer").get<bool>()) {
    const Inferred inferred = infer(op, call);
    answer["shapes_known"] = inferred.shapes_known;
    answer["inferred"] = tensors_json(inferred.outputs);
    if (!inferred.shapes_known) return answer;
    call.outputs = inferred.outputs;
  }
  const Row row = row_of(op.definition, call);
  answer["row"] = {{"index", row.index},
                   {"input_dtypes", row.input_dtypes},
                   {"input_formats", row.input_formats},
                   {"output_dtypes", row.output_dtypes},
                   {"output_formats", row.output_formats}};
  if (are_empty(call.outputs) && !op.definition.launches_empty) {
    answer["empty"] = true;
    return answer;
  }
  const Tiled tiled = tile(op, call);
  answer["tiled"] = {{"key", tiled.key},
                     {"blocks", tiled.blocks},
                     {"data", tiled.data},
                     {"data_type", tiled.data_type},
                     {"workspaces", tiled.workspaces},
                     {"needs_atomic", tiled.needs_atomic}};
  add_place(answer["tiled"], reinterpret_cast<const void*>(op.functions.tiling));
  if (const auto key = template_key(tiled.key)) answer["template"] = *key;
  return answer;
}

json answer_to(const json& question) {
  try {
    if (question.at("want") == "registry") return registry_json();
    return answer_call(question);
  } catch (const Error& error) {
    json told = {{"kind", name_of(error.kind())}, {"message", error.what()}};
    add_place(told, error.function());
    return {{"error", told}};
  }
}

}  // namespace
}  // namespace vinci::op

void vinci_op_answer(const char* question, char* answer, uint64_t capacity) {
  using namespace vinci;
  op::set_teller([](const Fault& fault) {
    if (Core* core = Core::current_or_null()) core->report(fault.code, fault.message, fault.legal);
  });
  const std::string text = op::answer_to(nlohmann::json::parse(question))
                               .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() >= capacity) return;  // an answer that is too long is none
  std::memcpy(answer, text.c_str(), text.size() + 1);
}
