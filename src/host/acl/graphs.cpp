// Streams that are captured, and what was captured run once and again (aclmdlRI...).
#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/runtime.h"

namespace vinci::acl {
namespace {

// A capture under way, or ended: then no stream has it.
struct Graph {
  std::shared_ptr<Capture> capture = std::make_shared<Capture>();
  std::shared_ptr<Stream> origin;  // where it began
  std::vector<std::shared_ptr<Stream>> joined;
};

// Guarded by the Runtime's mutex.
std::map<void*, Graph>& graphs() {
  static std::map<void*, Graph> all;
  return all;
}

// The ended capture that a handle means; nullptr, with the error told, if it is none.
std::shared_ptr<Capture> graph_of(const char* api, aclmdlRI handle) {
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    const auto found = graphs().find(handle);
    if (found != graphs().end() && found->second.origin == nullptr) return found->second.capture;
  }
  refuse(ACL_ERROR_RT_INVALID_HANDLE, api, fmt::format("{} is no captured model", handle),
         "what aclmdlRICaptureEnd gave, before aclmdlRIDestroy");
  return nullptr;
}

// The streams as numbers, in the order in which they were given something.
std::string as_json(const Capture& capture) {
  std::vector<const void*> streams;
  std::string text = "{\"tasks\": [";
  for (const Capture::Step& step : capture.steps()) {
    const auto found = std::find(streams.begin(), streams.end(), step.stream);
    const auto number = found - streams.begin();
    if (found == streams.end()) streams.push_back(step.stream);
    text += fmt::format("{}\n  {{\"name\": \"{}\", \"stream\": {}}}",
                        &step == &capture.steps().front() ? "" : ",", step.name, number);
  }
  return text + "]}\n";
}

}  // namespace

void join_capture(const std::shared_ptr<Stream>& stream, const std::shared_ptr<Capture>& capture) {
  if (capture == nullptr || stream->capture() != nullptr) return;
  const std::lock_guard lock(Runtime::instance().mutex);
  for (auto& [handle, graph] : graphs()) {
    if (graph.capture != capture || graph.origin == nullptr) continue;
    graph.joined.push_back(stream);
    stream->set_capture(capture);
  }
}

}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclmdlRICaptureBegin(aclrtStream handle, aclmdlRICaptureMode mode) {
  constexpr const char* kApi = "aclmdlRICaptureBegin";
  if (mode < ACL_MODEL_RI_CAPTURE_MODE_GLOBAL || mode > ACL_MODEL_RI_CAPTURE_MODE_RELAXED) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi, fmt::format("mode {}", int(mode)), "0..2");
  }
  if (handle == nullptr) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi, "the default stream",
                  "a stream that aclrtCreateStream gave");
  }
  const std::shared_ptr<Stream> stream = stream_of(kApi, handle);
  if (stream == nullptr) return last_error();
  if (stream->capture() != nullptr) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi, "the stream is being captured already",
                  "one capture of a stream at a time");
  }
  const std::lock_guard lock(Runtime::instance().mutex);
  Graph& graph = graphs()[Runtime::instance().next_handle()];
  graph.origin = stream;
  graph.joined.push_back(stream);
  stream->set_capture(graph.capture);
  return ACL_SUCCESS;
}

aclError aclmdlRICaptureGetInfo(aclrtStream handle, aclmdlRICaptureStatus* status,
                                aclmdlRI* modelRI) {
  constexpr const char* kApi = "aclmdlRICaptureGetInfo";
  for (const void* place : {static_cast<void*>(status), static_cast<void*>(modelRI)}) {
    if (const aclError code = check_place(kApi, place); code != ACL_SUCCESS) return code;
  }
  const std::shared_ptr<Stream> stream = stream_of(kApi, handle);
  if (stream == nullptr) return last_error();
  const std::shared_ptr<Capture> capture = stream->capture();
  *status =
      capture == nullptr ? ACL_MODEL_RI_CAPTURE_STATUS_NONE : ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
  *modelRI = nullptr;
  const std::lock_guard lock(Runtime::instance().mutex);
  for (const auto& [name, graph] : graphs()) {
    if (capture != nullptr && graph.capture == capture) *modelRI = name;
  }
  return ACL_SUCCESS;
}

aclError aclmdlRICaptureEnd(aclrtStream handle, aclmdlRI* modelRI) {
  constexpr const char* kApi = "aclmdlRICaptureEnd";
  if (const aclError code = check_place(kApi, modelRI); code != ACL_SUCCESS) return code;
  const std::shared_ptr<Stream> stream = stream_of(kApi, handle);
  if (stream == nullptr) return last_error();
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    for (auto& [name, graph] : graphs()) {
      if (graph.origin != stream) continue;
      for (const auto& joined : graph.joined) joined->set_capture(nullptr);
      graph.joined.clear();
      graph.origin = nullptr;
      *modelRI = name;
      return ACL_SUCCESS;
    }
  }
  return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi, "no capture has begun on this stream",
                "the stream of aclmdlRICaptureBegin");
}

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) {
  constexpr const char* kApi = "aclmdlRIExecuteAsync";
  const std::shared_ptr<Capture> capture = graph_of(kApi, modelRI);
  if (capture == nullptr) return last_error();
  return add_task(kApi, stream, [capture] { return capture->run(); });
}

aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout) {
  if (const aclError code = aclmdlRIExecuteAsync(modelRI, nullptr); code != ACL_SUCCESS) {
    return code;
  }
  return aclrtSynchronizeStreamWithTimeout(nullptr, timeout);
}

aclError aclmdlRIDestroy(aclmdlRI modelRI) {
  if (graph_of("aclmdlRIDestroy", modelRI) == nullptr) return last_error();
  const std::lock_guard lock(Runtime::instance().mutex);
  graphs().erase(modelRI);
  return ACL_SUCCESS;
}

aclError aclmdlRIDebugPrint(aclmdlRI modelRI) {
  const std::shared_ptr<Capture> capture = graph_of("aclmdlRIDebugPrint", modelRI);
  if (capture == nullptr) return last_error();
  std::fputs(as_json(*capture).c_str(), stdout);
  return ACL_SUCCESS;
}

aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path, uint32_t) {
  constexpr const char* kApi = "aclmdlRIDebugJsonPrint";
  const std::shared_ptr<Capture> capture = graph_of(kApi, modelRI);
  if (capture == nullptr) return last_error();
  if (path != nullptr && std::ofstream(path) << as_json(*capture)) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_FILE, kApi,
              fmt::format("{} cannot be written", path == nullptr ? "no path" : path));
}

}  // extern "C"
