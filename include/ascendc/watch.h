// CheckLocalMemoryIA: datablocks of UB that are not to be touched.
#pragma once

#include "vinci/door.h"
#include "vinci/record/watch.h"

namespace vinci::isa {
extern const Instruction check_local_memory_ia;
}  // namespace vinci::isa

namespace AscendC {

struct CheckLocalMemoryIAParam {
  uint8_t enableBit = 0;
  uint32_t startAddr = 0;  // datablocks: the first that is watched is the next one
  uint32_t endAddr = 0;    // the last that is watched
  bool isScalarRead = false;
  bool isScalarWrite = false;
  bool isVectorRead = false;
  bool isVectorWrite = false;
  bool isMteRead = false;
  bool isMteWrite = false;
  bool isEnable = false;
  uint32_t reserved = 0;
};

inline void CheckLocalMemoryIA(const CheckLocalMemoryIAParam& checkParams) {
  const CheckLocalMemoryIAParam& p = checkParams;
  vinci::issue(vinci::WatchRecord{{&vinci::isa::check_local_memory_ia},
                                  p.enableBit,
                                  p.startAddr,
                                  p.endAddr,
                                  p.isScalarRead,
                                  p.isScalarWrite,
                                  p.isVectorRead,
                                  p.isVectorWrite,
                                  p.isMteRead,
                                  p.isMteWrite,
                                  p.isEnable});
}

}  // namespace AscendC
