#include "launch/package/operator_run.h"

#include <algorithm>
#include <cstring>
#include <new>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/memory.h"
#include "launch/cores.h"
#include "launch/error.h"
#include "op/error.h"
#include "op/init_value.h"
#include "op/names.h"
#include "op/tensor_list.h"
#include "report/source_line.h"
#include "report/text.h"
#include "vinci/workspace.h"

namespace vinci::launch {
namespace {

using nlohmann::json;

constexpr uint64_t kShapeWords = 9;  // of an output whose shape the kernel computes

constexpr struct {
  int number;
  DType type;
} kElementTypes[] = {{0, DType::kFloat},   {1, DType::kHalf},   {2, DType::kInt8},
                     {3, DType::kInt32},   {4, DType::kUint8},  {6, DType::kInt16},
                     {7, DType::kUint16},  {8, DType::kUint32}, {9, DType::kInt64},
                     {10, DType::kUint64}, {12, DType::kUint8}, {27, DType::kBfloat16},
                     {29, DType::kInt4}};
constexpr int kInt32 = 3, kUint8 = 4, kUint16 = 7, kBool = 12, kBfloat16 = 27, kInt4 = 29;

const op::Chip& chip_on(const op::Definition& definition, const std::string& soc) {
  try {
    return definition.on(soc);
  } catch (const op::Error& error) {
    throw as_error(error);
  }
}

uint64_t bytes_of(const op::Tensor& tensor) {
  const int64_t bytes = op::bytes_of(tensor.elements(), tensor.dtype);
  return bytes < 0 ? 0 : uint64_t(bytes);
}

// Where a function of host code begins, if it is known: empty otherwise.
Fault::Place place_of(const json& told) {
  if (!told.contains("function")) return {};
  const auto lines =
      SourceLines::of_maps(told.at("maps")).kernel_lines({told.at("function").get<uint64_t>() + 1});
  return lines.empty() ? Fault::Place() : Fault::Place{"", {}, lines[0].file, lines[0].line};
}

// ", at op_host/add.cpp:12"
std::string at_place(const Fault::Place& place) {
  return place.file.empty() ? "" : fmt::format(", at {}:{}", shortened(place.file), place.line);
}

Error no_memory(const std::string& name, uint64_t bytes) {
  return usage(fmt::format("{}: {} bytes of memory are not to be had", name, bytes));
}

// Whether the answer of host code hangs on an input's values.
bool sees(const OperatorCall& call, const op::Parameter& input) {
  return input.value_depend &&
         (!call.shown || std::ranges::find(*call.shown, input.name) != call.shown->end());
}

}  // namespace

Error as_error(const op::Error& error) {
  switch (error.kind()) {
    case op::Error::Kind::kCall: return usage(error.what());
    case op::Error::Kind::kLacks: return {Error::Kind::kLacks, error.what()};
    default: return {Error::Kind::kCompile, error.what()};
  }
}

DType element_type(int dtype) {
  for (const auto& [number, type] : kElementTypes) {
    if (number == dtype) return type;
  }
  return DType::kNone;
}

void take_as(const op::Parameter& parameter, int& dtype, std::vector<int64_t>& shape) {
  const auto has = [&](int type) {
    return std::ranges::find(parameter.dtypes, type) != parameter.dtypes.end();
  };
  if (has(dtype)) return;
  if (dtype == kUint16 && has(kBfloat16)) {
    dtype = kBfloat16;
  } else if (dtype == kUint8 && has(kBool)) {
    dtype = kBool;
  } else if ((dtype == kUint8 || dtype == kInt32) && has(kInt4)) {
    if (shape.empty()) shape.push_back(1);
    shape.back() *= dtype == kUint8 ? 2 : 8;
    dtype = kInt4;
  }
}

void Layout::apply(op::Tensor& tensor) const {
  tensor.format = format;
  tensor.origin_format = origin_format;
  if (shape.empty()) return;
  tensor.storage_shape = tensor.shape;
  tensor.shape = shape;
  if (origin_format < 0) tensor.origin_format = op::usual_origin(format, shape.size());
}

OperatorRun::OperatorRun(Package& package, const op::Definition& definition, Device& device)
    : package_(package),
      definition_(definition),
      chip_(chip_on(definition, std::string(package.soc().name))),
      device_(device) {}

OperatorRun::~OperatorRun() {
  for (const void* buffer : buffers_) device_.release(buffer);
}

void* OperatorRun::allocate(uint64_t bytes, const std::string& name, bool zeros) {
  try {
    buffers_.push_back(device_.allocate(bytes, name, zeros));
  } catch (const std::bad_alloc&) {
    throw no_memory(name, bytes);
  }
  return buffers_.back();
}

void* OperatorRun::allocate_tensor(const op::Tensor& tensor, const std::string& name) {
  const uint64_t bytes = bytes_of(tensor);
  try {
    buffers_.push_back(device_.allocate_rounded(bytes, name));
  } catch (const std::bad_alloc&) {
    throw no_memory(name, bytes);
  }
  return buffers_.back();
}

void OperatorRun::take_inputs(const OperatorCall& call) {
  call_.soc = std::string(package_.soc().name);
  call_.attributes = call.attributes;
  for (size_t i = 0; i < chip_.inputs.size(); ++i) {
    auto& of_parameter = call_.inputs.emplace_back();
    if (i >= call.inputs.size() || !call.inputs[i]) continue;
    of_parameter.emplace();
    for (const GivenArray& array : *call.inputs[i]) {
      op::Tensor& tensor = of_parameter->emplace_back();
      tensor.dtype = array.dtype;
      tensor.shape = array.shape;
      take_as(chip_.inputs[i], tensor.dtype, tensor.shape);
      array.layout.apply(tensor);
      const uint64_t bytes = bytes_of(tensor);
      tensor.data = allocate_tensor(tensor, chip_.inputs[i].name);
      if (bytes == 0) continue;
      if (call.shown && !sees(call, chip_.inputs[i])) {
        withheld_.push_back({tensor.data, array.data, bytes});
      } else {
        std::memcpy(tensor.data, array.data, bytes);
      }
    }
  }
}

// What the answer of host code hangs on, if that are not values of inputs: those that are not
// declared as such it reads with a warning. Empty: those are.
std::string OperatorRun::signature(const OperatorCall& call, json question) const {
  for (size_t i = 0; i < chip_.inputs.size(); ++i) {
    if (sees(call, chip_.inputs[i]) && call_.inputs[i]) return "";
  }
  for (json& input : question.at("call").at("inputs")) {
    for (json& tensor : input) tensor.erase("data");
  }
  return question.dump();
}

bool OperatorRun::prepare(const OperatorCall& call, const Launch& how, const Watch& watch) {
  launch_ = how;
  take_inputs(call);
  call_.outputs = call.outputs;
  for (size_t i = 0; i < call_.outputs.size() && i < chip_.outputs.size(); ++i) {
    if (!call_.outputs[i]) continue;
    for (op::Tensor& tensor : *call_.outputs[i]) {
      auto& in_memory = tensor.storage_shape.empty() ? tensor.shape : tensor.storage_shape;
      take_as(chip_.outputs[i], tensor.dtype, in_memory);
    }
  }
  const bool infer = call.outputs.empty() && !chip_.outputs.empty();
  const json question = {{"want", "call"},
                         {"type", definition_.type},
                         {"call", op::call_json(call_)},
                         {"infer", infer}};
  const std::string kept_as = signature(call, question);
  if (!kept_as.empty()) answer_ = package_.kept_answer(kept_as);
  if (answer_.is_null()) {
    Answer answer = package_.ask(definition_, question, "host code of " + definition_.type, device_,
                                 how, watch);
    host_ = std::move(answer.outcome);
    answer_ = std::move(answer.json);
    if (answer_.is_null()) return false;
    const bool is_clean = host_.faults.empty() && !answer_.contains("error");
    if (!kept_as.empty() && is_clean) package_.keep_answer(kept_as, answer_);
  }
  if (answer_.contains("error")) {
    // A mistake that has its line says more.
    if (exit_code(host_.faults) != 0) return false;
    const json& error = answer_.at("error");
    const std::string kind = error.at("kind");
    const std::string message = error.at("message").get<std::string>() + at_place(place_of(error));
    throw kind == "call" ? usage(message)
    : kind == "lacks"    ? Error(Error::Kind::kLacks, message)
                         : Error(Error::Kind::kCompile, message);
  }
  if (infer && !answer_.at("shapes_known").get<bool>()) {
    const std::string first = chip_.outputs.front().name;
    throw usage(
        fmt::format("{0} has no InferShape: the shapes of its outputs are to be given, as "
                    "--out {1}={1}.npy:float:8x16 or, in Python, out=(\"float32\", (8, 16)), "
                    "for all {2}",
                    definition_.type, first, chip_.outputs.size()));
  }
  make_outputs(infer ? op::tensors_of(answer_.at("inferred")) : call_.outputs);
  return exit_code(host_.faults) == 0;
}

// What tiling has set before the kernel: InitValue with SetNeedAtomic(true).
bool OperatorRun::initialise(size_t index, const op::Tensor& tensor) {
  if (!answer_.contains("tiled") || !answer_.at("tiled").at("needs_atomic").get<bool>())
    return false;
  const int row = answer_.at("row").at("index").get<int>();
  const auto element = op::first_bytes(chip_.outputs[index], tensor.dtype, row);
  if (element.empty()) return false;
  const uint64_t bytes = bytes_of(tensor);
  for (uint64_t at = 0; at + element.size() <= bytes; at += element.size()) {
    std::memcpy(static_cast<uint8_t*>(tensor.data) + at, element.data(), element.size());
  }
  return true;
}

void OperatorRun::make_output(size_t index, op::Tensor& tensor) {
  const op::Parameter& parameter = chip_.outputs[index];
  const json& types = answer_.at("row").at("output_dtypes");
  if (tensor.dtype < 0) tensor.dtype = types.at(index);
  for (size_t i = 0; i < chip_.inputs.size(); ++i) {
    // An output that is an input has its memory.
    if (chip_.inputs[i].name == parameter.name && call_.inputs[i] && !call_.inputs[i]->empty()) {
      const op::Tensor& input = call_.inputs[i]->front();
      tensor.data = input.data;
      if (tensor.storage_shape.empty()) tensor.storage_shape = input.storage_shape;
    }
  }
  if (tensor.data == nullptr) {
    tensor.data = allocate_tensor(tensor, parameter.name);
    // How much a kernel writes that computes the shape itself is not known.
    const bool is_set = initialise(index, tensor);
    if (!is_set && !parameter.shape_from_kernel) device_.follow(tensor.data, bytes_of(tensor));
  }
  outputs_.push_back({parameter.name, tensor.dtype, tensor.in_memory(), tensor.data});
}

void OperatorRun::make_outputs(const op::TensorLists& known) {
  call_.outputs = known;
  call_.outputs.resize(chip_.outputs.size());
  for (size_t i = 0; i < chip_.outputs.size(); ++i) {
    if (!call_.outputs[i]) continue;
    for (op::Tensor& tensor : *call_.outputs[i]) make_output(i, tensor);
  }
}

// What the kernel gets for a parameter: its address, or that of a list of tensors.
void* OperatorRun::of_parameter(const std::vector<op::Tensor>& tensors,
                                const op::Parameter& parameter) {
  if (!parameter.dynamic()) return tensors.empty() ? nullptr : tensors.front().data;
  const auto words = op::tensor_list(tensors);
  const uint64_t bytes = words.size() * sizeof(words[0]);
  void* list = allocate(bytes, parameter.name + " (list)");
  std::memcpy(list, words.data(), bytes);
  return list;
}

bool OperatorRun::build() {
  if (answer_.value("empty", false)) return false;
  for (const Withheld& one : withheld_) std::memcpy(one.data, one.content, one.bytes);
  try {
    kernel_ = &package_.kernel(definition_, answer_);
  } catch (const op::Error& error) {
    throw as_error(error);
  }
  const auto add = [&](const void* address) { values_.push_back(address_value(address)); };
  for (size_t i = 0; i < chip_.inputs.size(); ++i) {
    add(call_.inputs[i] ? of_parameter(*call_.inputs[i], chip_.inputs[i]) : nullptr);
  }
  for (size_t i = 0; i < chip_.outputs.size(); ++i) {
    add(call_.outputs[i] ? of_parameter(*call_.outputs[i], chip_.outputs[i]) : nullptr);
  }
  if (kernel_->request.has_shape_buffer) {
    shapes_ = allocate(chip_.outputs.size() * kShapeWords * sizeof(uint64_t), "shapes", true);
    add(shapes_);
  }
  const json& tiled = answer_.at("tiled");
  for (const uint64_t bytes : tiled.at("workspaces")) asked_bytes_ += bytes;
  // Who asks for less than the system's part means its own.
  workspace_bytes_ = asks_for_system() ? asked_bytes_ - kSystemWorkspaceBytes : asked_bytes_;
  add(allocate(kSystemWorkspaceBytes, "system workspace", true));
  workspace_ = static_cast<const uint8_t*>(allocate(workspace_bytes_, "workspace"));
  device_.follow_reads(workspace_, false, false);
  add(workspace_);
  const auto data = tiled.at("data").get<std::vector<uint8_t>>();
  void* tiling = data.empty() ? nullptr : allocate(data.size(), "tiling");
  if (tiling != nullptr) std::memcpy(tiling, data.data(), data.size());
  add(tiling);
  const Built& built = kernel_->built;
  launch_.shared_objects = built.shared_objects;
  launch_.kernel = built.kernel;
  launch_.soc = std::string(package_.soc().name);
  launch_.grid = Grid{tiled.at("blocks").get<int64_t>(), built.cores.aic, built.cores.aiv};
  return true;
}

bool OperatorRun::asks_for_system() const { return asked_bytes_ >= kSystemWorkspaceBytes; }

// On a chip the kernel's own part lies behind the system's, which Matmul objects need.
std::optional<Fault> OperatorRun::short_workspace() const {
  if (asks_for_system()) return std::nullopt;
  const auto is_written = [](uint8_t byte) { return byte != kPoison; };
  const bool is_used = std::any_of(workspace_, workspace_ + workspace_bytes_, is_written);
  const std::string& on_aic = kernel_->built.shared_objects[size_t(CoreKind::kAic)];
  const bool is_mixed = launch_.grid.aic != 0 && launch_.grid.aiv != 0;
  const auto has_objects = [&] { return instructions_of(on_aic).contains("regist_matmul_obj"); };
  if (!is_used && !(is_mixed && has_objects())) return std::nullopt;
  Fault fault;
  fault.code = Code::kOperatorDoubt;
  fault.message = fmt::format(
      "the tiling function of {} asks for {} bytes of workspace, and the kernel {}: the first {} "
      "are "
      "the system's",
      definition_.type, asked_bytes_, is_used ? "writes its own part" : "has Matmul objects",
      kSystemWorkspaceBytes);
  fault.legal = fmt::format("GetLibApiWorkSpaceSize() + {}", asked_bytes_);
  const Fault::Place place = place_of(answer_.at("tiled"));
  fault.file = place.file;
  fault.line = place.line;
  return fault;
}

Outcome OperatorRun::run(const Watch& watch) {
  Outcome outcome = run_kernel(launch_, device_, values_, watch);
  if (const auto fault = short_workspace()) outcome.faults.push_back(*fault);
  return outcome;
}

void OperatorRun::take_shape(OperatorOutput& output, const std::vector<int64_t>& shape) const {
  int64_t most = 1, elements = 1;
  for (const int64_t size : output.shape) most *= size;
  bool fits = true;
  for (const int64_t size : shape) {
    fits = fits && size >= 0 && !__builtin_mul_overflow(elements, size, &elements);
  }
  if (!fits || elements > most) {
    throw Error(Error::Kind::kCompile,
                fmt::format("{}: the kernel says that {} is [{}], and there is memory for [{}], as "
                            "InferShape or the caller said",
                            definition_.type, output.name, fmt::join(shape, ", "),
                            fmt::join(output.shape, ", ")));
  }
  output.shape = shape;
}

std::vector<std::string> OperatorRun::overwritten(const OperatorCall& call) const {
  std::vector<std::string> names;
  if (kernel_ == nullptr) return names;
  for (size_t i = 0; i < chip_.inputs.size() && i < call.inputs.size(); ++i) {
    const std::string& name = chip_.inputs[i].name;
    const bool comes_out =
        std::ranges::find(chip_.outputs, name, &op::Parameter::name) != chip_.outputs.end();
    if (comes_out || !call.inputs[i]) continue;
    for (size_t k = 0; k < call.inputs[i]->size(); ++k) {
      const op::Tensor& tensor = call_.inputs[i]->at(k);
      const uint64_t bytes = bytes_of(tensor);
      if (bytes == 0 || std::memcmp(tensor.data, (*call.inputs[i])[k].data, bytes) == 0) continue;
      names.push_back(name);
      break;
    }
  }
  return names;
}

void OperatorRun::finish() {
  if (shapes_ == nullptr) return;
  constexpr uint64_t kWide = uint64_t{1} << 31;  // dimensions of 64 bits
  const auto* words = static_cast<const uint64_t*>(shapes_);
  size_t output = 0;
  for (size_t i = 0; i < chip_.outputs.size(); ++i) {
    const size_t count = call_.outputs[i] ? call_.outputs[i]->size() : 0;
    if (chip_.outputs[i].shape_from_kernel && count != 0) {
      const auto* narrow = reinterpret_cast<const uint32_t*>(words);
      // Without the mark, and with something in the upper half: words of 32 bits.
      const bool is_wide = (words[0] & kWide) != 0 || words[0] >> 32 == 0;
      const uint64_t rank = is_wide ? (words[0] & (kWide - 1)) : narrow[0];
      std::vector<int64_t> shape;
      for (uint64_t dim = 1; dim <= std::min<uint64_t>(rank, kShapeWords - 1); ++dim) {
        shape.push_back(int64_t(is_wide ? words[dim] : narrow[dim]));
      }
      take_shape(outputs_[output], shape);
      words += kShapeWords;
    }
    output += count;
  }
}

}  // namespace vinci::launch
