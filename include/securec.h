/* The bounded copies of memory and strings that host code of the toolkit's projects uses. What does
 * not fit is refused, and the target made empty: codes with 128 say that it was. */
#ifndef VINCI_SECUREC_H
#define VINCI_SECUREC_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int errno_t;

#define EOK 0
#define EINVAL_AND_RESET 150
#define ERANGE_AND_RESET 162
#define EOVERLAP_AND_RESET 182
#define SECUREC_MEM_MAX_LEN 0x7fffffffUL
#define SECUREC_STRING_MAX_LEN 0x7fffffffUL

/* Memory: the target is filled with zeros when it is made empty. */
static inline errno_t vinci_check_copy(void* dest, size_t destMax, const void* src, size_t count,
                                       int mayOverlap) {
  const uintptr_t to = (uintptr_t)dest, from = (uintptr_t)src;
  errno_t code = EOK;
  if (destMax == 0 || destMax > SECUREC_MEM_MAX_LEN) return ERANGE;
  if (dest == NULL) return EINVAL;
  if (src == NULL) {
    code = EINVAL_AND_RESET;
  } else if (count > destMax) {
    code = ERANGE_AND_RESET;
  } else if (!mayOverlap && to != from && to < from + count && from < to + count) {
    code = EOVERLAP_AND_RESET;
  }
  if (code != EOK) memset(dest, 0, destMax);
  return code;
}
static inline errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count) {
  const errno_t code = vinci_check_copy(dest, destMax, src, count, 0);
  if (code == EOK && dest != src) memcpy(dest, src, count);
  return code;
}
static inline errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count) {
  const errno_t code = vinci_check_copy(dest, destMax, src, count, 1);
  if (code == EOK) memmove(dest, src, count);
  return code;
}
/* More than the target has fills all of it, and is refused. */
static inline errno_t memset_s(void* dest, size_t destMax, int c, size_t count) {
  if (destMax == 0 || destMax > SECUREC_MEM_MAX_LEN) return ERANGE;
  if (dest == NULL) return EINVAL;
  memset(dest, c, count < destMax ? count : destMax);
  return count > destMax ? ERANGE_AND_RESET : EOK;
}

/* Strings: the target becomes "" when it is made empty. At most `count` characters of src, put
 * behind the first `at` of dest. */
static inline errno_t vinci_put_string(char* dest, size_t destMax, size_t at, const char* src,
                                       size_t count) {
  size_t length = 0;
  errno_t code = EOK;
  if (destMax == 0 || destMax > SECUREC_STRING_MAX_LEN) return ERANGE;
  if (dest == NULL) return EINVAL;
  while (src != NULL && length < count && length < destMax && src[length] != '\0') ++length;
  if (src == NULL || at == destMax) {
    code = EINVAL_AND_RESET;
  } else if (length >= destMax - at) {
    code = ERANGE_AND_RESET;
  } else if (src < dest + at + length + 1 && dest < src + length + 1 && src != dest) {
    code = EOVERLAP_AND_RESET;
  }
  if (code != EOK) {
    dest[0] = '\0';
    return code;
  }
  if (src != dest) memcpy(dest + at, src, length);
  dest[at + length] = '\0';
  return EOK;
}
static inline errno_t strcpy_s(char* dest, size_t destMax, const char* src) {
  return vinci_put_string(dest, destMax, 0, src, SECUREC_STRING_MAX_LEN);
}
static inline errno_t strncpy_s(char* dest, size_t destMax, const char* src, size_t count) {
  return vinci_put_string(dest, destMax, 0, src, count);
}
static inline errno_t strncat_s(char* dest, size_t destMax, const char* src, size_t count) {
  const size_t at = dest == NULL || destMax > SECUREC_STRING_MAX_LEN ? 0 : strnlen(dest, destMax);
  return vinci_put_string(dest, destMax, at, src, count);
}
static inline errno_t strcat_s(char* dest, size_t destMax, const char* src) {
  return strncat_s(dest, destMax, src, SECUREC_STRING_MAX_LEN);
}

/* Characters written, or -1: what does not fit leaves "", or the first `count` characters. */
static inline int vsnprintf_s(char* dest, size_t destMax, size_t count, const char* format,
                              va_list arguments) {
  int length;
  if (dest == NULL || destMax == 0 || destMax > SECUREC_STRING_MAX_LEN || format == NULL) {
    if (dest != NULL && destMax > 0) dest[0] = '\0';
    return -1;
  }
  length = vsnprintf(dest, count < destMax ? count + 1 : destMax, format, arguments);
  if (length >= 0 && (size_t)length < destMax && (size_t)length <= count) return length;
  if (length < 0 || count >= destMax) dest[0] = '\0';
  return -1;
}
static inline int vsprintf_s(char* dest, size_t destMax, const char* format, va_list arguments) {
  return vsnprintf_s(dest, destMax, SECUREC_STRING_MAX_LEN, format, arguments);
}
__attribute__((format(printf, 4, 5))) static inline int snprintf_s(char* dest, size_t destMax,
                                                                   size_t count, const char* format,
                                                                   ...) {
  int length;
  va_list arguments;
  va_start(arguments, format);
  length = vsnprintf_s(dest, destMax, count, format, arguments);
  va_end(arguments);
  return length;
}
__attribute__((format(printf, 3, 4))) static inline int sprintf_s(char* dest, size_t destMax,
                                                                  const char* format, ...) {
  int length;
  va_list arguments;
  va_start(arguments, format);
  length = vsprintf_s(dest, destMax, format, arguments);
  va_end(arguments);
  return length;
}

#endif
