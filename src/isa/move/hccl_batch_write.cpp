// hccl_batch_write: the copies within GM that BatchWrite's items in GM describe.
//
// Sources and decisions: docs/spec/hccl_batch_write.md.
#include <cstring>

#include "core/instruction.h"
#include "core/setter.h"
#include "vinci/record/communication.h"

namespace vinci::isa {

namespace {

constexpr Support kSupport[] = {{kArch2201, setter::kNoElements, true, kAscendC}};

struct Item {
  uint64_t type;
  uint32_t reserved[5];
  uint32_t length, src_low, src_high, dst_low, dst_high;
  uint32_t also_reserved[4];
};
static_assert(sizeof(Item) == 64);

void check(const HcclBatchWriteRecord& record, Check& check) {
  check.range("itemNum", record.count, 1, 2047);
}

Item item_of(const HcclBatchWriteRecord& record, uint32_t index, const Memory& memory) {
  Item item;
  std::memcpy(&item, memory.data(record.items) + index * sizeof(item), sizeof(item));
  return item;
}

Operand in_gm(uint32_t high, uint32_t low) {
  return {uint64_t(high) << 32 | low, kUnknownExtent, 0, Position::GM, DType::kUint8};
}
Operand source_of(const Item& item) { return in_gm(item.src_high, item.src_low); }
Operand target_of(const Item& item) { return in_gm(item.dst_high, item.dst_low); }

void footprint(const HcclBatchWriteRecord& record, Footprint& footprint) {
  footprint.add_bytes(record.items, "batchWriteInfo", Access::kRead, 0,
                      record.count * sizeof(Item));
  const Memory* memory = footprint.settle("batchWriteInfo");
  for (uint32_t i = 0; memory != nullptr && i < record.count; ++i) {
    const Item item = item_of(record, i, *memory);
    footprint.add_bytes(source_of(item), "srcAddr", Access::kRead, 0, item.length);
    footprint.add_bytes(target_of(item), "dstAddr", Access::kWrite, 0, item.length);
  }
}

void run(const HcclBatchWriteRecord& record, const State&, Memory& memory) {
  for (uint32_t i = 0; i < record.count; ++i) {
    const Item item = item_of(record, i, memory);
    std::memmove(memory.data(target_of(item)), memory.data(source_of(item)), item.length);
  }
}

constexpr Functions<HcclBatchWriteRecord> kFunctions{
    .signature = setter::no_elements<HcclBatchWriteRecord>,
    .pipe = Pipe::kS,
    .check = check,
    .footprint = footprint,
    .run = run};

}  // namespace

extern constinit const Instruction hccl_batch_write =
    make_instruction<kFunctions>("hccl_batch_write", "Hccl::BatchWrite", "Hccl", kSupport);

}  // namespace vinci::isa
