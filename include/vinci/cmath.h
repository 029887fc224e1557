// <cmath> without the special functions of C++17, Bessel's and the like: they are no templates, so
// that g++ makes their hundred and fifty parts again in each file that has seen them, a fifth of
// what a small kernel's compilation takes. No chip has them. Who includes <cmath> first has them.
#pragma once

#include <cstddef>  // with it comes libstdc++'s configuration
#include <limits>   // as the whole of <cmath> brings it

#ifdef _GLIBCXX_USE_STD_SPEC_FUNCS
#pragma push_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#include <cmath>
#pragma pop_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#else
#include <cmath>
#endif
