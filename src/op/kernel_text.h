// The source that vinci compiles in place of a package's kernel: one operator, one combination of
// types, one tiling key.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "op/kernel_source.h"

namespace vinci::op {

struct KernelParameter {
  std::string name;  // as the definition says it
  int dtype = 0;     // of ge::; of an absent optional input the combination's
  int format = 2;
  bool is_output = false;
  bool is_reference = false;  // an output with an input's name
};

struct KernelRequest {
  std::string type;                         // of the operator
  std::string file;                         // the kernel's source: an absolute path
  std::string function;                     // its name there
  std::vector<KernelParameter> parameters;  // inputs, then outputs
  bool has_shape_buffer = false;            // for outputs whose shapes the kernel computes
  uint64_t key = 0;
  std::string template_arguments;  // of a kernel that is a template, as written
  std::string tiling_struct;       // of the key, by ASCENDC_TPL_TILING_STRUCT_SEL; or empty
  std::string kernel_type;         // of the key, by ASCENDC_TPL_KERNEL_TYPE_SEL; or empty
  // What REGISTER_TILING_DATA_CLASS has registered: by its key, the JSON of the class.
  nlohmann::json tiling_classes = nlohmann::json::object();
  // The plain struct that the host's tiling function has filled, in the same form, with members of
  // members by their paths; null: it is not known.
  nlohmann::json host_struct = nullptr;
};

// "vinci_add_custom": the entry that the text defines, extern "C", of GM_ADDRs: one for each
// parameter, [the shapes' buffer], the system's workspace, the kernel's workspace, the tiling data.
std::string entry_name(const KernelRequest& request);

// Why this kernel cannot serve this request: parameters that do not match, a template without
// arguments; empty: it can. `source` is of request.file.
std::string mismatch_of(const KernelRequest& request, const KernelSource& source);

// The text of the source. Compiled with vinci's headers it has the kernel's own as its only
// dependence.
std::string kernel_text(const KernelRequest& request, const KernelSource& source);

// Whether the kernel says GET_TILING_DATA, and nobody which struct that is.
bool lacks_tiling_struct(const KernelRequest& request, const KernelSource& source);

// DTYPE_X, DTYPE_Y, ...: what a kernel may say of this operator.
std::vector<std::string> dtype_names(const KernelRequest& request);

}  // namespace vinci::op
