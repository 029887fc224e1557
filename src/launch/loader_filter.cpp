// libseccomp's rules know arguments only, not where a call stands: so this one is made by hand.
#include "launch/loader_filter.h"

#include <fcntl.h>
#include <link.h>
#include <linux/seccomp.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>

namespace vinci::launch {
namespace {

struct Code {
  uint64_t begin = 0, bytes = 0;
};

// Of the loader in this process.
Code code_of_loader() {
  const uint64_t base = _r_debug.r_ldbase;
  if (base == 0) return {};
  const auto* head = reinterpret_cast<const ElfW(Ehdr)*>(base);
  const auto* parts = reinterpret_cast<const ElfW(Phdr)*>(base + head->e_phoff);
  for (int i = 0; i < head->e_phnum; ++i) {
    if (parts[i].p_type != PT_LOAD || (parts[i].p_flags & PF_X) == 0) continue;
    return {base + parts[i].p_vaddr, parts[i].p_memsz};
  }
  return {};
}

constexpr uint32_t low(uint64_t word) { return uint32_t(word); }
constexpr uint32_t high(uint64_t word) { return uint32_t(word >> 32); }

// Lower halves of words stand first.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
constexpr uint32_t kCall = offsetof(seccomp_data, nr);
constexpr uint32_t kPlace = offsetof(seccomp_data, instruction_pointer);
constexpr uint32_t argument(uint32_t index) { return offsetof(seccomp_data, args) + 8 * index; }

constexpr sock_filter load(uint32_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset); }
constexpr sock_filter give(uint32_t action) { return BPF_STMT(BPF_RET | BPF_K, action); }
constexpr sock_filter skip(uint32_t steps) { return BPF_STMT(BPF_JMP | BPF_JA, steps); }
// So many steps are left out when the word is `value`, and so many when it is not.
constexpr sock_filter equal(uint32_t value, uint8_t yes, uint8_t no) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
}

}  // namespace

CallFilter loader_filter(std::span<const int> openings, const CallFilter& rest) {
  const Code code = code_of_loader();
  if (code.bytes == 0 || rest.empty()) return rest;
  const uint64_t end = code.begin + code.bytes;
  constexpr uint32_t kNoDescriptor = SECCOMP_RET_ERRNO | EBADF;
  CallFilter steps{load(kCall)};
  size_t left = openings.size();
  for (const int call : openings) steps.push_back(equal(uint32_t(call), uint8_t(left-- + 6), 0));
  const sock_filter own[] = {
      equal(uint32_t(SCMP_SYS(rt_sigaction)), 2, 0),
      equal(uint32_t(SCMP_SYS(newfstatat)), 5, 0),
      skip(18),
      // A handler.
      load(argument(0)),
      equal(SIGSYS, 0, 1),
      give(SECCOMP_RET_TRAP),
      skip(14),
      // An opening: from code.begin on, for so many bytes.
      load(kPlace + 4),
      equal(high(code.begin), 1, 0),
      equal(high(end), 0, 3),
      load(kPlace),
      BPF_STMT(BPF_ALU | BPF_SUB | BPF_K, low(code.begin)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, low(code.bytes), 0, 3),
      // Not the loader's; of what is open already the C library asks by this call, too.
      load(kCall),
      equal(uint32_t(SCMP_SYS(newfstatat)), 2, 0),
      give(SECCOMP_RET_TRAP),
      skip(4),
      load(argument(3)),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, AT_EMPTY_PATH, 1, 0),
      give(SECCOMP_RET_TRAP),
      give(kNoDescriptor),
  };
  steps.insert(steps.end(), std::begin(own), std::end(own));
  steps.insert(steps.end(), rest.begin(), rest.end());
  return steps;
}

}  // namespace vinci::launch
