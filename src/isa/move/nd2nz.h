// Row-major matrices in GM to zN in L1 or UB: DataCopy has them for other types in each.
#pragma once

#include "core/instruction.h"
#include "vinci/record/move.h"

namespace vinci::isa::nd2nz {

Pipe pipe(const Nd2NzRecord& record, const Soc& soc);
void check(const Nd2NzRecord& record, Check& check);
void footprint(const Nd2NzRecord& record, Footprint& footprint);
void run(const Nd2NzRecord& record, const State& state, Memory& memory);

inline Signature signature(const Nd2NzRecord& record) { return record.dst.dtype; }

inline constexpr Functions<Nd2NzRecord> kFunctions{
    .signature = signature, .pipe = pipe, .check = check, .footprint = footprint, .run = run};

}  // namespace vinci::isa::nd2nz
