// The runtime API: texture and surface objects. The server keeps what kernels need of them.
#include "vgpu/cudart/client/device_array.h"

namespace cudalabs::vgpu::client {

namespace {

/// What a program may ask about an object.
struct ImageObject {
  std::uint64_t handle = 0;
  bool surface = false;
  cudaResourceDesc resource;
  cudaTextureDesc description;
};

Array<ImageObject> objects;  // while the lock is held

const ImageObject* find_object(std::uint64_t handle, bool surface) {
  for (const ImageObject& object : objects) {
    if (object.handle == handle && object.surface == surface) return &object;
  }
  return nullptr;
}

/// Memory of the program's own choice begins at a multiple of 512 bytes, and its rows of 32, as a GPU asks for. All
/// that is allocated does, there; here addresses count from where the allocation begins.
bool is_aligned(Client& self, std::uint64_t address, std::uint64_t pitch) {
  const Range* const allocation = self.allocations.holding(address);
  return (allocation == nullptr || (address - allocation->address) % 512 == 0) && pitch % 32 == 0;
}

/// Where the texels lie, and what they are.
cudaError_t describe_resource(Client& self, const cudaResourceDesc& resource, wire::CreateImage& image) {
  const cudaChannelFormatDesc* format = nullptr;
  image.extent[1] = image.extent[2] = 1;
  const auto size = [](std::size_t texels) { return static_cast<std::uint32_t>(texels); };
  if (resource.resType == cudaResourceTypeArray) {
    const cudaArray* const array = live_array(self, resource.res.array.array);
    if (!array) return cudaErrorInvalidResourceHandle;
    if (image.surface != 0 && (array->flags & cudaArraySurfaceLoadStore) == 0) return cudaErrorInvalidValue;
    format = &array->format;
    image.address = array->address;
    image.pitch = array->pitch();
    image.slice = array->pitch() * array->rows();
    image.layered = array->layered();
    image.dimensions = array->extent.depth != 0 && !array->layered() ? 3 : array->extent.height != 0 ? 2 : 1;
    image.extent[0] = size(array->extent.width);
    image.extent[1] = size(array->rows());
    image.extent[2] = size(array->slices());
  } else if (resource.resType == cudaResourceTypeLinear && image.surface == 0) {
    const auto& linear = resource.res.linear;
    format = &linear.desc;
    image.address = address_of(linear.devPtr);
    if (!is_aligned(self, image.address, 0)) return cudaErrorInvalidValue;
    image.dimensions = 1;
    const Channels channels = channels_of(linear.desc);
    constexpr std::size_t kMostTexels = 1u << 28;
    if (channels.count == 0) return cudaErrorInvalidChannelDescriptor;
    const std::size_t texels = linear.sizeInBytes / (channels.count * channels.bytes);
    if (texels == 0 || texels > kMostTexels) return cudaErrorInvalidValue;
    image.extent[0] = size(texels);
    image.pitch = image.slice = texels * channels.count * channels.bytes;
  } else if (resource.resType == cudaResourceTypePitch2D && image.surface == 0) {
    const auto& rows = resource.res.pitch2D;
    format = &rows.desc;
    constexpr std::size_t kMostTexels = 131'072;
    if (rows.width == 0 || rows.height == 0 || rows.width > kMostTexels || rows.height > kMostTexels)
      return cudaErrorInvalidValue;
    image.address = address_of(rows.devPtr);
    if (!is_aligned(self, image.address, rows.pitchInBytes)) return cudaErrorInvalidValue;
    image.pitch = rows.pitchInBytes;
    image.slice = rows.pitchInBytes * rows.height;
    image.dimensions = 2;
    image.extent[0] = size(rows.width);
    image.extent[1] = size(rows.height);
  } else {
    return resource.resType == cudaResourceTypeMipmappedArray ? cudaErrorNotSupported : cudaErrorInvalidValue;
  }
  const Channels channels = channels_of(*format);
  if (channels.count == 0) return cudaErrorInvalidChannelDescriptor;
  image.channels = channels.count;
  image.channel_bytes = channels.bytes;
  image.kind = static_cast<std::uint32_t>(format->f);
  return cudaSuccess;
}

/// How they are read.
cudaError_t describe_reading(const cudaResourceDesc& resource, const cudaTextureDesc& description,
                             wire::CreateImage& image) {
  for (int i = 0; i < 3; ++i) {
    const auto mode = static_cast<std::uint32_t>(description.addressMode[i]);
    if (mode > cudaAddressModeBorder) return cudaErrorInvalidValue;
    image.modes[i] = mode;
  }
  const bool is_float = image.kind == cudaChannelFormatKindFloat;
  const bool normalizes = description.readMode == cudaReadModeNormalizedFloat && !is_float;
  if (normalizes && image.channel_bytes == 4) return cudaErrorInvalidNormSetting;
  const bool linear_memory = resource.resType == cudaResourceTypeLinear;
  image.normalized_read = normalizes;
  image.linear_filter = description.filterMode == cudaFilterModeLinear && !linear_memory;
  if (image.linear_filter != 0 && !is_float && !normalizes) return cudaErrorInvalidFilterSetting;
  image.normalized_coordinates = description.normalizedCoords != 0;
  for (int i = 0; i < 4; ++i) image.border[i] = description.borderColor[i];
  return cudaSuccess;
}

cudaError_t create(Client& self, std::uint64_t* object, const cudaResourceDesc* resource,
                   const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  if (!object || !resource) return cudaErrorInvalidValue;
  if (view != nullptr ||
      (description && (description->sRGB != 0 || description->maxAnisotropy > 1 || description->seamlessCubemap != 0)))
    return cudaErrorNotSupported;
  wire::CreateImage image;
  image.surface = description == nullptr;
  cudaError_t status = describe_resource(self, *resource, image);
  if (status == cudaSuccess && description) status = describe_reading(*resource, *description, image);
  wire::Handle handle;
  if (status == cudaSuccess) status = self.ask(wire::Op::create_image, image, &handle);
  if (status != cudaSuccess) return status;
  const cudaTextureDesc none = {};
  if (!objects.push({handle.id, description == nullptr, *resource, description ? *description : none})) {
    self.ask(wire::Op::destroy_image, handle);
    return cudaErrorMemoryAllocation;
  }
  *object = handle.id;
  return cudaSuccess;
}

cudaError_t destroy(Client& self, std::uint64_t handle, bool surface) {
  if (handle == 0) return cudaSuccess;
  const ImageObject* const object = find_object(handle, surface);
  if (!object) return cudaErrorInvalidResourceHandle;
  const cudaError_t status = self.ask(wire::Op::destroy_image, wire::Handle{handle});
  objects.erase(static_cast<std::size_t>(object - objects.begin()));
  return status;
}

cudaError_t resource_of(cudaResourceDesc* resource, std::uint64_t handle, bool surface) {
  const ImageObject* const object = find_object(handle, surface);
  if (!resource || !object) return cudaErrorInvalidValue;
  *resource = object->resource;
  return cudaSuccess;
}

}  // namespace

CUDALABS_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                                 const cudaTextureDesc* description, const cudaResourceViewDesc* view) {
  return answer(wire::call("cudaCreateTextureObject"), call_site(), [&](Client& self) {
    std::uint64_t handle = 0;
    if (!object) return cudaErrorInvalidValue;
    if (!description) return cudaErrorInvalidResourceHandle;  // so does an H100
    const cudaError_t status = create(self, &handle, resource, description, view);
    if (status == cudaSuccess) *object = handle;
    return status;
  });
}

CUDALABS_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return answer(wire::call("cudaDestroyTextureObject"), call_site(),
                [&](Client& self) { return destroy(self, object, false); });
}

CUDALABS_API cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object) {
  return answer_here(wire::call("cudaGetTextureObjectResourceDesc"), call_site(),
                     [&](Client&) { return resource_of(resource, object, false); });
}

CUDALABS_API cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description, cudaTextureObject_t handle) {
  return answer_here(wire::call("cudaGetTextureObjectTextureDesc"), call_site(), [&](Client&) {
    const ImageObject* const object = find_object(handle, false);
    if (!description || !object) return cudaErrorInvalidValue;
    *description = object->description;
    return cudaSuccess;
  });
}

// No object has a view: one that is to have it is refused.
CUDALABS_API cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc*, cudaTextureObject_t) {
  return answer_here(wire::call("cudaGetTextureObjectResourceViewDesc"), call_site(),
                     [](Client&) { return cudaErrorInvalidValue; });
}

CUDALABS_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return answer(wire::call("cudaCreateSurfaceObject"), call_site(), [&](Client& self) {
    std::uint64_t handle = 0;
    if (!object) return cudaErrorInvalidValue;
    const cudaError_t status = create(self, &handle, resource, nullptr, nullptr);
    if (status == cudaSuccess) *object = handle;
    return status;
  });
}

CUDALABS_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return answer(wire::call("cudaDestroySurfaceObject"), call_site(),
                [&](Client& self) { return destroy(self, object, true); });
}

CUDALABS_API cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object) {
  return answer_here(wire::call("cudaGetSurfaceObjectResourceDesc"), call_site(),
                     [&](Client&) { return resource_of(resource, object, true); });
}

}  // namespace cudalabs::vgpu::client
