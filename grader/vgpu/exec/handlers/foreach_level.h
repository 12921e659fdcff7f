// The instruction sets the handlers are compiled for: what every x86-64 has, AVX2 and AVX-512. Others would only cost
// compile time. Include it first, after defining HWY_TARGET_INCLUDE.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#endif
#include "hwy/foreach_target.h"
