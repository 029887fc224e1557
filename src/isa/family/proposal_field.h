// Between elements that lie without gaps and one field of region proposals.
#pragma once

#include "isa/family/sort.h"

namespace vinci::vector {

inline uint64_t element_bytes(const ProposalRecord& record) {
  return bits_of(record.dst.dtype) / 8;
}

// `into`: from elements to the field.
template <bool into>
void check_field(const ProposalRecord& record, Check& c) {
  check_operand("dst", record.dst, c);
  check_operand("src", record.src, c);
  c.range("repeatTime", record.repeats, 0, 255);
  c.range("modeNumber", record.field, 0, kMostField);
  const uint64_t elements = kProposalsInRepeat * element_bytes(record);
  const uint64_t proposals = kProposalElements * elements;
  check_repeats({"dst", &record.dst, into ? proposals : elements},
                {"src", &record.src, into ? elements : proposals}, record.repeats, c);
}

template <bool into>
void add_field(const ProposalRecord& record, Footprint& regions) {
  const uint64_t count = uint64_t(record.repeats) * kProposalsInRepeat;
  const uint64_t bytes = element_bytes(record);
  const auto add = [&](const Operand& operand, const char* name, Access access, bool proposals) {
    const unsigned step = proposals ? kProposalElements : 1;
    regions.add_blocks(operand, name, access, proposals ? uint64_t(record.field) * bytes : 0, bytes,
                       count, int64_t(step * bytes));
  };
  add(record.src, "src", Access::kRead, !into);
  add(record.dst, "dst", Access::kWrite, into);
}

template <bool into>
void move_field(const ProposalRecord& record, const State&, Memory& memory) {
  const uint64_t bytes = element_bytes(record);
  const uint64_t field = uint64_t(record.field) * bytes, proposal = kProposalElements * bytes;
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  for (int32_t repeat = 0; repeat < record.repeats; ++repeat) {
    uint8_t elements[kProposalsInRepeat * sizeof(float)];
    for (unsigned i = 0; i < kProposalsInRepeat; ++i) {
      std::memcpy(elements + i * bytes, into ? src : src + field, bytes);
      src += into ? bytes : proposal;
    }
    for (unsigned i = 0; i < kProposalsInRepeat; ++i) {
      std::memcpy(into ? dst + field : dst, elements + i * bytes, bytes);
      dst += into ? proposal : bytes;
    }
  }
}

template <bool into>
inline constexpr Functions<ProposalRecord> kField{.signature = proposal_signature<ProposalRecord>,
                                                  .pipe = Pipe::kV,
                                                  .check = check_field<into>,
                                                  .footprint = add_field<into>,
                                                  .run = move_field<into>};

template <bool into>
constexpr Instruction field_instruction(std::string_view mnemonic, std::string_view api) {
  return make_instruction<kField<into>>(mnemonic, api, api, kProposalSupport);
}

}  // namespace vinci::vector
