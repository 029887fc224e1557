// The loop over panels for AMX: tiles of 16 rows of 64 bytes, which are the squares of the panels
// and the fractals of C.
#include "kernel/byte_panels.h"

#if defined(__AVX512BW__)
#include <immintrin.h>

namespace vinci::matrix {
namespace {

// All eight tiles are squares.
struct alignas(64) TileConfig {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

// The numbers of tiles must be literals.
#define VINCI_ADD_PRODUCTS(c, a, b)                 \
  if constexpr (kSigns == Signs::kBoth) {           \
    _tile_dpbssd(c, a, b);                          \
  } else if constexpr (kSigns == Signs::kColumns) { \
    _tile_dpbusd(c, a, b);                          \
  } else {                                          \
    _tile_dpbuud(c, a, b);                          \
  }

// kM fractals of C below each other and kN beside each other, from (m, n) on. Tiles 0 to 3 hold C,
// 4 and 5 A, 6 and 7 B.
template <Signs kSigns, unsigned kM, unsigned kN>
__attribute__((target("amx-tile,amx-int8"))) void multiply_tiles(const BytePanels& panels,
                                                                 unsigned m, unsigned n,
                                                                 int32_t* c) {
  constexpr bool kSecondRow = kM == 2, kSecondColumn = kN == 2, kAll = kSecondRow && kSecondColumn;
  const uint8_t *a = panels.row_block(m), *b = panels.column_block(n);
  int32_t* const first = c + panels.c_at(m, n);
  int32_t* const second = c + panels.c_at(m, n + 1);
  if (panels.from_zero) {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  } else {
    _tile_loadd(0, first, kPitch);
    if constexpr (kSecondRow) _tile_loadd(1, first + kResults, kPitch);
    if constexpr (kSecondColumn) _tile_loadd(2, second, kPitch);
    if constexpr (kAll) _tile_loadd(3, second + kResults, kPitch);
  }
  for (unsigned step = 0; step < panels.steps; ++step, a += kSquare, b += kSquare) {
    _tile_loadd(4, a, kPitch);
    _tile_loadd(6, b, kPitch);
    VINCI_ADD_PRODUCTS(0, 4, 6)
    if constexpr (kSecondRow) {
      _tile_loadd(5, a + panels.panel_bytes(), kPitch);
      VINCI_ADD_PRODUCTS(1, 5, 6)
    }
    if constexpr (kSecondColumn) {
      _tile_loadd(7, b + panels.panel_bytes(), kPitch);
      VINCI_ADD_PRODUCTS(2, 4, 7)
    }
    if constexpr (kAll) {
      VINCI_ADD_PRODUCTS(3, 5, 7)
    }
  }
  _tile_stored(0, first, kPitch);
  if constexpr (kSecondRow) _tile_stored(1, first + kResults, kPitch);
  if constexpr (kSecondColumn) _tile_stored(2, second, kPitch);
  if constexpr (kAll) _tile_stored(3, second + kResults, kPitch);
}

#undef VINCI_ADD_PRODUCTS

// kN column blocks of C, from top to bottom.
template <Signs kSigns, unsigned kN>
void multiply_columns(const BytePanels& panels, unsigned n, int32_t* c) {
  unsigned m = 0;
  for (; m + 2 <= panels.m_blocks; m += 2) multiply_tiles<kSigns, 2, kN>(panels, m, n, c);
  if (m < panels.m_blocks) multiply_tiles<kSigns, 1, kN>(panels, m, n, c);
}

template <Signs kSigns>
void multiply_all(const BytePanels& panels, int32_t* c) {
  unsigned n = 0;
  for (; n + 2 <= panels.n_blocks; n += 2) multiply_columns<kSigns, 2>(panels, n, c);
  if (n < panels.n_blocks) multiply_columns<kSigns, 1>(panels, n, c);
}

}  // namespace

__attribute__((target("amx-tile"))) void multiply_with_amx(const BytePanels& panels, int32_t* c) {
  static constexpr TileConfig kConfig;  // in memory as a whole: the compiler sees no reader of it
  _tile_loadconfig(&kConfig);
  switch (panels.signs) {
    case Signs::kBoth: multiply_all<Signs::kBoth>(panels, c); break;
    case Signs::kColumns: multiply_all<Signs::kColumns>(panels, c); break;
    case Signs::kNeither: multiply_all<Signs::kNeither>(panels, c); break;
  }
  _tile_release();
}

}  // namespace vinci::matrix
#endif
