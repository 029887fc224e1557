// What builds for the CPU have besides: parts of the standard library, and a lock for what cores
// print.
#pragma once

#include "vinci/cmath.h"
#include "vinci/debug.h"

#ifdef __CCE_KT_TEST__
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>
#endif

// The rest costs as much as a small kernel: vinci compiles what names nothing of it without.
#if defined(__CCE_KT_TEST__) && !defined(VINCI_WITHOUT_STD)
#include <iomanip>
#include <iterator>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#ifdef __GLIBCXX__
// What <iostream> declares, without what each file that includes it runs before main() or a kernel:
// vinci's library has seen to it already.
namespace std {
extern istream cin;
extern ostream cout, cerr, clog;
}  // namespace std
#else
#include <iostream>
#endif
#endif

namespace AscendC {

// What a core prints between Write or Read and Unlock stands together, and behind what cores before
// it have printed. Nothing is held: a core that waits for another in between lets others print.
class ProcessLock {
 public:
  static ProcessLock* GetProcessLock() {
    static ProcessLock lock;
    return &lock;
  }
  int Read() { return vinci::await_turn() ? 0 : -1; }
  int Write() { return Read(); }
  int Unlock() { return 0; }
};

}  // namespace AscendC
