// What the library's vector functions share. Such a function is one instruction of pipe V: it says
// which bytes of which operands it reads and writes (`parts`), and what becomes of them (`run`).
// The checks, the footprint, the scratch memory and the mask register are the same for all.
//
// Rules and decisions: docs/spec/library.md.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "core/instruction.h"
#include "isa/family/arithmetic.h"
#include "vinci/record/library.h"

namespace vinci::library {

using Call = LibraryRecord;  // of a function of the library

// `rows` pieces of `bytes`, `pitch` bytes from start to start, from `offset` bytes into an operand.
struct Part {
  const char* name;
  const Operand* operand;
  Access access;
  uint64_t bytes;
  uint64_t rows = 1, pitch = 0, offset = 0;

  uint64_t begin() const { return operand->address + offset; }
  uint64_t end() const { return rows == 0 ? begin() : begin() + (rows - 1) * pitch + bytes; }
};

// The parts of one call; an operand that is written and read has two.
class Parts {
 public:
  void read(const char* name, const Operand& operand, uint64_t bytes, uint64_t rows = 1,
            uint64_t pitch = 0, uint64_t offset = 0) {
    add({name, &operand, Access::kRead, bytes, rows, pitch, offset});
  }
  void write(const char* name, const Operand& operand, uint64_t bytes, uint64_t rows = 1,
             uint64_t pitch = 0, uint64_t offset = 0) {
    add({name, &operand, Access::kWrite, bytes, rows, pitch, offset});
  }
  std::span<const Part> all() const { return {list_.data(), count_}; }

 private:
  void add(const Part& part) {
    if (part.bytes != 0 && part.rows != 0) list_[count_++] = part;
  }
  std::array<Part, 16> list_{};
  size_t count_ = 0;
};

// Whether results may be sources, and begin where these begin: none, dst[0] may be src[0], those of
// the same number (and dst[4] src[3]), any any.
enum class Overlaps : uint8_t { kNever, kFirst, kPairs, kSame };

// The rules of all: operands in UB, at a datablock; written ones apart from the others; enough
// sharedTmpBuffer, apart from all.
void check_parts(const Call& call, const Parts& parts, Overlaps overlaps, Check& check);
void add_parts(const Call& call, const Parts& parts, Footprint& footprint);
// Nobody may rely on what sharedTmpBuffer holds afterwards, nor on sources that are used up.
void spoil_scratch(const Call& call, Memory& memory);
void spoil_sources(const Call& call, const Parts& parts, Memory& memory);
// MASK enables all lanes, in Normal mode.
void reset_mask(const Call& call, const Soc& soc, Registers& registers);

inline Signature signature_of(const Call& call) {
  if (call.src[0].dtype == DType::kNone) return call.dst[0].dtype;
  return types_of(call.dst[0].dtype, call.src[0].dtype);
}
inline void no_rules(const Call&, Check&) {}

template <auto parts, auto run, auto rules = no_rules, Overlaps overlaps = Overlaps::kNever,
          auto signature = signature_of>
inline constexpr Functions<Call> kFunctions{
    .signature = signature,
    .pipe = Pipe::kV,
    .check =
        [](const Call& call, Check& check) {
          rules(call, check);
          if (check.ok()) check_parts(call, parts(call), overlaps, check);
        },
    .footprint = [](const Call& call,
                    Footprint& footprint) { add_parts(call, parts(call), footprint); },
    .run =
        [](const Call& call, const State& state, Memory& memory) {
          run(call, state, memory);
          spoil_scratch(call, memory);
          if (call.used_up != 0) spoil_sources(call, parts(call), memory);
        },
    .advance = reset_mask};

// `mnemonic` is the constant's name, `api` what documents and messages call it.
template <auto parts, auto run, auto rules = no_rules, Overlaps overlaps = Overlaps::kNever,
          auto signature = signature_of>
constexpr Instruction function(std::string_view mnemonic, std::string_view api,
                               std::span<const Support> support) {
  return make_instruction<kFunctions<parts, run, rules, overlaps, signature>>(mnemonic, api, api,
                                                                              support);
}

// The chips that have most of the library.
inline constexpr ArchSet kMost = kArch2002 | kArch2201;
inline constexpr Support kFloats[] = {{kMost, vector::kFloats, true, kAscendC}};
inline constexpr Support kFloatsAnd1001[] = {{kMost | kArch1001, vector::kFloats, true, kAscendC}};
inline constexpr Support kFloatsAnd3002[] = {{kMost | kArch3002, vector::kFloats, true, kAscendC}};

inline bool saturates(const State& state) { return state.registers.overflow.floats_saturate; }
template <class T>
T* data_of(Memory& memory, const Operand& operand) {
  return reinterpret_cast<T*>(memory.data(operand));
}
inline bool given(const Operand& operand) { return operand.dtype != DType::kNone; }

}  // namespace vinci::library
