// An object's methods. What they want multiplied becomes records of the operator matmul: issued at
// once on a core that multiplies; on an AIV posted to the AIC of its block. There C in UB passes
// through a buffer in GM, and so do factors that lie in UB.
#include "vinci/matmul_object.h"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "core/core.h"
#include "core/matmul/copies.h"
#include "core/matmul/operands.h"
#include "numeric/whole.h"
#include "vinci/record/move.h"

namespace vinci {

namespace {

std::atomic<uint64_t> objects{0};

}  // namespace

void MatmulObject::init(const MatmulTilingData& tiling) {
  tiling_ = tiling;
  serial_ = ++objects;
  Core& core = Core::current();
  core.registers().tscm_passage.has_matmul = is_aiv(core) && core.seat().posted != nullptr;
  m_ = tiling.singleCoreM;
  n_ = tiling.singleCoreN;
  k_ = tiling.singleCoreK;
  set_org_shape(tiling.M, tiling.N, tiling.Ka, tiling.Kb, 0);
  begin();
  check_setup();
}

void MatmulObject::set_org_shape(int32_t m, int32_t n, int32_t ka, int32_t kb, int32_t kc) {
  org_m_ = m;
  org_n_ = n;
  org_ka_ = ka;
  org_kb_ = kb;
  org_kc_ = kc;
  b_half_ = {};
}

void MatmulObject::set_tail(int32_t m, int32_t n, int32_t k) {
  if (m != -1) m_ = m;
  if (n != -1) n_ = n;
  if (k != -1) k_ = k;
  b_half_ = {};
}

// The product begins anew.
void MatmulObject::begin() {
  tile_ = -1;
  b_half_ = {};
  fetched_ = 0;
  in_workspace_ = false;
  batches_fetched_ = 0;
}

bool MatmulObject::ready(const char* api) {
  if (serial_ == 0) {
    wrong(fmt::format("{}: the object has no tiling", api), "REGIST_MATMUL_OBJ or Init before it");
    return false;
  }
  if (!is_set(a_) || !is_set(b_)) {
    wrong(fmt::format("{}: {} is not set", api, is_set(a_) ? "B" : "A"),
          "SetTensorA and SetTensorB before it");
    return false;
  }
  bring_operands();
  return anti_quantise(api);
}

void MatmulObject::set_sparse_index(const Operand& index) { index_ = index; }
void MatmulObject::set_workspace(const Operand& workspace) {
  if (has_chip("SetWorkspace") && needs_messages("SetWorkspace")) workspace_ = workspace;
}
void MatmulObject::set_local_workspace(const Operand& work) {
  if (needs_messages("SetLocalWorkspace")) work_ = work;
}
void MatmulObject::set_user_tiling(uint64_t tiling) {
  if (has_chip("SetUserDefInfo") && needs_messages("SetUserDefInfo")) user_tiling_ = tiling;
}
void MatmulObject::set_user_data(uint64_t data) {
  if (!has_chip("SetSelfDefineData") || !needs_messages("SetSelfDefineData")) return;
  user_data_ = data;
}
void MatmulObject::set_sub_block(uint8_t index) {
  if (index != 0 && !has_chip("SetSubBlockIdx")) return;  // of a whole core there is one
  Core& core = Core::current();
  const int most = core.soc().arch->split ? find_soc(core.soc().name)->aiv_per_aic() - 1 : 0;
  if (index > most) {
    core.report(Code::kRange, fmt::format("SetSubBlockIdx: subBlockIdx is {}", index),
                fmt::format("0..{}", most));
    return;
  }
  sub_block_ = index;
}

int64_t MatmulObject::tiles() const {
  const MatmulRecord r = record();
  const int64_t parts = traits_.parts ? MatmulTiles::count(r.k, r.base_k) : 1;
  return MatmulTiles(r).total() * parts;
}

// Of a matrix in NZ: rows, with those that fill it up.
uint32_t MatmulObject::rows_of(const MatmulTraits::Matrix& matrix, bool transposed,
                               bool is_a) const {
  const bool local = matrix.position != Position::GM;
  const int32_t outer = is_a ? (local ? m_ : org_m_) : (local ? n_ : org_n_);
  const int32_t k = local ? k_ : (is_a ? org_ka_ : org_kb_);
  return round_up(uint64_t(transposed == is_a ? k : outer), 16);
}

MatmulFactor MatmulObject::factor(const MatmulTraits::Matrix& matrix, const Operand& memory,
                                  bool transposed, bool is_a) const {
  MatmulFactor made{memory, matrix.format, transposed, 0};
  if (matrix.format == MatrixFormat::kNz) {
    made.pitch = rows_of(matrix, transposed, is_a);
  } else if (matrix.format == MatrixFormat::kVector) {
    made.pitch = uint32_t(k_);
  } else {
    const bool local = matrix.position != Position::GM;
    const int32_t outer = is_a ? (local ? m_ : org_m_) : (local ? n_ : org_n_);
    const int32_t k = local ? k_ : (is_a ? org_ka_ : org_kb_);
    made.pitch = uint32_t(transposed == is_a ? outer : k);
  }
  return made;
}

MatmulRecord MatmulObject::record() const {
  MatmulRecord r;
  r.instruction = instruction_;
  r.a = factor(traits_.a, a_, a_transposed_, true);
  r.b = factor(traits_.b, b_, b_transposed_, false);
  if (is_set(b_half_)) {
    r.b.memory = b_half_;
    r.b.pitch = uint32_t(b_transposed_ ? k_ : n_);
  }
  r.bias = bias_;
  r.m = m_;
  r.n = n_;
  r.k = k_;
  r.base_m = tiling_.baseM;
  r.base_n = tiling_.baseN;
  r.base_k = tiling_.baseK;
  r.step_m = tiling_.stepM;
  r.step_n = tiling_.stepN;
  r.n_first = (traits_.iterate_order >= 0 ? traits_.iterate_order : tiling_.iterateOrder) == 1;
  r.parts = traits_.parts;
  if (traits_.reorders_k && r.base_k > 0) {
    const int32_t step = std::max(std::min(tiling_.stepKa, tiling_.stepKb), 1);
    const int32_t chunks = MatmulTiles::count(r.k, r.base_k * step);
    if (chunks > 0) r.first_k_block = int32_t(Core::current().kernel_index() % chunks) * step;
  }
  r.triangle = traits_.triangle;
  r.object = serial_ << 1 | (sub_block_ & 1);
  if (is_aiv(Core::current())) {
    const Seat& seat = Core::current().seat();
    r.object = serial_ << 1 | uint64_t(seat.grid.sub_block_of(seat.core) & 1);
  }
  r.hf32 = hf32_;
  r.l0c = co1_;
  r.work = work_;
  r.index = index_;
  if (is_set(index_)) r.b.pitch /= 2;
  r.index_pitch = round_up(uint64_t(org_n_), 16);
  r.callbacks = traits_.callbacks;
  r.user_tiling = user_tiling_;
  r.user_data = user_data_;
  r.out.format = traits_.c.format;
  return r;
}

void MatmulObject::set_output(MatmulRecord& r, const Operand& c, int atomic,
                              bool sequential) const {
  r.out.memory = c;
  r.out.memory.dtype = traits_.c.dtype;
  r.out.format = traits_.c.format;
  r.out.sequential = sequential;
  r.out.channel_split = traits_.channel_split;
  r.out.atomic = MatmulOutput::Atomic(atomic);
  r.out.pitch = traits_.c.format == MatrixFormat::kNz ? round_up(uint64_t(org_m_), 16)
                                                      : uint32_t(org_kc_ > 0 ? org_kc_ : org_n_);
  r.out.quant = quant_;
  r.out.scale = scale_;
  r.out.scales = scales_;
}

// Of two AIVs that share A and B both ask for the same. What adds to GM is done once.
bool MatmulObject::is_second(const MatmulRecord& r) const {
  const Seat& seat = Core::current().seat();
  return traits_.a.shared && traits_.b.shared && r.out.atomic != MatmulOutput::Atomic::kNone &&
         seat.grid.sub_block_of(seat.core) != 0;
}

void MatmulObject::submit(const MatmulRecord& r, bool sync) {
  Core& core = Core::current();
  if (is_second(r)) return;
  if (!is_aiv(core)) {
    core.issue(r);
    if (sync) finish();
    return;
  }
  if (core.seat().posted == nullptr || core.seat().grid.aic == 0) {
    wrong("Matmul: the block of this AIV has no AIC", "a kernel for AICs and AIVs, __mix__(1, 2)");
    return;
  }
  posted_ = core.post(r);
  if (sync) wait();
}

// What was submitted has been done.
void MatmulObject::finish() {
  if (is_aiv(Core::current())) return wait();
  Core::current().drain_pipes();
}

void MatmulObject::wait() {
  if (posted_ > awaited_) Core::current().await_post(posted_);
  awaited_ = posted_;
}

// The flag that it waits for is set where waitIterateAll has asked for it.
void MatmulObject::wait_for(const char* api) {
  if (!has_chip(api) || !needs_messages(api)) return;
  const bool is_all = std::string_view(api) == "WaitIterateAll";
  if (is_all && is_aiv(Core::current()) && announced_ == 0) {
    return wrong("WaitIterateAll: no call has asked for it",
                 "IterateAll<false>(gm, enAtomic, enSequentialWrite, true) before it");
  }
  if (is_all && announced_ > 0) --announced_;
  wait();
}

void MatmulObject::iterate_nothing() {
  if (traits_.setup.scheme == MatmulSetup::Scheme::kIbShare) return;
  wrong("IterateAll: fakeMsg without the IBShare template", "CFG_IBSHARE_NORM, or fakeMsg = false");
}

bool MatmulObject::iterate(bool sync, bool partial_sum, const Operand& co1) {
  if (!may(Call::kIterate, "Iterate") || !ready("Iterate")) return false;
  if (!sync && !has_chip("Iterate<false>")) return false;
  const int64_t total = tiles();
  // Where there are none, the instruction says why.
  if (total > 0 && ++tile_ >= total) {
    tile_ = total;
    return false;
  }
  if (!sync && total > 0) {
    if (in_workspace_) return true;
    if (!is_set(workspace_)) {
      wrong("Iterate<false>: there is no room for the results", "SetWorkspace before it");
      return false;
    }
    MatmulRecord r = record();
    r.tiles = int32_t(total);
    set_output(r, workspace_, 0, true);
    submit(r, false);
    in_workspace_ = true;
    return true;
  }
  MatmulRecord r = record();
  r.first_tile = int32_t(tile_);
  r.tiles = 1;
  r.l0c = co1_ = co1;
  r.adds = partial_ = partial_sum;
  if (partial_sum) r.bias = {};
  // The first product of a sum has nothing to add to but what is there.
  // An AIV's is mostly followed by GetTensorC: both are waited for at once.
  const bool posts = is_aiv(Core::current());
  submit(r, !posts);
  if (posts) Core::current().owe_post(posted_);
  return total > 0;
}

void MatmulObject::get(const Operand& c, bool sync, int atomic, bool sequential) {
  Core& core = Core::current();
  const bool to_ub = core.space_of(c.position) == Space::kUb;
  bring_operands();  // scales may be set behind Iterate
  if (!traits_.setup.has_get) {
    return wrong("GetTensorC: the configuration has no GetTensorC", "enableGetTensorC = true");
  }
  if (!is_atomic_legal("GetTensorC", atomic, !to_ub)) return;
  if (in_workspace_) {
    const int64_t tile = fetched_;
    const Operand from = get_from_workspace();
    if (to_ub) return copy_tile(from, c, tile, sync, true);
    return multiply_again(tile, c, sync, atomic, sequential);
  }
  if (tile_ < 0 || tile_ >= tiles()) {
    return wrong("GetTensorC: there is no tile", "an Iterate that returned true before it");
  }
  MatmulRecord r = record();
  r.first_tile = int32_t(tile_);
  r.tiles = 1;
  r.multiplies = false;
  r.adds = partial_;
  Operand to = c;
  if (to_ub && !is_aiv(core)) {
    set_output(r, c, atomic, sequential || tiles() == 1 || r.out.format == MatrixFormat::kNz);
    r.out.pitch = uint32_t(n_);
    return submit(r, true);
  }
  if (to_ub) {
    to = slot_of(c_slot_, bytes_of(traits_.c.dtype, uint64_t(r.base_m) * uint64_t(r.base_n)));
  }
  set_output(r, to, atomic, to_ub || sequential);
  submit(r, sync || to_ub);
  if (to_ub) copy_tile(to, c, tile_, sync, sequential);
}

void MatmulObject::multiply_again(int64_t tile, const Operand& gm, bool sync, int atomic,
                                  bool sequential) {
  MatmulRecord again = record();
  again.first_tile = int32_t(tile);
  again.tiles = 1;
  set_output(again, gm, atomic, sequential);
  submit(again, sync);
}

void MatmulObject::get_both(const Operand& gm, const Operand& ub, bool sync, int atomic,
                            bool sequential) {
  const int64_t tile = fetched_;
  if (in_workspace_) {
    get(ub, sync, 0, sequential);
    return multiply_again(tile, gm, sync, atomic, sequential);
  }
  get(gm, sync, atomic, sequential);
  get(ub, sync, 0, sequential);
}

Operand MatmulObject::get_from_workspace() {
  if (!in_workspace_) {
    wrong("GetTensorC<false>: nothing is in the workspace", "Iterate<false> before it");
    return {};
  }
  wait();
  const uint64_t slot = uint64_t(tiling_.baseM) * uint64_t(tiling_.baseN);
  Operand from = from_byte(workspace_, bytes_of(traits_.c.dtype, uint64_t(fetched_) * slot));
  from.dtype = traits_.c.dtype;
  if (fetched_++ >= tiles()) {
    wrong("GetTensorC<false>: all tiles have been fetched", "as many as there are tiles");
  }
  return from;
}

// A tile that lies densely in GM, to UB.
void MatmulObject::copy_tile(const Operand& from, const Operand& ub, int64_t tile, bool sync,
                             bool sequential) {
  Core& core = Core::current();
  const ActingAs name("GetTensorC");
  const MatmulRecord r = record();
  const int64_t parts = traits_.parts ? MatmulTiles::count(r.k, r.base_k) : 1;
  const auto [row, column] = MatmulTiles(r).at(tile / parts);
  const int32_t rows = std::min(r.base_m, r.m - row * r.base_m);
  const int32_t columns = std::min(r.base_n, r.n - column * r.base_n);
  const DType type = traits_.c.dtype;
  const bool nz = traits_.c.format == MatrixFormat::kNz;
  uint64_t row_bytes = bytes_of(type, uint64_t(columns));
  if (traits_.c.format == MatrixFormat::kNdAlign) row_bytes = round_up(row_bytes, 32);
  if (sequential || nz || (r.m <= r.base_m && r.n <= r.base_n)) {
    uint64_t bytes = row_bytes * uint64_t(rows);
    if (nz) {
      bytes = round_up(uint64_t(rows), 16) *
              round_up(bytes_of(type, round_up(uint64_t(columns), 16)), 32);
    }
    copy_bytes(core, from, ub, bytes);
  } else {
    const uint64_t pitch = bytes_of(type, uint64_t(r.n));
    if (pitch % 32 != 0 || bytes_of(type, uint64_t(r.base_n)) % 32 != 0) {
      return wrong(
          fmt::format("GetTensorC: rows of {} bytes do not begin at datablocks of UB", pitch),
          "enSequentialWrite = true");
    }
    const uint64_t first = uint64_t(row) * uint64_t(r.base_m) * pitch +
                           bytes_of(type, uint64_t(column) * uint64_t(r.base_n));
    copy_bursts(core, from, from_byte(ub, first), uint32_t(rows), row_bytes, pitch);
  }
  if (sync) await_copies(core);
}

void MatmulObject::iterate_all(const Operand& c, bool sync, int atomic, bool sequential) {
  if (!may(Call::kIterateAll, "IterateAll") || !ready("IterateAll")) return;
  const Space to = Core::current().space_of(c.position);
  if (!is_atomic_legal("IterateAll", atomic, to == Space::kGm)) return;
  const bool reaches = to == Space::kUb || (to == Space::kL1 && c.position == Position::TSCM &&
                                            traits_.c.format == MatrixFormat::kNz);
  if (reaches && is_aiv(Core::current())) return iterate_all_to_local(c, sync);
  if (to != Space::kGm) {
    Core::current().report(Code::kUnimplemented,
                           fmt::format("IterateAll: to {} is not there", name_of(c.position)),
                           "a GlobalTensor; VECIN of an AIV, or TSCM with C in NZ");
    return;
  }
  MatmulRecord r = record();
  r.tiles = int32_t(tiles());
  set_output(r, c, atomic, sequential);
  submit(r, sync);
  tile_ = tiles();
}

// The core's part of C, through GM: rows one behind the other.
void MatmulObject::iterate_all_to_local(const Operand& local, bool sync) {
  MatmulRecord r = record();
  r.tiles = int32_t(tiles());
  const DType type = traits_.c.dtype;
  const bool nz = traits_.c.format == MatrixFormat::kNz;
  const uint32_t rows = nz ? round_up(uint64_t(m_), 16) : uint32_t(m_);
  uint64_t row_bytes = bytes_of(type, uint64_t(n_));
  if (traits_.c.format == MatrixFormat::kNdAlign) row_bytes = round_up(row_bytes, 32);
  if (nz) row_bytes = round_up(bytes_of(type, round_up(uint64_t(n_), 16)), 32);
  const Operand through = slot_of(c_slot_, rows * row_bytes);
  set_output(r, through, 0, false);
  r.out.pitch = nz ? rows : uint32_t(n_);
  submit(r, true);
  const ActingAs name("IterateAll");
  if (local.position == Position::TSCM) {
    copy_to_tscm(Core::current(), through, local, rows * row_bytes);
    if (sync) await_copies(Core::current());
  } else {
    to_ub(through, local, rows * row_bytes, sync);
  }
  tile_ = tiles();
}

void MatmulObject::to_ub(const Operand& from, const Operand& ub, uint64_t bytes, bool sync) {
  copy_bytes(Core::current(), from, ub, bytes);
  if (sync) await_copies(Core::current());
}

MatmulObject::Tile MatmulObject::last_tile() const {
  if (tile_ < 0 || tile_ >= tiles()) return {};
  const MatmulRecord r = record();
  const int64_t parts = traits_.parts ? MatmulTiles::count(r.k, r.base_k) : 1;
  const auto [row, column] = MatmulTiles(r).at(tile_ / parts);
  return {row * r.base_m, column * r.base_n, std::min(r.base_m, r.m - row * r.base_m),
          std::min(r.base_n, r.n - column * r.base_n)};
}

void MatmulObject::end() {
  wait();
  begin();
  a_ = b_ = bias_ = {};
}

}  // namespace vinci
