// The chip as tiling functions are given it. PlatformAscendC has it with names and numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "vinci/platform.h"

namespace fe {

enum class LocalMemType { L0_A = 0, L0_B, L0_C, L1, L2, UB, HBM, RESERVED };

class PlatFormInfos {
 public:
  PlatFormInfos() = default;
  explicit PlatFormInfos(const vinci::Platform* chip) : chip_(chip) {}

  bool GetPlatformRes(const std::string& label, const std::string& key, std::string& value) const {
    const char* known = vinci::platform_resource(chip_, label.c_str(), key.c_str());
    if (known == nullptr) return false;
    value = known;
    return true;
  }
  bool GetPlatformResWithLock(const std::string& label, const std::string& key,
                              std::string& value) const {
    return GetPlatformRes(label, key, value);
  }
  // All that a label has.
  bool GetPlatformRes(const std::string& label, std::map<std::string, std::string>& res) const {
    res.clear();
    const char* key = nullptr;
    while ((key = vinci::platform_resource_key(chip_, label.c_str(), res.size())) != nullptr) {
      res[key] = vinci::platform_resource(chip_, label.c_str(), key);
    }
    return !res.empty();
  }
  bool GetPlatformResWithLock(const std::string& label,
                              std::map<std::string, std::string>& res) const {
    return GetPlatformRes(label, res);
  }
  void GetLocalMemSize(const LocalMemType& type, uint64_t& size) const {
    size = chip_ == nullptr ? 0 : vinci::platform_bytes(*chip_, static_cast<int>(type));
  }
  uint32_t GetCoreNum() const { return chip_ == nullptr ? 0 : chip_->ai_cores; }
  uint32_t GetCoreNumByType(const std::string& type) const {
    if (chip_ == nullptr) return 0;
    const bool vectors = type == "VectorCore" || type == "aiv";
    return vectors && chip_->aivs != 0 ? chip_->aivs : chip_->ai_cores;
  }

  // vinci's own: nullptr if there is none.
  const vinci::Platform* chip() const { return chip_; }

 private:
  const vinci::Platform* chip_ = nullptr;
};

// Programs have the chip of a device from it. Every device is of the program's own chip.
class PlatformInfoManager {
 public:
  static PlatformInfoManager& Instance() {
    static PlatformInfoManager manager;
    return manager;
  }
  static PlatformInfoManager& GeInstance() { return Instance(); }

  uint32_t InitializePlatformInfo() { return 0; }
  uint32_t GetPlatformInstanceByDevice(const uint32_t&, PlatFormInfos& infos) {
    infos = PlatFormInfos(vinci::platform(nullptr));
    return infos.chip() == nullptr;
  }
  uint32_t GetRuntimePlatformInfosByDevice(const uint32_t& device, PlatFormInfos& infos,
                                           bool need_deep_copy = false) {
    (void)need_deep_copy;
    return GetPlatformInstanceByDevice(device, infos);
  }
};

}  // namespace fe
