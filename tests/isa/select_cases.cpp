// Select in its forms, one case a block, on a UB filled with the case's image. What its bits are
// may first come through CMPMASK: from Compare, or from SetCmpMask. Then GetCmpMask shows the
// register, and a Duplicate the MASK register.
#include "cases.h"

namespace {

enum class Form { kCount, kBits, kContinuous, kRegister };
// What goes to CMPMASK before: nothing, 16 bytes, the address of sel as the host or the chip has
// it, or 16 bytes and over them the bits of a comparison.
enum class Load { kNothing, kBytes, kPointer, kLow32, kOffset, kCompare };

struct Call {
  explicit Call(Case& values)
      : type(values.next()),
        sel_type(values.next()),
        mode(SELMODE(values.next())),
        form(Form(values.next())),
        mask{uint64_t(values.next()), uint64_t(values.next())},
        set_mask(values.next()),
        counter(values.next()),
        repeats(values.next()),
        count(values.next()),
        scalar_given(values.next()),
        scalar(values.next()),
        load(Load(values.next())),
        load_at(values.next()),
        load_n(values.next()),
        compare_mask{uint64_t(values.next()), uint64_t(values.next())},
        dst(values),
        sel(values),
        src0(values),
        src1(values),
        params{uint8_t(values.next()), uint8_t(values.next()), uint8_t(values.next()),
               uint8_t(values.next()), uint8_t(values.next()), uint8_t(values.next())},
        get_at(values.next()),
        get_n(values.next()),
        probe(values.next()) {}

  int64_t type, sel_type;
  SELMODE mode;
  Form form;
  uint64_t mask[2];
  bool set_mask, counter;
  uint8_t repeats;
  uint32_t count;
  bool scalar_given;
  int64_t scalar;
  Load load;
  uint32_t load_at, load_n;
  uint64_t compare_mask[2];
  Place dst, sel, src0, src1;
  BinaryRepeatParams params;
  int64_t get_at;
  uint32_t get_n;
  int64_t probe;
};

template <class T>
void load(const Call& call) {
  const auto bytes = LocalTensor<uint8_t>(TPosition::VECCALC, call.load_at, call.load_n);
  const auto words = bytes.ReinterpretCast<int64_t>();
  const auto sel = call.sel.tensor<uint8_t>();
  const auto pointer = reinterpret_cast<int64_t>(sel.GetPhyAddr());
  switch (call.load) {
    case Load::kNothing: return;
    case Load::kBytes: break;
    case Load::kPointer: words.SetValue(0, pointer); break;
    case Load::kLow32:
      words.SetValue(0, int64_t(uint32_t(pointer)) << 32 | uint32_t(pointer));
      break;
    case Load::kOffset: words.SetValue(0, call.sel.address); break;
    case Load::kCompare:
      SetCmpMask(bytes);
      return Compare(call.src0.tensor<T>(), call.src1.tensor<T>(), CMPMODE::LT, call.compare_mask,
                     {1, 1, 1, 8, 8, 8});
  }
  SetCmpMask(bytes);
}

// Calls f with isSetMask and the mask as its form takes it.
template <class F>
void with_mask(const Call& call, F f) {
  if (call.form == Form::kBits) {
    call.set_mask ? f(std::true_type(), call.mask) : f(std::false_type(), MASK_PLACEHOLDER_LIST);
  } else {
    call.set_mask ? f(std::true_type(), call.mask[0]) : f(std::false_type(), MASK_PLACEHOLDER);
  }
}

template <class T, class U, class Second>
void select_from(const Call& call, const Second& src1) {
  const auto dst = call.dst.tensor<T>(), src0 = call.src0.tensor<T>();
  const auto sel = call.sel.tensor<U>();
  if (call.form == Form::kCount) return Select(dst, sel, src0, src1, call.mode, call.count);
  with_mask(call, [&](auto set, auto mask) {
    Select<T, U, set()>(dst, sel, src0, src1, call.mode, mask, call.repeats, call.params);
  });
}

template <class T, class U>
void select(const Call& call) {
  const auto dst = call.dst.tensor<T>(), src0 = call.src0.tensor<T>(), src1 = call.src1.tensor<T>();
  if (call.form != Form::kRegister) {
    return call.scalar_given ? select_from<T, U>(call, element_of<T>(call.scalar))
                             : select_from<T, U>(call, src1);
  }
  switch (call.mode) {
    case SELMODE::VSEL_CMPMASK_SPR:
      return Select<T, SELMODE::VSEL_CMPMASK_SPR>(dst, src0, src1, call.repeats, call.params);
    case SELMODE::VSEL_TENSOR_TENSOR_MODE:
      return Select<T, SELMODE::VSEL_TENSOR_TENSOR_MODE>(dst, src0, src1, call.repeats,
                                                         call.params);
    default: return Select(dst, call.sel.tensor<U>(), src0, call.repeats, call.params);
  }
}

template <class T>
void run(const Call& call) {
  load<T>(call);
  if (call.counter) SetMaskCount();
  if (call.form == Form::kRegister) {
    if (call.counter) {
      SetVectorMask<T, MaskMode::COUNTER>(0, call.mask[0]);
    } else {
      SetVectorMask<T>(call.mask[1], call.mask[0]);
    }
  }
  switch (call.sel_type) {
    case 0: return select<T, int8_t>(call);
    case 1: return select<T, uint8_t>(call);
    case 3: return select<T, uint16_t>(call);
    case 4: return select<T, half>(call);
    case 7: return select<T, uint32_t>(call);
    default: return select<T, uint64_t>(call);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void select_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  fill_ub(values);
  with_type(call.type, [&](auto element) {
    using T = decltype(element);
    if constexpr (!std::is_same_v<T, int4b_t>) run<T>(call);
  });
  if (call.get_at >= 0) {
    GetCmpMask(LocalTensor<uint8_t>(TPosition::VECCALC, call.get_at, call.get_n));
  }
  if (call.probe >= 0) {
    const LocalTensor<uint16_t> probe(TPosition::VECCALC, call.probe, 128);
    Duplicate<uint16_t, false>(probe, 0xABCD, MASK_PLACEHOLDER, 1, 1, 8);
  }
  save_ub(values);
}
