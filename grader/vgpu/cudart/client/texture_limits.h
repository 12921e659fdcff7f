// How large textures and surfaces may be, as the CUDA C++ Programming Guide has it for all devices from compute
// capability 7.5 on ("Technical Specifications per Compute Capability"). Mipmaps are not offered.
#pragma once

#include "vgpu/cudart/client/client.h"

namespace cudalabs::vgpu::client {

struct TextureLimit {
  int attribute;  // cudaDeviceAttr, for which clang's headers have no names
  int value;      // texels, or layers; bytes of a row's pitch
  int cudaDeviceProp::*property;
  int (cudaDeviceProp::*pair)[2];
  int (cudaDeviceProp::*triple)[3];
  int place;  // in the pair or triple
};

// clang-format off
inline constexpr TextureLimit kTextureLimits[] = {
    {21, 131'072, &cudaDeviceProp::maxTexture1D, nullptr, nullptr, 0},
    {22, 131'072, nullptr, &cudaDeviceProp::maxTexture2D, nullptr, 0},
    {23, 65'536, nullptr, &cudaDeviceProp::maxTexture2D, nullptr, 1},
    {24, 16'384, nullptr, nullptr, &cudaDeviceProp::maxTexture3D, 0},
    {25, 16'384, nullptr, nullptr, &cudaDeviceProp::maxTexture3D, 1},
    {26, 16'384, nullptr, nullptr, &cudaDeviceProp::maxTexture3D, 2},
    {27, 32'768, nullptr, nullptr, &cudaDeviceProp::maxTexture2DLayered, 0},
    {28, 32'768, nullptr, nullptr, &cudaDeviceProp::maxTexture2DLayered, 1},
    {29, 2'048, nullptr, nullptr, &cudaDeviceProp::maxTexture2DLayered, 2},
    {42, 32'768, nullptr, &cudaDeviceProp::maxTexture1DLayered, nullptr, 0},
    {43, 2'048, nullptr, &cudaDeviceProp::maxTexture1DLayered, nullptr, 1},
    {45, 32'768, nullptr, &cudaDeviceProp::maxTexture2DGather, nullptr, 0},
    {46, 32'768, nullptr, &cudaDeviceProp::maxTexture2DGather, nullptr, 1},
    {52, 32'768, &cudaDeviceProp::maxTextureCubemap, nullptr, nullptr, 0},
    {53, 32'768, nullptr, &cudaDeviceProp::maxTextureCubemapLayered, nullptr, 0},
    {54, 2'046, nullptr, &cudaDeviceProp::maxTextureCubemapLayered, nullptr, 1},
    {55, 32'768, &cudaDeviceProp::maxSurface1D, nullptr, nullptr, 0},
    {56, 131'072, nullptr, &cudaDeviceProp::maxSurface2D, nullptr, 0},
    {57, 65'536, nullptr, &cudaDeviceProp::maxSurface2D, nullptr, 1},
    {58, 16'384, nullptr, nullptr, &cudaDeviceProp::maxSurface3D, 0},
    {59, 16'384, nullptr, nullptr, &cudaDeviceProp::maxSurface3D, 1},
    {60, 16'384, nullptr, nullptr, &cudaDeviceProp::maxSurface3D, 2},
    {61, 32'768, nullptr, &cudaDeviceProp::maxSurface1DLayered, nullptr, 0},
    {62, 2'048, nullptr, &cudaDeviceProp::maxSurface1DLayered, nullptr, 1},
    {63, 32'768, nullptr, nullptr, &cudaDeviceProp::maxSurface2DLayered, 0},
    {64, 32'768, nullptr, nullptr, &cudaDeviceProp::maxSurface2DLayered, 1},
    {65, 2'048, nullptr, nullptr, &cudaDeviceProp::maxSurface2DLayered, 2},
    {66, 32'768, &cudaDeviceProp::maxSurfaceCubemap, nullptr, nullptr, 0},
    {67, 32'768, nullptr, &cudaDeviceProp::maxSurfaceCubemapLayered, nullptr, 0},
    {68, 2'046, nullptr, &cudaDeviceProp::maxSurfaceCubemapLayered, nullptr, 1},
    {70, 131'072, nullptr, nullptr, &cudaDeviceProp::maxTexture2DLinear, 0},
    {71, 65'000, nullptr, nullptr, &cudaDeviceProp::maxTexture2DLinear, 1},
    {72, 2'097'120, nullptr, nullptr, &cudaDeviceProp::maxTexture2DLinear, 2}};
// clang-format on

inline void fill_texture_limits(cudaDeviceProp& properties) {
  for (const TextureLimit& limit : kTextureLimits) {
    if (limit.property) properties.*limit.property = limit.value;
    if (limit.pair) (properties.*limit.pair)[limit.place] = limit.value;
    if (limit.triple) (properties.*limit.triple)[limit.place] = limit.value;
  }
}

constexpr int kTextureLinearWidth = 69;  // no property has it

/// 0 where the attribute is none of these.
inline int texture_limit(int attribute) {
  if (attribute == kTextureLinearWidth) return 1 << 28;
  for (const TextureLimit& limit : kTextureLimits) {
    if (limit.attribute == attribute) return limit.value;
  }
  return 0;
}

}  // namespace cudalabs::vgpu::client
