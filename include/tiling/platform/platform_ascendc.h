// What host code asks about the chip: cores, sizes of memories, workspace.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "platform/platform_infos_def.h"
#include "platform/soc_spec.h"
#include "vinci/platform.h"
#include "vinci/workspace.h"

namespace platform_ascendc {

enum class CoreMemType { L0_A = 0, L0_B, L0_C, L1, L2, UB, HBM, FB, BT, RESERVED };
enum class ReservedSize { RESERVED_SIZE_8K, RESERVED_SIZE_16K, RESERVED_SIZE_32K };
enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,
  ASCEND310P,
  ASCEND310B,
  ASCEND950,
  ASCEND910_95 = ASCEND950,
  ASCEND910_55,
  AS31XM1,
  ASCEND031,
  ASCEND035,
  ASCEND310,
  ASCEND610,
  ASCEND610Lite,
  ASCEND910_93,
  BS9SX1A,
  BS9SX2A,
  RESERVED_VERSION = 99999
};

class PlatformAscendC {
 public:
  PlatformAscendC() = delete;
  // The infos' chip; the program's, if they have none.
  explicit PlatformAscendC(fe::PlatFormInfos* infos) : PlatformAscendC(chip_of(infos)) {}
  explicit PlatformAscendC(const vinci::Platform* chip) : chip_(chip) {
    if (chip_ != nullptr) return;
    std::fprintf(stderr, "vinci: PlatformAscendC: there is no such chip (see vinci list)\n");
    std::exit(2);
  }

  uint32_t GetCoreNum() const { return split() ? chip_->aivs : chip_->ai_cores; }
  uint32_t GetCoreNumAic() const { return chip_->ai_cores; }
  uint32_t GetCoreNumAiv() const { return GetCoreNum(); }
  uint32_t GetCoreNumVector() const { return chip_->vector_cores; }

  void GetCoreMemSize(const CoreMemType& type, uint64_t& size) const {
    size = vinci::platform_bytes(*chip_, static_cast<int>(type));
    const bool kept =
        chip_->npu_arch == 2201 && (type == CoreMemType::UB || type == CoreMemType::L1);
    if (kept) size -= 256;
    if (type == CoreMemType::UB) size -= reserved_;
  }
  void GetCoreMemBw(const CoreMemType& type, uint64_t& bytes_per_cycle) const {
    bytes_per_cycle = type == CoreMemType::L2    ? chip_->l2_bytes_per_cycle
                      : type == CoreMemType::HBM ? chip_->gm_bytes_per_cycle
                                                 : 0;
  }
  // The last call counts.
  void ReserveLocalMemory(ReservedSize size) { reserved_ = (8u << static_cast<int>(size)) * 1024; }

  SocVersion GetSocVersion() const {
    switch (chip_->npu_arch) {
      case 1001: return SocVersion::ASCEND910;
      case 2002: return SocVersion::ASCEND310P;
      case 2201: return SocVersion::ASCEND910B;
      case 3002: return SocVersion::ASCEND310B;
      default: return SocVersion::RESERVED_VERSION;
    }
  }
  NpuArch GetCurNpuArch() const { return static_cast<NpuArch>(chip_->npu_arch); }
  uint32_t GetVecRegLen() const { return 0; }  // no chip here has vector registers

  // How many blocks are launched so that `slices` pieces of work get a core each, as far as there
  // are cores: of a kernel for both kinds a block is an AIC with its AIVs.
  uint32_t CalcTschNumBlocks(uint32_t slices, uint32_t aics, uint32_t aivs) const {
    if (aics == 0 || aivs == 0 || aics >= aivs) return slices;
    const uint32_t ratio = aivs / aics;
    const uint32_t blocks = (slices + ratio - 1) / ratio;
    return ratio == 2 && blocks > aics ? 0 : blocks;  // there are not so many pairs
  }
  uint32_t CalcTschBlockDim(uint32_t slices, uint32_t aics, uint32_t aivs) const {
    return CalcTschNumBlocks(slices, aics, aivs);
  }

  uint32_t GetLibApiWorkSpaceSize() const { return vinci::kSystemWorkspaceBytes; }
  // Groups of cores are of generation 2201 only.
  uint32_t GetResGroupBarrierWorkSpaceSize() const { return group_bytes(); }
  uint32_t GetResCubeGroupWorkSpaceSize() const { return group_bytes(); }

 private:
  static const vinci::Platform* chip_of(const fe::PlatFormInfos* infos) {
    if (infos == nullptr) {
      std::fprintf(stderr, "vinci: PlatformAscendC gets a null pointer for PlatFormInfos\n");
      std::abort();
    }
    return infos->chip() != nullptr ? infos->chip() : vinci::platform(nullptr);
  }
  bool split() const { return chip_->aivs != 0; }
  uint32_t group_bytes() const { return chip_->npu_arch == 2201 ? 1 << 20 : UINT32_MAX; }

  const vinci::Platform* chip_;
  uint64_t reserved_ = 0;
};

class PlatformAscendCManager {
 public:
  static PlatformAscendC* GetInstance() { return GetInstance(nullptr); }
  // The name counts in the first call only.
  static PlatformAscendC* GetInstance(const char* soc) {
    static PlatformAscendC platform(vinci::platform(soc));
    return &platform;
  }
};

}  // namespace platform_ascendc
