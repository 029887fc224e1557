#ifndef GATING_COMMON_H
#define GATING_COMMON_H
#include "kernel_operator.h"
namespace GatingTopK {
using namespace AscendC;
constexpr uint32_t BLOCK_BYTES = 32;
constexpr int32_t DOUBLE_BUFFER = 2;
__aicore__ inline uint32_t AlignUp(uint32_t a, uint32_t b) { return (a + b - 1) / b * b; }

template <HardEvent event>
__aicore__ inline void SetWaitFlag(HardEvent evt)
{
    event_t eventId = static_cast<event_t>(GetTPipePtr()->FetchEventID(evt));
    SetFlag<event>(eventId);
    WaitFlag<event>(eventId);
}
}  // namespace GatingTopK
#endif
