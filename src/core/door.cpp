// The functions of vinci/door.h and vinci/record.h, on the current core.
#include "vinci/door.h"

#include <cstdarg>
#include <cstdio>

#include <fmt/format.h>

#include "core/core.h"

namespace vinci {

void issue(const Record& record) { Core::current().issue(record); }

void* scalar_access(const Operand& tensor, uint64_t offset, uint32_t bytes, Access access) {
  return Core::current().scalar_access(tensor, offset, bytes, access);
}

void* local_address(const Operand& tensor) {
  Core& core = Core::current();
  const Space space = core.soc().space_of(tensor.position);
  if (space != Space::kGm && core.local().data(space) == nullptr) return nullptr;
  return core.data(tensor);
}

Operand ub_tensor(uint64_t address) {
  LocalMemory& local = Core::current().local();
  const auto* pointer = reinterpret_cast<const uint8_t*>(address);
  if (local.space_of(pointer) == Space::kUb) address = uint64_t(pointer - local.data(Space::kUb));
  return {address, kUnknownExtent, 0, Position::VECCALC, DType::kNone};
}

void pipe_begin() { Core::current().buffers().begin_pipe(); }
void pipe_end() { Core::current().buffers().end_pipe(); }
void pipe_reset() { Core::current().buffers().reset_pipe(); }

QueueId init_queue(Position position, QueueEnds ends, uint32_t depth, uint32_t buffers,
                   uint32_t bytes) {
  return Core::current().buffers().init_queue(position, ends, depth, buffers, bytes);
}
LocalBuffer init_buffer(Position position, uint32_t bytes) {
  return Core::current().buffers().init_buffer(position, bytes);
}
LocalBuffer queue_alloc(QueueId queue) { return Core::current().buffers().alloc(queue); }
void queue_enque(QueueId queue, const Operand& tensor, const QueueEnds* ends) {
  Core::current().buffers().enque(queue, tensor, ends);
}
LocalBuffer queue_deque(QueueId queue, const QueueEnds* ends) {
  return Core::current().buffers().deque(queue, ends);
}
void queue_free(QueueId queue, const Operand& tensor) {
  Core::current().buffers().free(queue, tensor);
}
uint32_t queue_waiting(QueueId queue) { return Core::current().buffers().waiting(queue); }
uint32_t queue_idle(QueueId queue) { return Core::current().buffers().idle(queue); }
uint32_t queue_depth(QueueId queue) { return Core::current().buffers().depth(queue); }

int32_t event_alloc(uint32_t event) { return Core::current().flags().alloc(event); }
int32_t event_fetch(uint32_t event) { return Core::current().flags().fetch(event); }
void event_release(uint32_t event, int32_t id) { Core::current().flags().release(event, id); }

int64_t block_index() { return Core::current().kernel_index(); }
int64_t block_count() { return Core::current().block_count(); }

namespace {

bool control_is_readable(Core& core, const char* api) {
  if (core.soc().has(Feature::kControlBits)) return true;
  core.report(Code::kSocInstruction, fmt::format("{}: {} does not have it", api, core.soc().name),
              "on chips that have SetCtrlSpr");
  return false;
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

void bad_argument(const char* api, const char* what, int64_t got, const char* legal) {
  Core::current().report(Code::kRange, fmt::format("{}: {} is {}", api, what, got), legal);
}

int print(const char* format, ...) {
  // In a program's own main() there is no core: then this is the host's printf.
  const Core* core = Core::current_or_null();
  if (core != nullptr && !core->await_turn()) return 0;
  va_list arguments;
  va_start(arguments, format);
  const int written = std::vprintf(format, arguments);
  va_end(arguments);
  return written;
}

}  // namespace vinci
