// Lines of logs in host functions of operators; ASCEND_GLOBAL_LOG_LEVEL says which are printed.
#pragma once

#include "graph/ge_error_codes.h"
#include "util/shape_util.h"  // what is logged: ToString
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

// A parameter, what it is, and what it may be.
#ifndef OP_LOGE_FOR_INVALID_DTYPE
#define OP_LOGE_FOR_INVALID_DTYPE(name, parameter, got, legal) \
  OP_LOGE(name, "the type of %s is %s; legal: %s", parameter, got, legal)
#endif
#ifndef OP_LOGE_FOR_INVALID_SHAPE
#define OP_LOGE_FOR_INVALID_SHAPE(name, parameter, got, legal) \
  OP_LOGE(name, "the shape of %s is %s; legal: %s", parameter, got, legal)
#endif
#ifndef OP_LOGE_FOR_INVALID_FORMAT
#define OP_LOGE_FOR_INVALID_FORMAT(name, parameter, got, legal) \
  OP_LOGE(name, "the format of %s is %s; legal: %s", parameter, got, legal)
#endif
#ifndef OP_LOGE_FOR_INVALID_SHAPEDIM
#define OP_LOGE_FOR_INVALID_SHAPEDIM(name, parameter, got, legal) \
  OP_LOGE(name, "%s has %s dimensions; legal: %s", parameter, got, legal)
#endif
#ifndef OP_LOGE_FOR_INVALID_VALUE
#define OP_LOGE_FOR_INVALID_VALUE(name, parameter, got, legal) \
  OP_LOGE(name, "%s is %s; legal: %s", parameter, got, legal)
#endif

#ifndef OPS_LOG_E
#define OPS_LOG_D(name, ...) OP_LOGD(name, __VA_ARGS__)
#define OPS_LOG_I(name, ...) OP_LOGI(name, __VA_ARGS__)
#define OPS_LOG_W(name, ...) OP_LOGW(name, __VA_ARGS__)
#define OPS_LOG_E(name, ...) OP_LOGE(name, __VA_ARGS__)
#endif
#ifndef OPS_LOG_E_IF
#define OPS_LOG_E_IF(condition, name, return_statement, ...) \
  OP_CHECK_IF(condition, OP_LOGE(name, __VA_ARGS__), return_statement)
#endif
#ifndef OPS_LOG_E_IF_NULL
#define OPS_LOG_E_IF_NULL(name, pointer, return_statement) \
  OPS_LOG_E_IF((pointer) == nullptr, name, return_statement, "%s is nullptr", #pointer)
#endif
#ifndef OPS_CHECK
#define OPS_CHECK(condition, log_statement, return_statement) \
  OP_CHECK_IF(condition, log_statement, return_statement)
#endif
#ifndef OPS_ERR_IF
#define OPS_ERR_IF(condition, log_statement, return_statement) \
  OP_CHECK_IF(condition, log_statement, return_statement)
#endif
