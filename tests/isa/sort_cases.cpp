// Sorting instructions, one case a block, on a UB filled with the case's image. After a merge the
// numbers of GetMrgSortResult stand in the first 16 bytes of what is stored.
#include "cases.h"

namespace {

// In the order of NAMES in test_sort.py.
enum class Op { kConcat, kExtract, kRpSort16, kMrgSort4, kSort32, kMrgSort };

struct Call {
  explicit Call(Case& values)
      : op(Op(values.next())),
        type(values.next()),
        repeats(values.next()),
        mode(values.next()),
        suspend(values.next()),
        valid(values.next()),
        dst(values),
        src{Place(values), Place(values), Place(values), Place(values)} {
    for (uint16_t& length : lengths) length = values.next();
  }

  Op op;
  int64_t type;
  int32_t repeats, mode;
  bool suspend;
  uint16_t valid;
  Place dst, src[4];
  uint16_t lengths[4];
};

void store_counts() {
  uint16_t counts[4] = {};
  GetMrgSortResult(counts[0], counts[1], counts[2], counts[3]);
  LocalTensor<int32_t> to(TPosition::VECCALC, 0, 4);
  for (int i = 0; i < 4; ++i) to.SetValue(i, counts[i]);
}

template <class T>
void sort(const Call& call) {
  const auto dst = call.dst.tensor<T>();
  const auto src = call.src[0].tensor<T>();
  MrgSort4Info info(call.lengths, call.suspend, call.valid, call.repeats);
  MrgSortSrcList<T> list(src, call.src[1].tensor<T>(), call.src[2].tensor<T>(),
                         call.src[3].tensor<T>());
  switch (call.op) {
    case Op::kConcat: return ProposalConcat(dst, src, call.repeats, call.mode);
    case Op::kExtract: return ProposalExtract(dst, src, call.repeats, call.mode);
    case Op::kRpSort16: return RpSort16(dst, src, call.repeats);
    case Op::kSort32: return Sort32(dst, src, call.src[1].tensor<uint32_t>(), call.repeats);
    case Op::kMrgSort4: MrgSort4(dst, list, info); return store_counts();
    case Op::kMrgSort: MrgSort(dst, list, info); return store_counts();
  }
}

}  // namespace

extern "C" __global__ __aicore__ void sort_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  Call call(values);
  fill_ub(values);
  with_type(call.type, [&](auto element) { sort<decltype(element)>(call); });
  save_ub(values);
}
