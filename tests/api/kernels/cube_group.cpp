// AIVs post products to groups of AICs. Arguments of all kernels: a half matrix for each AIV, B,
// the tiling, messages, room for A and C of each AIV and round, results, what to do otherwise,
// rounds.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

namespace {

constexpr uint32_t kSize = 32, kElements = kSize * kSize;  // of A, B and C
constexpr uint32_t kMostRounds = 8;
constexpr uint32_t kPlaceBytes = kElements * 6;  // A and C

// What a message may ask for besides a product.
enum Extra : uint8_t { kNothing, kNoFree, kFreeAsQuit, kFreeTwice, kFreeOther, kSkipMany };

struct Body {
  CubeGroupMsgHead head;
  uint8_t extra;
  uint8_t skipCnt;
  uint32_t number;
  uint64_t a, b, c;
  uint64_t rest[4];
};
static_assert(sizeof(Body) == 64);
struct Long {
  CubeGroupMsgHead head;
  uint8_t extra;
  uint8_t skipCnt;
  uint32_t number;
  uint64_t rest[12];
  uint64_t a, b, c;
};
static_assert(sizeof(Long) == 128);
struct Odd {
  CubeGroupMsgHead head;
  uint8_t rest[94];
};

using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Product = Matmul<Half, Half, MatmulType<TPosition::GM, CubeFormat::ND, float>>;

template <class T>
__aicore__ inline GlobalTensor<T> global(uint64_t address) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address));
  return tensor;
}

template <class M, class Message>
struct Multiply {
  __aicore__ inline static void Init(Multiply& self, M& mm, GM_ADDR tilingGM) {
    auto from = reinterpret_cast<__gm__ uint32_t*>(tilingGM);
    auto to = reinterpret_cast<uint32_t*>(&self.tiling);
    for (uint32_t i = 0; i < sizeof(TCubeTiling) / sizeof(uint32_t); ++i) to[i] = from[i];
    mm.SetSubBlockIdx(0);
    mm.Init(&self.tiling, GetTPipePtr());
  }
  __aicore__ inline static void Call(M& mm, __gm__ Message* rcvMsg,
                                     CubeResGroupHandle<Message>& handle) {
    mm.SetTensorA(global<half>(rcvMsg->a));
    mm.SetTensorB(global<half>(rcvMsg->b));
    mm.IterateAll(global<float>(rcvMsg->c));
    const uint8_t extra = rcvMsg->extra, skips = rcvMsg->skipCnt;
    if (extra == kNoFree) return;
    if (extra == kFreeAsQuit) handle.FreeMessage(rcvMsg, CubeMsgState::QUIT);
    if (extra == kFreeOther) handle.FreeMessage(rcvMsg + 100);
    handle.FreeMessage(rcvMsg, CubeMsgState::VALID);
    if (extra == kFreeTwice) handle.FreeMessage(rcvMsg);
    for (int i = 1; i <= skips; ++i) handle.FreeMessage(rcvMsg + i, CubeMsgState::FAKE);
    handle.SetSkipMsg(extra == kSkipMany ? 100 : skips);
  }
  TCubeTiling tiling;
};

// What an AIV does with its matrix: A is it, plus the number of the round.
struct Client {
  GM_ADDR x;
  GM_ADDR b;
  GM_ADDR room;
  GM_ADDR out;
  uint32_t aiv, rounds;

  __aicore__ inline uint64_t a(uint32_t round, uint32_t of) const {
    return reinterpret_cast<uint64_t>(room) + uint64_t(of * kMostRounds + round) * kPlaceBytes;
  }
  __aicore__ inline uint64_t c(uint32_t round, uint32_t of) const {
    return a(round, of) + kElements * 2;
  }

  __aicore__ inline void write_a(uint32_t round) const {
    LocalTensor<half> part(TPosition::VECCALC, 0, kElements);
    PipeBarrier<PIPE_ALL>();
    DataCopy(part, global<half>(reinterpret_cast<uint64_t>(x))[aiv * kElements], kElements);
    PipeBarrier<PIPE_ALL>();
    Adds(part, part, half(float(round)), kElements);
    PipeBarrier<PIPE_ALL>();
    DataCopy(global<half>(a(round, aiv)), part, kElements);
    PipeBarrier<PIPE_ALL>();
  }
  // C of AIV `of`, plus 1.
  __aicore__ inline void read_c(uint32_t round, uint32_t of) const {
    LocalTensor<float> part(TPosition::VECCALC, 0, kElements);
    PipeBarrier<PIPE_ALL>();
    DataCopy(part, global<float>(c(round, of)), kElements);  // HERE read_c
    PipeBarrier<PIPE_ALL>();
    Adds(part, part, 1.0f, kElements);
    PipeBarrier<PIPE_ALL>();
    DataCopy(global<float>(reinterpret_cast<uint64_t>(out))[(aiv * rounds + round) * kElements],
             part, kElements);
    PipeBarrier<PIPE_ALL>();
  }
  template <class Message>
  __aicore__ inline Message message(uint32_t round) const {
    Message body{};
    body.head = {CubeMsgState::VALID, uint8_t(aiv)};
    body.a = a(round, aiv);
    body.b = reinterpret_cast<uint64_t>(b);
    body.c = c(round, aiv);
    return body;
  }
};

// Posts all rounds, reads what came of each, and quits.
template <PipeMode mode, class Message>
__aicore__ inline void ask(const Client& client, CubeResGroupHandle<Message>& handle) {
  for (uint32_t round = 0; round < client.rounds; ++round) {
    client.write_a(round);
    auto* place = handle.template AllocMessage<mode>();
    Message body = client.message<Message>(round);
    const uint16_t offset = handle.template PostMessage<mode>(place, body);
    if (round % 2 == 0) {
      handle.template Wait<true>(offset);
    } else {
      while (!handle.template Wait<false>(offset)) {
      }
    }
    client.read_c(round, client.aiv);
  }
  handle.SetQuit(handle.AllocMessage());
}

}  // namespace

#define ARGUMENTS                                                                 \
  GM_ADDR x, GM_ADDR b, GM_ADDR tiling, GM_ADDR space, GM_ADDR room, GM_ADDR out, \
      [[maybe_unused]] int32_t how, int32_t rounds
#define KERNEL(name) extern "C" __global__ __aicore__ void name(ARGUMENTS)

namespace {

// One group of `aics` AICs, in which each AIV has a queue; every second one from the last.
template <PipeMode mode, class Message>
__aicore__ inline void one_group(ARGUMENTS) {
  TPipe pipe;
  KfcWorkspace desc(space);
  const auto aivs = uint8_t(GetBlockNum() * 2);
  auto handle =
      CreateCubeResGroup<1, Product, Multiply, Message>(desc, 0, uint8_t(how), aivs, tiling);
  if ASCEND_IS_AIV {
    const auto aiv = uint32_t(GetBlockIdx());
    const Client client{x, b, room, out, aiv, uint32_t(rounds)};
    handle.AssignQueue(uint8_t(aivs - 1 - aiv));
    ask<mode>(client, handle);
  }
}

}  // namespace

KERNEL(scalar_mode) {
  one_group<PipeMode::SCALAR_MODE, Body>(x, b, tiling, space, room, out, how, rounds);
}
KERNEL(mte3_mode) {
  one_group<PipeMode::MTE3_MODE, Body>(x, b, tiling, space, room, out, how, rounds);
}
KERNEL(long_messages) {
  one_group<PipeMode::MTE3_MODE, Long>(x, b, tiling, space, room, out, how, rounds);
}

// All messages are posted before the first is waited for: AllocMessage waits from the fifth on.
KERNEL(many_messages) {
  TPipe pipe;
  KfcWorkspace desc(space);
  const auto aivs = uint8_t(GetBlockNum() * 2);
  auto handle = CreateCubeResGroup<-7, Product, Multiply, Body>(desc, 2, 2, aivs, tiling);
  if ASCEND_IS_AIC
    return;
  const auto aiv = uint32_t(GetBlockIdx());
  const Client client{x, b, room, out, aiv, uint32_t(rounds)};
  handle.AssignQueue(uint8_t(aiv));
  for (uint32_t round = 0; round < client.rounds; ++round) client.write_a(round);
  uint16_t offset = 0;
  for (uint32_t round = 0; round < client.rounds; ++round) {
    auto* place = handle.AllocMessage();
    Body body = client.message<Body>(round);
    offset = handle.PostMessage(place, body);
  }
  handle.Wait(offset);
  for (uint32_t round = 0; round < client.rounds; ++round) client.read_c(round, aiv);
  handle.SetQuit(handle.AllocMessage());
}

// AIC 0 works for AIVs 0 to 2, the others for AIVs 1 and on, half of the rounds each.
KERNEL(two_groups) {
  TPipe pipe;
  KfcWorkspace desc(space);
  const auto blocks = uint8_t(GetBlockNum());
  const auto others = uint8_t(2 * blocks - 1);
  auto one = CreateCubeResGroup<1, Product, Multiply, Body>(desc, 0, 2, 3, tiling);
  auto two = CreateCubeResGroup<2, Product, Multiply, Long>(desc, 2, uint8_t(2 * blocks - 2),
                                                            others, tiling);
  if ASCEND_IS_AIC
    return;
  const auto aiv = uint32_t(GetBlockIdx());
  Client client{x, b, room, out, aiv, uint32_t(rounds)};
  if (aiv <= 2) {
    one.AssignQueue(uint8_t(aiv));
    ask<PipeMode::SCALAR_MODE>(client, one);
  }
  if (aiv >= 1) {
    two.AssignQueue(uint8_t(aiv - 1));
    ask<PipeMode::MTE3_MODE>(client, two);
  }
}

// AIV 0 asks for the AIVs 1 to 3, too, the others each for itself. how: the AIV that comes late.
KERNEL(merged) {
  TPipe pipe;
  KfcWorkspace desc(space);
  const auto aivs = uint8_t(GetBlockNum() * 2);
  auto handle = CreateCubeResGroup<1, Product, Multiply, Body>(desc, 0, 2, aivs, tiling);
  if ASCEND_IS_AIC
    return;
  const auto aiv = uint32_t(GetBlockIdx());
  const Client client{x, b, room, out, aiv, uint32_t(rounds)};
  handle.AssignQueue(uint8_t(aiv));
  for (uint32_t round = 0; round < client.rounds; ++round) {
    for (int i = 0; int32_t(aiv) == how && i < 20; ++i) handle.Wait<false>(0);
    if (aiv == 0 || aiv > 3) client.write_a(round);
    auto* place = handle.AllocMessage();
    uint16_t offset;
    if (aiv >= 1 && aiv <= 3) {
      offset = handle.PostFakeMsg(place);
    } else {
      Body body = client.message<Body>(round);
      body.skipCnt = aiv == 0 ? 3 : 0;
      offset = handle.PostMessage(place, body);
    }
    handle.Wait(offset);
    client.read_c(round, aiv <= 3 ? 0 : aiv);
  }
  handle.SetQuit(handle.AllocMessage());
}

// FAKE messages that no message stands for; AIV i quits after i + 1 rounds.
KERNEL(fakes) {
  TPipe pipe;
  KfcWorkspace desc(space);
  const auto aivs = uint8_t(GetBlockNum() * 2);
  auto handle = CreateCubeResGroup<1, Product, Multiply, Body>(desc, 0, uint8_t(how), aivs, tiling);
  if ASCEND_IS_AIC
    return;
  const auto aiv = uint32_t(GetBlockIdx());
  const Client client{x, b, room, out, aiv, uint32_t(rounds)};
  handle.AssignQueue(uint8_t(aiv));
  for (uint32_t round = 0; round <= aiv && round < uint32_t(rounds); ++round) {
    client.write_a(round);
    handle.Wait(handle.PostFakeMsg(handle.AllocMessage()));
    Body body = client.message<Body>(round);
    handle.Wait(handle.PostMessage(handle.AllocMessage(), body));
    client.read_c(round, aiv);
  }
  handle.SetQuit(handle.AllocMessage());
}

namespace {

// Chooses by a message's number, and brings what it reads of it from GM.
template <class M, class Message>
struct ByNumber {
  template <int32_t number>
  __aicore__ inline static typename IsEqual<number, 0>::Type Free(
      __gm__ Message* rcvMsg, CubeResGroupHandle<Message>& handle) {
    handle.FreeMessage(rcvMsg);
    handle.SetSkipMsg(0);
  }
  template <int32_t number>
  __aicore__ inline static typename IsEqual<number, 1>::Type Free(
      __gm__ Message* rcvMsg, CubeResGroupHandle<Message>& handle) {
    const auto first = handle.FreeMessage(rcvMsg, CubeMsgState::VALID);
    for (int i = 1; i <= 3; ++i) {
      if (handle.FreeMessage(rcvMsg + i, CubeMsgState::FAKE) != first) return;
    }
    handle.SetSkipMsg(3);
  }
  __aicore__ inline static void Init(ByNumber& self, M& mm, GM_ADDR tilingGM) {
    Multiply<M, Message>::Init(self.multiply, mm, tilingGM);
  }
  __aicore__ inline static void Call(M&, __gm__ Message* rcvMsg,
                                     CubeResGroupHandle<Message>& handle) {
    GlobalTensor<int64_t> message;
    message.SetGlobalBuffer(reinterpret_cast<__gm__ int64_t*>(rcvMsg) + 1);
    DataCacheCleanAndInvalid<int64_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(
        message);
    rcvMsg->number == 0 ? Free<0>(rcvMsg, handle) : Free<1>(rcvMsg, handle);
  }
  Multiply<M, Message> multiply;
};

}  // namespace

// As the documents have it: all AIVs, on some of the AICs, and no branch for the AIC.
KERNEL(documented) {
  TPipe pipe;
  KfcWorkspace desc(space);
  const uint8_t queues = uint8_t(GetBlockNum() * 2);
  auto handle = CreateCubeResGroup<1, Product, ByNumber, Body>(desc, 0, how, queues, tiling);
  auto queue = GetBlockIdx();
  handle.AssignQueue(queue);
  CubeGroupMsgHead head = {CubeMsgState::VALID, uint8_t(queue)};
  Body one{head, 0, 0, 1, 0, 0, 0, {}}, other{head, 0, 0, 0, 0, 0, 0, {}};
  for (int32_t round = 0; round < rounds; ++round) {
    auto message = handle.AllocMessage();
    auto offset = 0;
    if (queue == 0) {
      offset = handle.template PostMessage<PipeMode::SCALAR_MODE>(message, one);
    } else if (queue < 4) {
      offset = handle.PostFakeMsg(message);
    } else {
      offset = handle.PostMessage(message, other);
    }
    if (!handle.template Wait<true>(offset)) return;
  }
  auto message = handle.AllocMessage();
  handle.SetQuit(message);
}

// One message of each AIV, with a mistake.
enum Mistake {
  kNone,
  kNoQuit,
  kNeverFreed,
  kNeverFreedFull,
  kNoWait,
  kOddStart,
  kOddSize,
  kTooFar,
  kManyQueues,
  kIdleAic,
  kOddMessage,
  kOddPlace,
  kQueueRange,
  kQueueTwice,
  kQueueNone,
  kQuitState,
  kDoubleFree,
  kOtherFree,
  kFreeByAiv,
  kManySkips,
  kOtherMode,
  kFakeAfterMte3,
  kPostTwice,
  kOtherSlot,
  kFreeState,
  kOffset,
  kNoGroup,
  kDirty,
  kNoSize,
  kNullMessage,
  kEvent,
  kByHand,
  kNeverFreedAsked,
};

KERNEL(mistakes) {
  TPipe pipe;
  if (how == kOddPlace) space += 32;
  KfcWorkspace desc(space);
  const auto blocks = uint8_t(GetBlockNum()), aivs = uint8_t(blocks * 2);
  if (how == kNoGroup) {
    CubeResGroupHandle<Body> none;
    none.AssignQueue(0);  // WRONG no_group
    return;
  }
  if (how == kOddMessage) {
    CubeResGroupHandle<Odd> odd(space, 0, 2, 2, 0);  // WRONG odd_message
    return;
  }
  if (how == kEvent || how == kByHand) {
    const uint8_t event = how == kEvent ? 8 : 3;
    CubeResGroupHandle<Body> made(desc.GetMsgStart(), 0, 2, 2, event);  // WRONG event
    if (how == kByHand && GetBlockIdx() == 0) made.SetSkipMsg(1);       // WRONG skip
    return;
  }
  const uint8_t start = how == kOddStart ? 1 : 0;
  const uint8_t size = how == kOddSize ? 1 : how == kTooFar ? aivs + 2 : how == kNoSize ? 0 : aivs;
  const uint8_t queues = how == kManyQueues ? aivs + 1 : how == kIdleAic ? blocks - 1 : aivs;
  auto handle = CreateCubeResGroup<1, Product, Multiply, Body>(  // WRONG create
      desc, start, size, queues, tiling);
  if ASCEND_IS_AIC
    return;
  const auto aiv = uint32_t(GetBlockIdx());
  const Client client{x, b, room, out, aiv, uint32_t(rounds)};
  if (how == kQueueNone) handle.AllocMessage();                                  // WRONG alloc
  handle.AssignQueue(how == kQueueRange ? aivs : how == kQueueTwice ? 0 : aiv);  // WRONG assign
  client.write_a(0);
  Body body = client.message<Body>(0);
  const Extra extras[] = {kNoFree, kFreeAsQuit, kFreeTwice, kFreeOther, kSkipMany};
  const int asked[] = {kNeverFreed, kQuitState, kDoubleFree, kOtherFree, kManySkips};
  for (int i = 0; i < 5; ++i) {
    if (how == asked[i]) body.extra = extras[i];
  }
  if (how == kNeverFreedFull || how == kNeverFreedAsked) body.extra = kNoFree;
  if (how == kFreeState) body.head.msgState = CubeMsgState::FREE;
  if (how == kOtherMode || how == kFakeAfterMte3) {
    auto* place = handle.AllocMessage<PipeMode::MTE3_MODE>();
    if (how == kOtherMode) handle.PostMessage(place, body);  // WRONG mode
    handle.PostFakeMsg(place);                               // WRONG fake
  }
  auto* place = handle.AllocMessage();  // WRONG first
  if (how == kOtherSlot) place = place + 100;
  if (how == kNullMessage) place = nullptr;
  uint16_t offset = handle.PostMessage(place, body);       // WRONG post
  if (how == kPostTwice) handle.PostMessage(place, body);  // WRONG again
  if (how == kFreeByAiv) handle.FreeMessage(place);        // WRONG free
  for (int i = 0; how == kNeverFreedFull && i < 4; ++i) {
    Body next = body;
    place = handle.AllocMessage();  // WRONG full
    handle.PostMessage(place, next);
  }
  if (how == kOffset) offset = 0x7FFF;
  bool asks = how == kNeverFreedAsked;
  while (asks) asks = !handle.Wait<false>(offset);  // WRONG asked
  if (how != kNoWait) handle.Wait(offset);          // WRONG wait
  client.read_c(0, aiv);
  if (how != kNoQuit) handle.SetQuit(handle.AllocMessage());
}
