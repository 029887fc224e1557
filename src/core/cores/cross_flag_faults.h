// What is said of flags between cores once nobody can wait for them.
#pragma once

#include "core/cores/cross_flags.h"
#include "vinci/fault.h"

namespace vinci {

struct Soc;

Fault fault_of(const CrossFlags::Overflow& overflow, const Grid& grid, const Soc& soc);
Fault fault_of(const CrossFlags::Left& left, const Grid& grid, const Soc& soc);

}  // namespace vinci
