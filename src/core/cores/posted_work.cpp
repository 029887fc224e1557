#include "core/cores/posted_work.h"

#include <algorithm>
#include <utility>

namespace vinci {

uint64_t PostedWork::post(Piece piece) {
  const std::lock_guard lock(mutex_);
  const uint64_t number = ++numbers_[piece.from];
  piece.number = number;
  pending_.push_back(std::move(piece));
  return number;
}

void PostedWork::leave(int64_t core) {
  const std::lock_guard lock(mutex_);
  leaving_.push_back(server_of(core));
}

bool PostedWork::has_news(int64_t core) const {
  const std::lock_guard lock(mutex_);
  const auto open = open_.find(core);
  if (open != open_.end() && !open->second.empty()) return true;
  const auto left = left_.find(core);
  return grid_.aiv == 0 || (left != left_.end() && left->second >= grid_.aiv);
}

bool PostedWork::take(int64_t core, Piece& piece) {
  const std::lock_guard lock(mutex_);
  const auto open = open_.find(core);
  if (open == open_.end() || open->second.empty()) return false;
  piece = std::move(open->second.front());
  open->second.pop_front();
  return true;
}

void PostedWork::finish(const Piece& piece, Told told) {
  const std::lock_guard lock(mutex_);
  finishing_.push_back({piece.from, {piece.number, told}});
}

bool PostedWork::is_done(int64_t from, uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto done = done_.find(from);
  return done != done_.end() && done->second.number >= number;
}

Told PostedWork::teller(int64_t from) const {
  const std::lock_guard lock(mutex_);
  const auto done = done_.find(from);
  return done == done_.end() ? Told() : done->second.told;
}

void PostedWork::publish() {
  const std::lock_guard lock(mutex_);
  std::ranges::sort(pending_, {}, [](const Piece& p) { return std::pair(p.from, p.number); });
  for (Piece& piece : pending_) open_[server_of(piece.from)].push_back(std::move(piece));
  pending_.clear();
  for (const int64_t server : leaving_) ++left_[server];
  leaving_.clear();
  for (const auto& [core, done] : finishing_) done_[core] = done;
  finishing_.clear();
}

}  // namespace vinci
