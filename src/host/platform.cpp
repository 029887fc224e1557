// The chips' table, as host code asks for it. Decisions: docs/spec/platform.md.
#include "vinci/platform.h"

#include <deque>
#include <iterator>
#include <map>
#include <mutex>
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

using Resources = std::map<std::string, std::string>;  // "version/NpuArch" and so on

// The conversions of the matrix unit and on ways between memories; nothing where there is no way.
void add_conversions(const Soc& soc, Resources& known) {
  const std::string label = "AICoreintrinsicDtypeMap/Intrinsic_";
  const auto goes = [&](Space from, Space to) { return soc.route(from, to) != Pipe::kNone; };
  if (!soc.arch->mmad_types.empty()) known[label + "mmad"] = soc.arch->mmad_types;
  if (goes(Space::kL0C, Space::kGm)) {
    known[label + "fix_pipe_l0c2out"] = "f322f32,f322f16,f322bf16,f322s8,s322s32,s322f16,s322s8";
  }
  if (goes(Space::kL1, Space::kBt)) known[label + "data_move_l12bt"] = "f162f32,f322f32,s322s32";
  if ((soc.arch->bit & (kArch2201 | kArch3002)) != 0) {
    known[label + "data_move_out2l1_nd2nz"] = "b8,b16,b32";
  }
}

// All that is known of a chip.
Resources resources(const Platform& chip) {
  const Soc& soc = *find_soc(chip.soc);
  const bool split = chip.aivs != 0;
  const auto text = [](auto number) { return std::to_string(number); };
  Resources known{
      {"version/Short_SoC_version", short_name(chip.soc)},
      {"version/SoC_version", chip.soc},
      {"version/NpuArch", text(chip.npu_arch)},
      {"SoCInfo/core_type_list", split ? "CubeCore,VectorCore" : "AICore"},
      {"SoCInfo/ai_core_cnt", text(chip.ai_cores)},
      {"SoCInfo/cube_core_cnt", text(chip.ai_cores)},
      {"SoCInfo/vector_core_cnt", text(split ? chip.aivs : chip.vector_cores)},
      {"SoCInfo/l2_size", text(chip.l2_bytes)},
      {"SoCInfo/memory_size", text(chip.gm_bytes)},
      {"SoCInfo/cube_vector_combine", split ? "split" : "fuse"},
      {"AICoreSpec/ub_size", text(chip.ub_bytes)},
      {"AICoreSpec/l0_a_size", text(chip.l0a_bytes)},
      {"AICoreSpec/l0_b_size", text(chip.l0b_bytes)},
      {"AICoreSpec/l0_c_size", text(chip.l0c_bytes)},
      {"AICoreSpec/l1_size", text(chip.l1_bytes)},
      {"AICoreSpec/fb0_size", text(chip.fb_bytes)},
      {"AICoreSpec/bt_size", text(chip.bt_bytes)},
      {"AICoreSpec/vector_reg_width", "0"},
      {"AICoreSpec/cube_freq", text(soc.cube_mhz)},
      {"AICoreMemoryRates/ddr_rate", text(chip.gm_bytes_per_cycle)},
      {"AICoreMemoryRates/l2_rate", text(chip.l2_bytes_per_cycle)},
  };
  add_conversions(soc, known);
  return known;
}

// The same, at addresses that stay.
const Resources& resources_that_stay(const Platform& chip) {
  static std::mutex mutex;
  static std::map<std::string, Resources> of_chip;
  const std::lock_guard lock(mutex);
  const auto [it, is_new] = of_chip.try_emplace(chip.soc);
  if (is_new) it->second = resources(chip);
  return it->second;
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
  const Resources& known = resources_that_stay(*chip);
  const auto found = known.find(std::string(label) + "/" + key);
  return found == known.end() ? nullptr : found->second.c_str();
}

const char* platform_resource_key(const Platform* chip, const char* label, size_t number) {
  if (chip == nullptr) return nullptr;
  const std::string start = std::string(label) + "/";
  const Resources& known = resources_that_stay(*chip);
  for (auto it = known.lower_bound(start); it != known.end(); ++it) {
    if (!it->first.starts_with(start)) break;
    if (number-- == 0) return it->first.c_str() + start.size();
  }
  return nullptr;
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
