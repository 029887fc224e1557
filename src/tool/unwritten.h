// Tool: what leaves a core, decides where scalar code goes, or says where an instruction reads,
// does not depend on bytes that nobody has written.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/earlier_loads.h"
#include "tool/twin_memory.h"
#include "vinci/tool.h"

namespace vinci {

// An instruction that reads such bytes runs over a TwinMemory too; so copying them, and computing
// with them in lanes that nobody looks at, is no finding.
class Unwritten final : public ToolOf<Unwritten> {
 public:
  std::string_view name() const override { return "unwritten"; }
  void on_block_begin(CoreView& core) override;
  void on_scalar_access(CoreView& core, const Region& region) override;
  void on_queue(CoreView& core, const QueueEvent& event) override;
  void on_reset(CoreView&) override { loads_.clear(); }
  void on_address(CoreView& core, const Region& region) override;
  void on_forgotten(CoreView& core, const Region& region) override;
  void on_left_out(CoreView& core, const Record& record, std::span<const Region> regions) override;
  [[gnu::hot]] void before_run(CoreView& core, const Step& step) override;
  [[gnu::hot]] void after_run(CoreView& core, const Step& step) override;
  void on_block_end(CoreView& core) override;

 private:
  // Who read bytes that nobody had written, first.
  struct Root {
    std::string_view who;
    Origin origin{};
    std::string where;  // "bytes 0..63 of UB"
    Code code = Code::kUnwritten;
    uint64_t step = 0;
    uint64_t nearest = 0;     // number of the Write that should have reached them; 0: none
    bool is_padding = false;  // it wrote them itself, with a padding that nothing has set
  };
  // Who wrote beside bytes that nobody had written.
  struct Write {
    Space space;
    Interval bytes;
    std::string_view who;
    Origin origin{};
  };
  // Bytes whose value depends on them.
  struct Result {
    Space space;
    Interval bytes;
    Root root;
  };

  Root root_of(CoreView& core, const Region& region, Interval bytes) const;
  uint64_t nearest_write(const Region& region, Interval bytes) const;
  [[gnu::hot]] void take_over(CoreView& core, const Region& region);
  void drop_notes(Space space, Interval bytes);
  void remember_write(CoreView& core, const Region& region);
  void spoil(Space space, const ByteSet& bytes);
  [[gnu::cold]] void tell_of_places(CoreView& core, const Region& region);
  [[gnu::noinline]] void follow_loads(CoreView& core, const Step& step);
  bool is_known(Interval bytes) const;  // in GM
  bool is_rounded_up(Interval datablock, uint64_t element) const;
  void keep_result(const Region& region);
  void judge_leaving(CoreView& core, const Region& region, bool exact);
  void tell(CoreView& core, const std::string& what, const Root& root) const;
  void finish_scalar_write();
  void tell_strays(CoreView& core) const;

  TwinMemory twin_;
  uint64_t step_ = 0;                   // counts instructions and scalar accesses
  std::optional<Root> root_;            // of the instruction that runs over both
  std::deque<Result> results_;          // the latest last
  std::deque<Write> writes_;            // the latest last
  uint64_t writes_ever_ = 0;            // the number of the last of them
  std::optional<Region> scalar_write_;  // that follows
  EarlierLoads loads_;
  // Whose address was asked for, and where.
  struct Address {
    Space space;
    Interval bytes;
    Origin origin{};
  };
  std::vector<Address> addresses_;
  // What a call that was left out should have written is not known: all follows from that.
  bool quiet_ = false;
};

}  // namespace vinci
