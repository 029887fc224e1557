// Finding out where elements come from.
//
// An element of w bits cannot hold the number of every source element, so the instruction runs
// several times, each time with other w bits of the numbers in the source. Two more runs tell
// padding and untouched elements from elements of the source.
#include "cli/draw/trace.h"

#include <cstring>

#include "vinci/door.h"
#include "vinci/event.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
extern const Instruction pipe_barrier;
}

namespace vinci::cli {
namespace {

// Elements of 4 to 32 bits in memory, little end first.
class Elements {
 public:
  Elements(uint8_t* memory, unsigned bits) : memory_(memory), bits_(bits) {}

  uint32_t get(uint64_t i) const {
    if (bits_ == 4) return memory_[i / 2] >> (i % 2 * 4) & 15;
    uint32_t value = 0;
    std::memcpy(&value, memory_ + i * (bits_ / 8), bits_ / 8);
    return value;
  }
  void set(uint64_t i, uint32_t value) {
    if (bits_ == 4) {
      const unsigned shift = i % 2 * 4;
      memory_[i / 2] = uint8_t((memory_[i / 2] & ~(15u << shift)) | (value & 15) << shift);
      return;
    }
    std::memcpy(memory_ + i * (bits_ / 8), &value, bits_ / 8);
  }

 private:
  uint8_t* memory_;
  unsigned bits_;
};

}  // namespace

void finish_pipes() { issue(PipeBarrierRecord{{&isa::pipe_barrier}, uint32_t(Pipe::kAll)}); }

std::vector<int64_t> trace(const Operand& dst, const Operand& src,
                           const std::function<void(uint32_t)>& run) {
  const unsigned bits = bits_of(dst.dtype);
  const uint32_t ones = uint32_t((uint64_t{1} << bits) - 1);
  auto* to = static_cast<uint8_t*>(local_address(dst));
  auto* from = static_cast<uint8_t*>(local_address(src));
  Elements result(to, bits), source(from, bits);
  std::vector<int64_t> origin(dst.bytes * 8 / bits, 0);

  // What stays as it was whatever it was is untouched; what follows the pad value is padding.
  const auto run_on_zeros = [&](uint8_t before, uint32_t pad) {
    std::memset(from, 0, src.bytes);
    std::memset(to, before, dst.bytes);
    run(pad);
  };
  run_on_zeros(0xFF, 0);
  for (uint64_t i = 0; i < origin.size(); ++i) {
    if (result.get(i) == ones) origin[i] = kUntouched;
  }
  run_on_zeros(0, ones);
  for (uint64_t i = 0; i < origin.size(); ++i) {
    if (result.get(i) == ones) origin[i] = kPad;
  }

  const uint64_t count = src.bytes * 8 / bits;
  for (unsigned shift = 0; shift < 64 && (count - 1) >> shift != 0; shift += bits) {
    for (uint64_t i = 0; i < count; ++i) source.set(i, uint32_t(i >> shift) & ones);
    std::memset(to, 0, dst.bytes);
    run(0);
    for (uint64_t i = 0; i < origin.size(); ++i) {
      if (origin[i] >= 0) origin[i] |= int64_t(result.get(i)) << shift;
    }
  }
  return origin;
}

}  // namespace vinci::cli
