// Where a package's host library puts what it defines: constructors of its static objects call
// these. The headers of register/ and exe_graph/ hold no std::string and call nothing else, so that
// a library may be compiled with either of the standard library's two layouts of it.
#pragma once

#include <cstdint>

namespace gert {
class KernelContext;
class TilingContext;
class TilingParseContext;
class InferShapeContext;
class InferDataTypeContext;
}  // namespace gert

namespace vinci::op {

// What is registered of an operator beside its definition. nullptr and 0: not said.
struct Functions {
  uint32_t (*tiling)(gert::TilingContext*) = nullptr;
  uint32_t (*tiling_parse)(gert::TilingParseContext*) = nullptr;
  uint32_t (*tiling_parse_kernel)(gert::KernelContext*) = nullptr;  // the same, an older signature
  void* (*new_compile_info)() = nullptr;
  void (*delete_compile_info)(void*) = nullptr;
  uint32_t (*infer_shape)(gert::InferShapeContext*) = nullptr;
  uint32_t (*infer_dtype)(gert::InferDataTypeContext*) = nullptr;
  uint64_t value_dependent = 0;        // bits of declared inputs whose values tiling may read
  uint64_t shape_from_kernel = 0;      // bits of declared outputs
  uint64_t most_tiling_bytes = 0;      // of the tiling data
  bool dtypes_as_first_input = false;  // of all outputs
  bool calls_operators = false;        // instead of a kernel of its own: refused
};

// OP_ADD. The JSON is what register/op_def.h writes. The last definition of a type counts.
void add_definition(const char* type, const char* json);
// REGISTER_OP_AICORE_CONFIG: a chip that the definition itself does not name.
void add_chip(const char* type, const char* soc, const char* json);
// OP_ADD, IMPL_OP_*: what is said replaces what was said of the type before, field by field.
void add_functions(const char* type, const Functions& functions);
// IMPL_OP(...).PrivateAttr: one attribute, in the form of a definition's.
void add_private_attribute(const char* type, const char* json);
// REGISTER_TILING_DATA_CLASS; the key is the operator's type, or with _<tiling key> behind it.
void add_tiling_class(const char* key, const char* json);

// The tiling function that was registered last of this type of operator; nullptr: none was.
uint32_t (*tiling_function(const char* type))(gert::TilingContext*);

// A mistake of host code, at the line that called: the work goes on with what the text says.
void mistake(const char* text, const char* legal);
// The same as a warning.
void doubt(const char* text);
// Why the last call gave nullptr, for whoever follows it and crashes: "GetInputShape(2)", "Add has
// 2 inputs".
void gave_null(const char* call, const char* why);
// An attribute is read as another type than the definition's.
void wrong_attribute(const char* wanted);

// A line of a logging macro: level 0 debug, 1 info, 2 warning, 3 error. ASCEND_GLOBAL_LOG_LEVEL
// says from which level on they are printed: docs/spec/operator_registry.md.
void log(int level, const char* file, int line, const char* text);
bool logs(int level);

}  // namespace vinci::op
