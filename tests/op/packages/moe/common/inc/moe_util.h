#ifndef MOE_UTIL_H
#define MOE_UTIL_H
#include <cstdint>
#include <string>
namespace MoeUtil {
template <typename T>
inline T CeilDiv(T num, T div) { return div == 0 ? 0 : (num + div - 1) / div; }
template <typename T>
inline T CeilAlign(T num, T align) { return CeilDiv(num, align) * align; }
}
#endif
