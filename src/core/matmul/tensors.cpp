// The tensors that an object multiplies: what is set, and how those of an AIV's UB or TSCM come to
// the AIC, which reads GM.
#include "vinci/matmul_object.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/core.h"
#include "core/matmul/copies.h"
#include "core/matmul/operands.h"
#include "isa/operator/event_flags.h"
#include "numeric/dtype.h"
#include "numeric/whole.h"

namespace vinci {

namespace {

// Elements of a factor of `outer` rows of A or columns of B: in NZ whole columns of whole fractals.
uint64_t elements_of(const MatmulTraits::Matrix& matrix, DType type, int32_t outer, int32_t k,
                     bool straight) {
  if (matrix.format != MatrixFormat::kNz) return uint64_t(outer) * uint64_t(k);
  const uint64_t rows = uint64_t(straight ? outer : k), columns = uint64_t(straight ? k : outer);
  return round_up(rows, 16) * round_up(columns, 256 / bits_of(type));
}

// The product is the one that the call means: published kernels do it, and are right on the chip.
void check_transposed(char name, bool transposed, const MatmulTraits::Matrix& type) {
  if (!transposed || type.may_transpose) return;
  Core::current().report(
      Code::kTransposed,
      fmt::format("SetTensor{0}: {0} is transposed, and its type does not say so", name),
      fmt::format("MatmulType<..., true> for {}", name));
}

}  // namespace

Operand MatmulObject::slot_of(Operand& slot, uint64_t bytes) {
  if (!is_set(slot) || slot.bytes < bytes) {
    slot = Core::current().own_buffer(round_up(std::max<uint64_t>(bytes, 32), 512));
  }
  return slot;
}

// A tensor of UB or TSCM to GM, for the AIC.
Operand MatmulObject::in_gm(const Operand& local, uint64_t bytes, Operand& slot) {
  Core& core = Core::current();
  if (core.space_of(local.position) == Space::kGm) return local;
  if (!is_aiv(core)) return local;
  wait();  // earlier work may read the buffer
  Operand gm = slot_of(slot, bytes);
  gm.bytes = bytes;
  if (local.position == Position::TSCM) {
    copy_from_tscm(core, local, gm, bytes);
  } else {
    copy_bytes(core, local, gm, bytes);
  }
  gm.dtype = local.dtype;
  return gm;
}

// What the AIC needs of the tensors, by the sizes that hold when it begins: a tail may be set
// behind them, and of a tensor in UB no more may have been written.
void MatmulObject::bring_operands() {
  const auto bring = [&](Operand& used, Passed& passed, uint64_t bytes) {
    if (!is_set(used) || !is_set(passed.local)) return;
    const bool is_there = used.position == Position::GM && used.bytes >= bytes;
    if (!is_there) used = in_gm(passed.local, bytes, passed.slot);
  };
  bring(a_, passed_a_, bytes_of_a());
  bring(b_, passed_b_, bytes_of_b());
  bring(bias_, passed_bias_, bytes_of(bias_.dtype, uint64_t(n_)));
  bring(scales_, passed_scales_, uint64_t(n_) * sizeof(uint64_t));
}

uint64_t MatmulObject::bytes_of_a() const {
  return bytes_of(a_.dtype, elements_of(traits_.a, a_.dtype, m_, k_, !a_transposed_));
}
uint64_t MatmulObject::bytes_of_b() const {
  return bytes_of(b_.dtype, elements_of(traits_.b, b_.dtype, n_, k_, b_transposed_));
}

void MatmulObject::set_a(const Operand& a, bool transposed) {
  check_transposed('A', transposed, traits_.a);
  a_ = passed_a_.local = a;
  late_data_ = false;
  a_transposed_ = transposed;
  begin();
}

// K times the same number, in GM.
Operand MatmulObject::repeated(uint64_t bits, DType type, Operand& slot) {
  wait();  // earlier work may read the row
  Operand row = slot_of(slot, bytes_of(type, uint64_t(k_)));
  row.dtype = DType::kNone;  // past the scalar unit's cache, as raw pointers write
  Core& core = Core::current();
  const uint32_t size = bits_of(type) / 8;
  for (int32_t i = 0; i < k_; ++i) {
    void* element = scalar_access(row, uint64_t(i) * size, size, Access::kWrite);
    if (element == nullptr) return {};
    std::memcpy(element, &bits, size);
  }
  if (!is_aiv(core)) {
    EventFlags flag(core, HardEvent::S_MTE2, 1);
    flag.set_and_wait(0);
    flag.release();
  }
  row.dtype = type;
  return row;
}

void MatmulObject::set_a(uint64_t bits) {
  if (traits_.a.format != MatrixFormat::kVector || m_ != 1) {
    wrong(fmt::format(
              "SetTensorA: one number is a row, and A has {} rows in another format or more", m_),
          "CubeFormat::SCALAR or VECTOR for A, and singleCoreM 1");
    return;
  }
  const Operand row = repeated(bits, traits_.a.dtype, passed_a_.slot);
  if (!is_set(row)) return;
  a_ = row;
  passed_a_.local = {};
  a_transposed_ = false;
  begin();
}

void MatmulObject::set_b(uint64_t bits) {
  if (traits_.b.format != MatrixFormat::kNd || n_ != 1) {
    wrong(fmt::format("SetTensorB: one number is a column, and B has {} columns or another format",
                      n_),
          "CubeFormat::ND for B, and singleCoreN 1");
    return;
  }
  const Operand row = repeated(bits, traits_.b.dtype, passed_b_.slot);
  if (!is_set(row)) return;
  b_ = row;
  passed_b_.local = {};
  b_transposed_ = true;  // [1, K]
  begin();
}

void MatmulObject::set_b(const Operand& b, bool transposed) {
  check_transposed('B', transposed, traits_.b);
  b_ = passed_b_.local = b;
  late_data_ = false;
  b_transposed_ = transposed;
  begin();
}

void MatmulObject::set_bias(const Operand& bias) {
  if (serial_ != 0 && tiling_.isBias == 0) {
    wrong("SetBias: isBias of the tiling is 0", "a tiling of SetBias(true) or EnableBias(true)");
  }
  if (traits_.parts) {
    wrong("SetBias: the configuration has isPartialOutput", "no bias");
  }
  bias_ = passed_bias_.local = bias;
}

namespace {

void check_has_scales(const MatmulSetup& setup, const char* api) {
  if (setup.has_scales) return;
  wrong(fmt::format("{}: the configuration has no scales", api), "enableQuantVector = true");
}

}  // namespace

void MatmulObject::set_scale(uint64_t word) {
  check_has_scales(traits_.setup, "SetQuantScalar");
  late_scales_ = tile_ >= 0 && tile_ < tiles();  // between Iterate and what fetches its tile
  quant_ = MatmulOutput::Quant::kScalar;
  scale_ = word;
}
void MatmulObject::set_scales(const Operand& scales) {
  check_has_scales(traits_.setup, "SetQuantVector");
  late_scales_ = tile_ >= 0 && tile_ < tiles();
  quant_ = MatmulOutput::Quant::kVector;
  scales_ = passed_scales_.local = scales;
}

}  // namespace vinci
