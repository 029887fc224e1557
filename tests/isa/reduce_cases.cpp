// Reductions in their forms, one case a block, on a UB filled with the case's image.
#include "cases.h"

namespace {

// In the order of NAMES in reductions.py.
enum class Op {
  kWholeSum,
  kWholeMax,
  kWholeMin,
  kBlockSum,
  kBlockMax,
  kBlockMin,
  kPairSum,
  kRepeatSum,
  kSum,
  kMax,
  kMin,
};

struct Call {
  explicit Call(Case& values)
      : op(Op(values.next())),
        type(values.next()),
        form(values.next()),
        mask{uint64_t(values.next()), uint64_t(values.next())},
        repeats(values.next()),
        count(values.next()),
        set_mask(values.next()),
        counter(values.next()),
        order(values.next()),
        dst(values),
        src(values),
        work(values),
        dst_stride(values.next()),
        block_stride(values.next()),
        repeat_stride(values.next()) {}

  Op op;
  int64_t type, form;
  uint64_t mask[2];
  int32_t repeats, count;
  bool set_mask;
  int64_t counter;  // elements of Counter mode, -1: Normal mode
  int64_t order;    // of ReduceMax and ReduceMin: calIndex
  Place dst, src, work;
  int32_t dst_stride, block_stride, repeat_stride;
};

// f(isSetMask, mask) in the case's form with a mask.
template <class F>
void with_mask(const Call& call, F f) {
  if (call.form == 1) {
    call.set_mask ? f(std::true_type(), call.mask) : f(std::false_type(), MASK_PLACEHOLDER_LIST);
  } else {
    call.set_mask ? f(std::true_type(), int32_t(call.mask[0]))
                  : f(std::false_type(), int32_t(MASK_PLACEHOLDER));
  }
}

template <class T>
void reduce(const Call& call) {
  const auto dst = call.dst.tensor<T>();
  const auto src = call.src.tensor<T>();
  const auto work = call.work.tensor<T>();
  const int32_t rep = call.repeats, to = call.dst_stride, blk = call.block_stride,
                next = call.repeat_stride;
  const auto order = ReduceOrder(call.order);
  if (call.form == 0) {
    switch (call.op) {
      case Op::kSum: return ReduceSum(dst, src, work, call.count);
      case Op::kMax: return ReduceMax(dst, src, work, call.count, call.order != 0);
      default: return ReduceMin(dst, src, work, call.count, call.order != 0);
    }
  }
  if (call.op == Op::kRepeatSum) {
    const auto first = int32_t(call.mask[0]);
    return call.set_mask ? RepeatReduceSum(dst, src, rep, first, 0, blk, to, next)
                         : RepeatReduceSum<T, false>(dst, src, rep, 0, 77, blk, to, next);
  }
  with_mask(call, [&](auto set, auto mask) {
    constexpr bool kSet = decltype(set)::value;
    switch (call.op) {
      case Op::kWholeSum: return WholeReduceSum<T, kSet>(dst, src, mask, rep, to, blk, next);
      case Op::kWholeMax: return WholeReduceMax<T, kSet>(dst, src, mask, rep, to, blk, next, order);
      case Op::kWholeMin: return WholeReduceMin<T, kSet>(dst, src, mask, rep, to, blk, next, order);
      case Op::kBlockSum: return BlockReduceSum<T, kSet>(dst, src, rep, mask, to, blk, next);
      case Op::kBlockMax: return BlockReduceMax<T, kSet>(dst, src, rep, mask, to, blk, next);
      case Op::kBlockMin: return BlockReduceMin<T, kSet>(dst, src, rep, mask, to, blk, next);
      case Op::kPairSum: return PairReduceSum<T, kSet>(dst, src, rep, mask, to, blk, next);
      case Op::kSum: return ReduceSum<T, kSet>(dst, src, work, mask, rep, next);
      case Op::kMax: return ReduceMax(dst, src, work, mask, rep, next, call.order != 0);
      default: return ReduceMin(dst, src, work, mask, rep, next, call.order != 0);
    }
  });
}

}  // namespace

extern "C" __global__ __aicore__ void reduce_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  Call call(values);
  fill_ub(values);
  with_type(call.type, [&](auto element) {
    using T = decltype(element);
    if (call.counter >= 0) {
      SetMaskCount();
      SetVectorMask<T, MaskMode::COUNTER>(0, call.counter);
    }
    reduce<T>(call);
  });
  save_ub(values);
}
