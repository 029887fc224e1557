// The one function that vinci calls in a host library's process.
#pragma once

#include <cstdint>

// Both texts are JSON; `answer` has room for `capacity` bytes, with a 0 at the end, and is empty
// before. {"want": "registry"} gives registry_json(). {"want": "call", "type": "Add", "call":
// call_json(), "infer": whether the outputs are to be inferred} gives {"inferred": outputs,
// "shapes_known": bool, "empty": true (nothing to launch), "row": {...}, "tiled": {...},
// "template": template_key()}, or {"error": {"kind", "message"}}.
extern "C" __attribute__((visibility("default"))) void vinci_op_answer(const char* question,
                                                                       char* answer,
                                                                       uint64_t capacity);
