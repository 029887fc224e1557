// A program (C++20) with tools of its own, written against include/ alone: one follows which bytes
// of UB a kernel wrote, and says who reads others; one counts what several threads do.
#include <atomic>
#include <cstdio>
#include <map>
#include <vector>

#include "kernel_operator.h"
#include "vinci/device.h"

namespace {

constexpr uint32_t kCount = 64;

class WrittenBytes final : public vinci::Tool {
 public:
  std::string_view name() const override { return "written bytes"; }
  bool looks_at_bytes() const override { return true; }

  void on_block_begin(vinci::CoreView& core) override {
    written_.assign(core.bytes_of(vinci::Space::kUb).size(), 0);
  }

  void before_run(vinci::CoreView& core, const vinci::Step& step) override {
    if (step.moves()) return;
    for (const vinci::Region& region : step.regions) {
      if (region.space != vinci::Space::kUb || region.access != vinci::Access::kRead) continue;
      region.for_each_block([&](vinci::Interval block) { judge(core, region, block); });
    }
  }

  // A move moves what is known of its bytes; all of GM counts as written.
  void after_run(vinci::CoreView& core, const vinci::Step& step) override {
    if (!step.moves()) {
      for (const vinci::Region& region : step.regions) {
        if (region.space != vinci::Space::kUb || region.access != vinci::Access::kWrite) continue;
        region.for_each_block([&](vinci::Interval block) {
          for (uint64_t i = block.first; i < block.end; ++i) written_[i] = 1;
        });
      }
      return;
    }
    vinci::Storage storage;
    storage.first[int(vinci::Space::kUb)] = written_.data();
    std::vector<uint8_t> gm;
    for (const vinci::Region& region : step.regions) {
      if (region.space != vinci::Space::kGm) continue;
      const vinci::Interval buffer = core.gm_buffer(region.first());
      gm.assign(buffer.end - buffer.first, 1);
      storage.gm_shift = gm.data() - reinterpret_cast<uint8_t*>(buffer.first);
    }
    vinci::Memory known(step.soc, storage);
    step.run(known);
  }

 private:
  void judge(vinci::CoreView& core, const vinci::Region& region, vinci::Interval block) {
    for (uint64_t i = block.first; i < block.end; ++i) {
      if (written_[i] != 0) continue;
      core.note(vinci::Code::kTool,
                std::string(core.who()) + ": " + region.name + " reads byte " + std::to_string(i) +
                    " of " + std::string(name_of(region.space)) + ", which nobody wrote",
                "bytes that were written");
      return;
    }
  }

  std::vector<uint8_t> written_;
};

class Counter final : public vinci::Tool {
 public:
  std::string_view name() const override { return "counter"; }
  bool thread_safe() const override { return true; }
  void on_issue(vinci::CoreView& core, const vinci::Record& record,
                std::span<const vinci::Region>) override {
    if (mnemonic_of(record) == "duplicate" && core.pipe_of(record) == vinci::Pipe::kV) ++count;
    blocks += 1 + core.block_index();
  }
  std::atomic<int64_t> count = 0, blocks = 0;
};

AscendC::LocalTensor<half> ub(uint32_t address, uint32_t count = kCount) {
  return AscendC::LocalTensor<half>(AscendC::TPosition::VECCALC, address, count);
}

}  // namespace

int main() {
  vinci::Device device("Ascend310P3");
  auto* data = static_cast<half*>(device.allocate(kCount * sizeof(half), "data"));
  WrittenBytes written;
  device.add_tool(written);
  device.launch(1, [&] {
    AscendC::GlobalTensor<half> gm;
    gm.SetGlobalBuffer(data, kCount);
    AscendC::DataCopy(ub(0), gm, kCount);                  // bytes 0..127
    AscendC::DataCopy(ub(512), ub(32, kCount), kCount);    // of which 32..127 go to 512..607
    AscendC::Adds(ub(1024), ub(0), half(1.0f), kCount);    // all written
    AscendC::Adds(ub(1024), ub(512), half(1.0f), kCount);  // 608 and more were moved unwritten
    AscendC::Adds(ub(1024), ub(512), half(1.0f), 48);      // up to 607
  });
  for (const vinci::Fault& fault : device.faults()) {
    std::printf("%s %s (%s, %s)\n", to_string(fault.code).c_str(), fault.message.c_str(),
                fault.core.c_str(), fault.pipe.c_str());
  }

  vinci::Device many("Ascend310P3");
  many.set_threads(4);
  Counter counter;
  many.add_tool(counter);
  many.launch(64, [] { AscendC::Duplicate(ub(0), half(1.0f), kCount); });
  std::printf("%d calls, %d\n", int(counter.count), int(counter.blocks));
}
