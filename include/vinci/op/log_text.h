// A line of a log: printf's words behind the name of whoever speaks.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "vinci/op/registry.h"

namespace vinci::op {

inline const char* speaker(const char* name) { return name == nullptr ? "" : name; }
inline const char* speaker(const std::string& name) { return name.c_str(); }
inline const char* speaker(const gert::ExtendedKernelContext* context) {
  return context == nullptr ? "" : context->GetNodeName();
}

template <typename Name>
__attribute__((format(printf, 5, 6))) void log_line(int level, const char* file, int line,
                                                    const Name& name, const char* format, ...) {
  if (!logs(level)) return;
  char words[1024], text[1200];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(words, sizeof(words), format, arguments);
  va_end(arguments);
  std::snprintf(text, sizeof(text), "[%s] %s", speaker(name), words);
  log(level, file, line, text);
}

}  // namespace vinci::op
