// Names that are made from an operator's and its parameters', and texts of types and formats.
#pragma once

#include <string>

namespace vinci::op {

// "AddCustom" as "add_custom", "GRUCell" as "gru_cell": names of kernels and files.
std::string snake(const std::string& name);
// "x_one" as "xOne": names of parameters in aclnn functions.
std::string camel(const std::string& name);

// "optiling::Tiling" as "Tiling".
std::string without_scope(const std::string& name);

// In lower case, as far as ASCII goes.
std::string lowered(std::string text);

// "float16", "ND": as definitions and command lines have them; "type 5" if there is none.
std::string type_name(int dtype);
std::string format_name(int format);
// The number of a type by its name, DT_FLOAT16 or float16; -1: there is none.
int type_named(const std::string& name);
// The number of a format by its name, FORMAT_FRACTAL_NZ or FRACTAL_NZ; -1: there is none.
int format_named(const std::string& name);
// "FLOAT16", as behind DT_ and FORMAT_.
std::string type_constant(int dtype);
// Bytes of so many elements; -1: the type has no size.
int64_t bytes_of(int64_t elements, int dtype);

}  // namespace vinci::op
