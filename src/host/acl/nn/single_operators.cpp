// aclopExecuteV2 and its relatives: the two phases of aclnn in one call.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <new>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "acl/acl_op_compiler.h"
#include "host/acl/error.h"
#include "host/acl/nn/descriptions.h"
#include "host/acl/nn/installed.h"
#include "host/acl/nn/objects.h"
#include "host/acl/runtime.h"
#include "host/memories.h"
#include "host/program.h"
#include "op/error.h"
#include "op/single_op.h"
#include "op/tile.h"
#include "vinci/op/aclnn.h"

namespace vinci::acl {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using op::AclnnArgument;

// What ends a call early; told already.
struct Told {
  aclError code;
};

[[noreturn]] void stop(aclError code, const char* api, const std::string& text) {
  throw Told{fail(code, api, text)};
}

struct Models {
  std::mutex mutex;
  std::vector<op::SingleOp> all;

  static Models& instance() {
    static Models* const made = new Models;
    return *made;
  }
};

void add_model(const char* api, const std::string& name, const std::string& text) {
  try {
    const op::SingleOp model = op::model_from(text);
    host::set_program_soc(model.soc.c_str());
    const std::lock_guard lock(Models::instance().mutex);
    Models::instance().all.push_back(model);
  } catch (const op::Error& error) {
    stop(ACL_ERROR_PARSE_FILE, api, fmt::format("{}: {}", name, error.what()));
  }
}

struct Side {
  std::vector<const aclTensorDesc*> descriptions;
  std::vector<const aclDataBuffer*> buffers;
};
struct Invocation {
  const char* api;
  std::string type;
  Side inputs, outputs;
  const aclopAttr* attributes;
  aclrtStream stream;
};

Side side_of(const char* api, int count, const aclTensorDesc* const descriptions[],
             const aclDataBuffer* const buffers[]) {
  if (count < 0 || (count > 0 && (descriptions == nullptr || buffers == nullptr))) {
    stop(ACL_ERROR_INVALID_PARAM, api, fmt::format("{} tensors without descriptions", count));
  }
  Side side{{descriptions, descriptions + count}, {buffers, buffers + count}};
  const auto is_null = [](const void* pointer) { return pointer == nullptr; };
  if (std::ranges::any_of(side.descriptions, is_null) ||
      std::ranges::any_of(side.buffers, is_null)) {
    stop(ACL_ERROR_INVALID_PARAM, api, "a description or a buffer is null");
  }
  return side;
}

std::vector<op::SingleOp::Tensor> tensors_of(const Side& side) {
  std::vector<op::SingleOp::Tensor> tensors;
  for (const aclTensorDesc* one : side.descriptions) {
    tensors.push_back({one->type, one->format, one->shape});
  }
  return tensors;
}

bool all_match(const std::vector<op::SingleOp::Tensor>& model,
               const std::vector<op::SingleOp::Tensor>& given) {
  return std::ranges::equal(model, given,
                            [](const auto& one, const auto& other) { return one.matches(other); });
}

std::string text_of(const std::vector<op::SingleOp::Tensor>& tensors) {
  std::vector<std::string> texts;
  for (const auto& one : tensors) texts.push_back(one.text());
  return fmt::format("{}", fmt::join(texts, ", "));
}

// A model of these types, formats, shapes and attributes has to be there, as on a card.
void check_models(const Invocation& call) {
  const auto inputs = tensors_of(call.inputs), outputs = tensors_of(call.outputs);
  const json attributes =
      call.attributes == nullptr ? json::object() : json(call.attributes->values);
  aclError code = ACL_ERROR_OP_NOT_FOUND;
  std::string wanted =
      "no model of the operator: atc --singleop makes one, aclopSetModelDir "
      "names its folder";
  const std::lock_guard lock(Models::instance().mutex);
  for (const op::SingleOp& model : Models::instance().all) {
    if (model.type != call.type) continue;
    if (!all_match(model.inputs, inputs)) {
      code = ACL_ERROR_OP_INPUT_NOT_MATCH;
      wanted = fmt::format("inputs {}; its model has {}", text_of(inputs), text_of(model.inputs));
    } else if (!all_match(model.outputs, outputs)) {
      code = ACL_ERROR_OP_OUTPUT_NOT_MATCH;
      wanted =
          fmt::format("outputs {}; its model has {}", text_of(outputs), text_of(model.outputs));
    } else if (model.attributes != attributes) {
      code = ACL_ERROR_OP_ATTR_NOT_MATCH;
      wanted = fmt::format("attributes {}; its model has {}", attributes.dump(),
                           model.attributes.dump());
    } else {
      return;
    }
  }
  stop(code, call.api, fmt::format("{}: {}", call.type, wanted));
}

// The objects of one call, which go when it has been put on the stream.
class Arguments {
 public:
  explicit Arguments(const Invocation& call) : call_(call) {}
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() {
    for (const auto& destroy : destroyers_) destroy();
  }

  std::vector<AclnnArgument> of(const op::Definition& definition, const op::Chip& chip) {
    std::vector<AclnnArgument> all = parameters(chip.inputs, call_.inputs, "inputs", nullptr);
    add_attributes(definition, all);
    const auto outputs = parameters(chip.outputs, call_.outputs, "outputs", &chip);
    all.insert(all.end(), outputs.begin(), outputs.end());
    return all;
  }

 private:
  // A dynamic parameter takes what others leave; outputs that are inputs are given once.
  std::vector<AclnnArgument> parameters(const std::vector<op::Parameter>& declared,
                                        const Side& side, const char* what,
                                        const op::Chip* known_inputs) {
    const size_t single = size_t(
        std::ranges::count_if(declared, [](const op::Parameter& one) { return !one.dynamic(); }));
    const size_t given = side.descriptions.size();
    const size_t in_list = given > single ? given - single : 0;
    std::vector<AclnnArgument> all;
    size_t next = 0;
    for (const op::Parameter& one : declared) {
      const size_t count = one.dynamic() ? in_list : size_t(next < given);
      const AclnnArgument argument = one.dynamic() ? list(side, next, count)
                                     : count == 0  ? op::absent()
                                                   : tensor(side, next);
      next += count;
      if (known_inputs == nullptr || known_inputs->input(one.name) == nullptr) {
        all.push_back(argument);
      }
    }
    if (next == given) return all;
    stop(ACL_ERROR_INVALID_PARAM, call_.api,
         fmt::format("{} has {} {}, not {}", call_.type, declared.size(), what, given));
  }

  aclTensor* made(const Side& side, size_t index) {
    const aclTensorDesc& from = *side.descriptions[index];
    const aclDataBuffer& buffer = *side.buffers[index];
    if (buffer.bytes < aclGetTensorDescSize(&from)) {
      stop(ACL_ERROR_INVALID_PARAM, call_.api,
           fmt::format("a buffer of {} bytes for a tensor of {}", buffer.bytes,
                       aclGetTensorDescSize(&from)));
    }
    const std::vector<int64_t>& storage =
        from.storage_shape.empty() ? from.shape : from.storage_shape;
    const aclFormat format =
        from.storage_format == ACL_FORMAT_UNDEFINED ? from.format : from.storage_format;
    aclTensor* const tensor =
        aclCreateTensor(from.shape.data(), from.shape.size(), from.type, nullptr, 0, format,
                        storage.data(), storage.size(), buffer.data);
    if (tensor == nullptr) throw Told{ACL_ERROR_INVALID_PARAM};
    return tensor;
  }

  AclnnArgument tensor(const Side& side, size_t index) {
    if (side.descriptions[index]->type == ACL_DT_UNDEFINED) return op::absent();
    aclTensor* const one = made(side, index);
    destroyers_.push_back([one] { aclDestroyTensor(one); });
    return op::argument(static_cast<const aclTensor*>(one));
  }

  AclnnArgument list(const Side& side, size_t first, size_t count) {
    std::vector<const aclTensor*> tensors;
    for (size_t i = 0; i < count; ++i) tensors.push_back(made(side, first + i));
    aclTensorList* const one = aclCreateTensorList(tensors.data(), count);
    destroyers_.push_back([one] { aclDestroyTensorList(one); });
    return op::argument(static_cast<const aclTensorList*>(one));
  }

  void add_attributes(const op::Definition& definition, std::vector<AclnnArgument>& all) {
    static const std::map<std::string, json> kNone;
    const auto& values = call_.attributes == nullptr ? kNone : call_.attributes->values;
    size_t used = 0;
    for (const op::Attribute& one : definition.attributes) {
      if (one.is_private) continue;
      const auto found = values.find(one.name);
      used += found != values.end() ? 1 : 0;
      all.push_back(found == values.end() ? op::absent() : attribute(one, found->second));
    }
    if (used == values.size()) return;
    std::vector<std::string> names;
    for (const auto& [name, value] : values) names.push_back(name);
    stop(ACL_ERROR_OP_ATTR_NOT_MATCH, call_.api,
         fmt::format("{}: not all of these are its attributes: {}", call_.type,
                     fmt::join(names, ", ")));
  }

  AclnnArgument attribute(const op::Attribute& one, const json& value) {
    if (one.type == "bool" && value.is_boolean()) return op::argument(value.get<bool>());
    if (one.type == "int" && value.is_number_integer()) return op::argument(value.get<int64_t>());
    if (one.type == "float" && value.is_number()) return op::argument(value.get<double>());
    if (one.type == "string" && value.is_string()) {
      return op::argument(value.get_ref<const std::string&>().c_str());
    }
    if (one.type == "list_int" && value.is_array()) {
      const std::vector<int64_t> numbers = value;
      aclIntArray* const made = aclCreateIntArray(numbers.data(), numbers.size());
      destroyers_.push_back([made] { aclDestroyIntArray(made); });
      return op::argument(static_cast<const aclIntArray*>(made));
    }
    if (one.type == "list_float" && value.is_array()) {
      const std::vector<float> numbers = value;
      aclFloatArray* const made = aclCreateFloatArray(numbers.data(), numbers.size());
      destroyers_.push_back([made] { aclDestroyFloatArray(made); });
      return op::argument(static_cast<const aclFloatArray*>(made));
    }
    if (one.type == "list_bool" && value.is_array()) {
      const auto numbers = std::make_unique<bool[]>(value.size());
      for (size_t i = 0; i < value.size(); ++i) numbers[i] = value[i];
      aclBoolArray* const made = aclCreateBoolArray(numbers.get(), value.size());
      destroyers_.push_back([made] { aclDestroyBoolArray(made); });
      return op::argument(static_cast<const aclBoolArray*>(made));
    }
    stop(ACL_ERROR_OP_ATTR_NOT_MATCH, call_.api,
         fmt::format("{}: attribute {} is a {}, not {}", call_.type, one.name, one.type,
                     value.dump()));
  }

  const Invocation& call_;
  std::vector<std::function<void()>> destroyers_;
};

// The same mistakes by the numbers of these functions.
aclError code_of(aclnnStatus status) {
  switch (status) {
    case ACLNN_SUCCESS: return ACL_SUCCESS;
    case ACLNN_ERR_PARAM_NULLPTR:
    case ACLNN_ERR_PARAM_INVALID: return ACL_ERROR_INVALID_PARAM;
    case ACLNN_ERR_INNER_FIND_KERNEL_ERROR: return ACL_ERROR_OP_NOT_FOUND;
    default: return ACL_ERROR_GE_FAILURE;
  }
}

const op::Operator& operator_of(const Invocation& call) {
  load_installed_operators();
  static std::mutex mutex;
  static auto* const known = new std::map<std::string, op::Operator>;
  const std::lock_guard lock(mutex);
  for (const op::Operator& one : op::operators()) {
    if (one.definition.type == call.type) return known->emplace(call.type, one).first->second;
  }
  stop(ACL_ERROR_OP_NOT_FOUND, call.api,
       fmt::format("no operator {} is installed in ASCEND_CUSTOM_OPP_PATH or "
                   "ASCEND_OPP_PATH/vendors, nor linked",
                   call.type));
}

aclError execute(const Invocation& call) {
  const op::Operator& one = operator_of(call);
  const op::Chip& chip = one.definition.on(std::string(host::chip(host::program_soc()).name));
  Arguments arguments(call);
  const std::vector<AclnnArgument> given = arguments.of(one.definition, chip);
  int32_t device = 0;
  if (stream_of(call.api, call.stream, &device) == nullptr) return last_error();
  const op::AclnnOperator named{call.type.c_str(), "", ""};
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  aclnnStatus status =
      vinci_aclnn_prepare(&named, call.api, given.data(), given.size(), &bytes, &executor);
  if (status != ACLNN_SUCCESS) return code_of(status);
  host::Memories& memories = host::Memories::instance();
  void* const workspace =
      bytes == 0 ? nullptr : memories.allocate(device, bytes, "the workspace", false);
  status = vinci_aclnn_run(call.api, workspace, bytes, executor, call.stream);
  if (workspace != nullptr) memories.release(workspace);  // once the streams are idle
  return code_of(status);
}

aclError call_of(const char* api, const char* type, int inputs,
                 const aclTensorDesc* const input_desc[], const aclDataBuffer* const input[],
                 int outputs, const aclTensorDesc* const output_desc[],
                 const aclDataBuffer* const output[], const aclopAttr* attr, aclrtStream stream,
                 bool wants_model) {
  try {
    if (type == nullptr) stop(ACL_ERROR_INVALID_PARAM, api, "opType is null");
    const Invocation call{api,
                          type,
                          side_of(api, inputs, input_desc, input),
                          side_of(api, outputs, output_desc, output),
                          attr,
                          stream};
    if (wants_model) check_models(call);
    return execute(call);
  } catch (const Told& stopped) {
    return stopped.code;
  } catch (const op::Error& error) {
    return refuse(ACL_ERROR_OP_NOT_FOUND, api, error.what(), "");
  } catch (const std::bad_alloc&) {
    return fail(ACL_ERROR_BAD_ALLOC, api, "memory for the workspace is not to be had");
  }
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclopSetModelDir(const char* modelDir) {
  const char* const api = "aclopSetModelDir";
  if (modelDir == nullptr) return fail(ACL_ERROR_INVALID_PARAM, api, "modelDir is null");
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(modelDir, error)) {
    if (entry.path().extension() == ".om") files.push_back(entry.path());
  }
  if (error) {
    return refuse(ACL_ERROR_INVALID_FILE, api, fmt::format("{}: {}", modelDir, error.message()),
                  "a folder");
  }
  std::ranges::sort(files);
  try {
    for (const auto& file : files) {
      std::stringstream text;
      text << std::ifstream(file).rdbuf();
      add_model(api, file.string(), text.str());
    }
  } catch (const Told& stopped) {
    return stopped.code;
  }
  return ACL_SUCCESS;
}

aclError aclopLoad(const void* model, size_t modelSize) {
  if (model == nullptr) return fail(ACL_ERROR_INVALID_PARAM, "aclopLoad", "model is null");
  try {
    add_model("aclopLoad", "model", std::string(static_cast<const char*>(model), modelSize));
  } catch (const Told& stopped) {
    return stopped.code;
  }
  return ACL_SUCCESS;
}

aclError aclopExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                        aclDataBuffer* inputs[], int numOutputs, aclTensorDesc* outputDesc[],
                        aclDataBuffer* outputs[], aclopAttr* attr, aclrtStream stream) {
  return call_of("aclopExecuteV2", opType, numInputs, inputDesc, inputs, numOutputs, outputDesc,
                 outputs, attr, stream, true);
}

aclError aclopExecute(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                      const aclDataBuffer* const inputs[], int numOutputs,
                      const aclTensorDesc* const outputDesc[], aclDataBuffer* const outputs[],
                      const aclopAttr* attr, aclrtStream stream) {
  return call_of("aclopExecute", opType, numInputs, inputDesc, inputs, numOutputs, outputDesc,
                 outputs, attr, stream, true);
}

aclError aclopCompileAndExecute(const char* opType, int numInputs,
                                const aclTensorDesc* const inputDesc[],
                                const aclDataBuffer* const inputs[], int numOutputs,
                                const aclTensorDesc* const outputDesc[],
                                aclDataBuffer* const outputs[], const aclopAttr* attr,
                                aclopEngineType, aclopCompileType, const char*,
                                aclrtStream stream) {
  return call_of("aclopCompileAndExecute", opType, numInputs, inputDesc, inputs, numOutputs,
                 outputDesc, outputs, attr, stream, false);
}

aclError aclopCompileAndExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                                  aclDataBuffer* inputs[], int numOutputs,
                                  aclTensorDesc* outputDesc[], aclDataBuffer* outputs[],
                                  aclopAttr* attr, aclopEngineType, aclopCompileType, const char*,
                                  aclrtStream stream) {
  return call_of("aclopCompileAndExecuteV2", opType, numInputs, inputDesc, inputs, numOutputs,
                 outputDesc, outputs, attr, stream, false);
}

}  // extern "C"
