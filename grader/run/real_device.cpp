// NVIDIA's device nodes, by the names the driver gives them.
#include "run/real_device.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cudalabs::runner {

namespace fs = std::filesystem;

namespace {

/// "nvidia0"; not always 0 where a machine's GPUs are shared out.
bool is_gpu(const std::string& name) {
  constexpr std::string_view kStem = "nvidia";
  return name.size() > kStem.size() && name.starts_with(kStem) &&
         std::all_of(name.begin() + kStem.size(), name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

void allow_real_device(sandbox::Job& job) {
  constexpr std::array kNodes = {"/dev/nvidiactl", "/dev/nvidia-uvm"};
  for (const char* node : kNodes) {
    if (!fs::exists(node)) throw std::runtime_error(std::string("there is no GPU here: ") + node + " is missing");
    job.visible.push_back({node, true});
  }
  for (const fs::directory_entry& entry : fs::directory_iterator("/dev")) {
    if (is_gpu(entry.path().filename().string())) job.visible.push_back({entry.path(), true});
  }
  // The driver reads the GPU's place on the bus, and its own version.
  job.visible.push_back({"/sys", false});
  job.proc = true;
  job.system_files = true;
  job.accelerator = true;
}

}  // namespace cudalabs::runner
