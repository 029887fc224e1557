// Which bytes of a buffer in GM somebody has written.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "vinci/fault.h"
#include "vinci/region.h"

namespace vinci {

// A bit for each byte. Any thread may call any function at any time: cores write the same buffer.
class WrittenBytes {
 public:
  // Of a buffer at this address, full of bytes `fill`, of which nothing has been written. Whoever
  // depends on such bytes is told so as `code`. Pages of bits cost nothing before one is set.
  // `has_pointers`: some are written without a word, which shows in their value.
  WrittenBytes(uint64_t address, uint64_t bytes, uint8_t fill, Code code, bool has_pointers)
      : address_(address),
        count_((bytes + 63) / 64),
        bytes_(bytes),
        fill_(fill),
        code_(code),
        has_pointers_(has_pointers),
        words_(static_cast<uint64_t*>(std::calloc(count_ + 1, sizeof(uint64_t)))) {
    if (words_ == nullptr) throw std::bad_alloc();
  }
  // Whether nobody has written this byte, which holds `value`; a pointer would have left another.
  bool is_unknown(uint64_t address, uint8_t value) const {
    if (holds(address)) return false;
    const uint64_t at = address - address_;
    const uint16_t* const left = left_.load(std::memory_order_acquire);
    const uint16_t kept = left == nullptr ? 0 : __atomic_load_n(left + at, __ATOMIC_RELAXED);
    return !has_pointers_ || value == ((kept & kLeft) != 0 ? uint8_t(kept) : fill_);
  }
  ~WrittenBytes() { std::free(left_.load(std::memory_order_relaxed)); }
  WrittenBytes(const WrittenBytes&) = delete;
  WrittenBytes& operator=(const WrittenBytes&) = delete;

  Code code() const { return code_; }

  void set(Interval bytes) {
    for_each_word(bytes, [](uint64_t& word, uint64_t bits) {
      const std::atomic_ref<uint64_t> shared(word);
      if ((~shared.load(std::memory_order_relaxed) & bits) != 0) {
        shared.fetch_or(bits, std::memory_order_relaxed);
      }
    });
  }
  // Something wrote `value` there that comes from what nobody has written: what was there is lost.
  void leave(uint64_t address, uint8_t value) {
    if (address >= end_) return;
    const uint64_t at = address - address_;
    __atomic_store_n(left() + at, uint16_t(kLeft | value), __ATOMIC_RELAXED);
    std::atomic_ref<uint64_t>(words_[at / 64])
        .fetch_and(~(uint64_t{1} << (at % 64)), std::memory_order_relaxed);
  }
  bool holds(uint64_t address) const {
    const uint64_t at = address - address_;
    return (load(at / 64) >> (at % 64) & 1) != 0;
  }
  // Whether all of these are written.
  bool holds(Interval bytes) const {
    for (uint64_t at = bytes.first; at < bytes.end; ++at) {
      const bool whole_word = (at - address_) % 64 == 0 && bytes.end - at >= 64;
      if (whole_word && load((at - address_) / 64) == ~uint64_t{0}) {
        at += 63;
      } else if (!holds(at)) {
        return false;
      }
    }
    return true;
  }
  // Nobody but the cores of its launch reads it: what comes from unwritten bytes may lie there.
  void set_scratch() { is_scratch_ = true; }
  bool is_scratch() const { return is_scratch_; }
  // From here on nobody reads what is written: room behind what the buffer was asked for.
  void set_end(uint64_t address) { end_ = address; }
  uint64_t end() const { return end_; }
  // A copy of whole datablocks has rounded up what it wrote, at the buffer's end: from this byte on
  // it is not written, and nobody is asked to.
  void set_rounded_up(uint64_t address) { rounded_up_.store(address, std::memory_order_relaxed); }
  // f(offset) for the bytes of the buffer, which has so many, that are not, and should be.
  template <class F>
  void for_each_missing(uint64_t bytes, F f) const {
    bytes = std::min(bytes, rounded_up_.load(std::memory_order_relaxed) - address_);
    for (uint64_t word = 0; word < count_; ++word) {
      for (uint64_t left = ~load(word); left != 0; left &= left - 1) {
        const uint64_t at = word * 64 + uint64_t(__builtin_ctzll(left));
        if (at < bytes) f(at);
      }
    }
  }

 private:
  uint64_t load(uint64_t word) const {
    return std::atomic_ref<uint64_t>(words_[word]).load(std::memory_order_relaxed);
  }
  // f(word, its bits that belong to `bytes`).
  template <class F>
  void for_each_word(Interval bytes, F f) {
    const uint64_t end = bytes.end - address_;
    for (uint64_t at = bytes.first - address_; at < end;) {
      const uint64_t first = at % 64, count = std::min(64 - first, end - at);
      f(words_[at / 64], (count == 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1) << first);
      at += count;
    }
  }

  static constexpr uint16_t kLeft = 256;
  // For each byte what was left there, if anything was. Pages cost nothing before.
  uint16_t* left() {
    uint16_t* known = left_.load(std::memory_order_acquire);
    if (known != nullptr) return known;
    auto* const anew = static_cast<uint16_t*>(std::calloc(bytes_, sizeof(uint16_t)));
    if (anew == nullptr) throw std::bad_alloc();
    if (left_.compare_exchange_strong(known, anew, std::memory_order_acq_rel)) return anew;
    std::free(anew);
    return known;
  }

  struct Free {
    void operator()(uint64_t* words) const { std::free(words); }
  };

  uint64_t address_, count_, bytes_;
  uint64_t end_ = UINT64_MAX;
  std::atomic<uint64_t> rounded_up_ = UINT64_MAX;
  uint8_t fill_;
  Code code_;
  bool has_pointers_;
  bool is_scratch_ = false;
  std::unique_ptr<uint64_t[], Free> words_;
  std::atomic<uint16_t*> left_ = nullptr;
};

}  // namespace vinci
