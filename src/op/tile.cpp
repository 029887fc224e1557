#include "op/tile.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "core/call_stack.h"
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "op/context.h"
#include "op/error.h"
#include "op/names.h"

namespace vinci::op {
namespace {

constexpr size_t kTilingBytes = 64 * 1024;
constexpr size_t kMostWorkspaces = 20;

std::string status_text(uint32_t status) {
  switch (status) {
    case ge::GRAPH_FAILED: return "GRAPH_FAILED";
    case ge::GRAPH_PARAM_INVALID: return "GRAPH_PARAM_INVALID";
    case ge::GRAPH_PARAM_OUT_OF_RANGE: return "GRAPH_PARAM_OUT_OF_RANGE";
    case ge::GRAPH_NULL_PTR: return "GRAPH_NULL_PTR";
    default: return std::to_string(status);
  }
}

template <typename Function>
Error failed(const Operator& op, const char* what, uint32_t status, Function function) {
  return {Error::Kind::kFunction,
          fmt::format("the {} of {} returned {}", what, op.definition.type, status_text(status)),
          reinterpret_cast<const void*>(function)};
}

// Call stacks in reports end with the package's function.
template <typename Function, typename Argument>
[[gnu::noinline]] uint32_t call_user(Function function, Argument* argument) {
  end_call_stacks_at(__builtin_return_address(0));
  const uint32_t status = function(argument);
  end_call_stacks_at(nullptr);
  return status;
}

// What TilingParse made for each operator and chip, as long as the process runs: tiling functions
// may keep pointers into it.
struct CompileInfos {
  using Key = std::tuple<std::string, std::string, void* (*)()>;
  std::mutex mutex;
  std::map<Key, void*> made;
};

void parse(const Operator& op, Context& context) {
  const Functions& functions = op.functions;
  uint32_t status = ge::GRAPH_SUCCESS;
  if (functions.tiling_parse != nullptr) {
    gert::TilingParseContext shown(context.data());
    status = call_user(functions.tiling_parse, &shown);
  } else if (functions.tiling_parse_kernel != nullptr) {
    gert::TilingParseContext shown(context.data());
    status = call_user(functions.tiling_parse_kernel, static_cast<gert::KernelContext*>(&shown));
  }
  if (status != ge::GRAPH_SUCCESS) {
    throw failed(op, "TilingParse function", status, functions.tiling_parse);
  }
}

void* compile_info(const Operator& op, const Call& call, Context& context) {
  if (op.functions.new_compile_info == nullptr) return nullptr;
  static CompileInfos* const infos = new CompileInfos;
  const std::lock_guard lock(infos->mutex);
  const CompileInfos::Key key{op.definition.type, call.soc, op.functions.new_compile_info};
  void*& known = infos->made[key];
  if (known == nullptr) {
    context.data().compile_info = op.functions.new_compile_info();
    parse(op, context);
    known = context.data().compile_info;
  }
  return known;
}

void check(const Operator& op, const Tiled& tiled, const TilingResult& result) {
  const auto wrong = [&](const std::string& text) {
    return Error(Error::Kind::kFunction,
                 fmt::format("the tiling function of {} {}", op.definition.type, text),
                 reinterpret_cast<const void*>(op.functions.tiling));
  };
  if (!result.blocks_said) throw wrong("never called SetBlockDim: the kernel has no blocks");
  if (tiled.blocks == 0 || tiled.blocks > 65535) {
    throw wrong(
        fmt::format("called SetBlockDim({}); a launch has 1 to 65535 blocks", tiled.blocks));
  }
  if (result.data->GetDataSize() > result.data->GetCapacity()) {
    throw wrong(fmt::format("made {} bytes of tiling data; there is room for {}",
                            result.data->GetDataSize(), result.data->GetCapacity()));
  }
  const size_t said = result.workspaces->GetSize();
  const size_t* sizes = result.workspaces->GetData();
  if (std::any_of(sizes + said, sizes + kMostWorkspaces, [](size_t size) { return size != 0; })) {
    throw wrong(fmt::format(
        "wrote more sizes of workspaces than GetWorkspaceSizes({}) has given it room for", said));
  }
}

bool any_byte(const std::vector<uint64_t>& memory) {
  return std::ranges::any_of(memory, [](uint64_t word) { return word != 0; });
}

Error not_run_here(const Operator& op, const char* why) {
  return {Error::Kind::kLacks, fmt::format("{} {}", op.definition.type, why)};
}

// "optiling::Data" of what type_text() of context_data.h says, or "".
std::string type_in(const char* text) {
  const std::string_view said = text == nullptr ? "" : text;
  const size_t start = said.find("T = "), end = said.find_last_of(']');
  if (start == std::string_view::npos || end == std::string_view::npos) return "";
  return std::string(said.substr(start + 4, end - start - 4));
}

Tiled result_of(const TilingResult& result, const std::vector<uint64_t>& memory) {
  Tiled tiled;
  tiled.key = result.key;
  tiled.blocks = result.blocks;
  const auto* bytes = reinterpret_cast<const uint8_t*>(memory.data());
  tiled.data.assign(bytes,
                    bytes + std::min(result.data->GetDataSize(), result.data->GetCapacity()));
  tiled.data_type = type_in(result.data_type);
  const size_t* sizes = result.workspaces->GetData();
  tiled.workspaces.assign(sizes, sizes + result.workspaces->GetSize());
  tiled.schedule_mode = result.schedule_mode;
  tiled.local_memory_bytes = result.local_memory_bytes;
  tiled.aicpu_blocks = result.aicpu_blocks;
  tiled.condition = result.condition;
  tiled.needs_atomic = result.needs_atomic;
  return tiled;
}

size_t capacity_of(const Operator& op, const Call& call) {
  if (call.tiling_capacity != 0) return call.tiling_capacity;
  return std::max<size_t>(kTilingBytes, op.functions.most_tiling_bytes);
}

}  // namespace

uint64_t Tiled::workspace_bytes() const {
  uint64_t sum = 0;
  for (const uint64_t bytes : workspaces) sum += bytes;
  return sum;
}

Tiled tile(const Operator& op, const Call& call) {
  if (!op.wrong.empty()) throw Error(Error::Kind::kDefinition, op.wrong);
  if (op.functions.tiling == nullptr && op.functions.calls_operators) {
    throw not_run_here(op, "is made of calls of other operators (OpExecuteFunc)");
  }
  if (op.functions.tiling == nullptr) {
    throw Error(Error::Kind::kDefinition,
                fmt::format("{} has no tiling function: AICore().SetTiling or "
                            "IMPL_OP_OPTILING({}) is missing",
                            op.definition.type, op.definition.type));
  }
  const Row row = row_of(op.definition, call);
  Context context(op, call, row);
  const size_t capacity = capacity_of(op, call);
  std::vector<uint64_t> memory((capacity + 7) / 8);
  std::vector<size_t> workspaces(gert::ContinuousVector::Bytes(kMostWorkspaces, sizeof(size_t)) /
                                 sizeof(size_t));
  TilingResult result;
  gert::TilingData data(memory.data(), capacity);
  result.data = &data;
  result.workspaces = new (workspaces.data()) gert::TypedContinuousVector<size_t>;
  result.workspaces->Init(kMostWorkspaces);
  context.data().compile_info = compile_info(op, call, context);
  result.cores = context.cores();
  context.data().tiling = &result;
  gert::TilingContext shown(context.data());
  const uint32_t status = call_user(op.functions.tiling, &shown);
  if (status != ge::GRAPH_SUCCESS) throw failed(op, "tiling function", status, op.functions.tiling);
  Tiled tiled = result_of(result, memory);
  check(op, tiled, result);
  if (tiled.data.empty() && any_byte(memory)) {
    doubt(
        "the tiling function wrote tiling data and did not say how much: "
        "GetRawTilingData()->SetDataSize is missing, and the kernel gets none");
  }
  return tiled;
}

namespace {

void infer_shapes(const Operator& op, Context& context) {
  gert::InferShapeContext shown(context.data());
  const uint32_t status = call_user(op.functions.infer_shape, &shown);
  if (status != ge::GRAPH_SUCCESS) {
    throw failed(op, "InferShape function", status, op.functions.infer_shape);
  }
  context.keep_wanted_outputs();
}

void infer_dtypes(const Operator& op, Context& context) {
  gert::InferDataTypeContext shown(context.data());
  const uint32_t status = call_user(op.functions.infer_dtype, &shown);
  if (status != ge::GRAPH_SUCCESS) {
    throw failed(op, "InferDataType function", status, op.functions.infer_dtype);
  }
}

// Where an output follows an input its shape is the input's; false: some output follows none.
bool follow_shapes(const Chip& chip, Context& context) {
  bool all = true;
  for (size_t i = 0; i < chip.outputs.size(); ++i) {
    const Parameter* at = &chip.outputs[i];
    const bool follows =
        !at->follow.empty() && (at->follows == Follows::kAll || at->follows == Follows::kShape);
    while (at != nullptr && !at->follow.empty()) at = chip.input(at->follow);
    if (!follows || at == nullptr) {
      all = false;
      continue;
    }
    const size_t source = static_cast<size_t>(at - chip.inputs.data());
    const TensorSlot* from = context.data().inputs.at("Follow", source, 0);
    TensorSlot* to = context.data().outputs.at("Follow", i, 0);
    if (from == nullptr || to == nullptr) continue;
    to->tensor.MutableOriginShape() = from->tensor.GetOriginShape();
    to->tensor.MutableStorageShape() = from->tensor.GetStorageShape();
  }
  return all;
}

// Optional outputs of which InferShape has not asked for the shape: this call has none of them.
std::vector<bool> left_out(const Operator& op, const Chip& chip, Context& context) {
  std::vector<bool> left(chip.outputs.size());
  for (size_t i = 0; i < chip.outputs.size() && op.functions.infer_shape != nullptr; ++i) {
    const gert::AnchorInstanceInfo& place = context.output_instances()[i];
    left[i] = chip.outputs[i].absent_allowed() && place.GetInstanceNum() == 1 &&
              !context.outputs()[place.GetInstanceStart()].wanted;
  }
  return left;
}

Tensor tensor_of(const Operator& op, const Parameter& one, const TensorSlot& slot, bool known) {
  Tensor made;
  made.dtype = slot.desc.GetDataType();
  made.format = slot.desc.GetStorageFormat();
  made.origin_format = slot.desc.GetOriginFormat();
  const gert::Shape& shape = slot.tensor.GetOriginShape();
  for (size_t i = 0; i < shape.GetDimNum(); ++i) {
    made.shape.push_back(shape.GetDim(i));
    if (known && shape.GetDim(i) < 0) {
      throw Error(Error::Kind::kFunction,
                  fmt::format("InferShape of {} gave '{}' the dimension {}", op.definition.type,
                              one.name, shape.GetDim(i)),
                  reinterpret_cast<const void*>(op.functions.infer_shape));
    }
  }
  return made;
}

}  // namespace

Inferred infer(const Operator& op, const Call& call) {
  if (!op.wrong.empty()) throw Error(Error::Kind::kDefinition, op.wrong);
  const Row row = row_of(op.definition, call);
  const Chip& chip = op.definition.on(call.soc);
  Context context(op, call, row);
  Inferred inferred;
  inferred.shapes_known = op.functions.infer_shape != nullptr;
  if (inferred.shapes_known) {
    infer_shapes(op, context);
  } else if (!chip.outputs.empty()) {
    inferred.shapes_known = follow_shapes(chip, context);
  }
  const std::vector<bool> left = left_out(op, chip, context);
  if (op.functions.infer_dtype != nullptr) {
    infer_dtypes(op, context);
  } else if (op.functions.dtypes_as_first_input && context.data().inputs.count != 0) {
    const auto first = context.data().inputs.slots[0].desc.GetDataType();
    for (size_t i = 0; i < context.data().outputs.count; ++i) {
      context.data().outputs.slots[i].desc.SetDataType(first);
    }
  }
  for (size_t i = 0; i < chip.outputs.size(); ++i) {
    const gert::AnchorInstanceInfo& place = context.output_instances()[i];
    auto& output = inferred.outputs.emplace_back();
    if (left[i]) continue;
    if (place.GetInstanceNum() == 0) {
      if (chip.outputs[i].dynamic()) inferred.shapes_known = false;
      continue;
    }
    output.emplace();
    for (size_t k = 0; k < place.GetInstanceNum(); ++k) {
      output->push_back(tensor_of(op, chip.outputs[i],
                                  context.outputs()[place.GetInstanceStart() + k],
                                  inferred.shapes_known));
    }
  }
  return inferred;
}

}  // namespace vinci::op
