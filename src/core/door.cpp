// The functions of vinci/door.h and vinci/record.h, on the current core.
#include "vinci/door.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "core/core.h"
#include "core/global_pipe.h"
#include "vinci/combined_type.h"
#include "vinci/debug.h"
#include "vinci/record/sync.h"

namespace vinci {
namespace isa {
extern const Instruction alloc_tensor, de_que, en_que, free_tensor;
}
namespace {

// As much as a memory of a core has.
constexpr uint64_t kMostForeignBytes = 1 << 20;

}  // namespace

void issue(const Record& record) { Core::current().issue(record); }

void* scalar_access(const Operand& tensor, uint64_t offset, uint32_t bytes, Access access) {
  return Core::current().scalar_access(tensor, offset, bytes, access);
}
void* scalar_reference(const Operand& tensor, uint64_t offset, uint32_t bytes) {
  return Core::current().scalar_access(tensor, offset, bytes, Access::kWrite, true);
}

void* local_address(const Operand& tensor) {
  Core& core = Core::current();
  const Space space = core.soc().space_of(tensor.position);
  if (core.is_foreign(tensor.position)) {
    core.leave_out("GetPhyAddr");
    return core.zeros(std::min<uint64_t>(tensor.bytes, kMostForeignBytes));
  }
  if (space == Space::kGm) return core.data(tensor);
  return core.address_of(tensor);
}

void* local_variable(const void* variable, Position position, uint32_t bytes) {
  // Of a variable outside functions, which no core has.
  if (Core::current_or_null() == nullptr) return std::calloc(1, bytes);
  const LocalBuffer buffer = Core::current().buffers().variable(variable, position, bytes);
  return local_address({buffer.address, bytes, 0, position, DType::kNone});
}

DType combined_type() {
  const AtomicRegister& mode = Core::current().registers().atomic;
  return mode.op == AtomicRegister::Op::kNone ? DType::kUint8 : mode.dtype;
}

Operand ub_tensor(uint64_t address) {
  LocalMemory& local = Core::current().local();
  const auto* pointer = reinterpret_cast<const uint8_t*>(address);
  const uint8_t* start = local.data(Space::kUb);
  if (local.space_of(pointer) == Space::kUb) {
    address = uint64_t(pointer - start);
  } else if (address >= local.bytes(Space::kUb) && address <= UINT32_MAX) {
    const uint32_t within = uint32_t(address) - uint32_t(reinterpret_cast<uintptr_t>(start));
    if (within < local.bytes(Space::kUb)) address = within;
  }
  return {address, kUnknownExtent, 0, Position::VECCALC, DType::kNone};
}

void pipe_begin(void* pipe) {
  Core* core = Core::current_or_null();
  if (core == nullptr) return set_global_pipe(pipe);
  core->buffers().begin_pipe(pipe);
}
void* pipe_object() { return Core::current().buffers().pipe_object(); }
void pipe_end(bool pipes_end) {
  Core* core = Core::current_or_null();
  if (core == nullptr) return set_global_pipe(nullptr);
  core->buffers().end_pipe(pipes_end);
}
void pipe_reset() { Core::current().buffers().reset_pipe(); }

QueueId init_queue(Position position, QueueEnds ends, uint32_t depth, uint32_t buffers,
                   uint32_t bytes) {
  return Core::current().buffers().init_queue(position, ends, depth, buffers, bytes);
}
LocalBuffer init_buffer(Position position, uint32_t bytes) {
  return Core::current().buffers().init_buffer(position, bytes);
}
uint32_t init_once(uint32_t before) { return Core::current().buffers().init_once(before); }
QueueId init_placed_queue(Position position, QueueEnds ends, uint32_t depth, uint32_t buffers,
                          uint32_t bytes) {
  return Core::current().buffers().init_placed_queue(position, ends, depth, buffers, bytes);
}
void place_buffer(QueueId queue, uint32_t index, uint64_t address) {
  Core::current().buffers().place_buffer(queue, index, address);
}
LocalBuffer unused_memory(Position position) { return Core::current().buffers().unused(position); }
LocalBuffer queue_alloc(QueueId queue) {
  LocalBuffer buffer;
  issue(QueueRecord{{&isa::alloc_tensor}, queue, {}, nullptr, &buffer});
  return buffer;
}
void queue_enque(QueueId queue, const Operand& tensor, const QueueEnds* ends) {
  issue(QueueRecord{{&isa::en_que}, queue, tensor, ends});
}
LocalBuffer queue_deque(QueueId queue, const QueueEnds* ends) {
  LocalBuffer buffer;
  issue(QueueRecord{{&isa::de_que}, queue, {}, ends, &buffer});
  return buffer;
}
void queue_free(QueueId queue, const Operand& tensor) {
  issue(QueueRecord{{&isa::free_tensor}, queue, tensor});
}
uint32_t queue_waiting(QueueId queue) { return Core::current().buffers().waiting(queue); }
uint32_t queue_idle(QueueId queue) { return Core::current().buffers().idle(queue); }
uint32_t queue_depth(QueueId queue) { return Core::current().buffers().depth(queue); }

int32_t event_alloc(uint32_t event) { return Core::current().flags().alloc(event); }
int32_t event_fetch(uint32_t event) { return Core::current().flags().fetch(event); }
void event_release(uint32_t event, int32_t id) { Core::current().flags().release(event, id); }

uint32_t space_bytes(Position position) {
  const Soc& chip = core_of(Core::current().soc(), CoreKind::kWhole);
  const Space space = chip.space_of(position);
  return space == Space::kGm ? 0 : chip.size_of(space);
}

void set_system_workspace(void* start) { Core::current().set_system_workspace(start); }
void* system_workspace() { return Core::current().system_workspace(); }

int64_t block_index() { return Core::current().kernel_index(); }
int64_t block_count() { return Core::current().block_count(); }
int64_t group_index() { return Core::current().block_index(); }

CoreKind core_kind() { return Core::current().kind(); }

int32_t sub_block_index() {
  const Seat& seat = Core::current().seat();
  return seat.grid.sub_block_of(seat.core);
}

int32_t sub_block_count() {
  const Core& core = Core::current();
  return core.kind() == CoreKind::kAiv ? core.seat().grid.aiv : 1;
}

bool is_split_chip() { return Core::current().soc().arch->split; }

bool require_split_chip(const char* api) {
  Core& core = Core::current();
  if (core.soc().arch->split) return true;
  core.report(Code::kSocInstruction, fmt::format("{}: {} does not have it", api, core.soc().name),
              "on chips that have AICs and AIVs apart");
  return false;
}

namespace {

bool control_is_readable(Core& core, const char* api) {
  if (core.soc().has(Feature::kControlBits)) return true;
  core.report(Code::kSocInstruction, fmt::format("{}: {} does not have it", api, core.soc().name),
              "on chips that have SetCtrlSpr");
  return false;
}

// nullptr: this chip's kernels cannot read these registers, and are told.
const Cells* reduced(Feature needed, const char* api) {
  Core& core = Core::current();
  if (core.soc().has(needed)) return &core.cells();
  core.report(Code::kSocInstruction, fmt::format("{}: {} does not have it", api, core.soc().name),
              needed == Feature::kReduceExtreme ? "on the 310P's AI Core" : "on Atlas A2/A3");
  return nullptr;
}

}  // namespace

uint16_t merged_count(int queue) { return Core::current().cells().merged[queue & 3]; }

int64_t control_bits(int first, int last) {
  Core& core = Core::current();
  if (!control_is_readable(core, "GetCtrlSpr")) return 0;
  if (first != last || !ControlRegister::has(first)) {
    core.report(Code::kRange, fmt::format("GetCtrlSpr: bits {}..{} of CTRL", first, last),
                "48, 53 or 59 alone");
    return 0;
  }
  return core.registers().control.at(unsigned(first));
}

uint64_t control_word() {
  Core& core = Core::current();
  if (!control_is_readable(core, "asc_get_ctrl")) return 0;
  const Registers& registers = core.registers();
  return registers.control.bits | uint64_t(registers.mask.counter) << 56;
}

CountedElements counted_elements() {
  const MaskRegister& mask = Core::current().registers().mask;
  return {mask.counter, mask.counter ? uint32_t(mask.bits[0]) : 0};
}

void set_address_register(uint32_t number, const uint64_t addresses[8]) {
  Core::current().address_registers().set(number, addresses);
}
bool read_address_registers(const char* api, uint32_t first, uint64_t to[16]) {
  Core& core = Core::current();
  if (core.address_registers().read(first, to)) return true;
  core.report(Code::kCombination,
              fmt::format("{}: VA{} and VA{} do not both have addresses", api, first, first + 1),
              "asc_set_va_reg for two neighbours of VA0..VA7");
  return false;
}

uint64_t fixpipe_scales() { return Core::current().registers().fixpipe.scales.address; }
bool fixpipe_unit_flag() { return Core::current().registers().fixpipe.unit_flag; }

uint16_t store_atomic_type() {
  using enum DType;
  Core& core = Core::current();
  if (!core.soc().has(Feature::kStoreAtomicConfig)) {
    core.report(Code::kSocInstruction,
                fmt::format("GetStoreAtomicConfig: {} does not have it", core.soc().name),
                "on chips that have SetStoreAtomicConfig");
    return 0;
  }
  constexpr DType kTypes[] = {kFloat, kHalf, kInt16, kInt32, kInt8, kBfloat16};
  const AtomicRegister& atomic = core.registers().atomic;
  if (atomic.op == AtomicRegister::Op::kNone) return 0;
  return uint16_t(std::ranges::find(kTypes, atomic.dtype) - kTypes + 1);
}

bool saturation_flag(int mode) {
  Core& core = Core::current();
  if (!control_is_readable(core, "GetSaturationFlag")) return false;
  if (!ControlRegister::has(mode)) {
    core.report(Code::kSocInstruction,
                fmt::format("GetSaturationFlag: {} has no such mode", core.soc().name),
                "SaturationMode FLOAT, INT or CAST");
    return false;
  }
  return core.registers().control.at(unsigned(mode)) == (mode == ControlRegister::kIntegers);
}

uint64_t gathered_count() { return Core::current().cells().gathered; }

uint32_t reduced_sum() {
  const Cells* cells = reduced(Feature::kReduceRegisters, "GetReduceRepeatSumSpr");
  return cells == nullptr ? 0 : cells->sum;
}
uint32_t reduced_extreme(uint32_t& index) {
  const Cells* cells =
      reduced(Feature::kReduceRegisters, "GetReduceRepeatMaxMinSpr(maxMinValue, maxMinIndex)");
  index = cells == nullptr ? 0 : cells->extreme_index;
  return cells == nullptr ? 0 : cells->extreme;
}
uint32_t reduced_extreme() {
  const Cells* cells = reduced(Feature::kReduceExtreme, "GetReduceRepeatMaxMinSpr(maxMinValue)");
  return cells == nullptr ? 0 : cells->extreme;
}

void require_buffer(const char* api) {
  Core& core = Core::current();
  core.report(Code::kQueueUninitialised, fmt::format("{}: the TBuf has no buffer", api),
              "TPipe::InitBuffer for the TBuf before it is used");
  core.stop();
}

void bad_argument(const char* api, const char* what, int64_t got, const char* legal) {
  Core::current().report(Code::kRange, fmt::format("{}: {} is {}", api, what, got), legal);
}

void lacks(const char* api, const char* what, const char* instead) {
  Core& core = Core::current();
  core.report(Code::kUnimplemented, fmt::format("{}: vinci does not have {}", api, what), instead);
  core.stop();
}

int print(const char* format, ...) {
  // In a program's own main() there is no core: then this is the host's printf.
  if (!await_turn()) return 0;
  va_list arguments;
  va_start(arguments, format);
  const int written = std::vprintf(format, arguments);
  va_end(arguments);
  return written;
}

}  // namespace vinci
