// Lines of logs by the names that they have in the development kit.
#pragma once

#include "vinci/op/log_text.h"

#define VINCI_CPU_LOG(level, ...) \
  vinci::op::log_line(level, __FILE__, __LINE__, __func__, __VA_ARGS__)

#define ASC_CPU_LOG_DEBUG(...) VINCI_CPU_LOG(0, __VA_ARGS__)
#define ASC_CPU_LOG_INFO(...) VINCI_CPU_LOG(1, __VA_ARGS__)
#define ASC_CPU_LOG_WARNING(...) VINCI_CPU_LOG(2, __VA_ARGS__)
#define ASC_CPU_LOG_ERROR(...) VINCI_CPU_LOG(3, __VA_ARGS__)
