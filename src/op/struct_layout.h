// Where the members of a struct lie, as a library's debug information has it.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace vinci::op {

// [{"name": "split.rows", "type": "int64_t", "offset": 8, "count": 1}, ...]: numbers and arrays of
// them in all members, those of members that are structs too. Null: the library has no such struct,
// or several that differ. A name without its namespaces is enough; of several structs the one
// counts that is called `name` in full. `bytes`: 0, or how large it has to be.
nlohmann::json fields_of_struct(const std::string& library, const std::string& name,
                                uint64_t bytes = 0);

}  // namespace vinci::op
