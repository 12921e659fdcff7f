// What this machine offers for a choice on the command line.
#include "cli/machine.h"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "cli/usage_error.h"

namespace cudalabs {

Device choose_device(DeviceChoice choice) {
  if (choice != DeviceChoice::cuda) return Device::virtual_gpu;
  std::error_code error;
  const bool driver = std::filesystem::exists("/dev/nvidiactl", error);
  throw UsageError(
      fmt::format("--device cuda: {}; --device virtual grades on the virtual GPU",
                  driver ? "this version does not grade on a real GPU" : "this machine has no NVIDIA GPU"));
}

Toolchain choose_toolchain(FrontendChoice choice, Device device) {
  const auto wanted = [&]() -> std::vector<Frontend> {
    switch (choice) {
      case FrontendChoice::clang:
        return {Frontend::clang};
      case FrontendChoice::nvcc:
        return {Frontend::nvcc};
      case FrontendChoice::automatic:
        break;
    }
    // The same PTX on every machine on the virtual GPU; the vendor's compiler for the vendor's hardware.
    if (device == Device::virtual_gpu) return {Frontend::clang, Frontend::nvcc};
    return {Frontend::nvcc};
  }();
  for (const Frontend frontend : wanted) {
    if (auto toolchain = find_toolchain(frontend)) return *toolchain;
  }
  if (choice == FrontendChoice::automatic) {
    throw std::runtime_error("no compiler for device code here: install clang and llvm (14 or newer)");
  }
  throw UsageError(fmt::format("--frontend {}: it is not installed here; --frontend auto takes what there is",
                               name_of(wanted.front())));
}

}  // namespace cudalabs
