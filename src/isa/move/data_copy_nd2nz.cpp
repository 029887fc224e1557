// data_copy_nd2nz: row-major matrices in GM to zN blocks in L1 (nd2nz.cpp).
//
// Sources and decisions: docs/spec/data_copy_nd2nz.md.
#include "core/operator_support.h"
#include "isa/move/nd2nz.h"

namespace vinci::isa {
namespace {

constexpr Signature k2002Types[] = {DType::kHalf,  DType::kInt16,  DType::kUint16,
                                    DType::kInt32, DType::kUint32, DType::kFloat};
constexpr Signature k2201Types[] = {DType::kInt8,  DType::kUint8,  DType::kHalf,  DType::kBfloat16,
                                    DType::kInt16, DType::kUint16, DType::kInt32, DType::kUint32,
                                    DType::kFloat, DType::kInt4};
constexpr Signature kBytes[] = {DType::kInt8};
constexpr Signature k64Bits[] = {DType::kInt64, DType::kUint64};  // from UB to TSCM
constexpr Support kSupport[] = {{kArch2002, k2002Types},
                                {kArch2201, k2201Types},
                                {kArch2002, kBytes, true, kOperator},
                                {kArch2201, k64Bits, true, kOperator},
                                {kArch3002, k2201Types, true, kOperator}};

}  // namespace

extern constinit const Instruction data_copy_nd2nz = make_instruction<nd2nz::kFunctions>(
    "data_copy_nd2nz", "DataCopy (ND to NZ)", "DataCopy", kSupport);

}  // namespace vinci::isa
