// The first phase of an operator's call: everything but the kernel.
#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "host/acl/error.h"
#include "host/acl/nn/arguments.h"
#include "host/acl/nn/builds.h"
#include "host/acl/nn/views.h"
#include "host/program.h"
#include "op/error.h"
#include "op/init_value.h"
#include "op/kernel_files.h"
#include "op/kernel_request.h"
#include "op/tile.h"
#include "vinci/workspace.h"

namespace vinci::acl {
namespace {

// Of copies and of the shapes of outputs in the workspace.
constexpr uint64_t kAlignment = 512;

uint64_t rounded(uint64_t value) { return (value + kAlignment - 1) / kAlignment * kAlignment; }

// What ends a call early.
struct Stop {
  aclnnStatus code;
  std::string text;
};

aclnnStatus code_of(op::Error::Kind kind) {
  switch (kind) {
    case op::Error::Kind::kCall: return ACLNN_ERR_PARAM_INVALID;
    case op::Error::Kind::kFunction: return ACLNN_ERR_INNER_TILING_ERROR;
    case op::Error::Kind::kDefinition:
    case op::Error::Kind::kLacks: break;
  }
  return ACLNN_ERR_INNER_FIND_KERNEL_ERROR;
}

bool is_known(const std::string& type) {
  const std::vector<op::Operator> all = op::operators();
  return std::ranges::any_of(all,
                             [&](const op::Operator& one) { return one.definition.type == type; });
}

// The library that the definition was read from: that of an installed package knows it by itself,
// those that older build files make do not.
op::Operator operator_of(const op::AclnnOperator& wanted) {
  if (!is_known(wanted.type) && *wanted.library != '\0' &&
      dlopen(wanted.library, RTLD_NOW | RTLD_LOCAL) == nullptr) {
    throw Stop{ACLNN_ERR_INNER_FIND_KERNEL_ERROR, dlerror()};
  }
  return op::find_operator(wanted.type);
}

// The file that has a function: a library, or the program itself.
std::string file_of(const void* function) {
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(function, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return "";
  return *map->l_name == '\0' ? "/proc/self/exe" : map->l_name;
}

// Read once for each kernel and key: programs tile with each call.
nlohmann::json known_struct(const op::Operator& op, const op::Tiled& tiled,
                            const op::KernelSource& source, const std::string& kernel) {
  using Key = std::tuple<std::string, std::string, uint64_t, size_t>;
  static std::mutex mutex;
  static auto* const structs = new std::map<Key, nlohmann::json>;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] =
      structs->try_emplace({kernel, tiled.data_type, tiled.key, tiled.data.size()});
  if (is_new) {
    at->second = op::host_struct(file_of(reinterpret_cast<const void*>(op.functions.tiling)),
                                 {tiled.data_type, tiled.key, tiled.data.size()}, source);
  }
  return at->second;
}

class Preparation {
 public:
  Preparation(const char* api, const op::Operator& op)
      : api_(api),
        op_(op),
        definition_(op.definition),
        soc_(host::chip(host::program_soc()).name),
        chip_(definition_.on(soc_)),
        executor_(std::make_unique<aclOpExecutor>()) {}

  std::unique_ptr<aclOpExecutor> run(std::span<const op::AclnnArgument> given) {
    executor_->api = api_;
    check(take_arguments(api_, definition_, chip_, given, arguments_));
    executor_->is_empty = arguments_.writes_nothing() && !definition_.launches_empty;
    const op::Row row = op::row_of(definition_, call_of(arguments_, soc_));
    check(mark_copies(api_, chip_, arguments_));
    if (!executor_->is_empty) {
      const op::Tiled tiled = tile(call_of(arguments_, soc_));
      build(row, tiled);
      lay_out(tiled);
      if (tiled.needs_atomic) {
        for (size_t i = 0; i < chip_.outputs.size(); ++i) {
          executor_->first_bytes.push_back(
              op::first_bytes(chip_.outputs[i], row.output_dtypes[i], row.index));
        }
      }
    }
    executor_->inputs = std::move(arguments_.inputs);
    executor_->outputs = std::move(arguments_.outputs);
    return std::move(executor_);
  }

 private:
  // The error is told already.
  static void check(aclnnStatus code) {
    if (code != ACLNN_SUCCESS) throw code;
  }

  op::Tiled tile(const op::Call& call) {
    if (op_.functions.tiling == nullptr) {
      throw Stop{ACLNN_ERR_INNER_TILING_ERROR,
                 fmt::format("{} has no tiling function", definition_.type)};
    }
    const std::string where = definition_.type + "'s tiling function";
    const host::MayCrash may_crash(where.c_str());
    op::Tiled tiled = op::tile(op_, call);
    executor_->blocks = tiled.blocks;
    executor_->tiling = tiled.data;
    return tiled;
  }

  void build(const op::Row& row, const op::Tiled& tiled) {
    const op::KernelFile file =
        op::kernel_file_of({definition_.type, soc_, op::kernel_file_name(definition_, chip_),
                            op::kernel_function_name(definition_, chip_), definition_.file});
    if (file.path.empty()) {
      throw Stop{ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                 fmt::format("{}.cpp, the kernel of {}, is not in {}",
                             op::kernel_file_name(definition_, chip_), definition_.type,
                             fmt::join(file.tried, ", "))};
    }
    op::KernelRequest request = op::kernel_request(definition_, chip_, row, tiled, file.path);
    const op::KernelSource source(file.path);
    request.host_struct = known_struct(op_, tiled, source, file.path);
    const std::string mismatch = op::mismatch_of(request, source);
    if (!mismatch.empty()) throw Stop{ACLNN_ERR_INNER_FIND_KERNEL_ERROR, mismatch};
    try {
      const Build built =
          build_of({op::kernel_text(request, source), op::entry_name(request), soc_, file.options});
      executor_->kernels = built.kernels;
      executor_->kernel = built.kernel;
    } catch (const std::runtime_error& error) {
      fmt::print(stderr, "{}\n", error.what());
      throw Stop{ACLNN_ERR_INNER_FIND_KERNEL_ERROR,
                 fmt::format("{}: the kernel cannot be compiled", file.path)};
    }
  }

  // The workspace: what tiling wants, the shapes of outputs, and copies.
  void lay_out(const op::Tiled& tiled) {
    uint64_t& size = executor_->workspace_size;
    size = tiled.workspace_bytes();
    executor_->has_workspace = size > 0;
    executor_->user_workspace = size > kSystemWorkspaceBytes ? kSystemWorkspaceBytes : 0;
    const auto add = [&](uint64_t bytes) {
      const uint64_t at = rounded(size);
      size = at + bytes;
      return at;
    };
    for (size_t i = 0; i < chip_.outputs.size(); ++i) {
      if (chip_.outputs[i].shape_from_kernel) executor_->shapes_from_kernel.push_back(i);
    }
    const size_t shapes = executor_->shapes_from_kernel.size();
    if (shapes > 0) executor_->shapes_at = add(shapes * kShapeWords * sizeof(uint64_t));
    for (Slot& slot : arguments_.inputs) {
      for (Place& place : slot.places) {
        if (place.is_copied) place.copy_at = add(bytes_of(place.tensor));
      }
    }
  }

  const char* const api_;
  const op::Operator& op_;
  const op::Definition& definition_;
  const std::string soc_;
  const op::Chip& chip_;
  std::unique_ptr<aclOpExecutor> executor_;
  Arguments arguments_;
};

aclnnStatus prepare(const op::AclnnOperator& wanted, const char* api,
                    std::span<const op::AclnnArgument> arguments, uint64_t* size,
                    aclOpExecutor** result) {
  const op::Operator op = operator_of(wanted);
  std::unique_ptr<aclOpExecutor> executor = Preparation(api, op).run(arguments);
  *size = executor->workspace_size;
  enter(executor.get(), Kind::kExecutor);
  *result = executor.release();
  return ACLNN_SUCCESS;
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclnnStatus vinci_aclnn_prepare(const vinci::op::AclnnOperator* op, const char* api,
                                const vinci::op::AclnnArgument* arguments, size_t count,
                                uint64_t* workspace_size, aclOpExecutor** executor) {
  if (workspace_size == nullptr || executor == nullptr) {
    return fail(ACLNN_ERR_PARAM_NULLPTR, api, "the pointer for the result is null");
  }
  try {
    return prepare(*op, api, {arguments, count}, workspace_size, executor);
  } catch (const aclnnStatus code) {
    return code;
  } catch (const Stop& stop) {
    return refuse(stop.code, api, stop.text, "");
  } catch (const vinci::op::Error& error) {
    return refuse(code_of(error.kind()), api, error.what(), "");
  }
}

// What an operator is for decides for programs that name no chip themselves: the usual one if it is
// among them, else the first that vinci has.
void vinci_aclnn_chips(const char* chips) {
  std::vector<const vinci::Soc*> known;
  std::istringstream list(chips);
  for (std::string chip; list >> chip;) {
    if (const vinci::Soc* soc = vinci::find_soc(chip)) known.push_back(soc);
  }
  if (known.empty()) return;
  const vinci::Soc* chosen = known.front();
  for (const std::string_view usual : {vinci::kDefaultSplitSoc, vinci::kDefaultSoc}) {
    for (const vinci::Soc* soc : known) {
      if (soc->name == usual) chosen = soc;
    }
  }
  vinci::host::set_program_soc(std::string(chosen->name).c_str());
}

}  // extern "C"
