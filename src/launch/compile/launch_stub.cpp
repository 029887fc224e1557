#include "launch/compile/launch_stub.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/error.h"
#include "launch/compile/source_text.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

bool is_pointer(const std::string& type) { return type.find('*') != type.npos; }

// A number; everything else by value is a struct.
bool is_number(const std::string& type) {
  for (const std::string_view word : {"int", "long", "short", "char", "float", "double", "bool",
                                      "half", "size_t", "unsigned", "bfloat16_t"}) {
    if (type.find(word) != type.npos) return true;
  }
  return false;
}

// A parameter as the host's function has it: pointers of no type, structs by reference.
std::string host_type(const std::string& type) {
  if (is_pointer(type)) return "void*";
  return is_number(type) ? type : type + "&";
}

std::string prototype(const KernelText& kernel) {
  std::string text = fmt::format(
      "extern \"C\" unsigned int aclrtlaunch_{}(unsigned int numBlocks, void* stream", kernel.name);
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    text += fmt::format(", {} vinci_p{}", host_type(kernel.parameters[i].type), i);
  }
  return text + ")";
}

// A function with the kernel's parameters that divides the workspace, and calls it.
std::string workspace_function(const KernelText& kernel, size_t workspace) {
  std::vector<std::string> parameters, arguments;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const std::string& type = kernel.parameters[i].type;
    parameters.push_back(fmt::format("{} vinci_p{}", type, i));
    arguments.push_back(
        i == workspace
            ? fmt::format("({})::AscendC::GetUserWorkspace((unsigned char*)vinci_p{})", type, i)
            : fmt::format("vinci_p{}", i));
  }
  return fmt::format(
      "static void vinci_workspace_{0}({1}) {{ "
      "::AscendC::SetSysWorkspace((unsigned char*)vinci_p{2}); {0}({3}); }}\n",
      kernel.name, fmt::join(parameters, ", "), workspace, fmt::join(arguments, ", "));
}

}  // namespace

std::string instance_entries(const std::vector<std::string>& instances,
                             const std::vector<KernelText>& kernels, Pass pass) {
  std::string text;
  for (size_t i = 0; i < instances.size(); ++i) {
    const auto kernel = std::ranges::find(kernels, plain_name(instances[i]), &KernelText::name);
    text += fmt::format(
        "\n__attribute__((unused)) static const bool vinci_instance_{} = "
        "::vinci::host::Kernel<&{}>::add(\"{}\");\n",
        i, instances[i], kernel == kernels.end() ? "" : kernel->type);
    if (pass != Pass::kHost) continue;
    text += fmt::format("extern \"C\" {{ __attribute__((used)) auto {}{} = &{}; }}\n", kLowered, i,
                        instances[i]);
  }
  return text;
}

std::string launch_functions(const std::vector<KernelText>& kernels, const StubOptions& options) {
  std::string text = "\n";
  for (const KernelText& kernel : kernels) {
    if (!kernel.is_defined || kernel.is_template) continue;
    const size_t behind = options.have_tiling ? 2 : 1;
    const bool divides = options.have_workspace && kernel.parameters.size() >= behind;
    if (divides) text += workspace_function(kernel, kernel.parameters.size() - behind);
    std::vector<std::string> arguments;
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
      const std::string& type = kernel.parameters[i].type;
      arguments.push_back(is_pointer(type) ? fmt::format("({})vinci_p{}", type, i)
                                           : fmt::format("vinci_p{}", i));
    }
    text += fmt::format("{} {{ return {}{}<<<numBlocks, nullptr, stream>>>({}); }}\n",
                        prototype(kernel), divides ? "vinci_workspace_" : "", kernel.name,
                        fmt::join(arguments, ", "));
  }
  return text;
}

void write_launch_headers(std::string_view text, const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  for (const KernelText& kernel : as_cxx(text, Pass::kHost).kernels) {
    if (!kernel.is_defined || kernel.is_template) continue;
    const fs::path path = fs::path(folder) / fmt::format("aclrtlaunch_{}.h", kernel.name);
    std::ofstream file(path);
    file << fmt::format(
        "#ifndef HEADER_ACLRTLAUNCH_{0}_H\n#define HEADER_ACLRTLAUNCH_{0}_H\n"
        "#include \"acl/acl_base.h\"\n"
        "#ifndef ACLRT_LAUNCH_KERNEL\n#define ACLRT_LAUNCH_KERNEL(kernel) aclrtlaunch_##kernel\n"
        "#endif\n{1};\n#endif\n",
        kernel.name, prototype(kernel));
    if (!file.flush()) {
      throw Error(Error::Kind::kCompile, fmt::format("cannot write {}", path.string()));
    }
  }
}

}  // namespace vinci::launch
