// An operator package on one chip: its host code as libraries, its operators, and their kernels,
// each compiled when it is first asked for.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "launch/build.h"
#include "launch/compile/compile.h"
#include "launch/package/host_parts.h"
#include "launch/launch.h"
#include "launch/package/package_files.h"
#include "op/call.h"
#include "op/call_json.h"
#include "op/definitions.h"
#include "op/kernel_text.h"

namespace vinci::launch {

// What a host library answered, and what was wrong with its functions meanwhile.
struct Answer {
  nlohmann::json json;  // null: it crashed, or was ended
  Outcome outcome;
};

class Package {
 public:
  // Compiles the host code and reads what it registers: of the projects that define an operator of
  // this type, if any does, else of all. `options.words` are the compiler's, for host code and
  // kernels. Throws Error.
  Package(const std::vector<std::string>& paths, const Soc& soc, CompileOptions options,
          const std::string& type = "");

  const PackageFiles& files() const { return files_; }
  const Soc& soc() const { return soc_; }
  // Nobody trusts it: its host code and kernels run in a sandbox.
  bool is_shut_in() const { return options_.confined_seconds != 0; }
  // Types in the order of their names.
  const std::map<std::string, op::Definition>& operators() const { return operators_; }
  // The operator that a user means; "" is the only one. Throws Error (usage).
  const op::Definition& find(const std::string& type) const;
  // Those of the project that defines the operator.
  const nlohmann::json& tiling_classes(const op::Definition& definition) const;

  // Asks the operator's host library in a process of its own, in the sandbox that `how` says.
  Answer ask(const op::Definition& definition, const nlohmann::json& question,
             const std::string& what, Device& device, const Launch& how,
             const Watch& watch = {}) const;

  // The answer that was kept for a question; null: none. Any thread may ask.
  nlohmann::json kept_answer(const std::string& question);
  void keep_answer(const std::string& question, const nlohmann::json& answer);

  struct Kernel {
    Built built;
    op::KernelRequest request;
    std::string source;  // that was compiled
  };
  // The fields of the struct that a kernel reads its tiling data into, as fields_of_struct() has
  // them; null: nothing is known of it.
  nlohmann::json tiling_fields(const Kernel& kernel) const;
  // The kernel for what a host library answered to a call. Throws Error.
  const Kernel& kernel(const op::Definition& definition, const nlohmann::json& answer);

 private:
  // A project's host code (host_parts.h).
  struct Part {
    std::string library;
    nlohmann::json registry;  // what it has registered
  };
  Part load(const std::vector<HostPart>& all, size_t which);
  Answer ask_library(const std::string& library, const nlohmann::json& question,
                     const std::string& what, Device& device, const Launch& how,
                     const Watch& watch) const;
  op::KernelRequest request_of(const op::Definition& definition, const nlohmann::json& answer,
                               const std::string& file) const;
  nlohmann::json host_struct(const op::Definition& definition, const nlohmann::json& answer,
                             const op::KernelSource& source) const;
  op::KernelFile kernel_file(const op::Definition& definition) const;
  Kernel build(const op::KernelRequest& request, const std::vector<std::string>& words) const;

  PackageFiles files_;
  const Soc& soc_;
  CompileOptions options_;
  std::vector<Part> parts_;
  std::map<std::string, op::Definition> operators_;
  std::map<std::string, size_t> part_of_;  // by type
  std::mutex mutex_;
  std::map<std::string, nlohmann::json> answers_;           // by question
  std::map<std::string, std::unique_ptr<Kernel>> kernels_;  // by what they were compiled for
};

}  // namespace vinci::launch
