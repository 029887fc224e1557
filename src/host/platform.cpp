// The chips' table, as host code asks for it. Decisions: docs/spec/platform.md.
#include "vinci/platform.h"

#include <deque>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "host/program.h"
#include "soc/soc.h"

namespace vinci {
namespace {

constexpr uint64_t kMiB = 1024 * 1024;

Platform make(const Soc& soc) {
  const auto bytes = [&](Space space) { return uint64_t(soc.size_of(space)); };
  const bool split = soc.arch->split;
  const bool has_vector_cores = (soc.arch->bit & (kArch2002 | kArch2002Vector)) != 0;
  return {.soc = soc.name.data(),
          .npu_arch = soc.arch->npu_arch,
          .ai_cores = uint32_t(soc.aic_cores),
          .aivs = split ? uint32_t(soc.aiv_cores) : 0,
          .vector_cores = has_vector_cores ? uint32_t(soc.aiv_cores) : 0,
          .l0a_bytes = bytes(Space::kL0A),
          .l0b_bytes = bytes(Space::kL0B),
          .l0c_bytes = bytes(Space::kL0C),
          .l1_bytes = bytes(Space::kL1),
          .l2_bytes = (split ? 192 : 32) * kMiB,
          .ub_bytes = bytes(Space::kUb),
          .gm_bytes = 32 * 1024 * kMiB,
          .fb_bytes = bytes(Space::kFb),
          .bt_bytes = bytes(Space::kBt),
          .l2_bytes_per_cycle = 110,
          .gm_bytes_per_cycle = 32};
}

// The family of a chip's name: "Ascend910B".
std::string short_name(const std::string& soc) {
  std::string_view family;
  for (const Family& one : soc_families()) {
    if (soc.starts_with(one.name) && one.name.size() > family.size()) family = one.name;
  }
  return family.empty() ? soc : std::string(family);
}

// The conversions on ways between memories, where a tiling function asks whether there is a way.
std::string conversions(const Platform& chip, const std::string& name) {
  const Soc& soc = *find_soc(chip.soc);
  const auto over = [&](Space from, Space to, const char* types) {
    return soc.route(from, to) == Pipe::kNone ? "" : types;
  };
  if (name == "AICoreintrinsicDtypeMap/Intrinsic_fix_pipe_l0c2out") {
    return over(Space::kL0C, Space::kGm, "f322f32,f322f16,f322bf16,f322s8,s322s32,s322f16,s322s8");
  }
  if (name == "AICoreintrinsicDtypeMap/Intrinsic_data_move_l12bt") {
    return over(Space::kL1, Space::kBt, "f162f32,f322f32,s322s32");
  }
  return "";
}

// "version/NpuArch" and so on: text that stays.
std::string resource(const Platform& chip, const std::string& name) {
  const bool split = chip.aivs != 0;
  if (name == "version/Short_SoC_version") return short_name(chip.soc);
  if (name == "version/SoC_version") return chip.soc;
  if (name == "version/NpuArch") return std::to_string(chip.npu_arch);
  if (name == "SoCInfo/core_type_list") return split ? "CubeCore,VectorCore" : "AICore";
  if (name == "SoCInfo/ai_core_cnt" || name == "SoCInfo/cube_core_cnt") {
    return std::to_string(chip.ai_cores);
  }
  if (name == "SoCInfo/vector_core_cnt") {
    return std::to_string(split ? chip.aivs : chip.vector_cores);
  }
  if (name == "SoCInfo/l2_size") return std::to_string(chip.l2_bytes);
  if (name == "SoCInfo/memory_size") return std::to_string(chip.gm_bytes);
  if (name == "AICoreSpec/ub_size") return std::to_string(chip.ub_bytes);
  if (name == "AICoreSpec/l0_a_size") return std::to_string(chip.l0a_bytes);
  if (name == "AICoreSpec/l0_b_size") return std::to_string(chip.l0b_bytes);
  if (name == "AICoreSpec/l0_c_size") return std::to_string(chip.l0c_bytes);
  if (name == "AICoreSpec/l1_size") return std::to_string(chip.l1_bytes);
  if (name == "AICoreSpec/fb0_size") return std::to_string(chip.fb_bytes);
  if (name == "AICoreSpec/bt_size") return std::to_string(chip.bt_bytes);
  if (name == "AICoreSpec/vector_reg_width") return "0";
  if (name == "SoCInfo/cube_vector_combine") return split ? "split" : "fuse";
  if (name == "AICoreMemoryRates/ddr_rate") return std::to_string(chip.gm_bytes_per_cycle);
  if (name == "AICoreMemoryRates/l2_rate") return std::to_string(chip.l2_bytes_per_cycle);
  return conversions(chip, name);
}

}  // namespace

uint64_t platform_bytes(const Platform& chip, int memory) {
  const uint64_t sizes[] = {chip.l0a_bytes, chip.l0b_bytes, chip.l0c_bytes,
                            chip.l1_bytes,  chip.l2_bytes,  chip.ub_bytes,
                            chip.gm_bytes,  chip.fb_bytes,  chip.bt_bytes};
  return memory >= 0 && memory < int(std::size(sizes)) ? sizes[memory] : 0;
}

const char* platform_resource(const Platform* chip, const char* label, const char* key) {
  if (chip == nullptr) return nullptr;
  const std::string text = resource(*chip, std::string(label) + "/" + key);
  if (text.empty()) return nullptr;
  static std::mutex mutex;
  static std::set<std::string> known;  // addresses stay
  const std::lock_guard lock(mutex);
  return known.insert(text).first->c_str();
}

const Platform* platform(const char* soc) {
  const bool own = soc == nullptr || *soc == '\0';
  const std::string name = own ? host::program_soc() : soc;
  const Soc* found = own ? find_soc(name) : find_toolkit_soc(name);
  if (found == nullptr) return nullptr;
  static std::mutex mutex;
  static std::deque<Platform> made;  // addresses stay
  const std::lock_guard lock(mutex);
  for (const Platform& platform : made) {
    if (platform.soc == found->name.data()) return &platform;
  }
  return &made.emplace_back(make(*found));
}

}  // namespace vinci
