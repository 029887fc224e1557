// What the documents forbid beside what the operator checks of each product: templates (Norm, MDL,
// ...) with policies, parameters and methods that they do not have, and what a chip lacks.
#include <fmt/format.h>

#include "core/core.h"
#include "core/matmul/operands.h"
#include "numeric/dtype.h"
#include "numeric/whole.h"
#include "vinci/matmul_object.h"

namespace vinci {
namespace {

using Scheme = MatmulSetup::Scheme;
using BatchMode = MatmulSetup::BatchMode;

std::string_view name_of(Scheme scheme) {
  constexpr std::string_view kNames[] = {"Norm",    "MDL",        "SpecialMDL",
                                         "IBShare", "BasicBlock", "SpecialBasicBlock"};
  return kNames[static_cast<int>(scheme)];
}

void refuse(bool is_wrong, std::string text, const char* legal) {
  if (is_wrong) wrong("Matmul: " + std::move(text), legal);
}

void refuse_size(const char* name, int32_t got, bool fits, const char* legal) {
  if (fits) return;
  Core::current().report(Code::kRange, fmt::format("Matmul: {} is {}", name, got), legal);
}

int32_t blocks(int32_t size, int32_t base) { return MatmulTiles::count(size, base); }

}  // namespace

// Chips whose cores are whole have little beside Norm and MDL.
bool MatmulObject::has_chip(const char* what) const {
  Core& core = Core::current();
  if (core.soc().arch->split) return true;
  core.report(Code::kSocInstruction, fmt::format("{}: {} does not have it", what, core.soc().name),
              "on Atlas A2/A3");
  return false;
}

bool MatmulObject::needs_messages(const char* api) const {
  if (!traits_.setup.dual_master || traits_.setup.on_aic_alone) return true;
  wrong(fmt::format("{}: the configuration has enableMixDualMaster", api),
        "IterateAll, and what it needs");
  return false;
}

void MatmulObject::check_setup() const {
  check_chip();
  check_policy();
  check_scheme();
  check_outer_product();
  check_shared();
}

void MatmulObject::check_chip() const {
  const MatmulSetup& setup = traits_.setup;
  const MatmulCallbacks& functions = traits_.callbacks;
  const auto needs = [&](bool is_there, const char* what) { return !is_there || has_chip(what); };
  needs(traits_.triangle == MatmulRecord::Triangle::kUpper, "TrianUpperMatmulPolicy");
  needs(traits_.triangle == MatmulRecord::Triangle::kLower, "TrianLowerMatmulPolicy");
  needs(setup.n_buffer_33, "NBuffer33MatmulPolicy");
  needs(functions.copy_out != nullptr || functions.copy_a != nullptr || functions.copy_b != nullptr,
        "MatmulCallBackFunc");
  needs(setup.scheme == Scheme::kSpecialMdl, "GetSpecialMDLConfig");
  needs(setup.scheme == Scheme::kIbShare, "GetIBShareNormConfig");
  needs(setup.scheme == Scheme::kBasicBlock, "GetBasicConfig");
  needs(setup.constant_tiling, "GetMatmulApiTiling");
  needs(setup.outer_product, "ScheduleType::OUTER_PRODUCT");
  needs(traits_.parts, "isPartialOutput");
  needs(setup.dual_master, "enableMixDualMaster");
  needs(setup.a2b2_shared, "isA2B2Shared");
  needs(traits_.channel_split, "isEnableChannelSplit");
  needs(traits_.reorders_k, "enableKdimReorderLoad");
  needs(traits_.a.shared || traits_.b.shared, "IBSHARE");
  Core& core = Core::current();
  const auto lacks = [&](bool is_there, const char* what) {
    if (!is_there) return;
    core.report(Code::kSocInstruction,
                fmt::format("{}: {} does not have it", what, core.soc().name), "on Ascend 950");
  };
  lacks(setup.co1_shared, "isCO1Shared");
  lacks(setup.relu, "enableRelu");
  lacks(setup.sums_aivs, "intraBlockPartSum");
}

void MatmulObject::check_policy() const {
  const MatmulSetup& setup = traits_.setup;
  const MatmulTilingData& t = tiling_;
  const auto with = [&](const char* policy) {
    return fmt::format("{} with the {} template", policy, name_of(setup.scheme));
  };
  if (traits_.triangle != MatmulRecord::Triangle::kNone) {
    const bool upper = traits_.triangle == MatmulRecord::Triangle::kUpper;
    refuse(setup.scheme != Scheme::kNorm && setup.scheme != Scheme::kMdl,
           with(upper ? "TrianUpperMatmulPolicy" : "TrianLowerMatmulPolicy"),
           "Norm or MDL (CFG_NORM, CFG_MDL)");
  }
  if (!setup.n_buffer_33) return;
  refuse(setup.scheme != Scheme::kMdl, with("NBuffer33MatmulPolicy"), "MDL (CFG_MDL)");
  refuse(!setup.on_aic_alone, "NBuffer33MatmulPolicy in a kernel for AICs and AIVs",
         "kernels of AICs alone (ASCENDC_CUBE_ONLY)");
  refuse(traits_.a.position != Position::GM || traits_.b.position != Position::GM,
         "NBuffer33MatmulPolicy with a factor that is not in GM", "A and B in GM");
  refuse_size("stepM with NBuffer33MatmulPolicy", t.stepM, t.stepM <= 3, "1..3");
  refuse_size("stepKa with NBuffer33MatmulPolicy", t.stepKa, t.stepKa <= 3, "1..3");
  refuse_size("stepKb with NBuffer33MatmulPolicy", t.stepKb, t.stepKb <= 3, "1..3");
  const int32_t all = blocks(t.singleCoreK, t.baseK);
  refuse(t.stepKa != all || t.stepKb != all,
         fmt::format("NBuffer33MatmulPolicy with stepKa {}, stepKb {} and {} blocks of K", t.stepKa,
                     t.stepKb, all),
         "stepKa = stepKb = singleCoreK / baseK, rounded up");
}

void MatmulObject::check_scheme() const {
  const MatmulSetup& setup = traits_.setup;
  const Scheme scheme = setup.scheme;
  const auto is_for = [&](bool is_there, const char* what, bool fits, const char* legal) {
    refuse(is_there && !fits, fmt::format("{} with the {} template", what, name_of(scheme)), legal);
  };
  const bool mdl = scheme == Scheme::kMdl, norm = scheme == Scheme::kNorm;
  refuse(setup.both_mdl, "doSpecialMDL and doMultiDataLoad", "one of them");
  is_for(traits_.parts, "isPartialOutput", mdl, "MDL");
  is_for(traits_.reorders_k, "enableKdimReorderLoad", mdl, "MDL");
  is_for(setup.preload != 0, "doMTE2Preload", mdl, "MDL");
  is_for(setup.n_batch, "isNBatch", norm, "Norm");
  is_for(setup.dual_master, "enableMixDualMaster", norm, "Norm");
  is_for(setup.constant_tiling, "a constant tiling", norm || mdl || scheme == Scheme::kIbShare,
         "Norm, MDL, IBShare");
  refuse_size("doMTE2Preload", int32_t(setup.preload), setup.preload <= 2,
              "0 (none), 1 (along M), 2 (along N)");
  if (scheme != Scheme::kBasicBlock) return;
  refuse(bits_of(traits_.a.dtype) < 16 || bits_of(traits_.b.dtype) < 16,
         fmt::format("A of {} and B of {} with the BasicBlock template",
                     vinci::name_of(traits_.a.dtype), vinci::name_of(traits_.b.dtype)),
         "half, float, bfloat16");
  refuse(traits_.a.format == MatrixFormat::kVector,
         setup.a_is_number ? "A in SCALAR with the BasicBlock template"
                           : "A in VECTOR with the BasicBlock template",
         "ND, NZ");
}

void MatmulObject::check_outer_product() const {
  const MatmulSetup& setup = traits_.setup;
  if (!setup.outer_product) return;
  const bool mdl = setup.scheme == Scheme::kMdl, norm = setup.scheme == Scheme::kNorm;
  const bool batch = traits_.a.layout != MatrixLayout::kNone;
  const MatmulTilingData& t = tiling_;
  refuse(!mdl && !norm, fmt::format("OUTER_PRODUCT with the {} template", name_of(setup.scheme)),
         "Norm or MDL");
  refuse(!batch && !setup.on_aic_alone, "OUTER_PRODUCT in a kernel for AICs and AIVs",
         "kernels of AICs alone (ASCENDC_CUBE_ONLY)");
  refuse(traits_.c.position != Position::GM, "OUTER_PRODUCT with a C that is not in GM", "C in GM");
  refuse((mdl || batch) && t.singleCoreK > t.baseK,
         fmt::format("OUTER_PRODUCT with singleCoreK {} and baseK {}", t.singleCoreK, t.baseK),
         "singleCoreK <= baseK");
  refuse(setup.iterate_order < 0, "OUTER_PRODUCT without iterateOrder",
         "IterateOrder::ORDER_M or ORDER_N");
  if (batch) return;
  refuse(setup.iterate_order == 0 && t.stepN <= 1, "OUTER_PRODUCT and ORDER_M with stepN 1",
         "stepN above 1");
  refuse(setup.iterate_order == 1 && t.stepM <= 1, "OUTER_PRODUCT and ORDER_N with stepM 1",
         "stepM above 1");
}

void MatmulObject::check_shared() const {
  const MatmulSetup& setup = traits_.setup;
  const MatmulTilingData& t = tiling_;
  refuse(setup.scheme == Scheme::kIbShare && setup.on_aic_alone,
         "the IBShare template in a kernel of AICs alone", "kernels for AICs and AIVs");
  const bool both = traits_.a.shared && traits_.b.shared;
  const Grid& grid = Core::current().seat().grid;
  refuse(setup.dual_master && !setup.on_aic_alone && grid.aiv > 1 && !both,
         "enableMixDualMaster with two AIVs, and A and B are not both IBSHARE",
         "one AIV beside each AIC, or MatmulType with IBSHARE for A and B");
  if (!setup.a2b2_shared) return;
  constexpr uint64_t kHalf = 32 * 1024;
  const auto fits = [&](const char* name, DType type, int32_t base) {
    const uint64_t bytes = bytes_of(type, uint64_t(base) * uint64_t(t.baseK));
    refuse(bytes > kHalf, fmt::format("isA2B2Shared with a block of {} of {} bytes", name, bytes),
           "32768 bytes at most");
  };
  fits("A", traits_.a.dtype, t.baseM);
  fits("B", traits_.b.dtype, t.baseN);
}

// Whether the object has this kind of call.
bool MatmulObject::may(Call call, const char* api) const {
  const MatmulSetup& setup = traits_.setup;
  const auto refuses = [&](bool is_wrong, const char* why, const char* legal) {
    if (is_wrong) wrong(fmt::format("{}: {}", api, why), legal);
    return is_wrong;
  };
  const bool all = call == Call::kIterateAll, batch = call == Call::kBatch || call == Call::kNBatch;
  if (refuses((setup.iterate_modes & uint8_t(call)) == 0,
              "iterateMode of the configuration leaves it out", "a mode that has it") ||
      refuses(setup.n_buffer_33 && !all, "with NBuffer33MatmulPolicy", "IterateAll") ||
      refuses(traits_.a.shared && traits_.b.shared && !all, "A and B are both IBSHARE",
              "IterateAll") ||
      refuses(setup.outer_product && setup.scheme == Scheme::kMdl && !all,
              "OUTER_PRODUCT with the MDL template", "IterateAll") ||
      refuses(batch && setup.scheme != Scheme::kNorm, "its template is not Norm",
              "Norm (CFG_NORM, GetNormalConfig)")) {
    return false;
  }
  const bool whole = !Core::current().soc().has(Feature::kBiasTable);
  return !refuses(whole && setup.to_nz_by_vector && !is_set(work_),
                  "enVecND2NZ of the configuration, and no room", "SetLocalWorkspace before it");
}

bool MatmulObject::is_atomic_legal(const char* api, int atomic, bool to_gm) const {
  Core& core = Core::current();
  if (atomic < 0 || atomic > 3) {
    core.report(Code::kRange, fmt::format("{}: enAtomic is {}", api, atomic),
                "0 (none), 1 (add), 2 (max), 3 (min)");
    return false;
  }
  if (atomic == 0 || to_gm) return true;
  wrong(fmt::format("{}: enAtomic is {}, and C is a LocalTensor", api, atomic),
        "0, or a GlobalTensor");
  return false;
}

// Beyond sizes and axes.
bool MatmulObject::check_batch_rules(const char* api, const Batch& batch, bool to_gm) const {
  Core& core = Core::current();
  const MatmulSetup& setup = traits_.setup;
  const auto refuses = [&](bool is_wrong, const std::string& why, const char* legal) {
    if (is_wrong) wrong(fmt::format("{}: {}", api, why), legal);
    return is_wrong;
  };
  const MatrixLayout a = traits_.a.layout, c = traits_.c.layout;
  const bool normal = a == MatrixLayout::kNormal;
  const bool strided = c == MatrixLayout::kBsngd || c == MatrixLayout::kSbngd;
  const bool whole = !core.soc().arch->split;
  if (refuses(a != traits_.b.layout, "A and B have different LayoutModes", "one LayoutMode") ||
      refuses(quant_ != MatmulOutput::Quant::kNone, "C is to be scaled",
              "no SetQuantScalar, no SetQuantVector") ||
      refuses(bits_of(traits_.a.dtype) == 4, "A and B of int4b_t", "types of 8 bits or more") ||
      refuses(batch.sequential && strided, "enSequentialWrite with C in BSNGD or SBNGD",
              "enSequentialWrite = false") ||
      refuses(batch.sequential && to_gm, "enSequentialWrite with C in GM",
              "enSequentialWrite = false") ||
      refuses(!batch.sync && !to_gm, "to UB without waiting",
              "IterateBatch<true>, or a GlobalTensor") ||
      refuses(setup.batch_mode == BatchMode::kSingleLargeThanL1 && !traits_.bias_of_batch,
              "isBiasBatch is false with SINGLE_LARGE_THAN_L1", "isBiasBatch = true") ||
      refuses(whole && !normal, "its LayoutMode on this chip", "NORMAL") ||
      refuses(whole && !traits_.bias_of_batch, "isBiasBatch is false on this chip", "true")) {
    return false;
  }
  const auto whole_rows = [&](const char* name, int32_t n, int32_t g, uint32_t count) {
    const uint64_t heads = uint64_t(n) * uint64_t(g);
    return !refuses(a == MatrixLayout::kBsngd && count != 0 && heads % count != 0,
                    fmt::format("{} matrices {} of rows of {} in BSNGD", count, name, heads),
                    "a divisor of N * G of its layout, and several calls");
  };
  if (!whole_rows("A", tiling_.ALayoutInfoN, tiling_.ALayoutInfoG, batch.a) ||
      !whole_rows("B", tiling_.BLayoutInfoN, tiling_.BLayoutInfoG, batch.b)) {
    return false;
  }
  const auto bytes = [&](DType type, int32_t rows, int32_t columns) {
    return round_up(uint64_t(rows), 16) * round_up(bytes_of(type, uint64_t(columns)), 32);
  };
  const uint64_t of_a = bytes(traits_.a.dtype, m_, k_), of_b = bytes(traits_.b.dtype, k_, n_);
  const uint64_t together = of_a * batch.a + of_b * batch.b;
  const uint64_t l1 = find_soc(core.soc().name)->size_of(Space::kL1);
  const bool at_once = !normal || setup.batch_mode == BatchMode::kLessThanL1;
  return !refuses(at_once && together > l1,
                  fmt::format("A and B of a call have {} bytes, L1 {}", together, l1),
                  normal ? "BatchMode::BATCH_LARGE_THAN_L1 or SINGLE_LARGE_THAN_L1"
                         : "fewer matrices in a call") &&
         !refuses(normal && setup.batch_mode == BatchMode::kLargeThanL1 && of_a + of_b > l1,
                  fmt::format("A and B of a product have {} bytes, L1 {}", of_a + of_b, l1),
                  "BatchMode::SINGLE_LARGE_THAN_L1");
}

}  // namespace vinci
