// Reading a kernel's text, and what was compiled of it, as far as they say which cores it is for.
#include "launch/cores.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <sstream>

#include <fmt/format.h>

#include "core/instruction.h"
#include "core/kernel_type.h"
#include "launch/command.h"
#include "launch/compile/dialect.h"
#include "launch/error.h"
#include "launch/compile/preprocess.h"
#include "launch/compile/source_text.h"
#include "launch/temporary_folder.h"

namespace vinci::launch {
namespace {

struct Choice {
  std::string_view name;
  int aic, aiv;
};
constexpr Choice kChoices[] = {{"whole", 0, 0}, {"aic", 1, 0},   {"aiv", 0, 1},  {"mix10", 1, 0},
                               {"mix01", 0, 1}, {"mix11", 1, 1}, {"mix12", 1, 2}};

// A text that has one of these tells the kinds apart.
constexpr std::string_view kWordsOfKinds[] = {
    "ASCEND_IS_AIC",     "ASCEND_IS_AIV",  "ASCEND_IS_NOT_AIC",    "ASCEND_IS_NOT_AIV",
    "g_coreType",        "EngineType",     "__DAV_C220_CUBE__",    "__DAV_C220_VEC__",
    "__DAV_CUBE__",      "__DAV_VEC__",    "CrossCoreSetFlag",     "CrossCoreWaitFlag",
    "GetSubBlockIdx",    "GetSubBlockNum", "get_subblockid",       "get_subblockdim",
    "GetTaskRatio",      "GetTaskRation",  "ffts_cross_core_sync", "wait_flag_dev",
    "REGIST_MATMUL_OBJ", "REGIST_CUBE_OBJ"};

// What the kernel itself says; nothing if it does not.
std::optional<Grid> declared_cores(const KernelText& kernel, const Soc& soc) {
  check_type(kernel);
  const auto cores = block_of_type(kernel.type);
  if (cores || kernel.type.empty()) return cores;
  std::string legal;
  for (const KernelType& type : kernel_types()) {
    legal += fmt::format("{}KERNEL_TYPE_{}", legal.empty() ? "" : ", ", type.name);
  }
  throw usage(fmt::format("KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_{}) on {}; legal: {}", kernel.type,
                          soc.name, legal));
}

// With one of these an AIC may be there for no more than to answer its AIVs.
constexpr std::string_view kWordsBetweenKinds[] = {"CrossCoreSetFlag",     "CrossCoreWaitFlag",
                                                   "ffts_cross_core_sync", "wait_flag_dev",
                                                   "CreateCubeResGroup",   "CubeResGroupHandle"};

bool has_one_of(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return has_word(text, word); });
}
bool is_between_kinds(std::string_view text) {
  return has_one_of(text, kWordsBetweenKinds) || text.find("SyncAll<false") != text.npos;
}

Grid cores_by_text(const std::string& source, const std::string& kernel, const Soc& soc,
                   const std::vector<std::string>& words, bool& guessed) {
  const std::string text = source_text(source, words);
  const std::string_view name = plain_name(kernel);
  for (const KernelText& declared : kernels_of_text(text)) {
    if (!name.empty() && declared.name != name) continue;
    if (const auto cores = declared_cores(declared, soc)) return *cores;
  }
  const bool is_for_both = is_between_kinds(text);
  guessed = !is_for_both && has_one_of(text, kWordsOfKinds);
  return is_for_both || guessed ? Grid{1, 1, 2} : Grid{};
}

bool is_for_matrices(std::string_view instruction) {
  if (folder_of(instruction) == "cube" || folder_of(instruction) == "operator") return true;
  // Moves that only a core with L1 and L0C can make. Not those to BT and FB: DataCopy between local
  // tensors refers to them wherever it copies, and who fills these tables multiplies, too.
  for (const std::string_view part : {"fixpipe", "l0c", "nd2nz"}) {
    if (instruction.find(part) != instruction.npos) return true;
  }
  return false;
}

}  // namespace

void check_type(const KernelText& kernel) {
  if (!kernel.type.starts_with("__mix__")) return;
  throw Error(Error::Kind::kCompile,
              fmt::format("{} is no kind of kernel; legal: __mix__(0, 1), __mix__(1, 0), "
                          "__mix__(1, 1), __mix__(1, 2)",
                          kernel.type));
}

std::string_view name_of(const Grid& grid) {
  for (const Choice& choice : kChoices) {
    if (choice.aic == grid.aic && choice.aiv == grid.aiv) return choice.name;
  }
  return "";
}

std::string core_choices() {
  std::string names = "auto";
  for (const Choice& choice : kChoices) names += ", " + std::string(choice.name);
  return names;
}

std::set<std::string> instructions_of(const std::string& object) {
  const TemporaryFolder folder;
  const std::string list = folder.file("symbols");
  const bool is_linked = object.ends_with(".so");
  run_command(
      {"nm", is_linked ? "--dynamic" : "--no-sort", "--undefined-only", "--demangle", object},
      {list, ""});
  std::stringstream lines(content_of(list).value_or(""));
  std::set<std::string> names;
  constexpr std::string_view kBegin = "vinci::isa::";
  for (std::string line; std::getline(lines, line);) {
    if (const size_t at = line.find(kBegin); at != line.npos) {
      names.insert(line.substr(at + kBegin.size()));
    }
  }
  return names;
}

std::string kernel_type_of(const std::set<std::string>& aic, const std::set<std::string>& aiv) {
  if (aic.contains("regist_matmul_obj") || aic.contains("cube_group")) return "MIX_AIC_1_2";
  if (std::ranges::none_of(aic, is_for_matrices)) return "AIV_ONLY";
  const bool vector = std::ranges::any_of(aiv, [](const std::string& name) {
    return folder_of(name) == "vector" || folder_of(name) == "library";
  });
  return vector ? "MIX_AIC_1_2" : "AIC_ONLY";
}

Cores cores_for(std::string_view choice, const std::string& source, const std::string& kernel,
                const Soc& soc, const std::vector<std::string>& words) {
  if (choice == "auto") {
    bool guessed = false;
    const Grid cores =
        soc.arch->split ? cores_by_text(source, kernel, soc, words, guessed) : Grid{};
    return {cores, guessed};
  }
  const auto* const found = std::ranges::find(kChoices, choice, &Choice::name);
  if (found == std::end(kChoices)) {
    throw usage(fmt::format("cores {}; legal: {}", choice, core_choices()));
  }
  const Grid cores{1, found->aic, found->aiv};
  if (cores.is_whole() || soc.arch->split) return {cores, false};
  throw usage(
      fmt::format("cores {}: {} has no AICs and AIVs apart; legal: auto, whole", choice, soc.name));
}

}  // namespace vinci::launch
