// The toolkit's log, for host code that calls it without macros of its own: lines as those of
// log/log.h, under the number of a module.
#pragma once

#include "vinci/op/log_text.h"

enum { DLOG_DEBUG = 0, DLOG_INFO = 1, DLOG_WARN = 2, DLOG_ERROR = 3, DLOG_NULL = 4 };
// Modules that operators name.
enum { SLOG = 0, OP = 63 };

inline int CheckLogLevel(int /*module*/, int level) { return vinci::op::logs(level) ? 1 : 0; }

#define dlog_debug(module, ...) vinci::op::log_line(0, __FILE__, __LINE__, #module, __VA_ARGS__)
#define dlog_info(module, ...) vinci::op::log_line(1, __FILE__, __LINE__, #module, __VA_ARGS__)
#define dlog_warn(module, ...) vinci::op::log_line(2, __FILE__, __LINE__, #module, __VA_ARGS__)
#define dlog_error(module, ...) vinci::op::log_line(3, __FILE__, __LINE__, #module, __VA_ARGS__)
#define dlog_event(module, ...) vinci::op::log_line(1, __FILE__, __LINE__, #module, __VA_ARGS__)
