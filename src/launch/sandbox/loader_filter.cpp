// libseccomp's rules know arguments only, not where a call stands: so this one is made by hand.
#include "launch/sandbox/loader_filter.h"

#include <fcntl.h>
#include <link.h>
#include <linux/seccomp.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

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

// Steps that others lead to.
enum class Label : uint8_t { kHandler, kOpening, kLowWord, kOther, kLook, kTrap, kNoFile, kRest };

// A program, step by step. How far each jump goes is known when all labels have their places.
class Steps {
 public:
  void add(sock_filter step) { steps_.push_back(step); }
  void here(Label label) { at_[size_t(label)] = steps_.size(); }
  void go(Label label) { jump(BPF_STMT(BPF_JMP | BPF_JA, 0), label); }
  // If the word that was loaded is `value`, or `test`, of BPF, is true of the two.
  void go_if(uint32_t value, Label label) { go_if(BPF_JEQ, value, label); }
  void go_if(uint16_t test, uint32_t value, Label label) {
    jump(BPF_JUMP(uint16_t(BPF_JMP | test | BPF_K), value, 0, 0), label);
  }

  CallFilter code() const {
    CallFilter code = steps_;
    for (const auto& [step, label] : jumps_) {
      const size_t left_out = at_[size_t(label)] - step - 1;
      if (code[step].code == (BPF_JMP | BPF_JA)) {
        code[step].k = uint32_t(left_out);
      } else {
        code[step].jt = uint8_t(left_out);
      }
    }
    return code;
  }

 private:
  void jump(sock_filter step, Label label) {
    jumps_.emplace_back(steps_.size(), label);
    add(step);
  }

  CallFilter steps_;
  std::vector<std::pair<size_t, Label>> jumps_;  // the steps that jump
  std::array<size_t, size_t(Label::kRest) + 1> at_{};
};

}  // namespace

CallFilter loader_filter(std::span<const int> openings, const CallFilter& rest) {
  const Code code = code_of_loader();
  if (code.bytes == 0 || rest.empty()) return rest;
  const uint64_t end = code.begin + code.bytes;
  constexpr uint32_t kLookAtFile = SCMP_SYS(newfstatat);
  Steps steps;
  steps.add(load(kCall));
  for (const int call : openings) steps.go_if(uint32_t(call), Label::kOpening);
  steps.go_if(kLookAtFile, Label::kOpening);
  steps.go_if(uint32_t(SCMP_SYS(rt_sigaction)), Label::kHandler);
  steps.go(Label::kRest);

  steps.here(Label::kHandler);
  steps.add(load(argument(0)));
  steps.go_if(SIGSYS, Label::kTrap);
  steps.go(Label::kRest);

  // The loader's is from code.begin on, for so many bytes.
  steps.here(Label::kOpening);
  steps.add(load(kPlace + 4));
  steps.go_if(high(code.begin), Label::kLowWord);
  steps.go_if(high(end), Label::kLowWord);
  steps.go(Label::kOther);
  steps.here(Label::kLowWord);
  steps.add(load(kPlace));
  steps.add(BPF_STMT(BPF_ALU | BPF_SUB | BPF_K, low(code.begin)));
  steps.go_if(BPF_JGE, low(code.bytes), Label::kOther);
  steps.go(Label::kRest);

  // Of what is open already the C library asks by a look at a file, too.
  steps.here(Label::kOther);
  steps.add(load(kCall));
  steps.go_if(kLookAtFile, Label::kLook);
  steps.go(Label::kTrap);
  steps.here(Label::kLook);
  steps.add(load(argument(3)));
  steps.go_if(BPF_JSET, AT_EMPTY_PATH, Label::kNoFile);
  steps.here(Label::kTrap);
  steps.add(give(SECCOMP_RET_TRAP));
  steps.here(Label::kNoFile);
  steps.add(give(SECCOMP_RET_ERRNO | EBADF));

  steps.here(Label::kRest);
  CallFilter filter = steps.code();
  filter.insert(filter.end(), rest.begin(), rest.end());
  return filter;
}

}  // namespace vinci::launch
