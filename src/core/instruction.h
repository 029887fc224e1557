// What an instruction is to the core: its name, its types per chip, and what it checks, touches
// and computes. Each lives in src/isa/<group>/<mnemonic>.cpp as a constant of that name.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/check.h"
#include "core/footprint.h"
#include "soc/soc.h"
#include "vinci/record.h"
#include "vinci/round.h"

namespace vinci {

class Core;

// Round modes as bits.
using RoundSet = uint16_t;
constexpr RoundSet set_of(Round mode) { return RoundSet(1u << std::min(unsigned(mode), 15u)); }

// The element types of a call, destination first; unused places are kNone. Conversions have round
// modes: a call one of them, a support table those that it allows.
struct Signature {
  std::array<DType, 3> types{DType::kNone, DType::kNone, DType::kNone};
  RoundSet modes = 0;

  constexpr Signature() = default;
  constexpr Signature(DType dst) : types{dst, DType::kNone, DType::kNone} {}
  constexpr Signature(DType dst, DType src) : types{dst, src, DType::kNone} {}
  constexpr Signature(DType dst, DType src0, DType src1) : types{dst, src0, src1} {}
  constexpr Signature(DType dst, DType src, RoundSet round)
      : types{dst, src, DType::kNone}, modes(round) {}
  friend constexpr bool operator==(const Signature&, const Signature&) = default;
};

// The two ways to program the AI Core, as bits: their documents disagree about types here and
// there.
using FrontEnds = uint8_t;
inline constexpr FrontEnds kAscendC = 1;
inline constexpr FrontEnds kTik = 2;

// "These chips take these types." A row that vinci cannot execute yet says so.
struct Support {
  ArchSet archs = 0;
  std::span<const Signature> signatures;
  bool implemented = true;
  FrontEnds front_ends = kAscendC | kTik;

  bool covers(ArchSet arch, FrontEnds front_end) const {
    return (archs & arch) != 0 && (front_ends & front_end) != 0;
  }
};

struct Instruction {
  std::string_view mnemonic;  // file name, name in reports: "load_data_2d"
  std::string_view api;       // how messages call it: "LoadData (2D)"
  std::string_view page;      // what `vinci explain` is asked for: "LoadData"
  std::span<const Support> support;
  uint32_t record_bytes = 0;          // size of its record, to keep a copy
  const void* record_type = nullptr;  // &kRecordType of its record

  Signature (*signature)(const Record&) = nullptr;
  Pipe (*pipe)(const Record&, const Soc&) = nullptr;
  void (*check)(const Record&, Check&) = nullptr;
  // Only called when the check found nothing; may read memory (gather's offsets) and may report.
  void (*footprint)(const Record&, Core&, Footprint&) = nullptr;
  void (*execute)(const Record&, Core&) = nullptr;
};

// Its address tells a record's type where only the instruction is known.
template <class R>
inline constexpr char kRecordType = 0;

// Builds an Instruction from functions on the instruction's own record type.
template <class R, auto signature, auto pipe, auto check, auto footprint, auto execute>
constexpr Instruction make_instruction(std::string_view mnemonic, std::string_view api,
                                       std::string_view page, std::span<const Support> support) {
  return {mnemonic,
          api,
          page,
          support,
          sizeof(R),
          &kRecordType<R>,
          [](const Record& r) { return signature(static_cast<const R&>(r)); },
          [](const Record& r, const Soc& soc) { return pipe(static_cast<const R&>(r), soc); },
          [](const Record& r, Check& c) { check(static_cast<const R&>(r), c); },
          [](const Record& r, Core& core, Footprint& f) {
            footprint(static_cast<const R&>(r), core, f);
          },
          [](const Record& r, Core& core) { execute(static_cast<const R&>(r), core); }};
}

// The instructions of src/isa, in the order of their file names.
std::span<const Instruction* const> all_instructions();

}  // namespace vinci
