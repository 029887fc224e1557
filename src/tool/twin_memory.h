// A core's memories as they would be if what nobody has written held other bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vinci/memory.h"
#include "vinci/region.h"
#include "vinci/tool.h"

namespace vinci {

// An instruction that runs over both, the core's memories and these, writes different bits where
// its result depends on bytes that nobody has written, and only there. Most bytes are equal: pages
// of which all are keep none here. In GM, where cores meet, a byte is known or not.
class TwinMemory {
 public:
  // A block begins: nobody has written anything, but the registers.
  void begin(CoreView& core);

  // Whether any byte of a region differs.
  [[gnu::hot]] bool differs(const Region& region) const;
  // The first bytes of a region that differ, those that follow each other; empty if there are none.
  Interval first_difference(const Region& region) const;
  // How many of a region's bytes differ, of all.
  double share_of_differences(const Region& region) const;
  // The region's bytes are now those of the core. Whether some of them were not before; of GM
  // nobody asks.
  [[gnu::hot]] bool take_over(const Region& region);
  // Whether a byte of one of the memories differs.
  bool differs(Space space, uint64_t at) const {
    const Twin& twin = twins_[size_t(space)];
    return at < twin.real.size() && differs(twin, at);
  }
  // From here on they are, whoever writes them, and those around them.
  void open(const Region& region);
  // Nobody has written the bytes of a region without gaps, which are kPoison again.
  void forget(const Region& region);
  // The same of bytes that hold what somebody has written, and still do.
  void spoil(Space space, const ByteSet& bytes);
  // The first bytes that hold something, though nobody has written their page or asked for its
  // address.
  Interval first_stray(Space space) const;

  // What an instruction with these regions works on: bytes that its regions touch are valid, and
  // remembered until settle(). None if its places in GM lie too far apart.
  std::optional<Memory> prepare(const Step& step);
  // After it has run over both. In GM those bytes count as written in which both are equal, and
  // the others no longer.
  void settle(std::span<const Region> regions);
  // Whether they then differ in a byte in GM that the instruction has written.
  bool gm_differs(uint64_t address) const {
    const auto* real = reinterpret_cast<const uint8_t*>(address);
    return *real != real[gm_shift_];
  }

 private:
  static constexpr uint64_t kPage = 256;
  // What somebody else might have left in memory: no special number in any type, large enough that
  // integers of it are not 0, as those of kPoison's NaN are, and of both signs, so that comparisons
  // see it. Not the same everywhere, lest differences of neighbours vanish.
  static uint8_t other(uint64_t address) {
    const uint64_t mixed = address * 0x9E3779B97F4A7C15;
    return uint8_t(0x48 + (mixed >> 62) + (mixed >> 61 & 1) * 0x80);
  }
  // kOver: all bytes of the page are other than what is there.
  enum class State : uint8_t { kEqual, kKept, kUnwritten, kOpen, kOver };
  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  // One of the memories.
  struct Twin {
    std::span<const uint8_t> real;
    std::unique_ptr<Line[]> lines;  // of pages that keep none, whatever
    std::vector<State> pages;

    uint8_t* bytes() { return lines[0].bytes; }
    const uint8_t* bytes() const { return lines[0].bytes; }

    uint64_t end_of(uint64_t page) const {
      return std::min<uint64_t>(real.size(), (page + 1) * kPage);
    }
  };

  Twin& twin(const Region& region) { return twins_[size_t(region.space)]; }
  const Twin& twin(const Region& region) const { return twins_[size_t(region.space)]; }
  static bool is_equal(State state) { return state == State::kEqual || state == State::kOpen; }
  static bool all_equal(const Twin& twin, uint64_t first, uint64_t end);
  static uint64_t differing(const Twin& twin, uint64_t at);
  static bool differs(const Twin& twin, uint64_t at);
  static uint64_t find(const Twin& twin, Interval bytes, bool differing);
  static Interval first_difference(const Twin& twin, Interval bytes);
  static void keep(Twin& twin, uint64_t page);
  static void compare(Twin& twin, uint64_t page);
  template <class F>
  void for_each_page(const Region& region, F f);
  Interval first_difference_in_gm(const Region& region) const;
  void take_over_gm(const Region& region);
  void settle_gm(const Region& region);
  bool prepare_gm(std::span<const Region> regions);
  void copy_to_window(const Region& region);

  CoreView* core_ = nullptr;
  Twin twins_[kAllSpaces];
  // Where GM's bytes are while an instruction runs.
  std::vector<uint8_t> window_;
  ptrdiff_t gm_shift_ = 0;
};

}  // namespace vinci
