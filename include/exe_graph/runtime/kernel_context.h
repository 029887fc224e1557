// The base of what host functions are given.
#pragma once

#include "vinci/op/context_data.h"

namespace gert {

class KernelContext {
 public:
  explicit KernelContext(vinci::op::ContextData& data) : data_(&data) {}
  KernelContext(const KernelContext&) = delete;
  KernelContext& operator=(const KernelContext&) = delete;

 protected:
  vinci::op::ContextData* data_;
};

}  // namespace gert
