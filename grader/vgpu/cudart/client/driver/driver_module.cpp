// The driver API: device code that the program loads itself, and what is in it.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vgpu/cudart/client/driver/driver_context.h"

namespace cudalabs::vgpu::client::driver {
namespace {

constexpr char kElf[] = {0x7f, 'E', 'L', 'F'};

bool is_loaded(Client& self, const Module* module) {
  for (const Module* known : self.modules)
    if (known == module) return module->state != Module::State::removed;
  return false;
}

int load(ModuleHandle* module, const void* image) {
  return in_context([&]() -> int {
    if (!module || !image) return kInvalidValue;
    // Machine code of a GPU: there is nothing in it that could be executed here.
    if (strncmp(static_cast<const char*>(image), kElf, sizeof kElf) == 0) {
      answer_here(wire::call("cudaGetDriverEntryPoint"), {},
                  [](Client& self) { return refuse_part(self, wire::UnsupportedPart::machine_code); });
      return kNotSupported;
    }
    const cudaError_t status = answer(0, {}, [&](Client& self) { return self.load_image(image, module); });
    return result_of(status);
  });
}

}  // namespace

char* contents(const char* path, std::size_t* bytes_read) {
  FILE* const file = fopen(path, "rb");
  if (!file) return nullptr;
  char* bytes = nullptr;
  std::size_t size = 0, room = 0;
  for (;;) {
    if (size + 1 >= room) {
      room = room == 0 ? 1 << 16 : 2 * room;
      char* const more = static_cast<char*>(realloc(bytes, room));
      if (!more) break;
      bytes = more;
    }
    const std::size_t got = fread(bytes + size, 1, room - size - 1, file);
    size += got;
    if (got == 0) {
      const bool failed = ferror(file) != 0;
      fclose(file);
      if (failed) break;
      bytes[size] = 0;
      if (bytes_read) *bytes_read = size;
      return bytes;
    }
  }
  free(bytes);
  return nullptr;
}

namespace {

int load_file(ModuleHandle* module, const char* path) {
  return in_context([&]() -> int {
    if (!module || !path) return kInvalidValue;
    char* const image = contents(path, nullptr);
    if (!image) return kFileNotFound;
    const int result = load(module, image);
    free(image);
    return result;
  });
}

int unload(ModuleHandle module) {
  return in_context([&] {
    Lock lock;
    if (!is_loaded(client(), module)) return kInvalidHandle;
    module->state = Module::State::removed;
    return kSuccess;
  });
}

int function_of(KernelHandle* kernel, ModuleHandle module, const char* name) {
  return in_context([&]() -> int {
    if (!kernel || !name) return kInvalidValue;
    Lock lock;
    Client& self = client();
    if (!is_loaded(self, module)) return kInvalidHandle;
    Function* function = nullptr;
    const cudaError_t status = self.find_function(*module, name, &function);
    if (status == cudaSuccess) *kernel = function->host;
    return result_of(status);
  });
}

int variable_of(DevicePointer* address, std::size_t* bytes, ModuleHandle module, const char* name) {
  return in_context([&]() -> int {
    if ((!address && !bytes) || !name) return kInvalidValue;
    Lock lock;
    Client& self = client();
    if (!is_loaded(self, module)) return kInvalidHandle;
    Variable* variable = nullptr;
    const cudaError_t status = self.find_variable(*module, name, &variable);
    if (status != cudaSuccess) return result_of(status);
    if (address) *address = variable->address;
    if (bytes) *bytes = variable->bytes;
    return kSuccess;
  });
}

}  // namespace

CUDALABS_API int cuModuleLoad(ModuleHandle* module, const char* path) {
  CUDALABS_DRIVER_CALL("cuModuleLoad");
  return load_file(module, path);
}

CUDALABS_API int cuModuleLoadData(ModuleHandle* module, const void* image) {
  CUDALABS_DRIVER_CALL("cuModuleLoadData");
  return load(module, image);
}

// Options are those of a compiler that does not run here.
CUDALABS_API int cuModuleLoadDataEx(ModuleHandle* module, const void* image, unsigned int, int*, void**) {
  CUDALABS_DRIVER_CALL("cuModuleLoadDataEx");
  return load(module, image);
}

CUDALABS_API int cuModuleLoadFatBinary(ModuleHandle* module, const void* image) {
  CUDALABS_DRIVER_CALL("cuModuleLoadFatBinary");
  return load(module, image);
}

CUDALABS_API int cuModuleUnload(ModuleHandle module) {
  return unload(module);
}

CUDALABS_API int cuModuleGetFunction(KernelHandle* kernel, ModuleHandle module, const char* name) {
  CUDALABS_DRIVER_CALL("cuModuleGetFunction");
  return function_of(kernel, module, name);
}

CUDALABS_API int cuModuleGetGlobal_v2(DevicePointer* address, std::size_t* bytes, ModuleHandle module,
                                      const char* name) {
  CUDALABS_DRIVER_CALL("cuModuleGetGlobal_v2");
  return variable_of(address, bytes, module, name);
}

CUDALABS_API int cuModuleGetLoadingMode(int* mode) {
  constexpr int kEager = 1;
  return mode ? (*mode = kEager, kSuccess) : kInvalidValue;
}

CUDALABS_API int cuLibraryLoadData(ModuleHandle* library, const void* code, int*, void**, unsigned int, int*, void**,
                                   unsigned int) {
  CUDALABS_DRIVER_CALL("cuLibraryLoadData");
  return load(library, code);
}

CUDALABS_API int cuLibraryLoadFromFile(ModuleHandle* library, const char* path, int*, void**, unsigned int, int*,
                                       void**, unsigned int) {
  CUDALABS_DRIVER_CALL("cuLibraryLoadFromFile");
  return load_file(library, path);
}

CUDALABS_API int cuLibraryUnload(ModuleHandle library) {
  return unload(library);
}

CUDALABS_API int cuLibraryGetModule(ModuleHandle* module, ModuleHandle library) {
  return in_context([&] { return module ? (*module = library, kSuccess) : kInvalidValue; });
}

CUDALABS_API int cuLibraryGetKernel(KernelHandle* kernel, ModuleHandle library, const char* name) {
  CUDALABS_DRIVER_CALL("cuLibraryGetKernel");
  return function_of(kernel, library, name);
}

CUDALABS_API int cuLibraryGetGlobal(DevicePointer* address, std::size_t* bytes, ModuleHandle library,
                                    const char* name) {
  CUDALABS_DRIVER_CALL("cuLibraryGetGlobal");
  return variable_of(address, bytes, library, name);
}

CUDALABS_API int cuKernelGetFunction(KernelHandle* function, KernelHandle kernel) {
  return in_context([&] { return function ? (*function = kernel, kSuccess) : kInvalidValue; });
}

}  // namespace cudalabs::vgpu::client::driver
