// Lines of logs in host functions of operators. VINCI_LOG says which are printed: debug, info,
// warning, error (the default), off.
#pragma once

#include "graph/ge_error_codes.h"
#include "vinci/op/log_text.h"

#define VINCI_OP_LOG(level, name, ...) \
  vinci::op::log_line(level, __FILE__, __LINE__, name, __VA_ARGS__)

#ifndef OP_LOGD
#define OP_LOGD(name, ...) VINCI_OP_LOG(0, name, __VA_ARGS__)
#define OP_LOGI(name, ...) VINCI_OP_LOG(1, name, __VA_ARGS__)
#define OP_LOGW(name, ...) VINCI_OP_LOG(2, name, __VA_ARGS__)
#define OP_LOGE(name, ...) VINCI_OP_LOG(3, name, __VA_ARGS__)
#endif

#ifndef OP_LOGE_IF
#define OP_LOGE_IF(condition, result, name, ...) \
  do {                                           \
    if (condition) {                             \
      OP_LOGE(name, __VA_ARGS__);                \
      return result;                             \
    }                                            \
  } while (0)
#endif

// The last two are statements: what to log, and what to do.
#ifndef OP_CHECK_IF
#define OP_CHECK_IF(condition, log_statement, return_statement) \
  do {                                                          \
    if (condition) {                                            \
      log_statement;                                            \
      return_statement;                                         \
    }                                                           \
  } while (0)
#endif
#ifndef OP_CHECK
#define OP_CHECK(condition, log_statement, return_statement) \
  OP_CHECK_IF(condition, log_statement, return_statement)
#endif
#ifndef OP_TILING_CHECK
#define OP_TILING_CHECK(condition, log_statement, return_statement) \
  OP_CHECK_IF(condition, log_statement, return_statement)
#endif

#ifndef OP_CHECK_NULL_WITH_CONTEXT
#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer)                \
  do {                                                              \
    if ((pointer) == nullptr) {                                     \
      OP_LOGE((context)->GetNodeName(), "%s is nullptr", #pointer); \
      return ge::GRAPH_FAILED;                                      \
    }                                                               \
  } while (0)
#endif
#ifndef OPS_CHECK_NULL_WITH_CONTEXT
#define OPS_CHECK_NULL_WITH_CONTEXT(context, pointer) OP_CHECK_NULL_WITH_CONTEXT(context, pointer)
#endif

#ifndef VECTOR_INNER_ERR_REPORT_TILIING
#define VECTOR_INNER_ERR_REPORT_TILIING(name, ...) OP_LOGE(name, __VA_ARGS__)
#define VECTOR_INNER_ERR_REPORT_TILING(name, ...) OP_LOGE(name, __VA_ARGS__)
#define CUBE_INNER_ERR_REPORT(name, ...) OP_LOGE(name, __VA_ARGS__)
#define OPS_REPORT_VECTOR_INNER_ERR(name, ...) OP_LOGE(name, __VA_ARGS__)
#define OPS_REPORT_CUBE_INNER_ERR(name, ...) OP_LOGE(name, __VA_ARGS__)
#endif
