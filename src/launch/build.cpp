// Compiling once for each kind of core.
#include "launch/build.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/kernel_type.h"
#include "launch/cores.h"
#include "launch/error.h"
#include "launch/options.h"
#include "launch/compile/source_text.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

bool has(const Grid& grid, CoreKind kind) {
  switch (kind) {
    case CoreKind::kAic: return grid.aic > 0;
    case CoreKind::kAiv: return grid.aiv > 0;
    default: return grid.is_whole();
  }
}

void check_source(const std::string& source) {
  std::error_code error;
  const fs::file_status status = fs::status(source, error);
  if (!fs::exists(status)) throw usage(fmt::format("{} does not exist", source));
  if (fs::is_directory(status)) throw usage(fmt::format("{} is a folder", source));
  // It is read more than once.
  if (!fs::is_regular_file(status)) {
    throw usage(fmt::format("{} is no file, but a pipe or a device", source));
  }
}

// The templates among a file's kernels, as "outer::add<typename T, int N>".
std::vector<std::string> templates_of(const std::string& source, const CompileOptions& options) {
  std::vector<std::string> forms;
  for (const KernelText& kernel : kernels_of_text(source_text(source, options.words))) {
    if (!kernel.is_defined || kernel.template_parameters.empty()) continue;
    forms.push_back(kernel.scope + kernel.name + "<" + kernel.template_parameters + ">");
  }
  return forms;
}

// "add<float, 8>" with the namespaces of the template, which the user may leave out.
std::string instance_of(const std::string& name, const std::string& source,
                        const CompileOptions& options) {
  const std::string text = source_text(source, options.words);
  if (!has_word(text, plain_name(name))) {
    const auto forms = templates_of(source, options);
    throw usage(fmt::format("{} has no kernel {}; its templates are: {}", source, name,
                            forms.empty() ? "none" : fmt::format("{}", fmt::join(forms, ", "))));
  }
  std::string found;
  for (const KernelText& kernel : kernels_of_text(text)) {
    const std::string full = kernel.scope + kernel.name;
    const std::string of = name.substr(0, name.find('<'));
    if (!kernel.is_template || (full != of && !full.ends_with("::" + of))) continue;
    if (!found.empty() && found != full) return name;
    found = full;
  }
  return found.empty() ? name : found + name.substr(name.find('<'));
}

// Leaves out the kind of cores that has nothing to do.
void narrow(Built& built) {
  auto& objects = built.shared_objects;
  const auto type = kernel_type_of(instructions_of(objects[size_t(CoreKind::kAic)]),
                                   instructions_of(objects[size_t(CoreKind::kAiv)]));
  built.cores = block_of_type(type).value_or(built.cores);
  for (const CoreKind kind : {CoreKind::kAic, CoreKind::kAiv}) {
    if (!has(built.cores, kind)) objects[size_t(kind)].clear();
  }
}

}  // namespace

Built build_kernel(const std::string& source, const Soc& soc, const std::string& cores,
                   const std::string& name, const std::string& how, CompileOptions options) {
  check_source(source);
  Built built;
  built.auto_sync = take_auto_sync(options.words);
  const Cores chosen = cores_for(cores, source, name, soc, options.words);
  built.cores = chosen.of_block;
  if (name.ends_with('>')) {
    options.instance = instance_of(name, source, options);
  }
  std::vector<Kernel> kernels;
  for (const CoreKind kind : {CoreKind::kWhole, CoreKind::kAic, CoreKind::kAiv}) {
    if (!has(built.cores, kind)) continue;
    options.kind = kind;
    std::string& object = built.shared_objects[size_t(kind)];
    const Compiled compiled = compile_kernel(source, soc, own_installation(), options);
    object = compiled.shared_object;
    built.folders.push_back(compiled.folder);
    // A kernel may be there for one kind only.
    for (const Kernel& kernel : kernels_in(object)) {
      const auto known = std::ranges::find(kernels, kernel.symbol, &Kernel::symbol);
      if (known == kernels.end()) kernels.push_back(kernel);
    }
  }
  if (chosen.guessed) narrow(built);
  const auto instance = std::ranges::find_if(kernels, &Kernel::is_instance);
  if (instance != kernels.end()) {
    built.kernel = *instance;
    built.kernel.name = options.instance;
    return built;
  }
  built.kernel =
      choose_kernel(kernels, name, source, how, [&] { return templates_of(source, options); });
  return built;
}

}  // namespace vinci::launch
