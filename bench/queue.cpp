// A tensor's way through a queue and back: AllocTensor, EnQue, DeQue and FreeTensor.
#include "bench.h"

namespace vinci::bench {
namespace {

void vinci_queue(benchmark::State& state, Checks checks) {
  on_core(state, checks, "Ascend910B1", [&](Device&) {
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 2> queue;
    pipe.InitBuffer(queue, 2, 256);
    for (auto _ : state) {
      auto tensor = queue.AllocTensor<half>();
      queue.EnQue(tensor);
      tensor = queue.DeQue<half>();
      queue.FreeTensor(tensor);
    }
  });
}

const bool registered = [] {
  benchmark::RegisterBenchmark("queue_steps_checks/full", vinci_queue, Checks::kFull);
  benchmark::RegisterBenchmark("queue_steps_checks/off", vinci_queue, Checks::kOff);
  return true;
}();

}  // namespace
}  // namespace vinci::bench
