// Textures and surfaces: formats of element types, and what kernels call.
#pragma once

#include "../vector_types.h"
#include "texture_types.h"

// NOLINTBEGIN: the names and forms are those of CUDA
// clang-format off
template <class T> struct cudalabs_texel;
#define CUDALABS_TEXEL(type, element, count, format)                    \
  template <> struct cudalabs_texel<type> {                             \
    using Element = element;                                            \
    static constexpr int kCount = count;                                \
    static constexpr enum cudaChannelFormatKind kFormat = format;       \
  };
#define CUDALABS_TEXELS(name, element, format)   \
  CUDALABS_TEXEL(element, element, 1, format)    \
  CUDALABS_TEXEL(name##1, element, 1, format)    \
  CUDALABS_TEXEL(name##2, element, 2, format)    \
  CUDALABS_TEXEL(name##4, element, 4, format)
CUDALABS_TEXELS(char, signed char, cudaChannelFormatKindSigned)
CUDALABS_TEXELS(uchar, unsigned char, cudaChannelFormatKindUnsigned)
CUDALABS_TEXELS(short, short, cudaChannelFormatKindSigned)
CUDALABS_TEXELS(ushort, unsigned short, cudaChannelFormatKindUnsigned)
CUDALABS_TEXELS(int, int, cudaChannelFormatKindSigned)
CUDALABS_TEXELS(uint, unsigned int, cudaChannelFormatKindUnsigned)
CUDALABS_TEXELS(float, float, cudaChannelFormatKindFloat)
CUDALABS_TEXEL(char, char, 1, cudaChannelFormatKindSigned)
#undef CUDALABS_TEXELS
#undef CUDALABS_TEXEL

/// The format of an array whose elements are of type T.
template <class T>
static CUDALABS_INLINE cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Texel = cudalabs_texel<T>;
  const int bits = (int)(8 * sizeof(typename Texel::Element));
  return ::cudaCreateChannelDesc(bits, Texel::kCount > 1 ? bits : 0, Texel::kCount > 2 ? bits : 0, Texel::kCount > 2 ? bits : 0, Texel::kFormat);
}

#if defined(__CUDA__)
template <class T, class V> static __device__ CUDALABS_INLINE T cudalabs_from_channels(const V (&channels)[4]) {
  using Element = typename cudalabs_texel<T>::Element;
  union { T texel; Element elements[cudalabs_texel<T>::kCount]; } result;
  for (int i = 0; i < cudalabs_texel<T>::kCount; ++i) result.elements[i] = (Element)channels[i];
  return result.texel;
}

// A texture gives numbers of 32 bits.
#define CUDALABS_TEXTURE(name, parameters, dimensions, coordinate_type, coordinates, ...)                              \
  template <class T> static __device__ CUDALABS_INLINE T name parameters {                                             \
    if constexpr (cudalabs_texel<T>::kFormat == cudaChannelFormatKindFloat) {                                          \
      float v[4];                                                                                                      \
      asm volatile("tex." dimensions ".v4.f32." coordinate_type " {%0, %1, %2, %3}, [%4, {" coordinates "}];"          \
                   : "=f"(v[0]), "=f"(v[1]), "=f"(v[2]), "=f"(v[3]) : "l"(object), __VA_ARGS__);                       \
      return cudalabs_from_channels<T>(v);                                                                             \
    } else {                                                                                                           \
      unsigned int v[4];                                                                                               \
      asm volatile("tex." dimensions ".v4.u32." coordinate_type " {%0, %1, %2, %3}, [%4, {" coordinates "}];"          \
                   : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(object), __VA_ARGS__);                       \
      return cudalabs_from_channels<T>(v);                                                                             \
    }                                                                                                                  \
  }
CUDALABS_TEXTURE(tex1Dfetch, (cudaTextureObject_t object, int x), "1d", "s32", "%5", "r"(x))
CUDALABS_TEXTURE(tex1D, (cudaTextureObject_t object, float x), "1d", "f32", "%5", "f"(x))
CUDALABS_TEXTURE(tex2D, (cudaTextureObject_t object, float x, float y), "2d", "f32", "%5, %6", "f"(x), "f"(y))
CUDALABS_TEXTURE(tex3D, (cudaTextureObject_t object, float x, float y, float z), "3d", "f32", "%5, %6, %7, %7", "f"(x), "f"(y), "f"(z))
CUDALABS_TEXTURE(tex1DLayered, (cudaTextureObject_t object, float x, int layer), "a1d", "f32", "%5, %6", "r"(layer), "f"(x))
CUDALABS_TEXTURE(tex2DLayered, (cudaTextureObject_t object, float x, float y, int layer), "a2d", "f32", "%5, %6, %7, %7", "r"(layer), "f"(x), "f"(y))
CUDALABS_TEXTURE(texCubemap, (cudaTextureObject_t object, float x, float y, float z), "cube", "f32", "%5, %6, %7, %7", "f"(x), "f"(y), "f"(z))
CUDALABS_TEXTURE(texCubemapLayered, (cudaTextureObject_t object, float x, float y, float z, int layer), "acube", "f32", "%5, %6, %7, %8", "r"(layer), "f"(x), "f"(y), "f"(z))
#undef CUDALABS_TEXTURE

// The mode is part of the instruction; x counts bytes.
#define CUDALABS_READ(mode, width, type, letter)                                                                        \
  if constexpr (sizeof(T) == sizeof(type)) {                                                                            \
    type v;                                                                                                             \
    asm volatile("suld.b.2d." width "." mode " {%0}, [%1, {%2, %3}];" : "=" letter(v) : "l"(object), "r"(x), "r"(y) : "memory"); \
    __builtin_memcpy(result, &v, sizeof(T));                                                                            \
  }
#define CUDALABS_WRITE(mode, width, type, letter)                                                                       \
  if constexpr (sizeof(T) == sizeof(type)) {                                                                            \
    type v;                                                                                                             \
    __builtin_memcpy(&v, &value, sizeof(T));                                                                            \
    asm volatile("sust.b.2d." width "." mode " [%1, {%2, %3}], {%0};" : : letter(v), "l"(object), "r"(x), "r"(y) : "memory"); \
  }
#define CUDALABS_READ_ALL(mode)                                                                                       \
  if constexpr (sizeof(T) == 1) {                                                                                       \
    unsigned short v;                                                                                                   \
    asm volatile("suld.b.2d.b8." mode " {%0}, [%1, {%2, %3}];" : "=h"(v) : "l"(object), "r"(x), "r"(y) : "memory");     \
    __builtin_memcpy(result, &v, 1);                                                                                    \
  } else if constexpr (sizeof(T) == 16) {                                                                               \
    unsigned int v[4];                                                                                                  \
    asm volatile("suld.b.2d.v4.b32." mode " {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) : "l"(object), "r"(x), "r"(y) : "memory"); \
    __builtin_memcpy(result, v, 16);                                                                                    \
  } else CUDALABS_READ(mode, "b16", unsigned short, "h") else CUDALABS_READ(mode, "b32", unsigned int, "r")             \
  else CUDALABS_READ(mode, "b64", unsigned long long, "l")
#define CUDALABS_WRITE_ALL(mode)                                                                                        \
  if constexpr (sizeof(T) == 1) {                                                                                       \
    unsigned char byte;                                                                                                 \
    __builtin_memcpy(&byte, &value, 1);                                                                                 \
    asm volatile("sust.b.2d.b8." mode " [%1, {%2, %3}], {%0};" : : "h"((unsigned short)byte), "l"(object), "r"(x), "r"(y) : "memory"); \
  } else if constexpr (sizeof(T) == 16) {                                                                               \
    unsigned int v[4];                                                                                                  \
    __builtin_memcpy(v, &value, 16);                                                                                    \
    asm volatile("sust.b.2d.v4.b32." mode " [%4, {%5, %6}], {%0, %1, %2, %3};" : : "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "l"(object), "r"(x), "r"(y) : "memory"); \
  } else CUDALABS_WRITE(mode, "b16", unsigned short, "h") else CUDALABS_WRITE(mode, "b32", unsigned int, "r")           \
  else CUDALABS_WRITE(mode, "b64", unsigned long long, "l")

template <class T> static __device__ CUDALABS_INLINE void surf2Dread(T* result, cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {
  if (boundary == cudaBoundaryModeTrap) { CUDALABS_READ_ALL("trap") } else if (boundary == cudaBoundaryModeClamp) { CUDALABS_READ_ALL("clamp") } else { CUDALABS_READ_ALL("zero") }
}
template <class T> static __device__ CUDALABS_INLINE T surf2Dread(cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {
  T result;
  surf2Dread(&result, object, x, y, boundary);
  return result;
}
template <class T> static __device__ CUDALABS_INLINE void surf2Dwrite(T value, cudaSurfaceObject_t object, int x, int y, cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {
  if (boundary == cudaBoundaryModeTrap) { CUDALABS_WRITE_ALL("trap") } else if (boundary == cudaBoundaryModeClamp) { CUDALABS_WRITE_ALL("clamp") } else { CUDALABS_WRITE_ALL("zero") }
}
#undef CUDALABS_WRITE_ALL
#undef CUDALABS_READ_ALL
#undef CUDALABS_WRITE
#undef CUDALABS_READ
#endif
// clang-format on
// NOLINTEND
