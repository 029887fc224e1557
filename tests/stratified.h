// Numbers for tests of conversions: of every length, cut at every digit, with what is cut off zero,
// just above zero, just below, at and just above a half, and all ones.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

// `length` bits, the first of which is 1 unless length is 0. What is kept of them above each cut is
// random, zeros, or ones.
inline std::vector<uint64_t> stratified_magnitudes(int length, std::mt19937_64& random) {
  if (length == 0) return {0};
  const uint64_t first = uint64_t{1} << (length - 1), rest = first - 1;
  std::vector<uint64_t> magnitudes;
  for (int cut = 1; cut <= length; ++cut) {
    const uint64_t half = uint64_t{1} << (cut - 1), ones = 2 * half - 1;  // modulo 2^64
    for (const uint64_t kept : {random(), uint64_t{0}, ~uint64_t{0}}) {
      for (const uint64_t low : {uint64_t{0}, uint64_t{1}, half - 1, half, half + 1, ones}) {
        magnitudes.push_back(first | (((kept & ~ones) | (low & ones)) & rest));
      }
    }
  }
  return magnitudes;
}

// Patterns of floats: both signs, every exponent, so zeros, subnormals, infinities and NaNs too.
inline std::vector<uint32_t> stratified_floats(unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<uint32_t> patterns;
  for (uint32_t high = 0; high < 512; ++high) {
    for (const uint64_t magnitude : stratified_magnitudes(24, random)) {
      patterns.push_back(high << 23 | uint32_t(magnitude & 0x7FFFFF));
    }
  }
  for (int length = 0; length <= 23; ++length) {  // subnormals
    for (const uint64_t magnitude : stratified_magnitudes(length, random)) {
      patterns.push_back(uint32_t(magnitude));
      patterns.push_back(uint32_t(magnitude) | 0x80000000);
    }
  }
  for (int i = 0; i < 100000; ++i) patterns.push_back(uint32_t(random()));
  return patterns;
}

// Both signs of every length up to `bits`, as two's complement numbers.
inline std::vector<uint64_t> stratified_integers(int bits, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<uint64_t> numbers;
  for (int length = 0; length <= bits; ++length) {
    for (const uint64_t magnitude : stratified_magnitudes(length, random)) {
      numbers.push_back(magnitude);
      numbers.push_back(0 - magnitude);
    }
  }
  for (int i = 0; i < 100000; ++i) numbers.push_back(random() >> (random() % 64));
  return numbers;
}
