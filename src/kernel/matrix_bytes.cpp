// The choice of the unit, and the packing of operands into its panels.
#include "kernel/matrix_bytes.h"

#if defined(__AVX512BW__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "kernel/byte_panels.h"
#include "kernel/fractal.h"
#endif

namespace vinci::matrix {

#if defined(__AVX512BW__)

namespace {

using fractal::kBytes;
using fractal::kRowBytes;
using fractal::kRows;

// The kernel of the host gives a process the registers of AMX when it asks for them, if it knows
// them.
bool may_use_tiles() {
  constexpr long kRequest = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequest, kTileData) == 0;
}

__m512i bytes_of_int4(__m256i pairs) {
  const __m512i wide = _mm512_cvtepu8_epi16(pairs);
  const __m512i split = _mm512_or_si512(wide, _mm512_slli_epi16(wide, 4));
  const __m512i nibbles = _mm512_and_si512(split, _mm512_set1_epi8(0x0F));
  const __m512i sign = _mm512_set1_epi8(8);
  return _mm512_sub_epi8(_mm512_xor_si512(nibbles, sign), sign);
}

// An operand: its fractals, `k_pitch` bytes from one to the next in the direction of k.
struct Fractals {
  const uint8_t* first;
  size_t k_pitch;
  DType type;
  unsigned k;
};

__m256i row_of(const uint8_t* fractal, unsigned row) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(fractal + row * kRowBytes));
}

// 64 k of an operand: two fractals of bytes, the second the first again if there is none, or one of
// int4; and which of the k exist.
struct Slice {
  const uint8_t *lower, *upper;
  __mmask64 inside;
};

Slice slice_of(const Fractals& operand, unsigned step) {
  const unsigned fractals = operand.type == DType::kInt4 ? 1 : 2;
  const unsigned left = operand.k - step * kStepK;
  const uint8_t* lower = operand.first + fractals * step * operand.k_pitch;
  return {lower, left > kRowBytes && fractals == 2 ? lower + operand.k_pitch : lower,
          left < kStepK ? (uint64_t(1) << left) - 1 : ~uint64_t(0)};
}

// The bytes of one row of A, or column of B; 0 where the operand has ended.
template <bool kInt4>
__m512i row_of(const Slice& slice, unsigned row, __m512i flip = _mm512_setzero_si512()) {
  const __m256i lower = row_of(slice.lower, row);
  const __m512i bytes = kInt4 ? bytes_of_int4(lower)
                              : _mm512_maskz_inserti64x4(0xFF, _mm512_castsi256_si512(lower),
                                                         row_of(slice.upper, row), 1);
  return _mm512_maskz_mov_epi8(slice.inside, _mm512_xor_si512(bytes, flip));
}

template <bool kInt4>
void pack_rows(const Fractals& operand, unsigned steps, __m512i flip, uint8_t* to) {
  for (unsigned i = 0; i < steps; ++i) {
    const Slice slice = slice_of(operand, i);
#pragma GCC unroll 16
    for (unsigned row = 0; row < kRows; ++row, to += kStepK) {
      _mm512_storeu_si512(to, row_of<kInt4>(slice, row, flip));
    }
  }
}

typedef int32_t Groups __attribute__((vector_size(64)));  // of four k

// From the halves that begin with kFirst: an element of a, one of b, and so on.
template <unsigned kFirst, std::size_t... i>
Groups zip(Groups a, Groups b, std::index_sequence<i...>) {
  return __builtin_shufflevector(a, b, (kFirst + i / 2 + i % 2 * kRows)...);
}

template <bool kInt4>
void pack_columns(const Fractals& operand, unsigned steps, uint8_t* to) {
  constexpr std::make_index_sequence<kRows> kAll{};
  for (unsigned i = 0; i < steps; ++i) {
    const Slice slice = slice_of(operand, i);
    Groups rows[kRows], next[kRows];
#pragma GCC unroll 16
    for (unsigned row = 0; row < kRows; ++row) rows[row] = Groups(row_of<kInt4>(slice, row));
    // Zipping the upper half of n rows with the lower half, log n times, transposes them.
    for (unsigned stage = 1; stage < kRows; stage *= 2) {
      for (unsigned row = 0; row < kRows / 2; ++row) {
        next[2 * row] = zip<0>(rows[row], rows[row + kRows / 2], kAll);
        next[2 * row + 1] = zip<kRows / 2>(rows[row], rows[row + kRows / 2], kAll);
      }
      for (unsigned row = 0; row < kRows; ++row) rows[row] = next[row];
    }
#pragma GCC unroll 16
    for (unsigned row = 0; row < kRows; ++row, to += kPitch) {
      _mm512_storeu_si512(to, __m512i(rows[row]));
    }
  }
}

struct alignas(64) Line {  // a vector of them begins with a line of the host's cache
  uint8_t bytes[64];
};

uint8_t* sized(std::vector<Line>& lines, size_t bytes) {
  lines.resize(bytes / sizeof(Line));
  return lines[0].bytes;
}

void pack_a(const Fractals& operand, const BytePanels& panels, bool turn_signs, uint8_t* to) {
  const __m512i flip = _mm512_set1_epi8(turn_signs ? char(0x80) : char(0));
  const auto pack = operand.type == DType::kInt4 ? pack_rows<true> : pack_rows<false>;
  const size_t pitch = ceil_div(operand.k, fractal::row_elements(operand.type)) * kBytes;
  for (unsigned block = 0; block < panels.m_blocks; ++block) {
    pack({operand.first + block * pitch, kBytes, operand.type, operand.k}, panels.steps, flip,
         to + block * panels.panel_bytes());
  }
}

void pack_b(const Fractals& operand, const BytePanels& panels, uint8_t* to) {
  const auto pack = operand.type == DType::kInt4 ? pack_columns<true> : pack_columns<false>;
  for (unsigned block = 0; block < panels.n_blocks; ++block) {
    pack({operand.first + block * kBytes, operand.k_pitch, operand.type, operand.k}, panels.steps,
         to + block * panels.panel_bytes());
  }
}

Signs signs_of(DType a_type, DType b_type) {
  if (b_type == DType::kUint8) return Signs::kNeither;
  return a_type == DType::kUint8 ? Signs::kColumns : Signs::kBoth;
}

}  // namespace

ByteUnit byte_unit() {
  static const ByteUnit unit = [] {
    constexpr unsigned kVnni = 1 << 11, kTiles = 1 << 24 | 1 << 25;  // AVX512_VNNI; AMX-TILE, -INT8
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return ByteUnit::kNone;
    if ((d & kTiles) == kTiles && may_use_tiles()) return ByteUnit::kAmx;
    return (c & kVnni) != 0 ? ByteUnit::kVnni : ByteUnit::kNone;
  }();
  return unit;
}

bool takes(ByteUnit unit, DType a_type, DType b_type, const Product& product) {
  if (unit == ByteUnit::kNone || product.m == 1) return false;
  return unit == ByteUnit::kAmx || signs_of(a_type, b_type) != Signs::kNeither;
}

void multiply_bytes(ByteUnit unit, const uint8_t* a, DType a_type, const uint8_t* b, DType b_type,
                    const Product& product, int32_t* c) {
  static thread_local std::vector<Line> a_lines, b_lines;  // kept for their memory
  BytePanels panels{};
  panels.steps = ceil_div(product.k, kStepK);
  panels.m_blocks = product.m_blocks();
  panels.n_blocks = product.n_blocks();
  panels.signs = signs_of(a_type, b_type);
  panels.from_zero = product.from_zero;
  uint8_t* a_panels = sized(a_lines, panels.m_blocks * panels.panel_bytes());
  uint8_t* b_panels = sized(b_lines, panels.n_blocks * panels.panel_bytes());
  const bool turn_signs = unit == ByteUnit::kVnni && panels.signs == Signs::kBoth;
  pack_a({a, kBytes, a_type, product.k}, panels, turn_signs, a_panels);
  pack_b({b, panels.n_blocks * kBytes, b_type, product.k}, panels, b_panels);
  panels.a = a_panels;
  panels.b = b_panels;
  unit == ByteUnit::kAmx ? multiply_with_amx(panels, c) : multiply_with_vnni(panels, c);
}

#else

ByteUnit byte_unit() { return ByteUnit::kNone; }
bool takes(ByteUnit, DType, DType, const Product&) { return false; }
void multiply_bytes(ByteUnit, const uint8_t*, DType, const uint8_t*, DType, const Product&,
                    int32_t*) {}

#endif

}  // namespace vinci::matrix
