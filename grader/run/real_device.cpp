// NVIDIA's device nodes, by the names the driver gives them.
#include "run/real_device.h"

#include <array>
#include <filesystem>
#include <stdexcept>

namespace cudalabs::runner {

namespace fs = std::filesystem;

void allow_real_device(sandbox::Job& job) {
  constexpr std::array kNodes = {"/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm"};
  for (const char* node : kNodes) {
    if (!fs::exists(node)) throw std::runtime_error(std::string("there is no GPU here: ") + node + " is missing");
    job.visible.push_back({node, true});
  }
  // The driver reads the GPU's place on the bus, and its own version.
  job.visible.push_back({"/sys", false});
  job.proc = true;
  job.system_files = true;
  job.accelerator = true;
}

}  // namespace cudalabs::runner
