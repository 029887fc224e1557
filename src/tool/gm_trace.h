// What one core did in GM, and how far it had come when it told others so, or heard of them: what
// BlockRaces compares when a launch has ended.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tool/written.h"
#include "vinci/tool.h"

namespace vinci {

class Races;

// What a core does between two words with others is a segment; from 0.
struct GmTrace {
  // How bytes were touched, as bits.
  static constexpr uint8_t kWrites = 1;
  static constexpr uint8_t kCombines = 2;  // with what is there
  static constexpr uint8_t kKept = 4;      // the bytes, written or looked at, are with the site
  static constexpr uint8_t kWord = 8;      // written: few enough to be a word to others
  static constexpr uint8_t kLooked = 16;   // read, and scalar code looked at them
  static constexpr uint8_t kSame = 32;     // a scalar write left them as they were
  static constexpr uint8_t kMany = 64;     // not always the same bytes

  // Of one call, or of several that touched one place after another.
  struct Touch {
    Written::Piece piece;
    uint32_t segment = 0, site = 0;
    uint8_t how = 0;
    uint32_t number = 0;  // on its pipe; 0: of scalar code
    uint32_t turn = 0;    // of the last time that it grew or saw other bytes, among all of the core
    uint32_t told = kNotYet;  // at the end of which segment the core told others of it
    uint64_t when = 0;        // CoreView::launch_order, of a word, and of a look the last one

    bool is_late() const { return told > segment; }

    Interval where() const { return {piece.first, piece.end}; }
    bool is(uint8_t bits) const { return (how & bits) == bits; }
    bool changes() const { return is(kWrites) && !is(kSame); }
  };
  static constexpr size_t kNone = ~size_t{0};
  static constexpr uint32_t kNotYet = ~uint32_t{0};

  // A call in the kernel, with one of its operands.
  struct Site {
    Origin origin{};
    const char* operand = "";
    std::string who;
    Fault fault;  // of its first time
    Pipe pipe = Pipe::kS;
    size_t last = kNone;       // its last touch that is no look
    size_t last_look = kNone;  // and its last look of scalar code
    Written written = {};      // by its touches, or looked at
  };
  struct Heard {
    uint32_t segment;  // the first that knows
    std::vector<Told> told;
  };

  // What a core added to: elements that it made others, and the first of its sums there.
  struct Sum {
    Interval where;
    uint32_t segment;
    uint64_t when;       // CoreView::launch_order
    Interval fractions;  // from the first that is no whole number to the last: nobody counts so
  };

  const Written& written(const Touch& touch) const { return sites[touch.site].written; }

  int64_t core = -1;
  std::vector<Touch> touches;
  std::vector<Site> sites;
  std::vector<Sum> sums;
  std::vector<uint32_t> told;  // the last segment before, by number - 1
  std::vector<Heard> heard;
  // Segments behind the first and in front of the last time that the scalar unit's cache was
  // cleaned, which ends a segment, too; -1: never.
  int64_t first_clean = -1, last_clean = -1;
  std::vector<uint32_t> cleans = {};  // all such segments
  // The turns of what was touched last before each, and whether nothing was between some.
  std::vector<uint32_t> clean_turns = {};
  bool cleans_in_a_row = false;
  bool reads_scalars = false, writes_scalars = false;  // of GM, by GetValue and SetValue
};

// Makes the trace of each core that it sees.
class GmTracer final : public ToolOf<GmTracer> {
 public:
  using Sink = std::function<void(GmTrace&&)>;
  // `races` sees the same core, and each event first; nullptr: the core's pipes are in order.
  GmTracer(const Races* races, Sink sink) : races_(races), sink_(std::move(sink)) {}

  std::string_view name() const override { return "gm_trace"; }
  void on_block_begin(CoreView& core) override;
  void on_block_end(CoreView&) override;
  void before_run(CoreView&, const Step& step) override;
  void after_run(CoreView& core, const Step& step) override;
  void on_scalar_access(CoreView& core, const Region& region) override;
  void on_scalar_reference(CoreView& core, const Region& region) override;
  void on_barrier(CoreView&, Pipe) override { settle(); }
  void on_cross_set(CoreView&, Pipe) override { by_flag_ = true; }
  void on_tell(CoreView& core, uint32_t number) override;
  void on_hear(CoreView&, std::span<const Told> told) override;
  void on_cache(CoreView&) override;

 private:
  static constexpr size_t kFew = 4096, kNone = GmTrace::kNone;
  static constexpr uint64_t kWordBytes = 64, kMostLooked = 4096, kMostParts = 128;

  static constexpr uint32_t kNoSite = ~uint32_t{0};
  // A scalar access, and what was there before. t(i) has both sites: it is a read unless the bytes
  // are others then.
  struct Scalar {
    Interval where;
    std::vector<uint8_t> before;
    uint32_t reads = kNoSite, writes = kNoSite;
  };
  // Few bytes that came to a memory of the core from GM.
  struct Part {
    Interval gm;
    uint32_t site;
  };
  struct Copied {
    Space space = Space::kNone;
    Interval where;
    uint32_t segment = 0;
    std::vector<Part> parts;  // none: scalar code has looked at them
  };

  uint32_t site_of(CoreView& core, std::string_view who, const char* operand);
  // From the bytes that the instruction wrote to GM to a copy of them, where there can be one: in
  // GM there may be another core's by now.
  ptrdiff_t copy_of_written(CoreView& core, const Step& step);
  void add_sums(const Region& region);
  void begin_look();
  // `bytes`: what was written, for those that are kept.
  void touch(uint32_t site, Interval where, uint8_t how, const uint8_t* bytes);
  bool goes_on(GmTrace::Touch& touch, Interval where, uint8_t how, const uint8_t* bytes);
  void add(uint32_t site, Interval where, uint8_t how, const uint8_t* bytes);
  void remember_copy(const Step& step);
  void look_at(const Region& region);
  void look(uint32_t segment, uint32_t site, Interval where);
  GmTrace::Touch* last_look_at(uint32_t segment, Interval where);
  void look_again(GmTrace::Touch& touch, Interval where, const uint8_t* bytes);
  GmTrace::Touch& cut_out(GmTrace::Touch& touch, Interval where);
  void add_look(const GmTrace::Touch& touch);
  void begin_scalar(CoreView& core, const Region& region, bool may_read, bool may_write);
  void settle();
  void end_segment();
  void tell_of_touches(bool all);
  void drop_repeated();

  const Races* const races_;
  const Sink sink_;
  bool active_ = false;
  const CoreView* core_ = nullptr;  // of the block
  GmTrace trace_;
  uint32_t segment_ = 0;
  bool touched_ = false;  // GM, since the cache was cleaned
  bool added_ = false;    // to what others may look at, in this segment
  bool by_flag_ = false;  // what the core tells, which so is true of some pipes only
  bool word_ = false;     // in this segment it wrote one, with which it may tell others, too
  uint32_t number_ = 0;   // of the step that runs, on its pipe
  uint32_t turn_ = 0;
  std::vector<uint8_t> sum_before_;                          // what it found
  std::set<std::tuple<uint32_t, uint64_t, uint64_t>> sums_;  // by segment and bytes
  size_t told_ = 0;  // touches before this one are told, or late:
  std::vector<size_t> late_;
  std::map<std::pair<Origin, const char*>, uint32_t> sites_;
  size_t most_ = kFew;  // touches; then those of the same bytes are dropped
  Scalar scalar_;       // not settled yet, unless empty
  std::map<std::pair<uint32_t, uint64_t>, size_t> looks_;  // by segment and first byte
  Interval looked_;                                        // for the last time, in this segment
  static constexpr size_t kCopies = 8;
  Copied copies_[kCopies];
  std::vector<uint32_t> sites_read_;  // of the step that runs: its regions of GM that are read
  size_t next_copy_ = 0;
  std::unique_ptr<uint8_t[]> room_;
  uint64_t room_bytes_ = 0;
};

}  // namespace vinci
