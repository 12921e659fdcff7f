// The driver API: device code that the program loads itself, and what is in it.
#include <stdlib.h>
#include <string.h>

#include "vgpu/cudart/client/driver/driver_context.h"
#include "vgpu/cudart/client/library.h"

namespace cudalabs::vgpu::client::driver {
namespace {

constexpr char kElf[] = {0x7f, 'E', 'L', 'F'};

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

int load_file(ModuleHandle* module, const char* path) {
  return in_context([&]() -> int {
    if (!module || !path) return kInvalidValue;
    char* const image = file_contents(path, nullptr);
    if (!image) return kFileNotFound;
    const int result = load(module, image);
    free(image);
    return result;
  });
}

int unload(ModuleHandle module) {
  return in_context([&] {
    Lock lock;
    if (!loaded_module(client(), module)) return kInvalidHandle;
    module->state = Module::State::removed;
    return kSuccess;
  });
}

int function_of(KernelHandle* kernel, ModuleHandle module, const char* name) {
  return in_context([&]() -> int {
    if (!kernel || !name) return kInvalidValue;
    Lock lock;
    Client& self = client();
    if (!loaded_module(self, module)) return kInvalidHandle;
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
    if (!loaded_module(self, module)) return kInvalidHandle;
    Variable* variable = nullptr;
    const cudaError_t status = self.find_variable(*module, name, &variable);
    if (status != cudaSuccess) return result_of(status);
    if (address) *address = variable->address;
    if (bytes) *bytes = variable->bytes;
    return kSuccess;
  });
}

/// The module that a kernel is of.
int module_of(ModuleHandle* module, KernelHandle kernel) {
  return in_context([&]() -> int {
    if (!module) return kInvalidValue;
    Lock lock;
    Function* function = nullptr;
    const cudaError_t status = client().find_function(kernel, &function);
    if (status == cudaSuccess) *module = function->module;
    return result_of(status);
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

CUDALABS_API int cuLibraryGetManaged(void** address, std::size_t* bytes, cudaLibrary_t library, const char* name) {
  CUDALABS_DRIVER_CALL("cuLibraryGetManaged");
  return in_context([&] { return cudaLibraryGetManaged(address, bytes, library, name); });
}

CUDALABS_API int cuLibraryGetUnifiedFunction(void** function, cudaLibrary_t library, const char* name) {
  CUDALABS_DRIVER_CALL("cuLibraryGetUnifiedFunction");
  return in_context([&] { return cudaLibraryGetUnifiedFunction(function, library, name); });
}

CUDALABS_API int cuLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library) {
  CUDALABS_DRIVER_CALL("cuLibraryGetKernelCount");
  return in_context([&] { return cudaLibraryGetKernelCount(count, library); });
}

CUDALABS_API int cuLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int room, cudaLibrary_t library) {
  CUDALABS_DRIVER_CALL("cuLibraryEnumerateKernels");
  return in_context([&] { return cudaLibraryEnumerateKernels(kernels, room, library); });
}

CUDALABS_API int cuModuleGetFunctionCount(unsigned int* count, cudaLibrary_t module) {
  CUDALABS_DRIVER_CALL("cuModuleGetFunctionCount");
  return in_context([&] { return cudaLibraryGetKernelCount(count, module); });
}

CUDALABS_API int cuModuleEnumerateFunctions(cudaKernel_t* functions, unsigned int room, cudaLibrary_t module) {
  CUDALABS_DRIVER_CALL("cuModuleEnumerateFunctions");
  return in_context([&] { return cudaLibraryEnumerateKernels(functions, room, module); });
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

CUDALABS_API int cuFuncGetModule(ModuleHandle* module, KernelHandle function) {
  CUDALABS_DRIVER_CALL("cuFuncGetModule");
  return module_of(module, function);
}

CUDALABS_API int cuKernelGetLibrary(ModuleHandle* library, KernelHandle kernel) {
  CUDALABS_DRIVER_CALL("cuKernelGetLibrary");
  return module_of(library, kernel);
}

// A function that a program has a handle of is loaded.
CUDALABS_API int cuFuncIsLoaded(int* state, KernelHandle function) {
  CUDALABS_DRIVER_CALL("cuFuncIsLoaded");
  constexpr int kLoaded = 1;
  ModuleHandle module = nullptr;
  if (!state) return kInvalidValue;
  const int result = module_of(&module, function);
  if (result == kSuccess) *state = kLoaded;
  return result;
}

CUDALABS_API int cuFuncLoad(KernelHandle function) {
  CUDALABS_DRIVER_CALL("cuFuncLoad");
  ModuleHandle module = nullptr;
  return module_of(&module, function);
}

CUDALABS_API int cuKernelGetFunction(KernelHandle* function, KernelHandle kernel) {
  return in_context([&] { return function ? (*function = kernel, kSuccess) : kInvalidValue; });
}

}  // namespace cudalabs::vgpu::client::driver
