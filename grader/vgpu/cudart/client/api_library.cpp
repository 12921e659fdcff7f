// The runtime API: libraries of device code that the program loads, and handles of kernels.
#include "vgpu/cudart/client/library.h"

namespace cudalabs::vgpu::client {
namespace {

cudaKernel_t handle_of_kernel(const Function& function) {
  return reinterpret_cast<cudaKernel_t>(const_cast<void*>(function.host));
}

/// Nothing is compiled here for the options to have an effect on: logs are empty.
void empty_logs(const cudaJitOption* options, void** values, unsigned int count) {
  if (options == nullptr || values == nullptr) return;
  std::size_t room[2] = {0, 0};
  for (unsigned int i = 0; i < count; ++i) {
    const bool of_errors = options[i] == cudaJitErrorLogBufferSizeBytes;
    if (!of_errors && options[i] != cudaJitInfoLogBufferSizeBytes) continue;
    room[of_errors ? 1 : 0] = static_cast<unsigned int>(address_of(values[i]));
    values[i] = nullptr;  // the bytes that were written
  }
  for (unsigned int i = 0; i < count; ++i) {
    const bool of_errors = options[i] == cudaJitErrorLogBuffer;
    if (!of_errors && options[i] != cudaJitInfoLogBuffer) continue;
    if (values[i] != nullptr && room[of_errors ? 1 : 0] > 0) *static_cast<char*>(values[i]) = 0;
  }
}

cudaError_t check_options(Client& self, const cudaLibraryOption* options, unsigned int count) {
  if (count > 0 && options == nullptr) return cudaErrorInvalidValue;
  for (unsigned int i = 0; i < count; ++i) {
    if (options[i] == cudaLibraryHostUniversalFunctionAndDataTable)
      return refuse_part(self, wire::UnsupportedPart::function_table);
    if (options[i] != cudaLibraryBinaryIsPreserved) return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

/// `load(client, module)`, with the options that both calls have.
template <class Load>
cudaError_t load_library(Client& self, cudaLibrary_t* library, const cudaJitOption* jit_options, void** jit_values,
                         unsigned int jit_count, const cudaLibraryOption* options, unsigned int count, Load&& load) {
  if (library == nullptr || (jit_count > 0 && (jit_options == nullptr || jit_values == nullptr)))
    return cudaErrorInvalidValue;
  if (const cudaError_t status = check_options(self, options, count); status != cudaSuccess) return status;
  empty_logs(jit_options, jit_values, jit_count);
  Module* module = nullptr;
  const cudaError_t status = load(&module);
  if (status == cudaSuccess) *library = reinterpret_cast<cudaLibrary_t>(module);
  return status;
}

/// Answers a call about a library by `body(client, module)`.
template <class Body>
cudaError_t with_library(std::uint16_t call, CallSite site, cudaLibrary_t library, Body&& body) {
  return answer_and_tell(call, site, [&](Client& self) {
    Module* const module = loaded_module(self, library);
    return module == nullptr ? cudaErrorInvalidResourceHandle : body(self, *module);
  });
}

cudaError_t give_variable(Client& self, Module& module, void** address, std::size_t* bytes, const char* name,
                          bool managed) {
  if ((address == nullptr && bytes == nullptr) || name == nullptr) return cudaErrorInvalidValue;
  Variable* variable = nullptr;
  if (const cudaError_t status = self.find_variable(module, name, &variable); status != cudaSuccess) return status;
  auto* const found = reinterpret_cast<void*>(variable->address);
  if (managed && !self.is_managed(found)) return cudaErrorSymbolNotFound;
  if (address != nullptr) *address = found;
  if (bytes != nullptr) *bytes = variable->bytes;
  return cudaSuccess;
}

}  // namespace

CUDALABS_API cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* jit_options,
                                             void** jit_values, unsigned int jit_count, cudaLibraryOption* options,
                                             void**, unsigned int count) {
  return answer_and_tell(wire::call("cudaLibraryLoadData"), call_site(), [&](Client& self) {
    return load_library(self, library, jit_options, jit_values, jit_count, options, count,
                        [&](Module** module) { return load_code(self, code, module); });
  });
}

CUDALABS_API cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path, cudaJitOption* jit_options,
                                                 void** jit_values, unsigned int jit_count, cudaLibraryOption* options,
                                                 void**, unsigned int count) {
  return answer_and_tell(wire::call("cudaLibraryLoadFromFile"), call_site(), [&](Client& self) {
    return load_library(self, library, jit_options, jit_values, jit_count, options, count,
                        [&](Module** module) { return load_code_file(self, path, module); });
  });
}

CUDALABS_API cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return answer_and_tell(wire::call("cudaLibraryUnload"), call_site(),
                         [&](Client& self) { return unload_code(self, library); });
}

CUDALABS_API cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  return with_library(wire::call("cudaLibraryGetKernel"), call_site(), library, [&](Client& self, Module& module) {
    if (kernel == nullptr || name == nullptr) return cudaErrorInvalidValue;
    Function* function = nullptr;
    const cudaError_t status = self.find_function(module, name, &function);
    if (status == cudaSuccess) *kernel = handle_of_kernel(*function);
    return status;
  });
}

CUDALABS_API cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library) {
  return with_library(wire::call("cudaLibraryGetKernelCount"), call_site(), library, [&](Client& self, Module& module) {
    return count == nullptr ? cudaErrorInvalidValue : self.count_kernels(module, count);
  });
}

CUDALABS_API cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int room, cudaLibrary_t library) {
  return with_library(wire::call("cudaLibraryEnumerateKernels"), call_site(), library,
                      [&](Client& self, Module& module) {
                        unsigned int count = 0;
                        if (kernels == nullptr) return cudaErrorInvalidValue;
                        cudaError_t status = self.count_kernels(module, &count);
                        for (unsigned int i = 0; i < count && i < room && status == cudaSuccess; ++i) {
                          Function* function = nullptr;
                          status = self.find_function(module, i, &function);
                          if (status == cudaSuccess) kernels[i] = handle_of_kernel(*function);
                        }
                        return status;
                      });
}

CUDALABS_API cudaError_t cudaLibraryGetGlobal(void** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return with_library(wire::call("cudaLibraryGetGlobal"), call_site(), library, [&](Client& self, Module& module) {
    return give_variable(self, module, address, bytes, name, false);
  });
}

CUDALABS_API cudaError_t cudaLibraryGetManaged(void** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return with_library(wire::call("cudaLibraryGetManaged"), call_site(), library, [&](Client& self, Module& module) {
    return give_variable(self, module, address, bytes, name, true);
  });
}

// No library has such functions: a table of them is refused where one is loaded.
CUDALABS_API cudaError_t cudaLibraryGetUnifiedFunction(void** function, cudaLibrary_t library, const char* name) {
  return with_library(wire::call("cudaLibraryGetUnifiedFunction"), call_site(), library, [&](Client&, Module&) {
    return function == nullptr || name == nullptr ? cudaErrorInvalidValue : cudaErrorSymbolNotFound;
  });
}

CUDALABS_API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value,
                                                         int device) {
  return answer(wire::call("cudaKernelSetAttributeForDevice"), call_site(), [&](Client& self) {
    if (device != 0) return cudaErrorInvalidDevice;
    Function* function = nullptr;
    if (const cudaError_t status = self.find_function(kernel, &function); status != cudaSuccess) return status;
    return self.ask(wire::Op::set_attribute,
                    wire::SetAttribute{{function->module->handle, function->index}, attribute, value});
  });
}

CUDALABS_API cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* symbol) {
  return answer_and_tell(wire::call("cudaGetFuncBySymbol"), call_site(), [&](Client& self) {
    if (function == nullptr) return cudaErrorInvalidValue;
    Function* found = nullptr;
    const cudaError_t status = self.find_function(symbol, &found);
    if (status == cudaSuccess) *function = reinterpret_cast<cudaFunction_t>(const_cast<void*>(found->host));
    return status;
  });
}

}  // namespace cudalabs::vgpu::client
