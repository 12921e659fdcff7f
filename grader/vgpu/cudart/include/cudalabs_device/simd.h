// Functions on two half words or four bytes that stand side by side in a word: __vadd4, __vmaxs2, __vcmpgtu4, ...
//
// clang's header has them over instructions that GPUs have not had for long, or over libdevice names; these are those.
// Must follow clang's declarations of the names.
#pragma once

namespace cudalabs_simd {

template <class Part>
static __device__ CUDALABS_INLINE int saturated(int value) {
  constexpr int kLeast = (Part)-1 < 0 ? -(1 << (8 * (int)sizeof(Part) - 1)) : 0;
  constexpr int kMost = kLeast + (1 << 8 * (int)sizeof(Part)) - 1;
  return value < kLeast ? kLeast : value > kMost ? kMost : value;
}
static __device__ CUDALABS_INLINE int magnitude(int value) {
  return value < 0 ? -value : value;
}
/// The part of a word that begins at bit `at`, extended to an int.
template <class Part>
static __device__ CUDALABS_INLINE int part_of(int word, int at) {
  return (int)(Part)((unsigned int)word >> at);
}
/// The word whose part at bit `at` is the low bits of `value`, and else 0.
template <class Part>
static __device__ CUDALABS_INLINE unsigned int placed(int value, int at) {
  return ((unsigned int)value & ((1u << 8 * sizeof(Part)) - 1)) << at;
}

}  // namespace cudalabs_simd

// clang-format off
extern "C" {
// `...` is the value of a part, of type Part, of the parts x and y of both operands.
#define CUDALABS_SIMD_OF(name, Type, ...) \
  __device__ CUDALABS_INLINE int name(int a, int b) { \
    typedef Type Part; \
    unsigned int result = 0; \
    _Pragma("unroll") for (int at = 0; at < 32; at += 8 * (int)sizeof(Part)) { \
      const int x = cudalabs_simd::part_of<Part>(a, at), y = cudalabs_simd::part_of<Part>(b, at); \
      result |= cudalabs_simd::placed<Part>((__VA_ARGS__), at); \
    } \
    return (int)result; \
  }
#define CUDALABS_SIMD_SUM_OF(name, Part, ...) \
  __device__ CUDALABS_INLINE int name(int a, int b) { \
    int result = 0; \
    _Pragma("unroll") for (int at = 0; at < 32; at += 8 * (int)sizeof(Part)) { \
      const int x = cudalabs_simd::part_of<Part>(a, at), y = cudalabs_simd::part_of<Part>(b, at); \
      result += (__VA_ARGS__); \
    } \
    return result; \
  }
#define CUDALABS_SIMD_OF_ONE(name, ...) \
  CUDALABS_SIMD_OF(cudalabs_simd_##name##2, short, __VA_ARGS__) \
  CUDALABS_SIMD_OF(cudalabs_simd_##name##4, signed char, __VA_ARGS__) \
  __device__ CUDALABS_INLINE int __nv_##name##2(int a) { return cudalabs_simd_##name##2(0, a); } \
  __device__ CUDALABS_INLINE int __nv_##name##4(int a) { return cudalabs_simd_##name##4(0, a); }
#define CUDALABS_SIMD_SIGNED(name, ...) \
  CUDALABS_SIMD_OF(__nv_##name##2, short, __VA_ARGS__) \
  CUDALABS_SIMD_OF(__nv_##name##4, signed char, __VA_ARGS__)
#define CUDALABS_SIMD_UNSIGNED(name, ...) \
  CUDALABS_SIMD_OF(__nv_##name##2, unsigned short, __VA_ARGS__) \
  CUDALABS_SIMD_OF(__nv_##name##4, unsigned char, __VA_ARGS__)
#define CUDALABS_SIMD_BOTH(name, ...) \
  CUDALABS_SIMD_SIGNED(name##s, __VA_ARGS__) \
  CUDALABS_SIMD_UNSIGNED(name##u, __VA_ARGS__)
// __vcmp gives all ones for true, __vset 1.
#define CUDALABS_SIMD_COMPARED(name, operation) \
  CUDALABS_SIMD_BOTH(vcmp##name, x operation y ? -1 : 0) \
  CUDALABS_SIMD_BOTH(vset##name, x operation y ? 1 : 0)

CUDALABS_SIMD_OF_ONE(vabs, cudalabs_simd::magnitude(y))
CUDALABS_SIMD_OF_ONE(vabsss, cudalabs_simd::saturated<Part>(cudalabs_simd::magnitude(y)))
CUDALABS_SIMD_OF_ONE(vneg, -y)
CUDALABS_SIMD_OF_ONE(vnegss, cudalabs_simd::saturated<Part>(-y))
CUDALABS_SIMD_UNSIGNED(vadd, x + y)
CUDALABS_SIMD_UNSIGNED(vsub, x - y)
CUDALABS_SIMD_SIGNED(vaddss, cudalabs_simd::saturated<Part>(x + y))
CUDALABS_SIMD_UNSIGNED(vaddus, cudalabs_simd::saturated<Part>(x + y))
CUDALABS_SIMD_SIGNED(vsubss, cudalabs_simd::saturated<Part>(x - y))
CUDALABS_SIMD_UNSIGNED(vsubus, cudalabs_simd::saturated<Part>(x - y))
CUDALABS_SIMD_UNSIGNED(vhaddu, (x + y) >> 1)
CUDALABS_SIMD_UNSIGNED(vavgu, (x + y + 1) >> 1)
CUDALABS_SIMD_SIGNED(vavgs, (x + y + (x + y >= 0)) >> 1)
CUDALABS_SIMD_BOTH(vabsdiff, cudalabs_simd::magnitude(x - y))
CUDALABS_SIMD_BOTH(vmax, x > y ? x : y)
CUDALABS_SIMD_BOTH(vmin, x < y ? x : y)
CUDALABS_SIMD_UNSIGNED(vcmpeq, x == y ? -1 : 0)
CUDALABS_SIMD_UNSIGNED(vcmpne, x != y ? -1 : 0)
CUDALABS_SIMD_UNSIGNED(vseteq, x == y ? 1 : 0)
CUDALABS_SIMD_UNSIGNED(vsetne, x != y ? 1 : 0)
CUDALABS_SIMD_COMPARED(ge, >=)
CUDALABS_SIMD_COMPARED(gt, >)
CUDALABS_SIMD_COMPARED(le, <=)
CUDALABS_SIMD_COMPARED(lt, <)
CUDALABS_SIMD_SUM_OF(__nv_vsads2, short, cudalabs_simd::magnitude(x - y))
CUDALABS_SIMD_SUM_OF(__nv_vsads4, signed char, cudalabs_simd::magnitude(x - y))
CUDALABS_SIMD_SUM_OF(__nv_vsadu2, unsigned short, cudalabs_simd::magnitude(x - y))
CUDALABS_SIMD_SUM_OF(__nv_vsadu4, unsigned char, cudalabs_simd::magnitude(x - y))

#undef CUDALABS_SIMD_COMPARED
#undef CUDALABS_SIMD_BOTH
#undef CUDALABS_SIMD_UNSIGNED
#undef CUDALABS_SIMD_SIGNED
#undef CUDALABS_SIMD_OF_ONE
#undef CUDALABS_SIMD_SUM_OF
#undef CUDALABS_SIMD_OF
}
// clang-format on
