// Where the tiles of several Matmul objects lie in L0C.
#include "core/registers.h"

namespace vinci {

uint64_t MatmulSums::place_for(uint64_t object, uint64_t bytes, uint64_t start,
                               uint64_t end) const {
  const auto is_free = [&](uint64_t place) {
    return place >= start && place + bytes <= end &&
           std::ranges::none_of(tiles_, [&](const Tile& tile) {
             return tile.object != 0 && tile.object != object && tile.first < place + bytes &&
                    place < tile.end;
           });
  };
  for (const Tile& tile : tiles_) {
    if (tile.object == object && is_free(tile.first)) return tile.first;
  }
  if (is_free(start)) return start;
  for (const Tile& tile : tiles_) {
    if (tile.object != 0 && is_free(tile.end)) return tile.end;
  }
  uint64_t oldest = start;
  for (const Tile& tile : tiles_) {
    if (tile.object != 0 && tile.first >= start && tile.first + bytes <= end) oldest = tile.first;
  }
  return oldest;
}

}  // namespace vinci
