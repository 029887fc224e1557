// data_copy_nd2nz_ub: row-major matrices in GM to zN blocks in UB (nd2nz.cpp).
//
// Sources and decisions: docs/spec/data_copy_nd2nz.md.
#include "isa/move/nd2nz.h"

namespace vinci::isa {
namespace {

constexpr Signature k2002Types[] = {DType::kInt8,   DType::kUint8, DType::kHalf,   DType::kInt16,
                                    DType::kUint16, DType::kInt32, DType::kUint32, DType::kFloat};
constexpr Signature k2201Types[] = {DType::kInt8,  DType::kUint8,  DType::kHalf,  DType::kBfloat16,
                                    DType::kInt16, DType::kUint16, DType::kInt32, DType::kUint32,
                                    DType::kFloat, DType::kInt4};
constexpr Support kSupport[] = {{kArch2002, k2002Types}, {kArch2201, k2201Types}};

}  // namespace

extern constinit const Instruction data_copy_nd2nz_ub = make_instruction<nd2nz::kFunctions>(
    "data_copy_nd2nz_ub", "DataCopy (ND to NZ)", "DataCopy", kSupport);

}  // namespace vinci::isa
