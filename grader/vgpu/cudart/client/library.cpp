// Loads and unloads code for the program, from memory and from files.
#include "vgpu/cudart/client/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace cudalabs::vgpu::client {
namespace {

constexpr char kElf[] = {0x7f, 'E', 'L', 'F'};

}  // namespace

Module* loaded_module(Client& self, const void* handle) {
  for (Module* known : self.modules)
    if (known == handle) return known->state == Module::State::removed ? nullptr : known;
  return nullptr;
}

cudaError_t load_code(Client& self, const void* code, Module** module) {
  if (code == nullptr || module == nullptr) return cudaErrorInvalidValue;
  // There is nothing in it that could be executed here.
  if (strncmp(static_cast<const char*>(code), kElf, sizeof kElf) == 0)
    return refuse_part(self, wire::UnsupportedPart::machine_code);
  return self.load_image(code, module);
}

cudaError_t load_code_file(Client& self, const char* path, Module** module) {
  if (path == nullptr || module == nullptr) return cudaErrorInvalidValue;
  char* const code = file_contents(path, nullptr);
  if (code == nullptr) return cudaErrorFileNotFound;
  const cudaError_t status = load_code(self, code, module);
  free(code);
  return status;
}

cudaError_t unload_code(Client& self, const void* handle) {
  Module* const module = loaded_module(self, handle);
  if (module == nullptr) return cudaErrorInvalidResourceHandle;
  module->state = Module::State::removed;
  return cudaSuccess;
}

char* file_contents(const char* path, std::size_t* bytes_read) {
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

}  // namespace cudalabs::vgpu::client
