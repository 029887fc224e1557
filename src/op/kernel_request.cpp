#include "op/kernel_request.h"

#include "op/names.h"
#include "op/struct_layout.h"
#include "op/template_keys.h"

namespace vinci::op {
namespace {

void add(const std::vector<Parameter>& parameters, const std::vector<int>& dtypes,
         const std::vector<int>& formats, bool is_output, KernelRequest& request) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    KernelParameter& made = request.parameters.emplace_back();
    made.name = parameters[i].name;
    made.dtype = dtypes[i];
    made.format = formats[i];
    made.is_output = is_output;
  }
}

std::string said_or(const std::string& said, const std::string& otherwise) {
  return said.empty() ? otherwise : said;
}

}  // namespace

std::string kernel_file_name(const Definition& definition, const Chip& chip) {
  return said_or(chip.option("opFile.value"), snake(definition.type));
}

std::string kernel_function_name(const Definition& definition, const Chip& chip) {
  return said_or(chip.option("opInterface.value"), snake(definition.type));
}

KernelRequest kernel_request(const Definition& definition, const Chip& chip, const Row& row,
                             const Tiled& tiled, const std::string& file) {
  KernelRequest request;
  request.type = definition.type;
  request.file = file;
  request.function = kernel_function_name(definition, chip);
  add(chip.inputs, row.input_dtypes, row.input_formats, false, request);
  add(chip.outputs, row.output_dtypes, row.output_formats, true, request);
  for (size_t i = 0; i < chip.outputs.size(); ++i) {
    request.parameters[chip.inputs.size() + i].is_reference =
        chip.input(chip.outputs[i].name) != nullptr;
    request.has_shape_buffer |= chip.outputs[i].shape_from_kernel;
  }
  request.key = tiled.key;
  if (const auto key = template_key(tiled.key)) {
    request.template_arguments = key->value("arguments", "");
    request.tiling_struct = key->value("tiling_struct", "");
    request.kernel_type = key->value("kernel_type", "");
  }
  for (const TilingClass& one : tiling_classes()) request.tiling_classes[one.key] = one.json;
  return request;
}

nlohmann::json host_struct(const std::string& library, const Filled& filled,
                           const KernelSource& source) {
  const std::string name = filled.type.empty() ? source.read_struct(filled.key) : filled.type;
  if (name.empty() || filled.bytes == 0) return nullptr;
  nlohmann::json fields = fields_of_struct(library, name, filled.bytes);
  if (fields.is_null()) return nullptr;
  return {{"class", name}, {"fields", std::move(fields)}};
}

}  // namespace vinci::op
