// Operators that host libraries of packages have registered in this process, or that were read from
// JSON: what they take and give, on which chips, with which functions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "vinci/op/registry.h"

namespace vinci::op {

enum class Kind : uint8_t { kIgnore, kOptional, kRequired, kDynamic, kVirtual };
enum class Follows : uint8_t { kAll, kDtype, kFormat, kShape };

// An input or output on one chip. Types and formats: one for each row.
struct Parameter {
  std::string name;
  Kind kind = Kind::kRequired;
  std::vector<int> dtypes, formats;
  bool value_depend = false;
  bool auto_contiguous = false, ignore_contiguous = false;
  std::string scalar;  // "", "scalar", "list": what callers give
  int to_dtype = -1;   // the type that a scalar becomes; -1: as to_parameter, or as it is
  std::string to_parameter;
  uint32_t version = 0;  // of the aclnn function that has it
  std::string follow;    // the input whose lists and shape it has; empty: none
  Follows follows = Follows::kAll;
  bool shape_from_kernel = false;
  bool zeroed = false;  // before the kernel, where tiling says SetNeedAtomic(true)
  nlohmann::json init_values =
      nlohmann::json::array();  // [{"type":8,"value":1.5}], one or one a row

  bool absent_allowed() const { return kind == Kind::kOptional || kind == Kind::kVirtual; }
  bool dynamic() const { return kind == Kind::kDynamic; }
};

struct Attribute {
  std::string name;
  std::string type;  // bool, int, float, string, list_bool, list_int, list_float, list_list_int
  bool required = true;
  nlohmann::json value;  // by default
  uint32_t version = 0;
  bool is_private = false;  // no caller gives it
  bool is_group = false;    // names a communicator, of which a launch has its own
};

// The operator on one chip.
struct Chip {
  std::vector<Parameter> inputs, outputs;
  std::map<std::string, std::string> options;
  int rows = 0;

  const Parameter* input(const std::string& name) const;
  const Parameter* output(const std::string& name) const;
  // The base name of the kernel's source and the kernel's own, if the options say them; else "".
  std::string option(const std::string& key) const;
};

struct Definition {
  std::string type;
  std::string file;                   // the source with OP_ADD
  std::vector<Attribute> attributes;  // private ones behind the others
  std::map<std::string, Chip> chips;  // "ascend910b", as AddConfig has it
  bool strict_formats = false;
  bool launches_empty = false;  // also where all outputs have no elements
  bool on_cpu = false;          // AICPU, HostCPU
  nlohmann::json json;          // what it was read from

  // For a chip by its full name, Ascend910B1. Throws Error, which lists those that there are.
  const Chip& on(const std::string& soc) const;
  bool has(const std::string& soc) const;
};

struct Operator {
  Definition definition;
  Functions functions;
  std::string wrong;  // why the definition is none; empty: it is one
};

// A definition in JSON, as register/op_def.h writes it. Throws Error.
Definition definition_of(const nlohmann::json& json);

// All of the process, by type.
std::vector<Operator> operators();
// Throws Error, with a guess, if there is none, or if its definition is wrong.
Operator find_operator(const std::string& type);

struct TilingClass {
  std::string key;  // "AddCustom", "AddCustom_1"
  nlohmann::json json;
};
std::vector<TilingClass> tiling_classes();

// Definitions and tiling classes of the process, and the same read back (functions are not in it).
nlohmann::json registry_json();
void add_registry(const nlohmann::json& json);
// Forgets all: for tests, and before another package is loaded.
void clear_registry();

// "ascend910b" for Ascend910B1: how definitions call the chip's family; in lower case.
std::string family_of(const std::string& soc);

}  // namespace vinci::op
