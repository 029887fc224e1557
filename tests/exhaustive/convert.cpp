// Every conversion of convert_array() in every round mode and both overflows, against the
// definition: all inputs of up to 32 bits, and a stratified sample of int64.
//
//     vinci_exhaustive_convert [N]      every Nth block of the 32-bit inputs only; 1 if left out
#include "kernel/convert_array.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "convert_oracle.h"
#include "numeric/dtype.h"
#include "stratified.h"
#include "sweep.h"

namespace vinci::exhaustive {
namespace {

using AscendC::int4b_t;

constexpr size_t kRun = 2048;  // results of a run stay in the first cache

// As elements lie in memory: int4 here has a byte of its own.
template <class T>
using Element = std::conditional_t<std::is_same_v<T, float>, uint32_t, LaneOf<T>>;

template <class T>
Alike take_apart_element(Element<T> element, uint64_t& digits) {
  if constexpr (std::is_same_v<T, half>) return take_apart(element, kBinary16, digits);
  if constexpr (std::is_same_v<T, bfloat16_t>) return take_apart(element, kBrain16, digits);
  if constexpr (std::is_same_v<T, float>) return take_apart(element, kBinary32, digits);
  return take_apart(int64_t(element), digits);
}

// The oracle for a run.
template <class To, class From>
void expect(const Alike& alike, const uint64_t* digits, size_t count, Round mode, Overflow overflow,
            Element<To>* results) {
  uint64_t scratch[kRun];
  const bool saturates = overflow == Overflow::kSaturate;
  if constexpr (std::is_same_v<To, float> && std::is_same_v<From, float>) {
    to_whole_float(alike, digits, count, mode, scratch, results);
  } else if constexpr (std::is_same_v<To, float>) {
    to_float(alike, digits, count, kBinary32, mode, false, scratch, results);
  } else if constexpr (std::is_same_v<To, half>) {
    to_float(alike, digits, count, kBinary16, mode, saturates, scratch, results);
  } else if constexpr (std::is_same_v<To, bfloat16_t>) {
    to_float(alike, digits, count, kBrain16, mode, saturates, scratch, results);
  } else {
    to_integer(alike, digits, count, int(bits_of(dtype_of<To>)), mode, overflow, scratch, results);
  }
}

// vinci's answer, one element after another.
template <class To, class From>
void run_vinci(ConvertArray loop, const Element<From>* in, size_t count, Element<To>* out) {
  if constexpr (std::is_same_v<From, int4b_t>) {
    uint8_t packed[kRun / 2];
    for (size_t i = 0; i < count; i += 2) {
      packed[i / 2] = uint8_t((in[i] & 15) | (in[i + 1] & 15) << 4);
    }
    loop(packed, out, count);
  } else if constexpr (std::is_same_v<To, int4b_t>) {
    uint8_t packed[kRun / 2];
    loop(in, packed, count);
    for (size_t i = 0; i < count; ++i) {
      const int nibble = packed[i / 2] >> (i % 2 * 4) & 15;
      out[i] = int8_t(nibble >= 8 ? nibble - 16 : nibble);
    }
  } else {
    loop(in, out, count);
  }
}

template <class T>
std::string hex(T value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%0*llX", int(2 * sizeof(T)),
                static_cast<unsigned long long>(std::make_unsigned_t<T>(value)));
  return text;
}

// Up to kRun elements, an even number.
template <class To, class From>
Tally check(const Element<From>* in, size_t count) {
  uint64_t digits[kRun];
  std::vector<std::pair<Alike, size_t>> runs;  // with their ends
  for (size_t i = 0; i < count; ++i) {
    const Alike alike = take_apart_element<From>(in[i], digits[i]);
    if (runs.empty() || !(runs.back().first == alike)) runs.emplace_back(alike, 0);
    runs.back().second = i + 1;
  }
  Tally tally;
  Element<To> out[kRun], expected[kRun];
  for (const Overflow overflow : kOverflows) {
    for (const Round mode : kModes) {
      size_t begin = 0;
      for (const auto& [alike, end] : runs) {
        expect<To, From>(alike, digits + begin, end - begin, mode, overflow, expected + begin);
        begin = end;
      }
      run_vinci<To, From>(convert_array(dtype_of<To>, dtype_of<From>, mode, overflow), in, count,
                          out);
      tally.checked += count;
      if (std::memcmp(out, expected, count * sizeof(out[0])) == 0) continue;
      for (size_t i = 0; i < count; ++i) {
        if (out[i] == expected[i]) continue;
        if (tally.wrong++ == 0) {
          tally.first_wrong = hex(in[i]) + " -> " + hex(out[i]) + ", not " + hex(expected[i]) +
                              ", mode " + std::to_string(int(mode)) + ", overflow " +
                              std::to_string(int(overflow));
        }
      }
    }
  }
  return tally;
}

template <class To, class From>
std::string name_of_pair() {
  return std::string(name_of(dtype_of<From>)) + " to " + std::string(name_of(dtype_of<To>));
}

template <class To, class From>
bool check_list(const std::vector<Element<From>>& list) {
  return sweep(name_of_pair<To, From>(), (list.size() + kRun - 1) / kRun, [&](uint64_t block) {
    const size_t begin = block * kRun;
    return check<To, From>(&list[begin], std::min(kRun, list.size() - begin));
  });
}

// All patterns of 32 bits, or every `step`th block of them.
template <class To, class From>
bool check_all(uint64_t step) {
  constexpr uint64_t kBlock = uint64_t{1} << 18;
  return sweep(name_of_pair<To, From>(), (uint64_t{1} << 32) / kBlock, [&](uint64_t block) {
    Tally tally;
    if (block % step != 0) return tally;
    for (uint64_t first = block * kBlock; first < (block + 1) * kBlock; first += kRun) {
      Element<From> in[kRun];
      for (size_t i = 0; i < kRun; ++i) in[i] = Element<From>(uint32_t(first + i));
      tally.add(check<To, From>(in, kRun));
    }
    return tally;
  });
}

template <class From, class... To>
bool check_short() {
  std::vector<Element<From>> list;
  if constexpr (std::is_same_v<From, int4b_t>) {
    for (int i = 0; i < 256; ++i) {  // each beside each in a byte
      list.push_back(int8_t(i % 16 - 8));
      list.push_back(int8_t(i / 16 - 8));
    }
  } else {
    for (int i = 0; i < 1 << (8 * sizeof(Element<From>)); ++i) list.push_back(Element<From>(i));
  }
  return (int(check_list<To, From>(list)) & ...) != 0;
}

template <class From, class... To>
bool check_32_bits(uint64_t step) {
  return (int(check_all<To, From>(step)) & ...) != 0;
}

// A sample, even in length: every length of number, cut at every digit.
bool check_int64() {
  std::vector<int64_t> list;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    for (const uint64_t bits : stratified_integers(64, seed)) list.push_back(int64_t(bits));
  }
  std::puts("int64: a stratified sample");
  const bool to_float = check_list<float, int64_t>(list);
  return check_list<int32_t, int64_t>(list) && to_float;
}

bool check_everything(uint64_t step) {
  bool right = check_short<half, float, int32_t, int16_t, int8_t, uint8_t, int4b_t>();
  right &= check_short<bfloat16_t, float, int32_t>();
  right &= check_short<int16_t, half, float, int8_t, uint8_t>();
  right &= check_short<int8_t, half>();
  right &= check_short<uint8_t, half>();
  right &= check_short<int4b_t, half>();
  right &= check_int64();
  right &= check_32_bits<float, half, bfloat16_t, float, int64_t, int32_t, int16_t>(step);
  right &= check_32_bits<int32_t, float, int64_t, int16_t>(step);
  return right;
}

}  // namespace
}  // namespace vinci::exhaustive

int main(int count, char** arguments) {
  const uint64_t step = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1;
  if (count > 2 || step == 0) {
    std::fprintf(stderr, "usage: %s [N], N from 1 on\n", arguments[0]);
    return 2;
  }
  return vinci::exhaustive::check_everything(step) ? 0 : 1;
}
