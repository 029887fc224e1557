// Records of what the server of a communicator does: of one rank, copies within GM.
#pragma once

#include "vinci/record.h"

namespace vinci {

struct HcclCopyRecord : Record {
  Operand dst, src;
  uint64_t bytes = 0;
};

// Copies that items of 64 bytes in GM describe.
struct HcclBatchWriteRecord : Record {
  Operand items;
  uint32_t count = 0;
};

}  // namespace vinci
