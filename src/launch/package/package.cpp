#include "launch/package/package.h"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/compile/cache.h"
#include "launch/error.h"
#include "launch/package/host_library.h"
#include "launch/installation.h"
#include "launch/compile/preprocess.h"
#include "launch/temporary_folder.h"
#include "op/error.h"
#include "op/kernel_request.h"
#include "op/struct_layout.h"
#include "report/nearest.h"
#include "soc/soc.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr uint64_t kAnswerBytes = 16 << 20;

bool is_below(const std::string& folder, const std::string& path) {
  return path == folder || path.starts_with(folder + "/");
}

// Where a source looks for headers: in its own project first, as others may have headers of the
// same names.
std::vector<std::string> folders_for(const std::string& source, const PackageFiles& files) {
  const std::string project = project_of(source);
  std::vector<std::string> folders = files.folders;
  std::stable_partition(folders.begin(), folders.end(),
                        [&](const std::string& folder) { return is_below(project, folder); });
  return folders;
}

CompileOptions with_folders(CompileOptions options, const std::vector<std::string>& folders) {
  std::vector<std::string> words;
  for (const std::string& folder : folders) words.push_back("-I" + folder);
  words.insert(words.end(), options.words.begin(), options.words.end());
  options.words = words;
  return options;
}

// GM that goes when it is no longer needed.
class Buffer {
 public:
  Buffer(Device& device, uint64_t bytes, const char* name)
      : device_(device), data_(static_cast<char*>(device.allocate(bytes, name, true))) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { device_.release(data_); }
  char* data() const { return data_; }

 private:
  Device& device_;
  char* data_;
};

// Host code has no blocks and no core.
void of_host_code(Fault& fault) {
  fault.block = -1;
  fault.core = "";
  if (fault.code == Code::kSystemCall) fault.legal = "what computes shapes and tiling";
}

// A source that is there for as long as the cache is: its path is part of what is compiled.
std::string kept_source(const std::string& name, const std::string& text) {
  const fs::path cache = cache_directory();
  const fs::path entry = cache / fmt::format("op-{:016x}", hash_of(text));
  const fs::path file = entry / (name + ".cpp");
  if (content_of(file.string()) == text) return file.string();
  const TemporaryFolder work(cache, "the cache", "VINCI_CACHE");
  write_file(work.path() / file.filename(), text);
  publish(work.path(), entry);
  return file.string();
}

std::string about_tiling(const op::KernelRequest& request, const op::KernelSource& source) {
  if (!op::lacks_tiling_struct(request, source)) return "";
  return fmt::format(
      "\n  GET_TILING_DATA: no struct is registered; legal: REGISTER_TILING_DATA_CLASS({}, Class) "
      "in the host code, REGISTER_TILING_DEFAULT(Struct) before it in the kernel, or "
      "GET_TILING_DATA_WITH_STRUCT(Struct, ...)",
      request.type);
}

// Names of parameters that a kernel says and its operator does not have.
std::string about_macros(const op::KernelRequest& request, const op::KernelSource& source) {
  const auto names = op::dtype_names(request);
  for (const std::string& word : source.words_from("DTYPE_")) {
    if (std::ranges::find(names, word) != names.end()) continue;
    return fmt::format("\n  {}: {} has no such input or output; legal: {}", word, request.type,
                       fmt::join(names, ", "));
  }
  return "";
}

}  // namespace

Package::Package(const std::vector<std::string>& paths, const Soc& soc, CompileOptions options,
                 const std::string& type)
    : files_(find_package(paths, std::string(soc.name))), soc_(soc), options_(std::move(options)) {
  const std::vector<HostPart> all = host_parts(files_.host);
  const bool is_known =
      std::ranges::any_of(all, [&](const HostPart& part) { return part.defines.contains(type); });
  for (size_t i = 0; i < all.size(); ++i) {
    if (is_known && !all[i].defines.contains(type)) continue;
    const Part& part = parts_.emplace_back(load(all, i));
    for (const json& definition : part.registry.at("definitions")) {
      const std::string name = definition.at("type");
      try {
        operators_.insert_or_assign(name, op::definition_of(definition));
      } catch (const op::Error& error) {
        throw Error(Error::Kind::kCompile, error.what());
      }
      part_of_[name] = parts_.size() - 1;
    }
  }
}

Package::Part Package::load(const std::vector<HostPart>& all, size_t which) {
  // What it does not define itself, what projects share may, which comes last; or another project.
  std::vector<std::vector<std::string>> others;
  for (size_t i = all.size(); i-- > 0;) {
    if (i != which) others.push_back(all[i].sources);
  }
  Part part;
  const CompileOptions options =
      with_folders(options_, folders_for(all[which].sources.front(), files_));
  part.library = host_library(all[which].sources, others, options.words, options);
  const std::string known = fs::path(part.library).parent_path() / "registry.json";
  part.registry = json::parse(content_of(known).value_or(""), nullptr, false);
  if (!part.registry.is_discarded()) return part;
  Device device(soc_.name, {});
  Launch how;
  how.sandbox = options_.confined_seconds != 0 ? Sandbox::kOn : Sandbox::kOff;
  how.silent = how.sandbox != Sandbox::kOff;
  how.timeout_seconds = options_.confined_seconds;  // as the compiler
  const Answer answer = ask_library(part.library, {{"want", "registry"}},
                                    "the package's definitions", device, how, {});
  if (answer.json.is_null()) {
    const auto& faults = answer.outcome.faults;
    throw Error(Error::Kind::kCompile,
                fmt::format("the host code of {} went wrong while it was loaded: {}: {}",
                            files_.name, faults.empty() ? "" : to_string(faults[0].code),
                            faults.empty() ? "" : faults[0].message));
  }
  part.registry = answer.json;
  write_file(known, part.registry.dump());
  return part;
}

const json& Package::tiling_classes(const op::Definition& definition) const {
  return parts_[part_of_.at(definition.type)].registry.at("tiling_classes");
}

const op::Definition& Package::find(const std::string& type) const {
  std::vector<std::string_view> names;
  for (const auto& [name, definition] : operators_) names.push_back(name);
  if (type.empty() && operators_.size() == 1) return operators_.begin()->second;
  const auto found = operators_.find(type);
  if (found != operators_.end()) return found->second;
  if (operators_.empty()) {
    throw usage(fmt::format("{} has no operator: no OP_ADD is run when its host code is loaded",
                            files_.name));
  }
  if (type.empty()) {
    throw usage(
        fmt::format("--op: {} has several operators: {}", files_.name, fmt::join(names, ", ")));
  }
  throw usage(fmt::format("{} has no operator {}{}; there are: {}", files_.name, type,
                          did_you_mean(type, names), fmt::join(names, ", ")));
}

Answer Package::ask(const op::Definition& definition, const json& question, const std::string& what,
                    Device& device, const Launch& how, const Watch& watch) const {
  return ask_library(parts_[part_of_.at(definition.type)].library, question, what, device, how,
                     watch);
}

Answer Package::ask_library(const std::string& library, const json& question,
                            const std::string& what, Device& device, const Launch& how,
                            const Watch& watch) const {
  const std::string text = question.dump();
  const Buffer asked(device, text.size() + 1, "the call"), answered(device, kAnswerBytes, "answer");
  Device host(soc_.name, Checks::kBasic, device);  // what kernels are looked at with takes time
  std::memcpy(asked.data(), text.c_str(), text.size() + 1);
  Launch launch = how;
  launch.shared_objects = {};
  launch.shared_objects[size_t(CoreKind::kWhole)] = library;
  launch.kernel = {};
  launch.kernel.symbol = "vinci_op_answer";
  launch.kernel.name = what;
  launch.kernel.has_debug_info = true;
  launch.kernel.parameters.resize(3);
  launch.loads_lazily = true;
  launch.soc = std::string(soc_.name);
  launch.grid = Grid{1};
  Answer answer;
  answer.outcome = run_kernel(launch, host,
                              {address_value(asked.data()), address_value(answered.data()),
                               number_value(launch.kernel.parameters[2], kAnswerBytes)},
                              watch);
  if (!answer.outcome.load_error.empty()) {
    throw Error(Error::Kind::kCompile, fmt::format("the host code of {} cannot be loaded: {}",
                                                   files_.name, answer.outcome.load_error));
  }
  for (Fault& fault : answer.outcome.faults) of_host_code(fault);
  const std::string_view said(answered.data(), strnlen(answered.data(), kAnswerBytes));
  answer.json = json::parse(said, nullptr, false);
  if (answer.json.is_discarded()) answer.json = nullptr;
  return answer;
}

json Package::kept_answer(const std::string& question) {
  const std::lock_guard lock(mutex_);
  const auto found = answers_.find(question);
  return found == answers_.end() ? json() : found->second;
}

void Package::keep_answer(const std::string& question, const json& answer) {
  constexpr size_t kMostAnswers = 4096;
  const std::lock_guard lock(mutex_);
  if (answers_.size() >= kMostAnswers) answers_.clear();
  answers_[question] = answer;
}

op::KernelRequest Package::request_of(const op::Definition& definition, const json& answer,
                                      const std::string& file) const {
  const op::Chip& chip = definition.on(std::string(soc_.name));
  const json& row = answer.at("row");
  op::KernelRequest request;
  request.type = definition.type;
  for (size_t i = 0; i < chip.inputs.size(); ++i) {
    request.parameters.push_back({chip.inputs[i].name, row.at("input_dtypes").at(i),
                                  row.at("input_formats").at(i), false, false});
  }
  for (size_t i = 0; i < chip.outputs.size(); ++i) {
    const op::Parameter& output = chip.outputs[i];
    request.parameters.push_back({output.name, row.at("output_dtypes").at(i),
                                  row.at("output_formats").at(i), true,
                                  chip.input(output.name) != nullptr});
    request.has_shape_buffer = request.has_shape_buffer || output.shape_from_kernel;
  }
  request.key = answer.at("tiled").at("key");
  request.tiling_classes = tiling_classes(definition);
  if (const auto key = answer.find("template"); key != answer.end()) {
    if (!key->at("selected").get<bool>()) {
      throw Error(Error::Kind::kCompile,
                  fmt::format("{}: no ASCENDC_TPL_ARGS_SEL has the arguments that the tiling "
                              "function chose: {}",
                              definition.type, key->at("names").get<std::string>()));
    }
    request.template_arguments = key->at("arguments");
    request.tiling_struct = key->at("tiling_struct");
    request.kernel_type = key->at("kernel_type");
  }
  request.function = op::kernel_function_name(definition, chip);
  request.file = file;
  return request;
}

json Package::host_struct(const op::Definition& definition, const json& answer,
                          const op::KernelSource& source) const {
  const json& tiled = answer.at("tiled");
  return op::host_struct(parts_[part_of_.at(definition.type)].library,
                         {tiled.value("data_type", ""), tiled.at("key"), tiled.at("data").size()},
                         source);
}

op::KernelFile Package::kernel_file(const op::Definition& definition) const {
  const op::Chip& chip = definition.on(std::string(soc_.name));
  const std::string base = op::kernel_file_name(definition, chip);
  const std::string function = op::kernel_function_name(definition, chip);
  // Not beside the definition: what its file is called, code says that nobody need trust.
  op::KernelFile file =
      files_.said.find({definition.type, std::string(soc_.name), base, function, ""});
  if (!file.path.empty()) return file;
  throw Error(
      Error::Kind::kCompile,
      fmt::format(
          "{} has no kernel for {}: no {}.cpp, and no other source with a "
          "__global__ function {}; its kernels are in: {}",
          files_.name, definition.type, base, function,
          files_.kernels.empty() ? "none" : fmt::format("{}", fmt::join(files_.kernels, ", "))));
}

const Package::Kernel& Package::kernel(const op::Definition& definition, const json& answer) {
  const json& tiled = answer.at("tiled");
  const std::string key =
      fmt::format("{} {} {} {} {}", definition.type, answer.at("row").dump(),
                  tiled.at("key").dump(), tiled.value("data_type", ""),
                  answer.contains("template") ? answer.at("template").dump() : "");
  const std::lock_guard lock(mutex_);
  auto& known = kernels_[key];
  if (known == nullptr) {
    const op::KernelFile file = kernel_file(definition);
    op::KernelRequest request = request_of(definition, answer, file.path);
    request.host_struct = host_struct(definition, answer,
                                      op::KernelSource(file.path, folders_for(file.path, files_)));
    known = std::make_unique<Kernel>(build(request, file.options));
  }
  return *known;
}

json Package::tiling_fields(const Kernel& kernel) const {
  const op::KernelRequest& request = kernel.request;
  const std::string name = request.tiling_struct.empty()
                               ? op::KernelSource(request.file, folders_for(request.file, files_))
                                     .read_struct(request.key)
                               : request.tiling_struct;
  for (const std::string& library : kernel.built.shared_objects) {
    if (name.empty() || library.empty()) continue;
    const json fields = op::fields_of_struct(library, name);
    if (!fields.is_null()) return fields;
  }
  return nullptr;
}

Package::Kernel Package::build(const op::KernelRequest& request,
                               const std::vector<std::string>& words) const {
  const std::vector<std::string> folders = folders_for(request.file, files_);
  const op::KernelSource source(request.file, folders);
  if (const std::string wrong = op::mismatch_of(request, source); !wrong.empty()) {
    throw Error(Error::Kind::kCompile, wrong);
  }
  CompileOptions options = with_folders(options_, folders);
  options.words.insert(options.words.begin(), words.begin(), words.end());
  Kernel kernel;
  kernel.request = request;
  kernel.source = kept_source(request.function, op::kernel_text(request, source));
  try {
    kernel.built = build_kernel(kernel.source, soc_, "auto", op::entry_name(request), "", options);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::kCompile) throw;
    throw Error(
        error.kind(),
        fmt::format("{} of {}, tiling key {}: {}{}{}", request.file, request.type, request.key,
                    error.what(), about_tiling(request, source), about_macros(request, source)));
  }
  kernel.built.kernel.name = request.function;
  return kernel;
}

}  // namespace vinci::launch
