#include "core/cores/cross_flag_faults.h"

#include <fmt/format.h>

#include "soc/soc.h"

namespace vinci {
namespace {

Fault fault_of_set(Code code, int64_t setter, const Origin& origin, const Grid& grid,
                   const Soc& soc) {
  Fault fault;
  fault.code = code;
  fault.legal = "a CrossCoreWaitFlag for each CrossCoreSetFlag";
  fault.block = grid.block_of(setter);
  fault.core = core_of(soc, grid.kind_of(setter)).arch->core_name;
  fault.sub_block = grid.number_of(setter);
  fault.frames.assign(origin.begin(), origin.end());
  return fault;
}

}  // namespace

Fault fault_of(const CrossFlags::Overflow& overflow, const Grid& grid, const Soc& soc) {
  Fault fault = fault_of_set(Code::kCrossFlagCount, overflow.setter, overflow.origin, grid, soc);
  fault.message = fmt::format("CrossCoreSetFlag: flag {} of core {} would count more than {}",
                              overflow.flag, overflow.core, CrossFlags::kMostCount);
  return fault;
}

Fault fault_of(const CrossFlags::Left& left, const Grid& grid, const Soc& soc) {
  Fault fault = fault_of_set(Code::kStateLeft, left.setter, left.origin, grid, soc);
  fault.message =
      left.core < 0
          ? fmt::format(
                "CrossCoreSetFlag: flag {} waits for other cores at the end of the launch, "
                "which never set it",
                left.flag)
          : fmt::format(
                "CrossCoreSetFlag: flag {} is still set at the end of the launch: nobody "
                "waited for it",
                left.flag);
  return fault;
}

}  // namespace vinci
