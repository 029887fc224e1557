// Where the members of a struct lie, as a library's debug information has it.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace vinci::launch {

// [{"name": "split.rows", "type": "int64_t", "offset": 8, "count": 1}, ...]: numbers and arrays of
// them in all members, those of members that are structs too. Null: the library has no such struct.
// A name without its namespaces is enough; the first struct of that name counts.
nlohmann::json fields_of_struct(const std::string& library, const std::string& name);

}  // namespace vinci::launch
