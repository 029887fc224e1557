// Work that the vector cores of a block give its matrix core, and what they hear of it.
//
// A vector core posts records; the matrix core issues them one after the other, in the order of
// rounds and, in a round, of cores. What either says is seen from the next round on.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/cores/communicators.h"
#include "core/memory.h"
#include "core/own_buffers.h"
#include "vinci/grid.h"
#include "vinci/tool.h"

namespace vinci {

struct Record;

class PostedWork {
 public:
  struct Piece {
    int64_t from = -1;    // a core
    uint64_t number = 0;  // among those of this core, from 1
    std::vector<std::max_align_t> record;
    Origin origin{};  // of the call
    Told told;        // what the core had done before

    const Record& work() const { return *reinterpret_cast<const Record*>(record.data()); }
  };

  PostedWork(const Grid& grid, OwnBuffers& buffers, std::shared_ptr<GlobalMemory> gm)
      : grid_(grid), buffers_(buffers), communicators_(std::move(gm)) {}
  PostedWork(const PostedWork&) = delete;
  PostedWork& operator=(const PostedWork&) = delete;
  ~PostedWork() { buffers_.end_launch(); }

  // From a vector core. Returns the piece's number.
  uint64_t post(Piece piece);
  // It posts no more.
  void leave(int64_t core);
  // For the matrix core `core`: whether there is a piece, or there will be none.
  bool has_news(int64_t core) const;
  bool take(int64_t core, Piece& piece);
  // The piece has been done; `told`: by the matrix core.
  void finish(const Piece& piece, Told told);
  bool is_done(int64_t from, uint64_t number) const;
  // What the matrix core told when it had done it.
  Told teller(int64_t from) const;

  // A buffer in GM of the core's own, until the launch ends.
  uint8_t* buffer(int64_t core, uint64_t bytes) { return buffers_.take(core, bytes); }

  Communicators& communicators() { return communicators_; }

  // What was posted and finished so far is seen.
  void publish();

 private:
  struct Done {
    uint64_t number = 0;
    Told told;
  };
  int64_t server_of(int64_t core) const { return core - grid_.place_in_block(core); }

  const Grid grid_;
  OwnBuffers& buffers_;
  Communicators communicators_;
  mutable std::mutex mutex_;
  std::map<int64_t, uint64_t> numbers_;        // by core
  std::map<int64_t, std::deque<Piece>> open_;  // by the matrix core
  std::map<int64_t, int> left_;                // vector cores, by matrix core
  std::map<int64_t, Done> done_;               // by the core that posted
  // Of this round.
  std::vector<Piece> pending_;
  std::vector<int64_t> leaving_;                     // matrix cores, of vector cores that leave
  std::vector<std::pair<int64_t, Done>> finishing_;  // with the core that posted
};

}  // namespace vinci
