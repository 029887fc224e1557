// Tool: next to each float that a core makes, what doubles would have made of the same operands;
// the calls that lose most against it are told when the launch has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "tool/columns.h"
#include "vinci/tool.h"

namespace vinci {

// What all cores of a launch have lost, by place.
class DriftTable {
 public:
  void begin() { worst_.clear(); }
  // A call lost so much; `fault` is asked for if none at its place has lost more.
  void take(const Origin& place, double loss, const std::function<Fault()>& fault);
  // The ten places that lost most, the worst first.
  void finish(const std::function<void(const Fault&)>& tell) const;

 private:
  struct Entry {
    double loss = 0;
    Fault fault;
  };
  std::mutex mutex_;
  std::map<Origin, Entry> worst_;
};

// For each byte of a core's memories there is one more. Where a float stands, those hold, in the
// float's own type, by how much a double would be larger: so copies move them as they move floats,
// and there are twice as many digits. What comes from GM is taken as exact, and so is what
// instructions write of which this knows no formula.
class Drift final : public ToolOf<Drift> {
 public:
  explicit Drift(DriftTable& table) : table_(table) {}
  std::string_view name() const override { return "drift"; }
  bool thread_safe() const override { return true; }
  void on_block_begin(CoreView& core) override;
  void before_run(CoreView& core, const Step& step) override;
  void after_run(CoreView& core, const Step& step) override;

 private:
  // Of an element, and the largest relative error among what it was made of.
  struct Exact {
    double value = 0, error_before = 0;
  };
  using Formula = std::function<Exact(size_t lane)>;

  double missing(const Column& column, size_t i) const;
  Exact operand(const Column& column, size_t i) const;
  Formula formula_of(const Step& step, const Column& dst) const;
  void move(CoreView& core, const Step& step);
  void forget(const Region& region);
  void keep(CoreView& core, const Column& dst, const Formula& exact);

  DriftTable& table_;
  std::vector<uint8_t> low_[kAllSpaces];
  std::vector<Column> sources_;
  std::vector<std::vector<double>> missing_;  // by source and element, before it ran
};

}  // namespace vinci
