// What compilers emit calls to: registration of device code, kernels and variables, and their loading when first
// needed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vgpu/cudart/client/client.h"
#include "vgpu/cudart/fat_binary.h"

namespace cudalabs::vgpu::client {
namespace {

/// How clang and nvcc wrap an image (fatbinary_section.h of the toolkit names these numbers).
struct FatBinaryWrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const void* image;
  const void* const* linked;  // in kLinkedVersion: the images of all files of the program, and null
};
constexpr std::uint32_t kWrapperMagic = 0x466243b1;
constexpr std::uint32_t kLinkedVersion = 2;  // of `nvcc -rdc=true`: the image is machine code that was linked

/// A fat binary container says its size; PTX text ends with a NUL.
std::uint64_t image_bytes(const void* image) {
  ContainerHeader header;
  if (strnlen(static_cast<const char*>(image), sizeof header.magic) == sizeof header.magic) {
    memcpy(&header.magic, image, sizeof header.magic);
    if (header.magic == kContainerMagic) {
      memcpy(&header, image, sizeof header);
      return header.header_bytes + header.payload_bytes;
    }
  }
  return strlen(static_cast<const char*>(image));
}

/// The images up to the null, one behind the other, for the caller to free; null when memory is exhausted.
char* joined(const void* const* images, std::uint64_t* bytes) {
  *bytes = 0;
  for (std::size_t i = 0; images[i]; ++i) *bytes += image_bytes(images[i]);
  char* const all = static_cast<char*>(malloc(*bytes));
  char* to = all;
  for (std::size_t i = 0; all && images[i]; ++i) {
    memcpy(to, images[i], image_bytes(images[i]));
    to += image_bytes(images[i]);
  }
  return all;
}

/// Walks the server's answer; every read is checked against the end.
class Reader {
 public:
  Reader(const char* data, std::uint64_t bytes) : data_(data), left_(bytes) {}
  const char* take(std::uint64_t bytes) {
    if (bytes > left_) return nullptr;
    const char* at = data_;
    data_ += bytes;
    left_ -= bytes;
    return at;
  }
  template <class T>
  bool take(T* value) {
    const char* at = take(sizeof(T));
    if (at) memcpy(static_cast<void*>(value), at, sizeof(T));
    return at != nullptr;
  }

 private:
  const char* data_;
  std::uint64_t left_;
};

/// Names are padded so that every record starts on a multiple of eight bytes.
std::uint64_t padded(std::uint32_t bytes) {
  return (std::uint64_t{bytes} + 7) / 8 * 8;
}

bool same_name(const char* name, const char* bytes, std::uint32_t count) {
  return strlen(name) == count && memcmp(name, bytes, count) == 0;
}

}  // namespace

/// The host may touch the managed variable from now on.
void Client::publish(Variable& variable) {
  if (!managed.add(variable.address, variable.bytes)) {
    fprintf(stderr, "cudalabs: no memory for the managed variable `%s`\n", variable.name);
    return;
  }
  watch_faults();
  variable.host = reinterpret_cast<void*>(variable.address);
  if (variable.pointer != nullptr) *variable.pointer = reinterpret_cast<void*>(variable.address);
}

void Client::resolve(Module& module, const char* data, std::uint64_t bytes) {
  Reader reader(data, bytes);
  wire::ModuleInfo info;
  if (!reader.take(&info)) return;
  module.handle = info.module;
  for (std::uint32_t i = 0; i < info.kernels; ++i) {
    wire::KernelRecord record;
    if (!reader.take(&record)) return;
    const char* parameters = reader.take(std::uint64_t{record.parameters} * sizeof(wire::Parameter));
    const char* name = reader.take(padded(record.name_bytes));
    if (!parameters || !name) return;
    for (Function& function : functions) {
      if (function.module != &module || !same_name(function.name, name, record.name_bytes)) continue;
      function.resolved = true;
      function.index = i;
      function.parameter_bytes = record.parameter_bytes;
      function.parameter_count = record.parameters;
      function.parameters = reinterpret_cast<const wire::Parameter*>(parameters);
    }
  }
  for (std::uint32_t i = 0; i < info.variables; ++i) {
    wire::VariableRecord record;
    if (!reader.take(&record)) return;
    const char* name = reader.take(padded(record.name_bytes));
    if (!name) return;
    for (Variable& variable : variables) {
      if (variable.module != &module || !same_name(variable.name, name, record.name_bytes)) continue;
      const bool is_new = !variable.resolved;
      variable.resolved = true;
      variable.address = record.address;
      variable.bytes = record.bytes;
      if (record.managed != 0 && is_new) publish(variable);
    }
  }
}

cudaError_t Client::load(Module& module) {
  if (module.state == Module::State::loaded) return cudaSuccess;
  if (module.state == Module::State::failed) return module.error;
  if (module.state == Module::State::removed) return cudaErrorCudartUnloading;
  wire::LoadModule request;
  char* together = nullptr;
  if (module.linked) {
    together = joined(module.linked, &request.image_bytes);
    if (!together) return cudaErrorMemoryAllocation;
  } else {
    request.image_bytes = image_bytes(module.image);
  }
  void* const bytes = together ? together : const_cast<void*>(module.image);
  const HostRows image{static_cast<std::byte*>(bytes), 0, request.image_bytes, 1};
  Expected expected;
  char* info = nullptr;
  expected.block = &info;
  const cudaError_t status = exchange(wire::Op::load_module, &request, sizeof request, &image, expected);
  free(together);
  if (status != cudaSuccess) {
    free(info);
    // A dead context is the context's failure, not this module's.
    if (status != dead_context && connected()) {
      module.state = Module::State::failed;
      module.error = status;
    }
    return status;
  }
  module.state = Module::State::loaded;
  module.names = info;
  module.names_bytes = expected.block_bytes;
  resolve(module, info, expected.block_bytes);
  return cudaSuccess;
}

cudaError_t Client::find_function(const void* host, Function** found) {
  for (Function& function : functions) {
    if (function.host != host) continue;
    const cudaError_t status = load(*function.module);
    if (status != cudaSuccess) return status;
    if (!function.resolved) return cudaErrorInvalidDeviceFunction;
    *found = &function;
    return cudaSuccess;
  }
  return cudaErrorInvalidDeviceFunction;
}

cudaError_t Client::find_variable(const void* symbol, Variable** found) {
  for (Variable& variable : variables) {
    if (variable.host != symbol) continue;
    const cudaError_t status = load(*variable.module);
    if (status != cudaSuccess) return status;
    if (!variable.resolved) return cudaErrorInvalidSymbol;
    *found = &variable;
    return cudaSuccess;
  }
  return cudaErrorInvalidSymbol;
}

cudaError_t Client::load_image(const void* image, Module** loaded) {
  const std::uint64_t bytes = image_bytes(image);
  auto* const module = static_cast<Module*>(malloc(sizeof(Module)));
  auto* const copy = static_cast<char*>(malloc(bytes + 1));
  if (!module || !copy || !modules.push(module)) {
    free(module);
    free(copy);
    return cudaErrorMemoryAllocation;
  }
  memcpy(copy, image, bytes);
  copy[bytes] = 0;
  *module = Module{};
  module->image = copy;
  *loaded = module;
  return load(*module);
}

template <class Entry>
cudaError_t Client::find_named(Array<Entry>& entries, Module& module, const char* name, Entry** found) {
  if (const cudaError_t status = load(module); status != cudaSuccess) return status;
  for (Entry& entry : entries) {
    if (entry.module != &module || !entry.resolved || strcmp(entry.name, name) != 0) continue;
    *found = &entry;
    return cudaSuccess;
  }
  // The program has nothing that stands for it: its name does, at an address of its own.
  Entry entry;
  char* const own_name = strdup(name);
  entry.host = entry.name = own_name;
  entry.module = &module;
  if (!own_name || !entries.push(entry)) {
    free(own_name);
    return cudaErrorMemoryAllocation;
  }
  resolve(module, module.names, module.names_bytes);
  Entry& added = entries[entries.size() - 1];
  if (added.resolved) {
    *found = &added;
    return cudaSuccess;
  }
  entries.erase(entries.size() - 1);
  free(own_name);
  return cudaErrorSymbolNotFound;
}

cudaError_t Client::count_kernels(Module& module, unsigned int* count) {
  if (const cudaError_t status = load(module); status != cudaSuccess) return status;
  wire::ModuleInfo info;
  *count = Reader(module.names, module.names_bytes).take(&info) ? info.kernels : 0;
  return cudaSuccess;
}

cudaError_t Client::find_function(Module& module, unsigned int index, Function** found) {
  if (const cudaError_t status = load(module); status != cudaSuccess) return status;
  Reader reader(module.names, module.names_bytes);
  wire::ModuleInfo info;
  bool complete = reader.take(&info);
  for (unsigned int i = 0; complete && i < info.kernels; ++i) {
    wire::KernelRecord record;
    complete = reader.take(&record) && reader.take(std::uint64_t{record.parameters} * sizeof(wire::Parameter));
    const char* const name = complete ? reader.take(padded(record.name_bytes)) : nullptr;
    complete = name != nullptr;
    if (!complete || i != index) continue;
    char* const whole = strndup(name, record.name_bytes);
    if (whole == nullptr) return cudaErrorMemoryAllocation;
    const cudaError_t status = find_function(module, whole, found);
    free(whole);
    return status;
  }
  return cudaErrorSymbolNotFound;
}

cudaError_t Client::find_function(Module& module, const char* name, Function** found) {
  return find_named(functions, module, name, found);
}

cudaError_t Client::find_variable(Module& module, const char* name, Variable** found) {
  return find_named(variables, module, name, found);
}

CUDALABS_API void** __cudaRegisterFatBinary(void* wrapper_address) {
  FatBinaryWrapper wrapper;
  memcpy(&wrapper, wrapper_address, sizeof wrapper);
  auto* module = static_cast<Module*>(malloc(sizeof(Module)));
  if (!module) return nullptr;
  *module = Module{};
  module->image = wrapper.image;
  if (wrapper.version == kLinkedVersion && wrapper.linked && wrapper.linked[0]) module->linked = wrapper.linked;
  if (wrapper.magic != kWrapperMagic) {
    module->state = Module::State::failed;
    module->error = cudaErrorInvalidKernelImage;
  }
  Lock lock;
  if (!client().modules.push(module)) {
    free(module);
    return nullptr;
  }
  return reinterpret_cast<void**>(module);
}

CUDALABS_API void __cudaRegisterFatBinaryEnd(void**) {}

CUDALABS_API char __cudaInitModule(void** handle) {
  auto* module = reinterpret_cast<Module*>(handle);
  if (!module) return 0;
  Lock lock;
  Client& self = client();
  return self.connect() == cudaSuccess && self.load(*module) == cudaSuccess ? 1 : 0;
}

CUDALABS_API void __cudaUnregisterFatBinary(void** handle) {
  auto* module = reinterpret_cast<Module*>(handle);
  if (!module) return;
  Lock lock;
  // Only marked: static destructors that run later may still refer to it.
  module->state = Module::State::removed;
}

CUDALABS_API void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* device_name, int,
                                         uint3*, uint3*, dim3*, dim3*, int*) {
  if (!handle) return;
  Function function;
  function.host = host_function;
  function.name = device_name;
  function.module = reinterpret_cast<Module*>(handle);
  Lock lock;
  client().functions.push(function);
}

CUDALABS_API void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* device_name, int, size_t,
                                    int, int) {
  if (!handle) return;
  Variable variable;
  variable.host = host_variable;
  variable.name = device_name;
  variable.module = reinterpret_cast<Module*>(handle);
  Lock lock;
  client().variables.push(variable);
}

// The program finds its variable by `pointer`, and calls __cudaInitModule before it looks there for the first time.
CUDALABS_API void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* device_name, int, size_t,
                                           int, int) {
  if (!handle) return;
  Variable variable;
  variable.pointer = pointer;
  variable.name = device_name;
  variable.module = reinterpret_cast<Module*>(handle);
  Lock lock;
  client().variables.push(variable);
}

}  // namespace cudalabs::vgpu::client
