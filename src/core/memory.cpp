// Mapping, guarding and finding simulated memory.
#include "core/memory.h"
#include "core/constants.h"
#include "numeric/whole.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include <fmt/format.h>

namespace vinci {
namespace {

constexpr uint64_t kGmAlignment = 64;
// Local buffers lie a power of two apart, so that a host pointer's low bits are the chip's address.
constexpr size_t kLocalPitch = size_t{2} << 20;

size_t page_bytes() {
  static const auto bytes = size_t(sysconf(_SC_PAGESIZE));
  return bytes;
}

uint8_t* map_inaccessible(size_t bytes, int sharing) {
  void* start = mmap(nullptr, bytes, PROT_NONE, sharing | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) throw std::bad_alloc();
  return static_cast<uint8_t*>(start);
}

void make_accessible(uint8_t* start, size_t bytes) {
  if (bytes != 0 && mprotect(start, bytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
}

// So much of poison is kept; a larger memory is made of several pieces.
constexpr size_t kPoisonBytes = size_t{256} << 10;

// A file of kPoison that nobody can change any more; -1: there is none.
int make_poison() {
  const int file = memfd_create("poison", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  std::array<uint8_t, 4096> page;
  page.fill(kPoison);
  bool is_written = true;
  for (size_t at = 0; at < kPoisonBytes; at += page.size()) {
    is_written &= pwrite(file, page.data(), page.size(), off_t(at)) == ssize_t(page.size());
  }
  const bool is_whole =
      is_written && fcntl(file, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_SEAL) == 0;
  if (!is_whole) close(file);
  return is_whole ? file : -1;
}

// The file is made once for a process and all that it forks: a sandbox allows no new ones.
struct Poison {
  int file = make_poison();
  struct stat status = status_now();

  struct stat status_now() const {
    struct stat now {};
    if (fstat(file, &now) != 0) now.st_ino = 0;
    return now;
  }
  // Not if somebody has closed it: its number may be another file's by now.
  bool is_open() const {
    const struct stat now = status_now();
    return now.st_ino != 0 && now.st_ino == status.st_ino && now.st_dev == status.st_dev;
  }
};

const Poison& poison() {
  static const Poison poison;
  return poison;
}

// Pages of kPoison that come as they are touched; false: there are none.
bool map_poison(uint8_t* start, size_t bytes) {
  for (size_t at = 0; at < bytes; at += kPoisonBytes) {
    if (mmap(start + at, std::min(bytes - at, kPoisonBytes), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_FIXED, poison().file, 0) == MAP_FAILED) {
      return false;
    }
  }
  return true;
}

// To look at a page that nobody has written costs less than to write it, which makes it a page of
// this process.
void poison_page(uint8_t* page) {
  const bool is_poison = page[0] == kPoison && std::memcmp(page, page + 1, page_bytes() - 1) == 0;
  if (!is_poison) std::memset(page, kPoison, page_bytes());
}

}  // namespace

GlobalMemory::~GlobalMemory() {
  for (const auto& mapping : mappings_) {
    if (mapping->start != nullptr) munmap(mapping->start, mapping->bytes);
  }
}

// Of all memories, so that no thread takes what it found in one for something of another.
uint64_t GlobalMemory::next_generation() {
  static std::atomic<uint64_t> last = 0;
  return ++last;
}

uint8_t* GlobalMemory::allocate(uint64_t bytes, std::string name, uint8_t fill, bool is_own) {
  // Sooner or later every page is touched: refuse at once what the host cannot hold.
  const uint64_t host_bytes = uint64_t(sysconf(_SC_PHYS_PAGES)) * page_bytes();
  if (bytes > host_bytes) throw std::bad_alloc();
  const size_t page = page_bytes();
  const size_t inner = round_up(std::max<uint64_t>(bytes, 1), page);
  const size_t total = inner + 2 * page;
  uint8_t* start = map_inaccessible(total, is_own ? MAP_PRIVATE : MAP_SHARED);
  make_accessible(start + page, inner);
  // The buffer ends at the guard page but for its own alignment.
  uint8_t* data = start + page + inner - round_up(std::max<uint64_t>(bytes, 1), kGmAlignment);
  auto mapping = std::make_unique<Mapping>(
      Mapping{{data, bytes, std::move(name), nullptr, false, false, nullptr}, start, total});
  if (fill != 0) std::memset(data, fill, bytes);  // pages come as zeros
  for (const std::span<uint8_t> margin : margins(*mapping)) std::ranges::fill(margin, kPoison);
  const std::lock_guard lock(mutex_);
  mappings_.push_back(std::move(mapping));
  return data;
}

void GlobalMemory::lend(uint8_t* data, uint64_t bytes, std::string name) {
  const std::lock_guard lock(mutex_);
  mappings_.push_back(std::make_unique<Mapping>(
      Mapping{{data, bytes, std::move(name), nullptr, false, false, nullptr}, nullptr, bytes}));
}

void GlobalMemory::release(const void* data) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find_if(
      mappings_, [&](const auto& mapping) { return mapping->buffer.data == data; });
  if (found == mappings_.end()) return;
  generation_ = next_generation();
  if ((*found)->start != nullptr) munmap((*found)->start, (*found)->bytes);
  mappings_.erase(found);
}

std::string GlobalMemory::text_of(Interval bytes) const {
  const GmBuffer* buffer = find(bytes.first);
  const uint64_t start = buffer == nullptr ? 0 : buffer->address();
  return fmt::format("{}..{} of GM buffer {}", bytes.first - start, bytes.end - 1 - start,
                     buffer == nullptr ? "?" : buffer->name);
}

const GmBuffer* GlobalMemory::find(uint64_t address) const {
  static thread_local Found last;
  if (last.generation == generation_ && address - last.first < last.bytes) return last.buffer;
  const std::shared_lock lock(mutex_);
  for (const auto& mapping : mappings_) {
    const GmBuffer& buffer = mapping->buffer;
    if (address - buffer.address() >= buffer.bytes) continue;
    last = {generation_, &buffer, buffer.address(), buffer.bytes};
    return &buffer;
  }
  return constants_at(address);
}

std::optional<GmBuffer> GlobalMemory::nearest(uint64_t address) const {
  const std::shared_lock lock(mutex_);
  const GmBuffer* best = nullptr;
  uint64_t best_distance = ~uint64_t{0};
  for (const auto& mapping : mappings_) {
    const GmBuffer& buffer = mapping->buffer;
    const uint64_t distance = address < buffer.address()
                                  ? buffer.address() - address
                                  : address - std::min(address, buffer.address() + buffer.bytes);
    if (distance < best_distance) {
      best_distance = distance;
      best = &buffer;
    }
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::optional<GmBuffer> GlobalMemory::with_home(uint32_t home) const {
  const std::shared_lock lock(mutex_);
  for (const auto& mapping : mappings_) {
    if (mapping->buffer.home() == home) return mapping->buffer;
  }
  return std::nullopt;
}

std::vector<std::span<uint8_t>> GlobalMemory::margins(const Mapping& mapping) {
  if (mapping.start == nullptr) return {};
  uint8_t* first = mapping.start + page_bytes();
  uint8_t* guard = mapping.start + mapping.bytes - page_bytes();
  uint8_t* end = mapping.buffer.data + mapping.buffer.bytes;
  return {{first, mapping.buffer.data}, {end, guard}};
}

std::vector<GmBuffer> GlobalMemory::overrun() const {
  const std::shared_lock lock(mutex_);
  std::vector<GmBuffer> hit;
  for (const auto& mapping : mappings_) {
    for (const std::span<uint8_t> margin : margins(*mapping)) {
      if (std::ranges::all_of(margin, [](uint8_t byte) { return byte == kPoison; })) continue;
      hit.push_back(mapping->buffer);
      break;
    }
  }
  return hit;
}

void GlobalMemory::mend(const GmBuffer& buffer) {
  const std::shared_lock lock(mutex_);
  for (const auto& mapping : mappings_) {
    if (mapping->buffer.data != buffer.data) continue;
    for (const std::span<uint8_t> margin : margins(*mapping)) std::ranges::fill(margin, kPoison);
  }
}

void GlobalMemory::follow(const void* data, bool is_output, uint8_t fill, Code code,
                          bool has_pointers) {
  const std::lock_guard lock(mutex_);
  for (const auto& mapping : mappings_) {
    GmBuffer& buffer = mapping->buffer;
    if (buffer.data != data) continue;
    buffer.written =
        std::make_shared<WrittenBytes>(buffer.address(), buffer.bytes, fill, code, has_pointers);
    buffer.is_output = is_output;
  }
}

void GlobalMemory::keep_copies() {
  const std::lock_guard lock(mutex_);
  for (const auto& mapping : mappings_) {
    GmBuffer& buffer = mapping->buffer;
    const size_t bytes = round_up(std::max<uint64_t>(buffer.bytes, 1), page_bytes());
    uint8_t* copy = map_inaccessible(bytes, MAP_SHARED);
    buffer.copy.reset(copy, [bytes](uint8_t* start) { munmap(start, bytes); });
    make_accessible(copy, bytes);
    std::memcpy(copy, buffer.data, buffer.bytes);
  }
}

std::vector<GmBuffer> GlobalMemory::unlike_copies() const {
  const std::shared_lock lock(mutex_);
  std::vector<GmBuffer> buffers;
  for (const auto& mapping : mappings_) {
    const GmBuffer& buffer = mapping->buffer;
    if (buffer.copy == nullptr) continue;
    if (std::memcmp(buffer.data, buffer.copy.get(), buffer.bytes) != 0) buffers.push_back(buffer);
  }
  return buffers;
}

std::vector<GmBuffer> GlobalMemory::outputs() const {
  const std::shared_lock lock(mutex_);
  std::vector<GmBuffer> buffers;
  for (const auto& mapping : mappings_) {
    if (mapping->buffer.is_output) buffers.push_back(mapping->buffer);
  }
  return buffers;
}

LocalMemory::LocalMemory(const Soc& soc) {
  mapping_bytes_ = kLocalPitch * (kAllSpaces + 1);
  mapping_ = map_inaccessible(mapping_bytes_, MAP_PRIVATE);
  const auto start = reinterpret_cast<uint64_t>(mapping_);
  uint8_t* first = mapping_ + (round_up(start, kLocalPitch) - start);
  const bool has_poison = poison().is_open();
  for (int i = 0; i < kAllSpaces; ++i) {
    bytes_[i] = soc.size_of(Space(i));
    if (bytes_[i] == 0) continue;
    data_[i] = first + i * kLocalPitch;
    const size_t bytes = round_up(bytes_[i], page_bytes());
    if (has_poison && Space(i) != Space::kCells && map_poison(data_[i], bytes)) continue;
    make_accessible(data_[i], bytes);
    is_reset_ &= Space(i) == Space::kCells;
  }
}

int LocalMemory::poison_file() { return poison().file; }

LocalMemory::~LocalMemory() { munmap(mapping_, mapping_bytes_); }

Space LocalMemory::space_of(const void* pointer) const {
  const auto* byte = static_cast<const uint8_t*>(pointer);
  for (int i = 0; i < kAllSpaces; ++i) {
    if (data_[i] != nullptr && byte >= data_[i] && byte < data_[i] + bytes_[i]) {
      return static_cast<Space>(i);
    }
  }
  return Space::kNone;
}

Storage LocalMemory::storage() const {
  Storage storage;
  std::ranges::copy(data_, storage.first);
  return storage;
}

Memory::Memory(const Soc& soc, const Storage& storage)
    : spaces_(soc.arch->spaces), storage_(storage) {}

void LocalMemory::reset() {
  if (std::exchange(is_reset_, true)) return;
  for (int i = 0; i < kAllSpaces; ++i) {
    if (data_[i] == nullptr) continue;
    for (size_t at = 0; at < bytes_[i]; at += page_bytes()) poison_page(data_[i] + at);
  }
  cells() = {};
}

std::span<uint8_t> LocalMemory::margin(Space space) const {
  const auto i = size_t(space);
  return {data_[i] + bytes_[i], round_up(bytes_[i], page_bytes()) - bytes_[i]};
}

std::vector<Space> LocalMemory::overrun() const {
  std::vector<Space> hit;
  for (int i = 1; i < kSpaces; ++i) {
    if (data_[i] == nullptr) continue;
    const auto is_poison = [](uint8_t byte) { return byte == kPoison; };
    if (!std::ranges::all_of(margin(Space(i)), is_poison)) hit.push_back(Space(i));
  }
  return hit;
}

}  // namespace vinci
