// What a core wrote to GM, to be compared with what another one wrote: a number for each sector of
// 32 bytes that it wrote as a whole, and the bytes of the others.
#pragma once

#include <cstdint>
#include <vector>

#include "vinci/region.h"

namespace vinci {

class Written {
 public:
  static constexpr uint64_t kSector = 32;
  // Bytes [first, end) of GM; what was written there is kept from word `start` on.
  struct Piece {
    uint64_t first = 0, end = 0, start = 0;
    bool exact = false;  // the bytes of all sectors
  };

  // `bytes` were written to `where`.
  Piece keep(Interval where, const uint8_t* bytes, bool exact = false);
  // The same place was written once more; whether with other bytes.
  bool replace(const Piece& piece, const uint8_t* bytes);
  // `count` bytes more were written behind a piece, which must be the last.
  bool is_last(const Piece& piece) const;
  void extend(Piece& piece, const uint8_t* bytes, uint64_t count);

  // Of a piece whose sectors are all exact.
  static Piece part(const Piece& piece, Interval where);

  // Keeps a piece of `other`, too.
  Piece take(const Piece& piece, const Written& other);

  // Whether two cores left different bytes where both wrote. GM must still be there: it tells what
  // was in a sector of which one of them wrote a part only.
  static bool differ(const Written& one, const Piece& its, const Written& other,
                     const Piece& others);

 private:
  static constexpr uint64_t kWords = kSector / sizeof(uint32_t);

  // Of one sector: its number, if all of it was written, and the bytes, unless the number is all
  // there is.
  struct Sector {
    bool whole;
    uint32_t number;
    const uint8_t* bytes;
  };
  // How many words are kept for a sector, and for all.
  static uint64_t words_of(const Piece& piece, uint64_t sector);
  static uint64_t words_of(const Piece& piece);
  Sector sector(const Piece& piece, uint64_t index) const;
  static bool sectors_differ(const Sector& one, const Sector& other, Interval where);

  std::vector<uint32_t> words_;
};

}  // namespace vinci
