#include "tool/written.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace vinci {
namespace {

constexpr uint64_t kSector = Written::kSector;

__extension__ using Wide = unsigned __int128;

inline uint64_t folded(uint64_t a, uint64_t b) {
  const Wide product = Wide(a) * b;
  return uint64_t(product) ^ uint64_t(product >> 64);
}

inline uint32_t number_of(const void* sector) {
  uint64_t words[4];
  std::memcpy(words, sector, sizeof(words));
  const uint64_t mixed = folded(words[0] ^ 0x9E3779B97F4A7C15, words[1] ^ 0xC2B2AE3D27D4EB4F) +
                         folded(words[2] ^ 0x165667B19E3779F9, words[3] ^ 0xD6E8FEB86659FD93);
  return uint32_t(mixed ^ mixed >> 32);
}

bool is_whole(const Written::Piece& piece, uint64_t sector) {
  return piece.first <= sector * kSector && (sector + 1) * kSector <= piece.end;
}

}  // namespace

Written::Piece Written::keep(Interval where, const uint8_t* bytes, bool exact) {
  Piece piece{where.first, where.first, words_.size(), exact};
  extend(piece, bytes, where.end - where.first);
  return piece;
}

bool Written::replace(const Piece& piece, const uint8_t* bytes) {
  if (piece.exact) {
    auto* const first = reinterpret_cast<uint8_t*>(&words_[piece.start]) + piece.first % kSector;
    const bool differs = std::memcmp(first, bytes, piece.end - piece.first) != 0;
    std::memcpy(first, bytes, piece.end - piece.first);
    return differs;
  }
  Written anew;
  anew.keep({piece.first, piece.end}, bytes, piece.exact);
  const auto old = words_.begin() + ptrdiff_t(piece.start);
  const bool same = std::ranges::equal(anew.words_, std::span(old, anew.words_.size()));
  std::ranges::copy(anew.words_, old);
  return !same;
}

Written::Piece Written::take(const Piece& piece, const Written& other) {
  const auto from = other.words_.begin() + ptrdiff_t(piece.start);
  const uint64_t start = words_.size();
  words_.insert(words_.end(), from, from + ptrdiff_t(words_of(piece)));
  return {piece.first, piece.end, start, piece.exact};
}

Written::Piece Written::part(const Piece& piece, Interval where) {
  const uint64_t sectors = where.first / kSector - piece.first / kSector;
  return {where.first, where.end, piece.start + sectors * kWords, true};
}

bool Written::is_last(const Piece& piece) const {
  return piece.start + words_of(piece) == words_.size();
}

void Written::extend(Piece& piece, const uint8_t* bytes, uint64_t count) {
  while (count != 0) {
    const uint64_t offset = piece.end % kSector;
    uint64_t taken = 0;
    if (offset == 0 && count >= kSector && !piece.exact) {
      const uint64_t sectors = count / kSector;
      words_.resize(words_.size() + sectors);
      uint32_t* number = words_.data() + words_.size() - sectors;
      for (; taken < sectors * kSector; taken += kSector) *number++ = number_of(bytes + taken);
      piece.end += taken;
    } else {
      if (offset == 0 || piece.first == piece.end) words_.resize(words_.size() + kWords);
      uint32_t* sector = words_.data() + words_.size() - kWords;
      taken = std::min(kSector - offset, count);
      std::memcpy(reinterpret_cast<uint8_t*>(sector) + offset, bytes, taken);
      piece.end += taken;
      if (piece.end % kSector == 0 && words_of(piece, piece.end / kSector - 1) == 1) {
        *sector = number_of(sector);
        words_.resize(words_.size() - kWords + 1);
      }
    }
    bytes += taken;
    count -= taken;
  }
}

uint64_t Written::words_of(const Piece& piece, uint64_t sector) {
  return is_whole(piece, sector) && !piece.exact ? 1 : kWords;
}

uint64_t Written::words_of(const Piece& piece) {
  const uint64_t first = piece.first / kSector, last = (piece.end - 1) / kSector;
  uint64_t words = words_of(piece, first);
  if (last != first)
    words += (last - first - 1) * (piece.exact ? kWords : 1) + words_of(piece, last);
  return words;
}

Written::Sector Written::sector(const Piece& piece, uint64_t index) const {
  const uint64_t first = piece.first / kSector;
  uint64_t at = piece.start;
  if (index != first)
    at += words_of(piece, first) + (index - first - 1) * (piece.exact ? kWords : 1);
  const bool whole = is_whole(piece, index);
  if (words_of(piece, index) == 1) return {whole, words_[at], nullptr};
  return {whole, whole ? number_of(&words_[at]) : 0, reinterpret_cast<const uint8_t*>(&words_[at])};
}

bool Written::sectors_differ(const Sector& one, const Sector& other, Interval where) {
  const uint64_t offset = where.first % kSector, count = where.end - where.first;
  const auto equal = [&](const uint8_t* a, const uint8_t* b) {
    return std::memcmp(a + offset, b + offset, count) == 0;
  };
  if (one.bytes != nullptr && other.bytes != nullptr) return !equal(one.bytes, other.bytes);
  if (one.whole && other.whole) return one.number != other.number;
  const Sector& whole = one.whole ? one : other;
  const Sector& part = one.whole ? other : one;
  const auto* now = reinterpret_cast<const uint8_t*>(where.first - offset);
  // What is there is from the one, or it is the other's; else nobody knows any more.
  return equal(part.bytes, now) != (number_of(now) == whole.number);
}

bool Written::differ(const Written& one, const Piece& its, const Written& other,
                     const Piece& others) {
  const uint64_t first = std::max(its.first, others.first), end = std::min(its.end, others.end);
  for (uint64_t at = first; at < end;) {
    const uint64_t next = std::min((at / kSector + 1) * kSector, end);
    const uint64_t index = at / kSector;
    if (sectors_differ(one.sector(its, index), other.sector(others, index), {at, next})) {
      return true;
    }
    at = next;
  }
  return false;
}

}  // namespace vinci
