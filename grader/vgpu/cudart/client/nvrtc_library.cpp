// NVRTC's library is the toolkit's own. Programs that ask it for machine code get PTX, which is what the driver's calls
// take here, and the code has lines. This library is loaded before all others, and finds the toolkit's behind itself.
#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace {

using Program = void*;  // nvrtcProgram
using Result = int;     // nvrtcResult

constexpr Result kSuccess = 0, kInternalError = 11;
constexpr int kMostOptions = 255;

template <class Function>
Function* next_of(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

using SizeCall = Result(Program, std::size_t*);
using TextCall = Result(Program, char*);

/// There is machine code of the program, and PTX, which it gives the size of.
bool has_ptx(Program program, std::size_t* bytes) {
  const auto machine_code_size = next_of<SizeCall>("nvrtcGetCUBINSize");
  const auto ptx_size = next_of<SizeCall>("nvrtcGetPTXSize");
  std::size_t of_machine_code = 0;
  return machine_code_size != nullptr && ptx_size != nullptr &&
         machine_code_size(program, &of_machine_code) == kSuccess && of_machine_code != 0 &&
         ptx_size(program, bytes) == kSuccess && *bytes > 1;
}

bool asks_for_lines(int count, const char* const* options) {
  for (int i = 0; i < count; ++i) {
    for (const char* name : {"-lineinfo", "--generate-line-info", "-G", "--device-debug"}) {
      if (options[i] != nullptr && std::strcmp(options[i], name) == 0) return true;
    }
  }
  return false;
}

}  // namespace

#define CUDALABS_EXPORT extern "C" __attribute__((visibility("default")))

CUDALABS_EXPORT Result nvrtcGetCUBINSize(Program program, std::size_t* bytes) {
  std::size_t of_ptx = 0;
  if (bytes != nullptr && has_ptx(program, &of_ptx)) {
    *bytes = of_ptx;
    return kSuccess;
  }
  const auto real = next_of<SizeCall>("nvrtcGetCUBINSize");
  return real == nullptr ? kInternalError : real(program, bytes);
}

CUDALABS_EXPORT Result nvrtcGetCUBIN(Program program, char* code) {
  std::size_t bytes = 0;
  const auto real = next_of<TextCall>(has_ptx(program, &bytes) ? "nvrtcGetPTX" : "nvrtcGetCUBIN");
  return real == nullptr ? kInternalError : real(program, code);
}

CUDALABS_EXPORT Result nvrtcCompileProgram(Program program, int count, const char* const* options) {
  const auto real = next_of<Result(Program, int, const char* const*)>("nvrtcCompileProgram");
  if (real == nullptr) return kInternalError;
  if (count < 0 || count >= kMostOptions || (count > 0 && options == nullptr) || asks_for_lines(count, options))
    return real(program, count, options);
  std::array<const char*, kMostOptions + 1> with_lines{};
  for (int i = 0; i < count; ++i) with_lines[static_cast<std::size_t>(i)] = options[i];
  with_lines[static_cast<std::size_t>(count)] = "--generate-line-info";
  return real(program, count + 1, with_lines.data());
}
