#include "grading/toolchain_choice.h"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "build/real_gpu.h"
#include "grading/request_error.h"

namespace cudalabs {

Toolchain choose_toolchain(FrontendChoice choice) {
  const auto wanted = [&]() -> std::vector<Frontend> {
    switch (choice) {
      case FrontendChoice::clang:
        return {Frontend::clang};
      case FrontendChoice::nvcc:
        return {Frontend::nvcc};
      case FrontendChoice::automatic:
        break;
    }
    return {Frontend::clang, Frontend::nvcc};  // the same PTX on every machine
  }();
  for (const Frontend frontend : wanted) {
    if (auto toolchain = find_toolchain(frontend)) return *toolchain;
  }
  if (choice == FrontendChoice::automatic) {
    throw std::runtime_error("no compiler for device code here: install clang and llvm (14 or newer)");
  }
  throw RequestError(fmt::format("--frontend {}: it is not installed here; --frontend auto takes what there is",
                                 name_of(wanted.front())));
}

std::optional<Toolchain> choose_real_gpu(DeviceChoice choice) {
  if (choice == DeviceChoice::virtual_gpu) return std::nullopt;
  const bool gpu = builder::has_real_gpu();
  if (gpu) {
    if (auto nvcc = find_toolchain(Frontend::nvcc)) return nvcc;
  }
  if (choice == DeviceChoice::automatic) return std::nullopt;
  throw RequestError(fmt::format("--device cuda: {}; --device virtual grades on the virtual GPU",
                                 gpu ? "nvcc is not installed here" : "nvidia-smi knows of no GPU on this machine"));
}

}  // namespace cudalabs
