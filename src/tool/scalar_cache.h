// The scalar unit's cache of GM, which copies do not see: what SetValue wrote reaches GM only when
// the cache is cleaned, and what GetValue has read stays as it was.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>

#include "vinci/tool.h"

namespace vinci {

class ScalarCache {
 public:
  void begin(const CoreView& core);
  // DataCacheCleanAndInvalid. Which lines it means is not looked at.
  void clean() { lines_.clear(); }
  // An instruction is issued.
  void look(CoreView& core, std::span<const Region> regions);
  // GetValue or SetValue. `origin`: its own, where the core is no longer at its line.
  void access(CoreView& core, const Region& region, const Origin* origin = nullptr);

 private:
  static constexpr uint64_t kLine = 64;
  // One bit for each byte.
  using Bytes = uint64_t;

  struct Line {
    Bytes dirty = 0;       // SetValue has written
    Origin written{};      // there
    Bytes overtaken = 0;   // instructions have written, in GM
    Origin overtaker{};    // there
    std::string_view who;  // it was
  };

  static Bytes touched(uint64_t line, const Region& region);
  void look_at(CoreView& core, uint64_t line, Line& kept, const Region& region);

  bool is_there_ = false;           // on this chip, with a way to clean it
  std::map<uint64_t, Line> lines_;  // by their first byte
};

}  // namespace vinci
