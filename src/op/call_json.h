// Calls as JSON, for a process that makes them.
#pragma once

#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "op/call.h"

namespace vinci::op {

nlohmann::json call_json(const Call& call);
Call call_of(const nlohmann::json& json);

nlohmann::json tensors_json(const TensorLists& tensors);
TensorLists tensors_of(const nlohmann::json& json);

}  // namespace vinci::op
