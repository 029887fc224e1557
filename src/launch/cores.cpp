// Reading a kernel's text as far as it says which cores it is for. What macros or templates make of
// it is not seen, and then --cores says it.
#include "launch/cores.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "core/kernel_type.h"
#include "launch/dialect.h"
#include "launch/error.h"
#include "launch/source_text.h"

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
    "ASCEND_IS_AIC",  "ASCEND_IS_AIV",   "ASCEND_IS_NOT_AIC", "ASCEND_IS_NOT_AIV",
    "g_coreType",     "EngineType",      "__DAV_C220_CUBE__", "__DAV_C220_VEC__",
    "__DAV_CUBE__",   "__DAV_VEC__",     "GetSubBlockIdx",    "GetSubBlockNum",
    "get_subblockid", "get_subblockdim", "GetTaskRatio",      "GetTaskRation"};
// One that has one of these has work for both kinds, or for AICs.
constexpr std::string_view kWordsOfBoth[] = {"CrossCoreSetFlag",     "CrossCoreWaitFlag",
                                             "ffts_cross_core_sync", "wait_flag_dev",
                                             "REGIST_MATMUL_OBJ",    "REGIST_CUBE_OBJ"};
constexpr std::string_view kWordsOfCubes[] = {"Mmad",
                                              "MmadWithSparse",
                                              "mad",
                                              "LoadData",
                                              "LoadDataWithTranspose",
                                              "LoadDataWithSparse",
                                              "Fixpipe",
                                              "Matmul",
                                              "MatmulImpl",
                                              "BatchMatmul",
                                              "Gemm",
                                              "Conv2D",
                                              "A1",
                                              "B1",
                                              "A2",
                                              "B2",
                                              "C1",
                                              "CO1",
                                              "copy_gm_to_cbuf",
                                              "load_cbuf_to_ca",
                                              "load_cbuf_to_cb",
                                              "set_fmatrix",
                                              "BlockMmad",
                                              "__cbuf__"};

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

bool has_one_of(std::string_view text, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return has_word(text, word); });
}

// As the toolkit does it: by what a kernel calls. One that asks which kind it runs on, and calls
// nothing of AICs (`if (g_coreType == AIC) return;`), is for AIVs.
Grid inferred_cores(std::string_view text) {
  const bool is_for_both =
      has_one_of(text, kWordsOfBoth) || text.find("SyncAll<false") != std::string_view::npos;
  if (is_for_both) return Grid{1, 1, 2};
  if (!has_one_of(text, kWordsOfKinds)) return Grid{};
  return has_one_of(text, kWordsOfCubes) ? Grid{1, 1, 2} : Grid{1, 0, 1};
}

Grid cores_by_text(const std::string& source, const std::string& kernel, const Soc& soc,
                   const std::vector<std::string>& words) {
  const std::string text = source_text(source, words);
  const std::string_view name = plain_name(kernel);
  for (const KernelText& declared : kernels_of_text(text)) {
    if (!name.empty() && declared.name != name) continue;
    if (const auto cores = declared_cores(declared, soc)) return *cores;
  }
  return inferred_cores(text);
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

Grid cores_for(std::string_view choice, const std::string& source, const std::string& kernel,
               const Soc& soc, const std::vector<std::string>& words) {
  if (choice == "auto") {
    return soc.arch->split ? cores_by_text(source, kernel, soc, words) : Grid{};
  }
  const auto* const found = std::ranges::find(kChoices, choice, &Choice::name);
  if (found == std::end(kChoices)) {
    throw usage(fmt::format("cores {}; legal: {}", choice, core_choices()));
  }
  const Grid cores{1, found->aic, found->aiv};
  if (cores.is_whole() || soc.arch->split) return cores;
  throw usage(
      fmt::format("cores {}: {} has no AICs and AIVs apart; legal: auto, whole", choice, soc.name));
}

}  // namespace vinci::launch
