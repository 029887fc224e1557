// Sorting: region proposals, and scores with their indices.
#pragma once

#include "ascendc/vector.h"
#include "vinci/door.h"

namespace vinci::isa {
extern const Instruction proposal_concat, proposal_extract, rp_sort16, mrg_sort4;
extern const Instruction sort32, mrg_sort;
}  // namespace vinci::isa

namespace AscendC {

// The sorted queues of a merge.
template <class T>
struct MrgSortSrcList {
  MrgSortSrcList() = default;
  MrgSortSrcList(const LocalTensor<T>& first, const LocalTensor<T>& second,
                 const LocalTensor<T>& third, const LocalTensor<T>& fourth)
      : src1(first), src2(second), src3(third), src4(fourth) {}

  LocalTensor<T> src1, src2, src3, src4;
};

struct MrgSort4Info {
  MrgSort4Info() = default;
  MrgSort4Info(const uint16_t lengths[4], bool suspension, uint16_t valid, uint16_t repeats)
      : elementLengths{lengths[0], lengths[1], lengths[2], lengths[3]},
        ifExhaustedSuspension(suspension),
        validBit(valid),
        repeatTimes(repeats) {}

  uint16_t elementLengths[4] = {0, 0, 0, 0};
  bool ifExhaustedSuspension = false;  // stop when a queue is empty
  uint16_t validBit = 0;               // 3, 7, 15: two, three, four queues
  uint16_t repeatTimes = 1;
};

namespace in_api {

template <class T>
void issue_merge(const vinci::Instruction& instruction, const LocalTensor<T>& dst,
                 const MrgSortSrcList<T>& src, const MrgSort4Info& params) {
  const uint16_t* lengths = params.elementLengths;
  vinci::issue(vinci::MergeSortRecord{
      {&instruction},
      dst.operand(),
      {src.src1.operand(), src.src2.operand(), src.src3.operand(), src.src4.operand()},
      {lengths[0], lengths[1], lengths[2], lengths[3]},
      params.ifExhaustedSuspension,
      params.validBit,
      params.repeatTimes});
}

}  // namespace in_api

// 16 elements a repeat to field modeNumber of 16 proposals, and back.
template <class T>
void ProposalConcat(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                    const int32_t modeNumber) {
  vinci::issue(vinci::ProposalRecord{
      {&vinci::isa::proposal_concat}, dst.operand(), src.operand(), repeatTime, modeNumber});
}
template <class T>
void ProposalExtract(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime,
                     const int32_t modeNumber) {
  vinci::issue(vinci::ProposalRecord{
      {&vinci::isa::proposal_extract}, dst.operand(), src.operand(), repeatTime, modeNumber});
}
// 16 proposals a repeat, the largest score first.
template <class T>
void RpSort16(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t repeatTime) {
  vinci::issue(
      vinci::ProposalRecord{{&vinci::isa::rp_sort16}, dst.operand(), src.operand(), repeatTime, 0});
}
// Queues of proposals, or of what Sort32 leaves, into one.
template <class T>
void MrgSort4(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& params) {
  in_api::issue_merge(vinci::isa::mrg_sort4, dst, src, params);
}
template <class T>
void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src, const MrgSort4Info& params) {
  in_api::issue_merge(vinci::isa::mrg_sort, dst, src, params);
}
// 32 scores a repeat, the largest first, each with its index from src1.
template <class T>
void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
            const LocalTensor<uint32_t>& src1, const int32_t repeatTime) {
  vinci::issue(vinci::Sort32Record{
      {&vinci::isa::sort32}, dst.operand(), src0.operand(), src1.operand(), repeatTime});
}

// How many elements of each queue the last MrgSort4 or MrgSort took.
inline void GetMrgSortResult(uint16_t& mrgSortList1, uint16_t& mrgSortList2, uint16_t& mrgSortList3,
                             uint16_t& mrgSortList4) {
  mrgSortList1 = vinci::merged_count(0);
  mrgSortList2 = vinci::merged_count(1);
  mrgSortList3 = vinci::merged_count(2);
  mrgSortList4 = vinci::merged_count(3);
}

}  // namespace AscendC
