// Asks nvidia-smi, which comes with every driver; the toolkit is not enough to know the GPU.
#include "build/real_gpu.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>

namespace cudalabs::builder {
namespace {

struct RealGpu {
  std::string architecture, name, driver;
};

std::string answer_to(const std::string& question) {
  const std::string command = "nvidia-smi --query-gpu=" + question + " --format=csv,noheader 2>/dev/null </dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "re"), &pclose);
  std::array<char, 256> line{};
  if (!pipe || !fgets(line.data(), line.size(), pipe.get())) return {};
  std::string answer = line.data();
  while (!answer.empty() && std::isspace(static_cast<unsigned char>(answer.back())) != 0) answer.pop_back();
  return answer;
}

const std::optional<RealGpu>& find() {
  static const std::optional<RealGpu> gpu = []() -> std::optional<RealGpu> {
    // One question: each takes a tenth of a second and more. Names have no comma in them.
    const std::string answer = answer_to("compute_cap,driver_version,name");
    const std::size_t first = answer.find(", "), second = answer.find(", ", first + 2);
    if (first == std::string::npos || second == std::string::npos) return std::nullopt;
    RealGpu found{answer.substr(0, first), answer.substr(second + 2), answer.substr(first + 2, second - first - 2)};
    std::erase(found.architecture, '.');
    const bool number = !found.architecture.empty() &&
                        std::ranges::all_of(found.architecture, [](unsigned char c) { return std::isdigit(c) != 0; });
    if (!number) return std::nullopt;
    return found;
  }();
  return gpu;
}

const RealGpu& require() {
  if (!find()) throw std::runtime_error("there is no GPU that nvidia-smi knows of");
  return *find();
}

}  // namespace

bool has_real_gpu() {
  return find().has_value();
}

std::string real_gpu_architecture() {
  return require().architecture;
}

std::string real_gpu_name() {
  return require().name;
}

std::string real_gpu_driver() {
  return require().driver;
}

}  // namespace cudalabs::builder
