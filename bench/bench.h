// What the benchmarks share: a chip with checks on or off, and a core to call instructions on.
#pragma once

#include <benchmark/benchmark.h>

#include "kernel_operator.h"
#include "vinci/device.h"

namespace vinci::bench {

// Whether calls wait for each other, as the checks want it of those that write the same bytes.
enum class Waits { kNo, kYes };

// Names: <work>/vinci and <work>/<counterpart>; run.py divides one by the other.
inline void on_core(benchmark::State& state, Checks checks, const char* soc,
                    const std::function<void(Device&)>& body) {
  Device device(soc, checks);
  device.run_inside([&] { body(device); });
  if (!device.faults().empty()) state.SkipWithError(device.faults()[0].message.c_str());
}

}  // namespace vinci::bench
