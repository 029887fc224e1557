// Reductions of all lanes to one value: those of the repeats, then those of their results, and so
// on, by way of a work tensor. See docs/spec/reduction.md.
#pragma once

#include "isa/family/reduce.h"

namespace vinci::vector {

void check_reduce_all(const ReduceAllRecord& record, Reduction to, Check& check);
void add_reduce_all(const ReduceAllRecord& record, Reduction to, const Core& core,
                    Footprint& footprint);
void run_reduce_all(const ReduceAllRecord& record, Reduction to, Core& core);

template <Reduction to>
constexpr Instruction reduce_all_instruction(std::string_view mnemonic, std::string_view api,
                                             std::span<const Support> support) {
  constexpr auto signature = [](const ReduceAllRecord& record) {
    const DType dst = record.dst.dtype, src = record.src.dtype, work = record.work.dtype;
    return dst == src && src == work ? Signature(dst) : Signature(dst, src, work);
  };
  constexpr auto pipe = [](const ReduceAllRecord&, const Soc&) { return Pipe::kV; };
  constexpr auto check = [](const ReduceAllRecord& record, Check& c) {
    check_reduce_all(record, to, c);
  };
  constexpr auto footprint = [](const ReduceAllRecord& record, Core& core, Footprint& regions) {
    add_reduce_all(record, to, core, regions);
  };
  constexpr auto execute = [](const ReduceAllRecord& record, Core& core) {
    run_reduce_all(record, to, core);
  };
  return make_instruction<ReduceAllRecord, signature, pipe, check, footprint, execute>(
      mnemonic, api, api, support);
}

}  // namespace vinci::vector
