// Device code that the program loads itself, as a library or a module.
#pragma once

#include "vgpu/cudart/client/client.h"

namespace cudalabs::vgpu::client {

/// What a handle of the program stands for; null: it is none, or unloaded. While the client's lock is held.
Module* loaded_module(Client& self, const void* handle);

/// PTX, or a fat binary that has some. Machine code of a GPU is refused by name.
cudaError_t load_code(Client& self, const void* code, Module** module);
/// The same from a file. cudaErrorFileNotFound where it cannot be read.
cudaError_t load_code_file(Client& self, const char* path, Module** module);
cudaError_t unload_code(Client& self, const void* handle);

/// The whole file and a NUL, for the caller to free; null: it cannot be read. `bytes`, where given: without the NUL.
char* file_contents(const char* path, std::size_t* bytes);

}  // namespace cudalabs::vgpu::client
