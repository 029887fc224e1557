/* Compiling kernels while a program runs: docs/guide/host_runtime.md. */
#ifndef VINCI_ACL_ACL_RT_COMPILE_H
#define VINCI_ACL_ACL_RT_COMPILE_H

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef void* aclrtcProg;

static const int ACL_ERROR_RTC_INVALID_PROG = 176000;
static const int ACL_ERROR_RTC_INVALID_INPUT = 176001;
static const int ACL_ERROR_RTC_INVALID_OPTION = 176002;
static const int ACL_ERROR_RTC_COMPILATION = 176003;
static const int ACL_ERROR_RTC_LINKING = 176004;
static const int ACL_ERROR_RTC_NO_NAME_EXPR_AFTER_COMPILATION = 176005;
static const int ACL_ERROR_RTC_NO_LOWERED_NAMES_BEFORE_COMPILATION = 176006;
static const int ACL_ERROR_RTC_NAME_EXPR_NOT_VALID = 176007;
static const int ACL_ERROR_RTC_PROG_CREATION_FAILURE = 276000;
static const int ACL_ERROR_RTC_OUT_OF_MEMORY = 276001;
static const int ACL_ERROR_RTC_FAILURE = 576000;

/* `headers` are the texts of files that the source includes by `includeNames`. */
aclError aclrtcCreateProg(aclrtcProg* prog, const char* src, const char* name, int numHeaders,
                          const char** headers, const char** includeNames);
aclError aclrtcDestroyProg(aclrtcProg* prog);
/* Instances of templates that the binary is to have; before it is compiled. */
aclError aclrtcAddNameExpr(aclrtcProg prog, const char* const nameExpression);
/* Options are those of bisheng. */
aclError aclrtcCompileProg(aclrtcProg prog, int numOptions, const char** options);
/* What aclrtBinaryGetFunction finds it by. It stays until the program is destroyed. */
aclError aclrtcGetLoweredName(aclrtcProg prog, const char* nameExpression,
                              const char** loweredName);
aclError aclrtcGetBinDataSize(aclrtcProg prog, size_t* binDataSizeRet);
aclError aclrtcGetBinData(aclrtcProg prog, char* binData);
/* With the 0 at its end. */
aclError aclrtcGetCompileLogSize(aclrtcProg prog, size_t* logSizeRet);
aclError aclrtcGetCompileLog(aclrtcProg prog, char* log);

#ifdef __cplusplus
}
#endif

#endif
