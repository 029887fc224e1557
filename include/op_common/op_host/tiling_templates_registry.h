// Classes of tiling for one operator, which try in the order of their numbers: the first that does
// not say GRAPH_PARAM_INVALID is the one.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "op_common/op_host/tiling_base_class.h"

namespace Ops {
namespace Base {

// The chips that a class is for, one or several; none: all.
class TilingChips {
 public:
  TilingChips() = default;
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T> || std::is_enum_v<T>>>
  TilingChips(T one) : numbers_{static_cast<int32_t>(one)} {}
  template <typename T>
  TilingChips(std::initializer_list<T> all) {
    for (const T& one : all) numbers_.push_back(static_cast<int32_t>(one));
  }
  TilingChips(const std::vector<int32_t>& all) : numbers_(all) {}

  bool has(int64_t number) const {
    return numbers_.empty() ||
           std::find(numbers_.begin(), numbers_.end(), number) != numbers_.end();
  }

 private:
  std::vector<int32_t> numbers_;
};

class TilingRegistry {
 public:
  static TilingRegistry& GetInstance() {
    static TilingRegistry registry;
    return registry;
  }

  ge::graphStatus DoTilingImpl(gert::TilingContext* context) { return run(context, nullptr); }
  // Only the classes of these numbers, in this order.
  ge::graphStatus DoTilingImpl(gert::TilingContext* context,
                               const std::vector<int32_t>& priorities) {
    return run(context, &priorities);
  }

  template <typename Class>
  bool add(const char* type, int32_t priority, const TilingChips& socs, const TilingChips& archs) {
    Template made;
    made.priority = priority;
    made.socs = socs;
    made.archs = archs;
    made.tile = [](gert::TilingContext* context) {
      Class made(context);
      TilingBaseClass& base = made;
      return base.DoTiling();
    };
    std::string name = type;  // some macros take a name, others a string
    name.erase(std::remove(name.begin(), name.end(), '"'), name.end());
    std::vector<Template>& all = templates_[name];
    const auto behind =
        std::upper_bound(all.begin(), all.end(), priority,
                         [](int32_t number, const Template& one) { return number < one.priority; });
    all.insert(behind, made);
    return true;
  }

 private:
  struct Template {
    int32_t priority = 0;
    TilingChips socs, archs;
    std::function<ge::graphStatus(gert::TilingContext*)> tile;
  };

  ge::graphStatus run(gert::TilingContext* context, const std::vector<int32_t>* priorities) {
    const std::vector<Template>& all = templates_[context->GetNodeType()];
    if (priorities == nullptr) {
      for (const Template& one : all) {
        const ge::graphStatus status = attempt(one, context);
        if (status != ge::GRAPH_PARAM_INVALID) return status;
      }
    } else {
      for (const int32_t priority : *priorities) {
        for (const Template& one : all) {
          if (one.priority != priority) continue;
          const ge::graphStatus status = attempt(one, context);
          if (status != ge::GRAPH_PARAM_INVALID) return status;
        }
      }
    }
    OP_LOGE(context, "none of %zu registered tiling classes takes this call", all.size());
    return ge::GRAPH_FAILED;
  }

  static ge::graphStatus attempt(const Template& one, gert::TilingContext* context) {
    const platform_ascendc::PlatformAscendC chip(context->GetPlatformInfo());
    const bool is_for = one.socs.has(static_cast<int64_t>(chip.GetSocVersion())) &&
                        one.archs.has(static_cast<int64_t>(chip.GetCurNpuArch()));
    return is_for ? one.tile(context) : ge::GRAPH_PARAM_INVALID;
  }

  std::map<std::string, std::vector<Template>> templates_;
};

using TilingRegistryNew = TilingRegistry;
using TilingRegistryArch = TilingRegistry;

}  // namespace Base
}  // namespace Ops

VINCI_IN_TILING_NAMESPACES(using Ops::Base::TilingRegistry; using Ops::Base::TilingRegistryNew;
                           using Ops::Base::TilingRegistryArch;)

#define VINCI_TILING_TEMPLATE(type, class_name, priority, socs, archs)                             \
  [[maybe_unused]] static const bool VINCI_OP_JOIN(tiling_template_##class_name##_, __COUNTER__) = \
      Ops::Base::TilingRegistry::GetInstance().add<class_name>(#type, priority, socs, archs)

#define REGISTER_TILING_TEMPLATE(type, class_name, priority) \
  VINCI_TILING_TEMPLATE(type, class_name, priority, {}, {})
#define REGISTER_OPS_TILING_TEMPLATE(type, class_name, priority) \
  VINCI_TILING_TEMPLATE(type, class_name, priority, {}, {})
#define REGISTER_TILING_TEMPLATE_WITH_SOCVERSION(type, class_name, socs, priority) \
  VINCI_TILING_TEMPLATE(type, class_name, priority, Ops::Base::TilingChips(socs), {})
#define REGISTER_TILING_TEMPLATE_WITH_ARCH(type, class_name, archs, priority) \
  VINCI_TILING_TEMPLATE(type, class_name, priority, {}, Ops::Base::TilingChips(archs))
