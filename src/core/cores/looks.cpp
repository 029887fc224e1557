#include "core/cores/looks.h"

#include <algorithm>
#include <utility>

namespace vinci {
namespace {

// So many reads in vain are a kernel that waits. A copy takes longer than an element's read: a quarter
// of them are. Both are prime, so that a loop that reads at several places ends now here, now there.
constexpr uint64_t kMostReads = 1049, kCopyWeighs = 4;
// So many copies may be.
constexpr uint64_t kMostBlind = 4096;

// The upper bits of a multiplicative hash: strides of any power of two spread over the sets.
size_t hash_of(uint64_t address) { return size_t(address * 0x9E3779B97F4A7C15u >> 32); }

}  // namespace

bool Looks::is_known(uint64_t address, uint64_t value) {
  if (places_ == nullptr) places_ = std::make_unique<Places>();
  auto& set = (*places_)[hash_of(address) % kSets];
  const auto found = std::ranges::find(set, address, &Place::address);
  const bool known = found != set.end() && found->value == value;
  const auto last = found == set.end() ? found - 1 : found;
  std::rotate(set.begin(), last, last + 1);
  set.front() = {address, value};
  return known;
}

bool Looks::count(bool known, uint64_t weight) {
  if (!known) {
    act();
    return false;
  }
  count_ += weight;
  if (count_ < kMostReads) return false;
  count_ = 0;
  return true;
}

bool Looks::in_vain(uint64_t address, uint64_t value) { return count(is_known(address, value), 1); }

bool Looks::copies_in_vain(uint64_t address) { return count(is_known(address, 0), kCopyWeighs); }

bool Looks::copies_blindly() { return ++blind_ % kMostBlind == 0; }

bool Looks::was_idle() { return !std::exchange(has_acted_, false); }

}  // namespace vinci
