// The driver API: arrays, texture and surface objects, as those of the runtime in other words.
#include <string.h>

#include "vgpu/cudart/client/device_array.h"
#include "vgpu/cudart/client/driver/driver_context.h"

namespace cudalabs::vgpu::client::driver {
namespace {

/// CUDA_ARRAY_DESCRIPTOR and CUDA_ARRAY3D_DESCRIPTOR of the toolkit.
struct ArrayDescriptor {
  std::size_t width, height;
  unsigned int format, channels;
};
struct Array3DDescriptor {
  std::size_t width, height, depth;
  unsigned int format, channels, flags;
};

/// CUDA_RESOURCE_DESC.
struct ResourceDescriptor {
  unsigned int type;  // as cudaResourceType
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      DevicePointer address;
      unsigned int format, channels;
      std::size_t bytes;
    } linear;
    struct {
      DevicePointer address;
      unsigned int format, channels;
      std::size_t width, height, pitch;
    } rows;
    int reserved[32];
  } of;
  unsigned int flags;
};

/// CUDA_TEXTURE_DESC.
struct TextureDescriptor {
  unsigned int address_modes[3];
  unsigned int filter_mode, flags, anisotropy, mipmap_filter_mode;
  float mipmap_bias, least_mipmap, greatest_mipmap;
  float border[4];
  int reserved[12];
};
constexpr unsigned int kReadAsInteger = 0x01, kNormalizedCoordinates = 0x02, kSrgb = 0x10, kSeamless = 0x40;

/// CUarray_format: the kind of number and its bits.
struct Format {
  unsigned int code;
  cudaChannelFormatKind kind;
  int bits;
};
constexpr Format kFormats[] = {{0x01, cudaChannelFormatKindUnsigned, 8},  {0x02, cudaChannelFormatKindUnsigned, 16},
                               {0x03, cudaChannelFormatKindUnsigned, 32}, {0x08, cudaChannelFormatKindSigned, 8},
                               {0x09, cudaChannelFormatKindSigned, 16},   {0x0a, cudaChannelFormatKindSigned, 32},
                               {0x10, cudaChannelFormatKindFloat, 16},    {0x20, cudaChannelFormatKindFloat, 32}};

/// A description of no channels where there is no such format.
cudaChannelFormatDesc description_of(unsigned int format, unsigned int channels) {
  for (const Format& known : kFormats) {
    if (known.code != format) continue;
    const auto bits = [&](unsigned int channel) { return channel < channels ? known.bits : 0; };
    return {bits(0), bits(1), bits(2), bits(3), known.kind};
  }
  return {0, 0, 0, 0, cudaChannelFormatKindNone};
}

unsigned int code_of(const cudaChannelFormatDesc& description) {
  for (const Format& known : kFormats) {
    if (known.kind == description.f && known.bits == description.x) return known.code;
  }
  return 0;
}

int create_array(cudaArray_t* array, const Array3DDescriptor& asked) {
  return in_context([&]() -> int {
    if (!array) return kInvalidValue;
    const cudaChannelFormatDesc description = description_of(asked.format, asked.channels);
    if (description.f == cudaChannelFormatKindNone) return kInvalidValue;
    return result_of(cudaMalloc3DArray(array, &description, {asked.width, asked.height, asked.depth}, asked.flags));
  });
}

int describe_array(Array3DDescriptor& described, cudaArray_t array) {
  return in_context([&]() -> int {
    cudaChannelFormatDesc description;
    cudaExtent extent;
    unsigned int flags = 0;
    const cudaError_t status = cudaArrayGetInfo(&description, &extent, &flags, array);
    if (status != cudaSuccess) return result_of(status);
    described = {extent.width, extent.height, extent.depth, code_of(description), channels_of(description).count,
                 flags};
    return kSuccess;
  });
}

cudaResourceDesc resource_of(const ResourceDescriptor& given) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = static_cast<cudaResourceType>(given.type);
  const auto pointer = [](DevicePointer address) {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
  };
  if (resource.resType == cudaResourceTypeArray) {
    resource.res.array.array = given.of.array.array;
  } else if (resource.resType == cudaResourceTypeLinear) {
    resource.res.linear.devPtr = pointer(given.of.linear.address);
    resource.res.linear.desc = description_of(given.of.linear.format, given.of.linear.channels);
    resource.res.linear.sizeInBytes = given.of.linear.bytes;
  } else if (resource.resType == cudaResourceTypePitch2D) {
    resource.res.pitch2D.devPtr = pointer(given.of.rows.address);
    resource.res.pitch2D.desc = description_of(given.of.rows.format, given.of.rows.channels);
    resource.res.pitch2D.width = given.of.rows.width;
    resource.res.pitch2D.height = given.of.rows.height;
    resource.res.pitch2D.pitchInBytes = given.of.rows.pitch;
  }
  return resource;
}

/// Integers of 32 bits stay what they are, whatever is asked for.
bool has_wide_texels(const cudaResourceDesc& resource) {
  if (resource.resType == cudaResourceTypeLinear) return resource.res.linear.desc.x == 32;
  if (resource.resType == cudaResourceTypePitch2D) return resource.res.pitch2D.desc.x == 32;
  cudaChannelFormatDesc description;
  return cudaGetChannelDesc(&description, resource.res.array.array) == cudaSuccess && description.x == 32;
}

}  // namespace

CUDALABS_API int cuArrayCreate_v2(cudaArray_t* array, const ArrayDescriptor* asked) {
  CUDALABS_DRIVER_CALL("cuArrayCreate_v2");
  if (!asked) return kInvalidValue;
  return create_array(array, {asked->width, asked->height, 0, asked->format, asked->channels, 0});
}

CUDALABS_API int cuArray3DCreate_v2(cudaArray_t* array, const Array3DDescriptor* asked) {
  CUDALABS_DRIVER_CALL("cuArray3DCreate_v2");
  return asked ? create_array(array, *asked) : kInvalidValue;
}

CUDALABS_API int cuArrayDestroy(cudaArray_t array) {
  CUDALABS_DRIVER_CALL("cuArrayDestroy");
  return in_context([&] { return array ? cudaFreeArray(array) : cudaErrorInvalidResourceHandle; });
}

CUDALABS_API int cuArrayGetDescriptor_v2(ArrayDescriptor* described, cudaArray_t array) {
  CUDALABS_DRIVER_CALL("cuArrayGetDescriptor_v2");
  Array3DDescriptor all{};
  const int result = described ? describe_array(all, array) : kInvalidValue;
  if (result == kSuccess) *described = {all.width, all.height, all.format, all.channels};
  return result;
}

CUDALABS_API int cuArray3DGetDescriptor_v2(Array3DDescriptor* described, cudaArray_t array) {
  CUDALABS_DRIVER_CALL("cuArray3DGetDescriptor_v2");
  return described ? describe_array(*described, array) : kInvalidValue;
}

CUDALABS_API int cuDeviceGetTexture1DLinearMaxWidth(std::size_t* width, unsigned int format, unsigned int channels,
                                                    Device device) {
  CUDALABS_DRIVER_CALL("cuDeviceGetTexture1DLinearMaxWidth");
  if (const Result missing = ready(false); missing != kSuccess) return missing;
  const cudaChannelFormatDesc description = description_of(format, channels);
  if (description.f == cudaChannelFormatKindNone) return kInvalidValue;
  return result_of(cudaDeviceGetTexture1DLinearMaxWidth(width, &description, device));
}

CUDALABS_API int cuTexObjectCreate(cudaTextureObject_t* object, const ResourceDescriptor* given,
                                   const TextureDescriptor* reading, const cudaResourceViewDesc* view) {
  CUDALABS_DRIVER_CALL("cuTexObjectCreate");
  return in_context([&]() -> int {
    if (!object || !given || !reading) return kInvalidValue;
    const cudaResourceDesc resource = resource_of(*given);
    cudaTextureDesc description;
    memset(&description, 0, sizeof description);
    for (int i = 0; i < 3; ++i)
      description.addressMode[i] = static_cast<cudaTextureAddressMode>(reading->address_modes[i]);
    for (int i = 0; i < 4; ++i) description.borderColor[i] = reading->border[i];
    description.filterMode = static_cast<cudaTextureFilterMode>(reading->filter_mode);
    const bool promoted = (reading->flags & kReadAsInteger) == 0 && !has_wide_texels(resource);
    description.readMode = promoted ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    description.normalizedCoords = (reading->flags & kNormalizedCoordinates) != 0;
    description.sRGB = (reading->flags & kSrgb) != 0;
    description.seamlessCubemap = (reading->flags & kSeamless) != 0;
    description.maxAnisotropy = reading->anisotropy;
    return result_of(cudaCreateTextureObject(object, &resource, &description, view));
  });
}

CUDALABS_API int cuTexObjectDestroy(cudaTextureObject_t object) {
  CUDALABS_DRIVER_CALL("cuTexObjectDestroy");
  return in_context([&] { return cudaDestroyTextureObject(object); });
}

CUDALABS_API int cuSurfObjectCreate(cudaSurfaceObject_t* object, const ResourceDescriptor* given) {
  CUDALABS_DRIVER_CALL("cuSurfObjectCreate");
  return in_context([&]() -> int {
    if (!object || !given) return kInvalidValue;
    const cudaResourceDesc resource = resource_of(*given);
    return result_of(cudaCreateSurfaceObject(object, &resource));
  });
}

CUDALABS_API int cuSurfObjectDestroy(cudaSurfaceObject_t object) {
  CUDALABS_DRIVER_CALL("cuSurfObjectDestroy");
  return in_context([&] { return cudaDestroySurfaceObject(object); });
}

}  // namespace cudalabs::vgpu::client::driver
