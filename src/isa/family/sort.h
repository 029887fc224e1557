// What sorting instructions share: the order of scores, repeats without gaps, and the merge.
#pragma once

#include <cstring>

#include "core/instruction.h"
#include "isa/family/float_order.h"
#include "isa/family/lanes.h"
#include "isa/family/types.h"

namespace vinci::vector {

// Region proposals have 8 elements: x1, y1, x2, y2, score, label, and two that are not used.
inline constexpr unsigned kProposalElements = 8;
inline constexpr unsigned kProposalsInRepeat = 16;
inline constexpr unsigned kScoreField = 4;
inline constexpr unsigned kMostField = 5;

inline constexpr Signature kSortHalf[] = {DType::kHalf};
inline constexpr Signature kSortFloats[] = {DType::kHalf, DType::kFloat};
inline constexpr Support kProposalSupport[] = {{kArch1000 | kArch1001, kSortHalf},
                                               {kArch2002, kSortFloats}};
inline constexpr Support kSort32Support[] = {{kArch2201, kSortFloats},
                                             {kArch3002, kSortFloats, true, kAscendC}};
// What scores have an order for.
static_assert(names_only(kProposalSupport, kSortFloats) && names_only(kSort32Support, kSortFloats));

// A larger score has a larger key; zeros are equal, and NaN comes before all numbers.
template <class Bits>
std::make_signed_t<Bits> score_key(Bits score) {
  constexpr Bits kMinusZero = Bits(~(Bits(~Bits{0}) >> 1));
  return key_of(score == kMinusZero ? Bits{0} : score, false);
}

// Writes the numbers of `count` scores, at most kMostLanes, the largest first, of equals the first
// one. Score i lies `step` bytes behind the one before.
void sort_scores(const uint8_t* scores, DType dtype, uint64_t step, unsigned count,
                 uint8_t* numbers);

// Repeat r of an operand is its bytes from r * bytes on.
struct Repeated {
  const char* name;
  const Operand* operand;
  uint64_t bytes;
};

// dst and src start together or stay apart in each repeat, up to the first one that writes what a
// later one reads, which is told. Repeats are then computed in order, each read before it is
// written.
void check_repeats(const Repeated& dst, const Repeated& src, int32_t repeats, Check& check);

template <class R>
Signature proposal_signature(const R& record) {
  return types_of(record.dst.dtype, record.src.dtype);
}

// A merge of sorted queues of records: how these look.
struct MergeLayout {
  unsigned record_bytes, score_offset;    // bytes
  unsigned dst_alignment, src_alignment;  // bytes
  int32_t least_repeats;
};

// What merges check, touch and do: up to four queues, each with its largest score first, become
// one; of equal scores that of the first queue comes first. How many each queue gave goes to
// Cells::merged.
void check_merge(const MergeSortRecord& record, const MergeLayout& layout, Check& check);
void add_merge(const MergeSortRecord& record, const MergeLayout& layout, Footprint& footprint);
void run_merge(const MergeSortRecord& record, const MergeLayout& layout, Memory& memory);
// Tells of the first queue of which a record that is taken has a larger score than the one before.
void inspect_merge(const MergeSortRecord& record, const MergeLayout& layout, const Memory& memory,
                   std::vector<Finding>& findings);

// `layout`: of records with elements of a type.
template <MergeLayout (*layout)(DType)>
inline constexpr Functions<MergeSortRecord> kMerge{
    .signature =
        [](const MergeSortRecord& record) {
          for (const Operand& src : record.src) {
            const bool valid = (record.valid >> (&src - record.src) & 1) != 0;
            if (valid && src.dtype != record.dst.dtype) {
              return Signature(record.dst.dtype, src.dtype);
            }
          }
          return Signature(record.dst.dtype);
        },
    .pipe = Pipe::kV,
    .check = [](const MergeSortRecord& record,
                Check& check) { check_merge(record, layout(record.dst.dtype), check); },
    .footprint = [](const MergeSortRecord& record,
                    Footprint& regions) { add_merge(record, layout(record.dst.dtype), regions); },
    .inspect =
        [](const MergeSortRecord& record, const State&, const Memory& memory,
           std::vector<Finding>& findings) {
          inspect_merge(record, layout(record.dst.dtype), memory, findings);
        },
    .run = [](const MergeSortRecord& record, const State&,
              Memory& memory) { run_merge(record, layout(record.dst.dtype), memory); }};

template <MergeLayout (*layout)(DType)>
constexpr Instruction merge_instruction(std::string_view mnemonic, std::string_view api,
                                        std::span<const Support> support) {
  return make_instruction<kMerge<layout>>(mnemonic, api, api, support);
}

}  // namespace vinci::vector
