#pragma once
#include "log/log.h"
#define OPS_LOG_E(name, ...) OP_LOGE(name, __VA_ARGS__)
#define OPS_LOG_D(name, ...) OP_LOGD(name, __VA_ARGS__)
#define OPS_ERR_IF(cond, log_func, expr) \
    do {                                 \
        if (cond) {                      \
            log_func;                    \
            expr;                        \
        }                                \
    } while (0)
#define OPS_LOG_E_IF_NULL(ctx, ptr, ret)                        \
    if ((ptr) == nullptr) {                                     \
        OPS_LOG_E((ctx)->GetNodeName(), "%s is null", #ptr);    \
        ret;                                                    \
    }
