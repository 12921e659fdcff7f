// NVIDIA's device nodes, by the names the driver gives them.
#include "run/real_device.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "text/untrusted_text.h"

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
    if (!fs::exists(node)) throw GpuUnfit(std::string("there is no GPU here: ") + node + " is missing");
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

std::string unopenable_device(const std::vector<sandbox::Visible>& visible) {
  sandbox::Job job;
  job.arguments = {"/bin/sh", "-c", "for device; do : <>\"$device\" || exit 1; done", "open"};
  for (const sandbox::Visible& path : visible) {
    if (!path.device) continue;
    job.visible.push_back(path);
    job.arguments.push_back(path.path);
  }
  job.system_files = true;
  try {
    const sandbox::Outcome outcome = sandbox::run(std::move(job));
    if (outcome.end == sandbox::End::exited && outcome.status == 0) return {};
    return printable(outcome.output);
  } catch (const sandbox::SandboxError& error) {
    return error.what();
  }
}

void require_real_device() {
  sandbox::Job job;
  allow_real_device(job);
  std::string why = unopenable_device(job.visible);
  while (why.ends_with('\n')) why.pop_back();
  if (!why.empty()) {
    throw GpuUnfit("the GPU cannot be used from inside the sandbox (tier " + sandbox::probe().name + "): " + why +
                   "; grade with --device virtual");
  }
}

}  // namespace cudalabs::runner
