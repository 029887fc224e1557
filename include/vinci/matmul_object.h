// The state of a kernel's Matmul object, and what its methods ask of the core:
// include/ascendc/matmul has them as the documents spell them. Not for kernels.
#pragma once

#include <cstdint>

#include "vinci/matmul_tiling.h"
#include "vinci/record/matmul.h"

namespace vinci {

// How the matrices of a batch lie: one after the other, or with other axes between their rows.
enum class MatrixLayout : uint8_t { kNone, kBsngd, kSbngd, kBngs1s2, kNormal };

// What decides no result, and what the documents forbid beside it: src/core/matmul/rules.cpp.
struct MatmulSetup {
  enum class Scheme : uint8_t {
    kNorm,
    kMdl,
    kSpecialMdl,
    kIbShare,
    kBasicBlock,
    kSpecialBasicBlock,
  };
  enum class BatchMode : uint8_t { kNone, kLessThanL1, kLargeThanL1, kSingleLargeThanL1 };

  Scheme scheme = Scheme::kNorm;
  bool both_mdl = false;  // MDL and SpecialMDL
  bool n_buffer_33 = false;
  bool on_aic_alone = false;  // ASCENDC_CUBE_ONLY
  bool constant_tiling = false;
  bool a_is_number = false;
  bool outer_product = false;
  int iterate_order = -1;  // with outer_product; -1: not said
  BatchMode batch_mode = BatchMode::kNone;
  bool n_batch = false;
  uint32_t preload = 0;
  uint8_t iterate_modes = 0xFF;  // bits of MatmulObject::Call
  bool has_get = true, has_scales = true;
  bool copies_data = true;  // enableReuse
  bool a2b2_shared = false, dual_master = false;
  bool co1_shared = false, relu = false, sums_aivs = false;
  bool to_nz_by_vector = false;
};

// What an object's types and its configuration say.
struct MatmulTraits {
  struct Matrix {
    Position position = Position::GM;
    MatrixFormat format = MatrixFormat::kNd;
    DType dtype = DType::kNone;
    bool may_transpose = false;
    bool shared = false;
    MatrixLayout layout = MatrixLayout::kNone;
  };
  Matrix a, b, c, bias;
  int32_t iterate_order = -1;  // -1: the tiling's
  bool parts = false;
  bool reorders_k = false;
  bool channel_split = false;
  bool bias_of_batch = true;  // a row of the bias for each product
  MatmulRecord::Triangle triangle = MatmulRecord::Triangle::kNone;
  MatmulCallbacks callbacks;
  MatmulSetup setup;
};

class MatmulObject {
 public:
  MatmulObject(const MatmulTraits& traits, const Instruction& instruction)
      : traits_(traits), instruction_(&instruction) {}

  VINCI_OWN_LINE void init(const MatmulTilingData& tiling);
  VINCI_OWN_LINE void set_org_shape(int32_t m, int32_t n, int32_t ka, int32_t kb, int32_t kc);
  VINCI_OWN_LINE void set_tail(int32_t m, int32_t n, int32_t k);
  VINCI_OWN_LINE void set_a(const Operand& a, bool transposed);
  // A row of K times the same number, whose bits these are.
  VINCI_OWN_LINE void set_a(uint64_t bits);
  VINCI_OWN_LINE void set_b(const Operand& b, bool transposed);
  // The same for a column.
  VINCI_OWN_LINE void set_b(uint64_t bits);
  VINCI_OWN_LINE void set_bias(const Operand& bias);
  void clear_bias() { bias_ = {}; }
  VINCI_OWN_LINE void set_scale(uint64_t word);
  VINCI_OWN_LINE void set_scales(const Operand& scales);
  // B of int8 beside A of half is (B + offset) * scale, in half: with the numbers, or with those of
  // each column, in UB.
  struct AntiQuant {
    bool given = false;
    float offset_number = 0, scale_number = 0;
    Operand offset, scale;
  };
  VINCI_OWN_LINE void set_anti_quant(const AntiQuant& numbers);
  void set_hf32(MatmulRecord::Hf32 mode) { hf32_ = mode; }
  VINCI_OWN_LINE void set_workspace(const Operand& workspace);
  // In UB.
  VINCI_OWN_LINE void set_local_workspace(const Operand& work);
  VINCI_OWN_LINE void set_user_tiling(uint64_t tiling);
  VINCI_OWN_LINE void set_user_data(uint64_t data);
  VINCI_OWN_LINE void set_sparse_index(const Operand& index);
  VINCI_OWN_LINE void set_sub_block(uint8_t index);
  uint8_t sub_block() const { return sub_block_; }

  // `co1`: where the tile's sums go; dtype kNone: vinci's choice.
  VINCI_OWN_LINE bool iterate(bool sync, bool partial_sum, const Operand& co1);
  // `c` in GM or UB.
  VINCI_OWN_LINE void get(const Operand& c, bool sync, int atomic, bool sequential);
  // To both, the same tile.
  VINCI_OWN_LINE void get_both(const Operand& gm, const Operand& ub, bool sync, int atomic,
                               bool sequential);
  // The next tile's place in the workspace, after Iterate<false>.
  VINCI_OWN_LINE Operand get_from_workspace();
  VINCI_OWN_LINE void iterate_all(const Operand& c, bool sync, int atomic, bool sequential);
  // A call that only makes up the number of the other AIV's.
  VINCI_OWN_LINE void iterate_nothing();
  // Of several products at once. Strides in elements between matrices; 0: the layout's.
  struct Batch {
    uint32_t a = 1, b = 1;  // matrices
    uint32_t a_stride = 0, b_stride = 0;
    bool sync = true, partial_sum = false;
    int atomic = 0;
    bool sequential = false;
  };
  VINCI_OWN_LINE void iterate_batch(const Operand& c, const Batch& batch);
  // `rounds` batches one after the other, into the workspace.
  VINCI_OWN_LINE void iterate_n_batch(uint32_t rounds, const Batch& batch);
  // Where the next of these batches lies.
  VINCI_OWN_LINE Operand get_batch(uint32_t matrices);
  // It, brought to UB.
  VINCI_OWN_LINE void get_batch(const Operand& ub, uint32_t matrices, bool sync);
  VINCI_OWN_LINE void wait();
  // Of an asynchronous call that has said it will be waited for.
  VINCI_OWN_LINE void wait_for(const char* api);
  void announce_wait() { ++announced_; }
  // What an AIC that works on its own (enableMixDualMaster) does not have.
  VINCI_OWN_LINE bool needs_messages(const char* api) const;
  // The tile of the last Iterate: its first row and column, and its size.
  struct Tile {
    int32_t row, column, rows, columns;
  };
  Tile last_tile() const;
  VINCI_OWN_LINE void end();
  const MatmulTilingData& tiling() const { return tiling_; }

 private:
  // What an AIV has of a tensor that lies in UB or TSCM: that, and room in GM for its AIC to read.
  struct Passed {
    Operand local, slot;
  };

  // What the documents forbid: rules.cpp.
  enum class Call : uint8_t { kIterate = 1, kIterateAll = 2, kBatch = 4, kNBatch = 8 };
  bool may(Call call, const char* api) const;
  bool is_atomic_legal(const char* api, int atomic, bool to_gm) const;
  bool has_chip(const char* what) const;
  void check_setup() const;
  void check_chip() const;
  void check_policy() const;
  void check_scheme() const;
  void check_outer_product() const;
  void check_shared() const;
  bool check_batch_rules(const char* api, const Batch& batch, bool to_gm) const;

  bool ready(const char* api);
  bool has_anti_quant() const;
  bool anti_quantise(const char* api);
  // Of the core's part of B as it lies in memory.
  struct AntiQuantBlock {
    uint32_t row, rows, column, columns;
  };
  void anti_quantise(const AntiQuantBlock& block, const Operand& from, const Operand& to) const;
  void anti_quantise(const AntiQuantBlock& block, const Operand& room, uint32_t columns) const;
  MatmulRecord record() const;
  MatmulFactor factor(const MatmulTraits::Matrix& matrix, const Operand& memory, bool transposed,
                      bool is_a) const;
  uint32_t rows_of(const MatmulTraits::Matrix& matrix, bool transposed, bool is_a) const;
  Operand in_gm(const Operand& local, uint64_t bytes, Operand& slot);
  void bring_operands();
  uint64_t bytes_of_a() const;
  uint64_t bytes_of_b() const;
  Operand slot_of(Operand& slot, uint64_t bytes);
  Operand repeated(uint64_t bits, DType type, Operand& slot);
  void set_output(MatmulRecord& record, const Operand& c, int atomic, bool sequential) const;
  bool check_batch(const char* api, const Batch& batch, bool to_gm);
  void iterate_batch_to_ub(const Operand& ub, const Batch& batch);
  uint64_t elements_of_batch(uint64_t matrices) const;
  bool has_whole_rows(const char* api) const;
  void to_ub(const Operand& from, const Operand& ub, uint64_t bytes, bool sync);
  void multiply_batch(const Operand& c, const Batch& batch, uint32_t first, bool last);
  void multiply_sum(const MatmulRecord& record, const Batch& batch, uint32_t index, uint32_t terms);
  void place_factors(MatmulRecord& record, const Batch& batch, uint32_t index) const;
  void iterate_all_to_local(const Operand& local, bool sync);
  bool is_second(const MatmulRecord& record) const;
  void submit(const MatmulRecord& record, bool sync);
  void finish();
  void multiply_again(int64_t tile, const Operand& gm, bool sync, int atomic, bool sequential);
  void copy_tile(const Operand& from, const Operand& ub, int64_t tile, bool sync, bool sequential);
  int64_t tiles() const;
  void begin();

  MatmulTraits traits_;
  const Instruction* instruction_;
  MatmulTilingData tiling_{};
  uint64_t serial_ = 0;  // 0: not initialised
  uint8_t sub_block_ = 0;
  int32_t m_ = 0, n_ = 0, k_ = 0;  // of this core
  int32_t org_m_ = 0, org_n_ = 0, org_ka_ = 0, org_kb_ = 0, org_kc_ = 0;
  Operand a_, b_, bias_, scales_, workspace_, work_, index_;
  uint64_t user_tiling_ = 0, user_data_ = 0;
  uint32_t batches_fetched_ = 0;
  bool a_transposed_ = false, b_transposed_ = false;
  MatmulOutput::Quant quant_ = MatmulOutput::Quant::kNone;
  uint64_t scale_ = 0;
  AntiQuant anti_quant_;
  Operand b_half_;  // what B is then, in GM
  MatmulRecord::Hf32 hf32_ = MatmulRecord::Hf32::kLeave;
  int64_t tile_ = -1;     // the last of Iterate
  int64_t fetched_ = 0;   // tiles from the workspace
  bool partial_ = false;  // L0C has sums of several products
  bool in_workspace_ = false;
  uint32_t announced_ = 0;  // IterateAll that WaitIterateAll is to wait for
  Operand co1_;
  Passed passed_a_, passed_b_, passed_bias_, passed_scales_;
  Operand c_slot_;  // in GM, of an AIV
  uint64_t posted_ = 0, awaited_ = 0;
};

}  // namespace vinci
