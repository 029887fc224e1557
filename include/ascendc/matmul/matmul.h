// The Matmul object: C = A * B + bias, tile by tile.
#pragma once

#include <array>
#include <cstring>

#include "ascendc/core_kind.h"
#include "ascendc/cross_core.h"
#include "ascendc/debug.h"
#include "ascendc/matmul/traits.h"
#include "ascendc/pipe.h"
#include "vinci/matmul_object.h"

namespace vinci::isa {
extern const Instruction matmul, regist_matmul_obj;
}

namespace AscendC {

struct MatrixOffset {
  int32_t offset;
  int32_t row, col;
  int32_t height, width;
};

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>,
          MATMUL_POLICY_DEFAULT_OF(MatmulPolicy)>
class Matmul {
  static constexpr const MatmulConfig& kConfig = in_api::config_of(MM_CFG);
  static constexpr bool kOnAicOnly = VINCI_MATMUL_ON_AIC_ONLY;
  static constexpr bool kCountsBatches =
      kOnAicOnly || vinci::kCompiledFor == vinci::CoreKind::kWhole;
  static constexpr bool kIsStatic =
      std::is_same_v<std::decay_t<decltype(MM_CFG)>, MatmulApiStaticTiling>;
  static_assert((A_TYPE::layout == LayoutMode::NONE) == (B_TYPE::layout == LayoutMode::NONE) &&
                    (A_TYPE::layout == LayoutMode::NONE) == (C_TYPE::layout == LayoutMode::NONE),
                "Matmul: all of A, B and C have a LayoutMode, or none");
  static_assert(A_TYPE::layout == LayoutMode::NONE ||
                    (in_api::batches_in<A_TYPE>() && in_api::batches_in<B_TYPE>() &&
                     in_api::results_of_batches_in<C_TYPE>()),
                "Matmul: batches (LayoutMode) are in ND; in NORMAL and BNGS1S2 A and B also in NZ, "
                "and C in ND_ALIGN");

 public:
  // AIC and AIVs both run the kernel's code: the AIC multiplies, and AIVs wait for what it wrote.
  static constexpr bool kDualMaster = kConfig.enableMixDualMaster && !VINCI_MATMUL_ON_AIC_ONLY;
  static_assert(!kDualMaster || (A_TYPE::pos == TPosition::GM && B_TYPE::pos == TPosition::GM &&
                                 BIAS_TYPE::pos == TPosition::GM && C_TYPE::pos == TPosition::GM),
                "Matmul: with enableMixDualMaster vinci has all of A, B, the bias and C in GM");

  // What all objects of a kernel say alike.
  static constexpr std::array<bool, 3> kOfTheKernel = {
      kConfig.enableMixDualMaster, kConfig.isA2B2Shared, (A_TYPE::ibShare && B_TYPE::ibShare)};

  using SrcT = typename A_TYPE::T;
  using SrcBT = typename B_TYPE::T;
  using DstT = typename C_TYPE::T;
  using BiasT = typename BIAS_TYPE::T;

  void Init(const TCubeTiling* tiling, TPipe* = nullptr) {
    vinci::MatmulTilingData data{};
#define VINCI_FIELD(name) data.name = field<&TCubeTiling::name>(tiling, known(MM_CFG).name);
    VINCI_MATMUL_TILING_FIELDS(VINCI_FIELD)
#undef VINCI_FIELD
    if constexpr (kIsStatic) complete(data);
    if (tiling == nullptr && data.isBias == 0) data.isBias = -1;  // a constant one need not say it
    if constexpr (kConfig.doBasicBlock) check_basic_blocks(data);
    object_.init(data);
  }

  void SetOrgShape(int orgM, int orgN, int orgK) { SetOrgShape(orgM, orgN, orgK, orgK); }
  void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0) {
    static_assert(kConfig.enableSetOrgShape, "Matmul: the configuration has no SetOrgShape");
    object_.set_org_shape(orgM, orgN, orgKa, orgKb, orgKc);
  }
  void SetSingleShape(int singleM, int singleN, int singleK) {
    object_.set_tail(singleM, singleN, singleK);
  }
  void SetTail(int tailM = -1, int tailN = -1, int tailK = -1) {
    static_assert(kConfig.enableSetTail, "Matmul: the configuration has no SetTail");
    object_.set_tail(tailM, tailN, tailK);
  }

  void SetTensorA(const GlobalTensor<SrcT>& gm, bool isTransposeA = false) {
    object_.set_a(gm.operand(), isTransposeA);
  }
  void SetTensorA(const LocalTensor<SrcT>& local, bool isTransposeA = false) {
    object_.set_a(local.operand(), isTransposeA);
  }
  // A row of the same number.
  void SetTensorA(SrcT aScalar) {
    static_assert(!std::is_same_v<SrcT, int4b_t>, "SetTensorA: no number of int4b_t");
    uint64_t bits = 0;
    std::memcpy(&bits, &aScalar, sizeof(aScalar));
    object_.set_a(bits);
  }
  void SetTensorB(const GlobalTensor<SrcBT>& gm, bool isTransposeB = false) {
    object_.set_b(gm.operand(), isTransposeB);
  }
  void SetTensorB(const LocalTensor<SrcBT>& local, bool isTransposeB = false) {
    object_.set_b(local.operand(), isTransposeB);
  }
  // A column of the same number: C is the sums of A's rows, times it.
  void SetTensorB(SrcBT bScalar) {
    static_assert(std::is_same_v<SrcBT, half> || std::is_same_v<SrcBT, float>,
                  "SetTensorB: a number is half or float");
    uint64_t bits = 0;
    std::memcpy(&bits, &bScalar, sizeof(bScalar));
    object_.set_b(bits);
  }
  void SetBias(const GlobalTensor<BiasT>& bias) {
    // Not when it is compiled: samples call it behind a condition that is never true.
    ASSERT(kConfig.enableSetBias && "the configuration has no SetBias");
    object_.set_bias(bias.operand());
  }
  void SetBias(const LocalTensor<BiasT>& bias) {
    ASSERT(kConfig.enableSetBias && "the configuration has no SetBias");
    object_.set_bias(bias.operand());
  }
  void ClearBias() { object_.clear_bias(); }
  void DisableBias() { object_.clear_bias(); }

  void SetQuantScalar(const uint64_t quantScalar) { object_.set_scale(quantScalar); }
  void SetQuantVector(const GlobalTensor<uint64_t>& quantTensor) {
    object_.set_scales(quantTensor.operand());
  }
  void SetQuantVector(const LocalTensor<uint64_t>& quantTensor) {
    object_.set_scales(quantTensor.operand());
  }
  // Of half by int8: what makes half of B.
  void SetAntiQuantScalar(const SrcT offsetScalar, const SrcT scaleScalar) {
    object_.set_anti_quant({true, float(offsetScalar), float(scaleScalar), {}, {}});
  }
  void SetAntiQuantVector(const LocalTensor<SrcT>& offsetTensor,
                          const LocalTensor<SrcT>& scaleTensor) {
    object_.set_anti_quant({true, 0, 0, offsetTensor.operand(), scaleTensor.operand()});
  }
  // Of float factors: rounded to HF32 first; ties to even (0) or away from 0 (1).
  void SetHF32(bool enableHF32 = false, int32_t transMode = 0) {
    using Hf32 = vinci::MatmulRecord::Hf32;
    if (enableHF32) check_core("SetHF32", "enableHF32 of an AIV's object", 1);
    object_.set_hf32(!enableHF32      ? Hf32::kOff
                     : transMode == 1 ? Hf32::kNearestAway
                                      : Hf32::kNearestEven);
  }
  // What call-backs get: a word for all calls, and one for the calls that follow.
  void SetUserDefInfo(uint64_t tilingPtr) { object_.set_user_tiling(tilingPtr); }
  void SetSelfDefineData(const uint64_t dataPtr) {
    static_assert(kConfig.enableSetDefineData,
                  "Matmul: the configuration has no SetSelfDefineData");
    object_.set_user_data(dataPtr);
  }
  // 2-bit indices of a SparseMatmulType, four to a byte, in NZ.
  void SetSparseIndex(const GlobalTensor<uint8_t>& indexGlobal) {
    check_core("SetSparseIndex", "the address for an AIV's object",
               int64_t(indexGlobal.operand().address));
    object_.set_sparse_index(indexGlobal.operand());
  }
  void SetSubBlockIdx(uint8_t subBlockIdx) { object_.set_sub_block(subBlockIdx); }
  uint8_t GetSubBlockIdx() { return object_.sub_block(); }

  template <class T>
  void SetWorkspace(GlobalTensor<T>& workspace) {
    object_.set_workspace(workspace.operand());
  }
  template <class T>
  void SetWorkspace(__gm__ const T* workspace, int size) {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(const_cast<__gm__ T*>(workspace), size);
    object_.set_workspace(tensor.operand());
  }
  // Room in UB, which whole cores need; others do not.
  void SetLocalWorkspace(const LocalTensor<uint8_t>& tmpBuffer) {
    object_.set_local_workspace(tmpBuffer.operand());
  }

  template <bool sync = true>
  bool Iterate(bool enPartialSum = false) {
    static_assert(!kDualMaster, "Matmul: enableMixDualMaster has IterateAll alone");
    return object_.iterate(sync, enPartialSum, {});
  }
  template <bool sync = true, class T>
  bool Iterate(bool enPartialSum, const LocalTensor<T>& co1Local) {
    return object_.iterate(sync, enPartialSum, co1Local.operand());
  }

  template <bool sync = true, bool doPad = false>
  void GetTensorC(const LocalTensor<DstT>& c, uint8_t enAtomic = 0, bool enSequentialWrite = false,
                  uint32_t = 0, uint32_t = 0, uint32_t = 0, uint32_t = 0) {
    static_assert(!doPad, "GetTensorC: vinci does not have doPad");
    object_.get(c.operand(), sync, enAtomic, enSequentialWrite);
  }
  template <bool sync = true>
  void GetTensorC(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0,
                  bool enSequentialWrite = false) {
    object_.get(gm.operand(), sync, enAtomic, enSequentialWrite);
  }
  // To both.
  template <bool sync = true>
  void GetTensorC(const GlobalTensor<DstT>& gm, const LocalTensor<DstT>& co2Local,
                  uint8_t enAtomic = 0, bool enSequentialWrite = false) {
    object_.get_both(gm.operand(), co2Local.operand(), sync, enAtomic, enSequentialWrite);
  }
  template <bool sync = true>
  GlobalTensor<DstT> GetTensorC(uint8_t = 0, bool = false) {
    static_assert(!sync, "GetTensorC() without a tensor: GetTensorC<false>()");
    const vinci::Operand tile = object_.get_from_workspace();
    GlobalTensor<DstT> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ DstT*>(tile.address));
    return tensor;
  }
  void AsyncGetTensorC(const LocalTensor<DstT>& c) { GetTensorC<false>(c); }
  void WaitGetTensorC() { object_.wait_for("WaitGetTensorC"); }

  template <bool sync = true>
  void IterateAll(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0,
                  bool enSequentialWrite = false, bool waitIterateAll = false,
                  bool fakeMsg = false) {
    if constexpr (!kDualMaster) {
      if (fakeMsg) return object_.iterate_nothing();
      object_.iterate_all(gm.operand(), sync, enAtomic, enSequentialWrite);
      if (!sync && waitIterateAll) object_.announce_wait();
    } else if constexpr (vinci::kCompiledFor == vinci::CoreKind::kAiv) {
      if constexpr (sync) WaitIterateAll();
    } else {
      object_.iterate_all(gm.operand(), true, enAtomic, enSequentialWrite);
      CrossCoreSetFlag<kToAivs, PIPE_FIX>(kDone);
    }
  }
  template <bool sync = true>
  void IterateAll(const LocalTensor<DstT>& ub, uint8_t enAtomic = 0) {
    static_assert(!kDualMaster, "Matmul: with enableMixDualMaster vinci writes to GM alone");
    object_.iterate_all(ub.operand(), sync, enAtomic, false);
  }
  void WaitIterateAll() {
    if constexpr (!kDualMaster) {
      object_.wait_for("WaitIterateAll");
    } else if constexpr (vinci::kCompiledFor == vinci::CoreKind::kAiv) {
      CrossCoreWaitFlag(kDone);
    }
  }

  // max(batchA, batchB) products.
  template <bool sync = true, bool waitIterateBatch = false, bool by_aiv = !kOnAicOnly,
            class = std::enable_if_t<by_aiv>>
  void IterateBatch(const GlobalTensor<DstT>& gm, uint32_t batchA, uint32_t batchB,
                    bool enSequentialWrite, uint32_t matrixStrideA = 0, uint32_t matrixStrideB = 0,
                    uint32_t = 0, bool enPartialSum = false, uint8_t enAtomic = 0) {
    object_.iterate_batch(gm.operand(), {batchA, batchB, matrixStrideA, matrixStrideB, sync,
                                         enPartialSum, enAtomic, enSequentialWrite});
  }
  template <bool sync = true, bool by_aiv = !kOnAicOnly, class = std::enable_if_t<by_aiv>>
  void IterateBatch(const LocalTensor<DstT>& ub, uint32_t batchA, uint32_t batchB,
                    bool enSequentialWrite, uint32_t matrixStrideA = 0, uint32_t matrixStrideB = 0,
                    uint32_t = 0, bool enPartialSum = false, uint8_t enAtomic = 0) {
    object_.iterate_batch(ub.operand(), {batchA, batchB, matrixStrideA, matrixStrideB, sync,
                                         enPartialSum, enAtomic, enSequentialWrite});
  }
  void SetBatchNum(int32_t batchA, int32_t batchB) {
    check_core("SetBatchNum", "batchA of an AIV's object", batchA);
    object_.needs_messages("SetBatchNum");
    batch_a_ = uint32_t(batchA);
    batch_b_ = uint32_t(batchB);
  }
  // As many as SetBatchNum says. Cores that are whole have both forms, which differ in `bool`.
  template <class Bool = bool,
            class = std::enable_if_t<kCountsBatches && std::is_same_v<Bool, bool>>>
  void IterateBatch(const GlobalTensor<DstT>& gm, Bool enPartialSum = false, uint8_t enAtomic = 0,
                    bool enSequentialWrite = false, uint32_t matrixStrideA = 0,
                    uint32_t matrixStrideB = 0, uint32_t = 0) {
    object_.iterate_batch(gm.operand(), {batch_a_, batch_b_, matrixStrideA, matrixStrideB, true,
                                         enPartialSum, enAtomic, enSequentialWrite});
  }
  template <class Bool = bool,
            class = std::enable_if_t<kCountsBatches && std::is_same_v<Bool, bool>>>
  void IterateBatch(const LocalTensor<DstT>& ub, Bool enPartialSum, uint8_t enAtomic = 0,
                    bool enSequentialWrite = false, uint32_t matrixStrideA = 0,
                    uint32_t matrixStrideB = 0, uint32_t = 0) {
    object_.iterate_batch(ub.operand(), {batch_a_, batch_b_, matrixStrideA, matrixStrideB, true,
                                         enPartialSum, enAtomic, enSequentialWrite});
  }
  // batchLoop such batches, into SetWorkspace's room.
  template <bool sync = true, bool waitIterateBatch = false>
  void IterateNBatch(uint32_t batchLoop, uint32_t batchA, uint32_t batchB, bool,
                     uint32_t matrixStrideA = 0, uint32_t matrixStrideB = 0, uint32_t = 0) {
    static_assert(kConfig.isNBatch, "Matmul: IterateNBatch without isNBatch in the configuration");
    object_.iterate_n_batch(batchLoop,
                            {batchA, batchB, matrixStrideA, matrixStrideB, sync, false, 0});
  }
  // The next of them.
  template <bool sync = true>
  GlobalTensor<DstT> GetBatchTensorC(uint32_t batchA, uint32_t batchB, bool = false) {
    static_assert(!sync, "GetBatchTensorC: GetBatchTensorC<false>");
    const vinci::Operand batch = object_.get_batch(batchA > batchB ? batchA : batchB);
    GlobalTensor<DstT> tensor;
    tensor.SetGlobalBuffer(reinterpret_cast<__gm__ DstT*>(batch.address));
    return tensor;
  }
  template <bool sync = true>
  void GetBatchTensorC(const LocalTensor<DstT>& c, uint32_t batchA, uint32_t batchB, bool = false) {
    object_.get_batch(c.operand(), batchA > batchB ? batchA : batchB, sync);
  }
  template <bool sync = true>
  void GetBatchC(const LocalTensor<DstT>& c, uint32_t batchA, uint32_t batchB,
                 bool enSequentialWrite = false) {
    GetBatchTensorC<sync>(c, batchA, batchB, enSequentialWrite);
  }
  template <bool sync = true>
  GlobalTensor<DstT> GetBatchC(uint32_t batchA, uint32_t batchB, bool enSequentialWrite = false) {
    return GetBatchTensorC<sync>(batchA, batchB, enSequentialWrite);
  }
  void WaitIterateBatch() { object_.wait_for("WaitIterateBatch"); }

  // Where the last tile lies in the core's part of C.
  MatrixOffset GetOffsetC() {
    const auto tile = object_.last_tile();
    return {tile.row * object_.tiling().singleCoreN + tile.column, tile.row, tile.column, tile.rows,
            tile.columns};
  }

  void End() { object_.end(); }

 private:
  // Flags of these numbers are the library's.
  static constexpr uint8_t kToAivs = 2;
  static constexpr uint16_t kDone = 0;

  template <auto member>
  static int32_t field(const TCubeTiling* tiling, int32_t constant) {
    if (constant != -1) return constant;
    return tiling == nullptr ? 0 : tiling->*member;
  }
  static constexpr const MatmulApiStaticTiling& known(const MatmulApiStaticTiling& tiling) {
    return tiling;
  }
  static constexpr MatmulApiStaticTiling known(const MatmulConfig&) { return {}; }
  // A constant tiling need not say what the shape of one core says.
  static void complete(vinci::MatmulTilingData& data) {
    const auto take = [](int32_t& field, int32_t value) { field = field > 0 ? field : value; };
    take(data.M, data.singleCoreM);
    take(data.N, data.singleCoreN);
    take(data.Ka, data.singleCoreK);
    take(data.Kb, data.singleCoreK);
  }
  // What the documents have in kernels of AICs alone.
  static void check_core(const char* method, const char* what, int64_t got) {
    if constexpr (vinci::kCompiledFor == vinci::CoreKind::kAiv) {
      vinci::bad_argument(method, what, got,
                          "none: kernels of AICs alone have it (ASCENDC_CUBE_ONLY)");
    }
  }
  // Tiles of the configuration's size, of which a core's part has whole ones alone.
  static void check_basic_blocks(const vinci::MatmulTilingData& data) {
    const auto is = [](const char* name, int32_t size, uint32_t wanted) {
      if (wanted != 0 && uint32_t(size) != wanted) {
        vinci::bad_argument("Matmul", name, size, "that of GetBasicConfig");
      }
    };
    const auto is_whole = [](const char* name, int32_t size, int32_t base) {
      if (base > 0 && size % base != 0) {
        vinci::bad_argument("Matmul", name, size, "a multiple of the tile's, with doBasicBlock");
      }
    };
    is("baseM", data.baseM, kConfig.basicM);
    is("baseN", data.baseN, kConfig.basicN);
    is("baseK", data.baseK, kConfig.basicK);
    is_whole("singleCoreM", data.singleCoreM, data.baseM);
    is_whole("singleCoreN", data.singleCoreN, data.baseN);
  }
  static constexpr vinci::MatmulTraits traits() {
    vinci::MatmulTraits traits;
    traits.a = in_api::matrix_traits<A_TYPE>();
    traits.b = in_api::matrix_traits<B_TYPE>();
    traits.c = in_api::matrix_traits<C_TYPE>();
    traits.bias = in_api::matrix_traits<BIAS_TYPE>();
    if (kConfig.iterateOrder != IterateOrder::UNDEF) {
      traits.iterate_order = int32_t(kConfig.iterateOrder);
    }
    traits.bias_of_batch = kConfig.isBiasBatch;
    traits.parts = kConfig.isPartialOutput;
    traits.reorders_k = kConfig.enableKdimReorderLoad;
    traits.channel_split = kConfig.isEnableChannelSplit;
    traits.triangle = in_api::kTriangle<MATMUL_POLICY>;
    traits.callbacks = MM_CB::functions();
    traits.setup = in_api::setup_of(kConfig);
    traits.setup.n_buffer_33 = in_api::kIsNBuffer33<MATMUL_POLICY>;
    traits.setup.on_aic_alone = kOnAicOnly;
    traits.setup.constant_tiling = kIsStatic;
    traits.setup.a_is_number = A_TYPE::format == CubeFormat::SCALAR;
    return traits;
  }

  vinci::MatmulObject object_{traits(), vinci::isa::matmul};
  uint32_t batch_a_ = 1, batch_b_ = 1;
};

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>,
          MATMUL_POLICY_DEFAULT_OF(MatmulPolicy)>
using MatmulImpl = Matmul<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY>;

namespace in_api {

inline void init_objects() {}
template <class Object>
void init_objects(Object& object) {
  // The tiling comes with Init.
  (void)object;
}
template <class Object>
constexpr bool kIsDualMaster = std::decay_t<Object>::kDualMaster;

template <class Object, class Next, class... More>
constexpr bool alike() {
  return Object::kOfTheKernel[0] == Next::kOfTheKernel[0] &&
         Object::kOfTheKernel[1] == Next::kOfTheKernel[1] &&
         Object::kOfTheKernel[2] == Next::kOfTheKernel[2];
}

template <class Object, class Tiling, class... More>
void init_objects(Object& object, Tiling tiling, More&&... more) {
  if constexpr (std::is_null_pointer_v<Tiling>) {
    object.Init(nullptr);
  } else {
    object.Init(tiling);
  }
  if constexpr (sizeof...(More) > 0) {
    constexpr bool kAlike = alike<Object, std::decay_t<More>...>();
    static_assert(
        kAlike,
        "REGIST_MATMUL_OBJ: enableMixDualMaster, isA2B2Shared, and IBSHARE of both A and B "
        "are the same for all objects of a kernel");
    init_objects(more...);
  }
}

// REGIST_MATMUL_OBJ. True: the kernel is over for this core.
template <class First, class... More>
bool regist_matmul(TPipe*, const void*, First&& first, More&&... more) {
  if constexpr (kIsDualMaster<First>) {
    init_objects(first, more...);
    return false;
  } else if constexpr (vinci::kCompiledFor == vinci::CoreKind::kAiv && VINCI_MATMUL_ON_AIC_ONLY) {
    return true;
  } else {
    if constexpr (vinci::kCompiledFor == vinci::CoreKind::kAic && !VINCI_MATMUL_ON_AIC_ONLY) {
      vinci::issue(vinci::Record{&vinci::isa::regist_matmul_obj});
      return true;
    }
    init_objects(first, more...);
    return false;
  }
}

}  // namespace in_api
}  // namespace AscendC

// Older code says matmul::Matmul.
namespace matmul {
using namespace AscendC;
}

// Up to four objects, each with a pointer to its tiling, which the only one may leave out. In a
// kernel for AICs and AIVs the AIC works for the AIVs from here on, and does not come back.
#define REGIST_MATMUL_OBJ(tpipe, workspace, ...) \
  if (::AscendC::in_api::regist_matmul(tpipe, workspace, __VA_ARGS__)) return
#define REGIST_CUBE_OBJ REGIST_MATMUL_OBJ
