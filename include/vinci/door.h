// What the thin headers in ascendc/ call besides issue(): scalar access, queues and the block's
// identity. Not for kernels; the names that kernels use stand in namespace AscendC.
#pragma once

#include <cstdint>

#include "vinci/grid.h"
#include "vinci/record.h"

namespace vinci {

enum class Access : uint8_t { kRead, kWrite };

// Where one element of `tensor` lies in host memory, for a scalar load or store of `bytes` bytes
// at `offset` bytes into it. An access that is not legal becomes a fault and gets a harmless cell.
VINCI_OWN_LINE void* scalar_access(const Operand& tensor, uint64_t offset, uint32_t bytes,
                                   Access access);
// The same for code that takes a reference to the element, to read or to write it.
VINCI_OWN_LINE void* scalar_reference(const Operand& tensor, uint64_t offset, uint32_t bytes);

// The host address of a local tensor, for code that takes the pointer itself; unchecked. nullptr if
// the chip has no memory behind the tensor's position.
void* local_address(const Operand& tensor);

// The place of a variable that a kernel declares as __ubuf__, __cbuf__ or the like: the same bytes
// in a block for the same address of a `variable`.
VINCI_OWN_LINE void* local_variable(const void* variable, Position position, uint32_t bytes);
template <Position position, class T>
T& local_variable(const void* variable) {
  return *static_cast<T*>(local_variable(variable, position, sizeof(T)));
}

// What lies in UB from an address on, to its end: a host pointer that local_address gave, its low
// half, or an offset.
Operand ub_tensor(uint64_t address);

// Queues and buffers. A kernel's TPipe, TQue and TBuf objects hold only the identifiers.
struct QueueId {
  uint32_t index = 0;  // 0: not initialised by InitBuffer
};
struct LocalBuffer {
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint32_t allocation = 0;
};

// `pipe`: the kernel's TPipe, for pipe_object.
void pipe_begin(void* pipe);
// pipes_end: a later TPipe's buffers wait for whatever still works on this one's.
void pipe_end(bool pipes_end);
// What pipe_begin got last; without one the kernel ends.
VINCI_OWN_LINE void* pipe_object();
void pipe_reset();
// Where a queue's data come from and where they go: its positions, or those that a call names.
struct QueueEnds {
  Position source = Position::GM, target = Position::GM;
};

VINCI_OWN_LINE QueueId init_queue(Position position, QueueEnds ends, uint32_t depth,
                                  uint32_t buffers, uint32_t bytes);
VINCI_OWN_LINE LocalBuffer init_buffer(Position position, uint32_t bytes);
// InitBuffer of a queue or TBuf, which keeps this number: that of the TPipe, as it is until Reset.
// `before`: the number that it has kept, 0 for none; it is told if that is the same.
VINCI_OWN_LINE uint32_t init_once(uint32_t before);
// A queue of buffers that lie in memory that InitBuffer gave before; the second call says where.
VINCI_OWN_LINE QueueId init_placed_queue(Position position, QueueEnds ends, uint32_t depth,
                                         uint32_t buffers, uint32_t bytes);
void place_buffer(QueueId queue, uint32_t index, uint64_t address);
// All of a memory that is not handed out; that it is used does not hand it out.
LocalBuffer unused_memory(Position position);
VINCI_OWN_LINE LocalBuffer queue_alloc(QueueId queue);
// `ends`: nullptr for the queue's own.
VINCI_OWN_LINE void queue_enque(QueueId queue, const Operand& tensor, const QueueEnds* ends);
VINCI_OWN_LINE LocalBuffer queue_deque(QueueId queue, const QueueEnds* ends);
VINCI_OWN_LINE void queue_free(QueueId queue, const Operand& tensor);
uint32_t queue_waiting(QueueId queue);  // tensors between EnQue and DeQue
uint32_t queue_idle(QueueId queue);     // buffers that AllocTensor could hand out
uint32_t queue_depth(QueueId queue);

// Event identifiers of the flags between two pipes; the event is a HardEvent's number.
VINCI_OWN_LINE int32_t event_alloc(uint32_t event);
VINCI_OWN_LINE int32_t event_fetch(uint32_t event);
VINCI_OWN_LINE void event_release(uint32_t event, int32_t id);

// Bytes of the memory behind a position; 0 for GM.
uint32_t space_bytes(Position position);

// What SetSysWorkspace wrote for this core; nullptr at the start of a block.
void set_system_workspace(void* start);
void* system_workspace();

// GetBlockIdx: the AIVs of a launch are counted one by one.
int64_t block_index();
int64_t block_count();
// block_idx: all cores of a block have the same.
int64_t group_index();
// What this core is; on chips that have AICs and AIVs apart, its number among those of its kind in
// its block, and how many these are.
CoreKind core_kind();
int32_t sub_block_index();
int32_t sub_block_count();
// Whether the chip has AICs and AIVs apart. If not, that is the caller's fault and told.
VINCI_OWN_LINE bool require_split_chip(const char* api);

bool is_split_chip();

// What kernels read of CTRL: bits first..last, and whether results saturate that the bit of number
// `mode` rules. 0 where that is a fault.
VINCI_OWN_LINE int64_t control_bits(int first, int last);
VINCI_OWN_LINE bool saturation_flag(int mode);

// CTRL as a whole: those bits, and bit 56, Counter mode. 0 where that is a fault.
VINCI_OWN_LINE uint64_t control_word();

// The number of elements that MASK says, where it does: in Counter mode.
struct CountedElements {
  bool by_mask = false;
  uint32_t count = 0;
};
CountedElements counted_elements();

// The registers VA0..VA7, each of eight addresses in UB. The 16 of two neighbours, into `to`;
// false: they were not set, or there are no two, and that is told.
void set_address_register(uint32_t number, const uint64_t addresses[8]);
VINCI_OWN_LINE bool read_address_registers(const char* api, uint32_t first, uint64_t to[16]);

// What SetFixPipeConfig set: where in FB the scales of columns lie, and the unit flag.
uint64_t fixpipe_scales();
bool fixpipe_unit_flag();

// The type in which copies to GM combine, as GetStoreAtomicConfig numbers it. 0 where that is a
// fault.
VINCI_OWN_LINE uint16_t store_atomic_type();

// How many elements of queue 0..3 the last merge took.
uint16_t merged_count(int queue);
// How many elements the last GatherMask kept.
uint64_t gathered_count();
// What reductions left in registers, as the bits of their type: the sum of the last ReduceSum of n
// elements; the largest or smallest value, and its index. 0 where that is a fault.
VINCI_OWN_LINE uint32_t reduced_sum();
VINCI_OWN_LINE uint32_t reduced_extreme(uint32_t& index);
VINCI_OWN_LINE uint32_t reduced_extreme();

// The same that a queue says without InitBuffer, of a TBuf: the kernel ends.
VINCI_OWN_LINE void require_buffer(const char* api);
// A request that the API's types allow and the documents do not: reported at the caller's line.
VINCI_OWN_LINE void bad_argument(const char* api, const char* what, int64_t got, const char* legal);
// What vinci does not have behind a name: the kernel ends. `instead` is there.
VINCI_OWN_LINE void lacks(const char* api, const char* what, const char* instead);

__attribute__((format(printf, 1, 2))) int print(const char* format, ...);

}  // namespace vinci
