// aclrtMemcpy, aclrtMemset and their kind.
#include <cstring>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/runtime.h"
#include "host/memories.h"
#include "host/program.h"
#include "isa/move/atomic.h"
#include "numeric/dtype.h"

namespace vinci::acl {
namespace {

using host::kHost;
using host::Memories;
using host::Memory;

bool is_device_address(const void* address) {
  const std::optional<Memory> memory = Memories::instance().find(address);
  return memory && memory->device != kHost;
}

// `rows` rows of `width` bytes.
struct Copy {
  void* dst;
  size_t dst_pitch;
  const void* src;
  size_t src_pitch, width, rows;

  void run() const {
    for (size_t row = 0; row < rows && width != 0; ++row) {
      char* const to = static_cast<char*>(dst) + row * dst_pitch;
      std::memmove(to, static_cast<const char*>(src) + row * src_pitch, width);
      Memories::instance().note_written(to, width);
    }
  }
};

struct Ends {
  bool to_device, from_device;
};
Ends ends_of(const Copy& copy, aclrtMemcpyKind kind) {
  switch (kind) {
    case ACL_MEMCPY_HOST_TO_HOST: return {false, false};
    case ACL_MEMCPY_HOST_TO_DEVICE:
    case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE: return {true, false};
    case ACL_MEMCPY_DEVICE_TO_HOST: return {false, true};
    case ACL_MEMCPY_DEFAULT: return {is_device_address(copy.dst), is_device_address(copy.src)};
    default: return {true, true};
  }
}

aclError check(const char* api, const Copy& copy, aclrtMemcpyKind kind) {
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_INTER_DEVICE_TO_DEVICE) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, api, fmt::format("kind {}", int(kind)), "0..7");
  }
  if (copy.width == 0 || copy.rows == 0) return ACL_SUCCESS;
  if (copy.dst == nullptr || copy.src == nullptr) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, api,
                  fmt::format("{} is null", copy.dst == nullptr ? "dst" : "src"), "two buffers");
  }
  const auto reach = [&](size_t pitch) { return (copy.rows - 1) * pitch + copy.width; };
  const Ends ends = ends_of(copy, kind);
  if (const aclError code =
          check_memory(api, "dst", copy.dst, reach(copy.dst_pitch), ends.to_device);
      code != ACL_SUCCESS)
    return code;
  return check_memory(api, "src", copy.src, reach(copy.src_pitch), ends.from_device);
}

aclError check_room(const char* api, size_t room, size_t count) {
  if (count <= room) return ACL_SUCCESS;
  return refuse(ACL_ERROR_RT_PARAM_INVALID, api,
                fmt::format("{} bytes into a buffer of {}", count, room),
                fmt::format("at most {}", room));
}

aclError check_pitches(const char* api, const Copy& copy) {
  if (copy.width <= copy.dst_pitch && copy.width <= copy.src_pitch) return ACL_SUCCESS;
  return refuse(ACL_ERROR_RT_PARAM_INVALID, api,
                fmt::format("rows of {} bytes, {} and {} bytes apart", copy.width, copy.dst_pitch,
                            copy.src_pitch),
                "pitches of at least the width");
}

aclError copy_now(const char* api, const Copy& copy, aclrtMemcpyKind kind) {
  if (const aclError code = check(api, copy, kind); code != ACL_SUCCESS) return code;
  copy.run();
  return ACL_SUCCESS;
}

aclError copy_on(const char* api, aclrtStream stream, const Copy& copy, aclrtMemcpyKind kind) {
  if (const aclError code = check(api, copy, kind); code != ACL_SUCCESS) return code;
  return add_task(api, stream, [copy] {
    copy.run();
    return Ending{};
  });
}

aclError check_fill(const char* api, const void* pointer, size_t room, size_t count) {
  if (const aclError code = check_room(api, room, count); code != ACL_SUCCESS) return code;
  if (count == 0) return ACL_SUCCESS;
  if (pointer == nullptr) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, api, "the buffer is null", "a buffer");
  }
  if (Memories::instance().was_released(pointer)) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, api,
                  fmt::format("the buffer is {}, which was freed before", pointer), "a buffer");
  }
  return check_memory(api, "the buffer", pointer, count, is_device_address(pointer));
}

void fill_now(void* pointer, int32_t value, size_t count) {
  if (count == 0) return;
  std::memset(pointer, value, count);
  Memories::instance().note_written(pointer, count);
}

aclError check_words(const char* api, const void* pointer, size_t room, size_t count) {
  const size_t most = ~size_t{0} / sizeof(uint32_t);
  if (count > most) return check_room(api, room, ~size_t{0});
  return check_fill(api, pointer, room, count * sizeof(uint32_t));
}

void fill_words(void* pointer, uint32_t value, size_t count) {
  if (count == 0) return;
  for (size_t i = 0; i < count; ++i) std::memcpy(static_cast<uint32_t*>(pointer) + i, &value, 4);
  Memories::instance().note_written(pointer, count * sizeof(uint32_t));
}

// Copies one after the other; `*failed` is the first that cannot be done, and all ones if it is not
// one of them.
template <class F>
aclError copy_batch(const char* api, void** dsts, const size_t* rooms, void** srcs,
                    const size_t* sizes, size_t count, size_t* failed, F copy_one) {
  if (failed != nullptr) *failed = ~size_t{0};
  if (dsts == nullptr || rooms == nullptr || srcs == nullptr || sizes == nullptr || count == 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "no copies");
  }
  for (size_t i = 0; i < count; ++i) {
    aclError code = check_room(api, rooms[i], sizes[i]);
    if (code == ACL_SUCCESS) code = copy_one({dsts[i], sizes[i], srcs[i], sizes[i], sizes[i], 1});
    if (code == ACL_SUCCESS) continue;
    if (failed != nullptr) *failed = i;
    return code;
  }
  return ACL_SUCCESS;
}

// What a kind and a type of aclrtReduceAsync are to a copy that combines.
AtomicRegister combination(aclrtReduceKind kind, aclDataType type) {
  AtomicRegister result;
  switch (kind) {
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM: result.op = atomic::Op::kAdd; break;
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX: result.op = atomic::Op::kMax; break;
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN: result.op = atomic::Op::kMin; break;
    default: break;
  }
  switch (type) {
    case ACL_FLOAT: result.dtype = DType::kFloat; break;
    case ACL_FLOAT16: result.dtype = DType::kHalf; break;
    case ACL_BF16: result.dtype = DType::kBfloat16; break;
    case ACL_INT8: result.dtype = DType::kInt8; break;
    case ACL_INT16: result.dtype = DType::kInt16; break;
    case ACL_INT32: result.dtype = DType::kInt32; break;
    default: break;
  }
  return result;
}

// What legal parameters ask for, now or in its turn on a stream.
template <class Work>
aclError do_now(aclError legal, const Work& work) {
  if (legal == ACL_SUCCESS) work();
  return legal;
}
template <class Work>
aclError do_later(const char* api, aclrtStream stream, aclError legal, const Work& work) {
  if (legal != ACL_SUCCESS) return legal;
  return add_task(api, stream, [work] {
    work();
    return Ending{};
  });
}

}  // namespace

aclError check_memory(const char* api, const char* name, const void* address, uint64_t bytes,
                      bool on_device) {
  const std::optional<Memory> memory = Memories::instance().find(address);
  const char* needed = on_device ? "device" : "host";
  if (on_device && !memory) {
    const bool was_freed = Memories::instance().was_released(address);
    return refuse(ACL_ERROR_RT_PARAM_INVALID, api,
                  fmt::format("{} is {}, {}", name, address,
                              was_freed ? "which was freed before" : "which is no device memory"),
                  "an address inside what aclrtMalloc gave");
  }
  // Pinned memory that was registered is of both kinds.
  if (memory && !memory->is_lent && (memory->device != kHost) != on_device) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, api,
                  fmt::format("{} is {} memory", name, on_device ? "host" : "device"),
                  fmt::format("{} memory for this kind of copy", needed));
  }
  if (!memory) return ACL_SUCCESS;  // the program's own
  const uint64_t offset = reinterpret_cast<uint64_t>(address) - memory->start;
  if (bytes <= memory->bytes - offset) return ACL_SUCCESS;
  return refuse(ACL_ERROR_RT_PARAM_INVALID, api,
                fmt::format("bytes {}..{} of {}, which has {}", offset, offset + bytes - 1, name,
                            memory->bytes),
                fmt::format("bytes 0..{}", memory->bytes - 1));
}

}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtMemcpy(void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind kind) {
  constexpr const char* kApi = "aclrtMemcpy";
  if (const aclError code = check_room(kApi, room, count); code != ACL_SUCCESS) return code;
  return copy_now(kApi, {dst, count, src, count, count, 1}, kind);
}
aclError aclrtMemcpyAsync(void* dst, size_t room, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  constexpr const char* kApi = "aclrtMemcpyAsync";
  if (const aclError code = check_room(kApi, room, count); code != ACL_SUCCESS) return code;
  return copy_on(kApi, stream, {dst, count, src, count, count, 1}, kind);
}
aclError aclrtMemcpy2d(void* dst, size_t dst_pitch, const void* src, size_t src_pitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  constexpr const char* kApi = "aclrtMemcpy2d";
  const Copy copy{dst, dst_pitch, src, src_pitch, width, height};
  if (const aclError code = check_pitches(kApi, copy); code != ACL_SUCCESS) return code;
  return copy_now(kApi, copy, kind);
}
aclError aclrtMemcpy2dAsync(void* dst, size_t dst_pitch, const void* src, size_t src_pitch,
                            size_t width, size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  constexpr const char* kApi = "aclrtMemcpy2dAsync";
  const Copy copy{dst, dst_pitch, src, src_pitch, width, height};
  if (const aclError code = check_pitches(kApi, copy); code != ACL_SUCCESS) return code;
  return copy_on(kApi, stream, copy, kind);
}
aclError aclrtMemcpyBatch(void** dsts, size_t* rooms, void** srcs, size_t* sizes, size_t count,
                          aclrtMemcpyBatchAttr*, size_t*, size_t, size_t* failed) {
  constexpr const char* kApi = "aclrtMemcpyBatch";
  return copy_batch(kApi, dsts, rooms, srcs, sizes, count, failed,
                    [&](const Copy& copy) { return copy_now(kApi, copy, ACL_MEMCPY_DEFAULT); });
}
aclError aclrtMemcpyBatchAsync(void** dsts, size_t* rooms, void** srcs, size_t* sizes, size_t count,
                               aclrtMemcpyBatchAttr*, size_t*, size_t, size_t* failed,
                               aclrtStream stream) {
  constexpr const char* kApi = "aclrtMemcpyBatchAsync";
  return copy_batch(kApi, dsts, rooms, srcs, sizes, count, failed, [&](const Copy& copy) {
    return copy_on(kApi, stream, copy, ACL_MEMCPY_DEFAULT);
  });
}

aclError aclrtMemcpyBatchV2(void** dsts, size_t* rooms, void** srcs, size_t* sizes, size_t count,
                            aclrtMemcpyBatchAttr* attributes, size_t* indexes, size_t number) {
  return aclrtMemcpyBatch(dsts, rooms, srcs, sizes, count, attributes, indexes, number, nullptr);
}
aclError aclrtMemcpyBatchAsyncV2(void** dsts, size_t* rooms, void** srcs, size_t* sizes,
                                 size_t count, aclrtMemcpyBatchAttr* attributes, size_t* indexes,
                                 size_t number, aclrtStream stream) {
  return aclrtMemcpyBatchAsync(dsts, rooms, srcs, sizes, count, attributes, indexes, number,
                               nullptr, stream);
}
aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t room, const void* src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream) {
  return aclrtMemcpyAsync(dst, room, src, count, kind, stream);
}

aclError aclrtMemset(void* pointer, size_t room, int32_t value, size_t count) {
  return do_now(check_fill("aclrtMemset", pointer, room, count),
                [=] { fill_now(pointer, value, count); });
}
aclError aclrtMemsetAsync(void* pointer, size_t room, int32_t value, size_t count,
                          aclrtStream stream) {
  constexpr const char* kApi = "aclrtMemsetAsync";
  return do_later(kApi, stream, check_fill(kApi, pointer, room, count),
                  [=] { fill_now(pointer, value, count); });
}
aclError aclrtCmoAsync(void* pointer, size_t count, aclrtCmoType type, aclrtStream stream) {
  constexpr const char* kApi = "aclrtCmoAsync";
  if (type != ACL_RT_CMO_TYPE_PREFETCH) {
    return refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kApi, fmt::format("cmoType {}", int(type)),
                  "ACL_RT_CMO_TYPE_PREFETCH");
  }
  return do_later(kApi, stream, check_memory(kApi, "src", pointer, count, true), [] {});
}
aclError aclrtMemsetD32(void* pointer, size_t room, uint32_t value, size_t count) {
  return do_now(check_words("aclrtMemsetD32", pointer, room, count),
                [=] { fill_words(pointer, value, count); });
}
aclError aclrtMemsetD32Async(void* pointer, size_t room, uint32_t value, size_t count,
                             aclrtStream stream) {
  constexpr const char* kApi = "aclrtMemsetD32Async";
  return do_later(kApi, stream, check_words(kApi, pointer, room, count),
                  [=] { fill_words(pointer, value, count); });
}

aclError aclrtReduceAsync(void* dst, const void* src, uint64_t bytes, aclrtReduceKind kind,
                          aclDataType type, aclrtStream stream, void*) {
  constexpr const char* kApi = "aclrtReduceAsync";
  vinci::Registers registers;
  registers.atomic = combination(kind, type);
  const vinci::AtomicRegister how = registers.atomic;
  if (how.op == vinci::atomic::Op::kNone || how.dtype == vinci::DType::kNone) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kApi,
                fmt::format("kind {} of type {}", int(kind), int(type)));
  }
  const uint64_t width = vinci::bits_of(how.dtype) / 8;
  if (bytes == 0 || bytes % width != 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi,
                fmt::format("{} bytes of elements of {}", bytes, width));
  }
  for (const auto& [name, address] : {std::pair{"dst", (const void*)dst}, std::pair{"src", src}}) {
    if (const aclError code = check_memory(kApi, name, address, bytes, true); code != ACL_SUCCESS) {
      return code;
    }
  }
  return add_task(kApi, stream, [=] {
    const vinci::Operand gm{.dtype = how.dtype};
    const vinci::Soc& soc = vinci::host::chip(vinci::host::program_soc());
    vinci::atomic::Store(gm, {soc, registers})(static_cast<uint8_t*>(dst),
                                               static_cast<const uint8_t*>(src), bytes);
    Memories::instance().note_written(dst, bytes);
    return Ending{};
  });
}

}  // extern "C"
