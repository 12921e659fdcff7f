// The driver API: linking. Of one piece of PTX there is nothing to link, and what comes out is that text, which loads
// as a module. Several pieces, and machine code, are not linked here.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vgpu/cudart/client/driver/driver_context.h"
#include "vgpu/cudart/client/library.h"

namespace cudalabs::vgpu::client::driver {
namespace {

/// A CUlinkState.
struct Linking {
  char* text = nullptr;  // and a NUL
  std::size_t bytes = 0;
};

constexpr int kPtx = 1;  // CUjitInputType
// CUjit_option: what the linker would tell.
constexpr int kWallTime = 2, kInfoLog = 3, kInfoLogBytes = 4, kErrorLog = 5, kErrorLogBytes = 6;

/// There is no linker that has anything to say.
void answer_options(unsigned int count, const int* options, void** values) {
  if (!options || !values) return;
  for (unsigned int i = 0; i < count; ++i) {
    const bool is_log = options[i] == kInfoLog || options[i] == kErrorLog;
    if (is_log && values[i]) *static_cast<char*>(values[i]) = 0;
    if (options[i] == kInfoLogBytes || options[i] == kErrorLogBytes || options[i] == kWallTime) values[i] = nullptr;
  }
}

int not_supported() {
  return result_of(
      answer_here(wire::call("cudaGetDriverEntryPoint"), {}, [](Client&) { return cudaErrorNotSupported; }));
}

int add(Linking* linking, int type, const void* data, std::size_t bytes) {
  if (!linking || !data || bytes == 0) return kInvalidValue;
  if (type != kPtx || linking->text) return not_supported();
  linking->text = static_cast<char*>(malloc(bytes + 1));
  if (!linking->text) return kOutOfMemory;
  memcpy(linking->text, data, bytes);
  linking->text[bytes] = 0;
  linking->bytes = strlen(linking->text) + 1;
  return kSuccess;
}

}  // namespace

CUDALABS_API int cuLinkCreate_v2(unsigned int count, int* options, void** values, Linking** made) {
  CUDALABS_DRIVER_CALL("cuLinkCreate_v2");
  return in_context([&]() -> int {
    if (!made) return kInvalidValue;
    answer_options(count, options, values);
    *made = static_cast<Linking*>(calloc(1, sizeof(Linking)));
    return *made ? kSuccess : kOutOfMemory;
  });
}

CUDALABS_API int cuLinkAddData_v2(Linking* linking, int type, const void* data, std::size_t bytes, const char*,
                                  unsigned int, int*, void**) {
  CUDALABS_DRIVER_CALL("cuLinkAddData_v2");
  return in_context([&] { return add(linking, type, data, bytes); });
}

CUDALABS_API int cuLinkAddFile_v2(Linking* linking, int type, const char* path, unsigned int, int*, void**) {
  CUDALABS_DRIVER_CALL("cuLinkAddFile_v2");
  return in_context([&]() -> int {
    if (!path) return kInvalidValue;
    std::size_t bytes = 0;
    char* const text = file_contents(path, &bytes);
    if (!text) return kFileNotFound;
    const int result = add(linking, type, text, bytes);
    free(text);
    return result;
  });
}

CUDALABS_API int cuLinkComplete(Linking* linking, void** code, std::size_t* bytes) {
  CUDALABS_DRIVER_CALL("cuLinkComplete");
  return in_context([&]() -> int {
    if (!linking || !linking->text || !code) return kInvalidValue;
    *code = linking->text;
    if (bytes) *bytes = linking->bytes;
    return kSuccess;
  });
}

CUDALABS_API int cuLinkDestroy(Linking* linking) {
  CUDALABS_DRIVER_CALL("cuLinkDestroy");
  return in_context([&]() -> int {
    if (!linking) return kInvalidHandle;
    free(linking->text);
    free(linking);
    return kSuccess;
  });
}

}  // namespace cudalabs::vgpu::client::driver
