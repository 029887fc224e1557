// What a core reads in GM, where it may wait for what another one writes.
//
// No kernel says that it waits: it reads the same places again and again, one or many, with scalar
// code or by copies, until it likes what it finds. Here that is reading at a place what was read
// there before. What is counted depends on the core's own reads alone, and not on the host.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

namespace vinci {

class Looks {
 public:
  // Reads `value` at `address`, by scalar code. Whether that is one time too many: the others
  // should go on first.
  bool in_vain(uint64_t address, uint64_t value);
  // The same for a copy from there. What it finds is not compared.
  bool copies_in_vain(uint64_t address);
  // The same for a copy of which nothing is known, not even whether it is from GM.
  bool copies_blindly();
  // The core does what others may see.
  void act() { has_acted_ = true; }
  // Whether it has only looked at old places since the last call.
  bool was_idle();

 private:
  struct Place {
    uint64_t address = 0;
    uint64_t value = 0;
  };
  // The places that were read last, those of a set in the order of their last read. More than a
  // kernel looks at while it waits: a word of each core of the largest chips.
  static constexpr size_t kSets = 64, kWays = 4;
  using Places = std::array<std::array<Place, kWays>, kSets>;

  bool is_known(uint64_t address, uint64_t value);
  bool count(bool known, uint64_t weight);

  std::unique_ptr<Places> places_;  // once there are any
  uint64_t count_ = 0;
  uint64_t blind_ = 0;
  bool has_acted_ = false;
};

}  // namespace vinci
