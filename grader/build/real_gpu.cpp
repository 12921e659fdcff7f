// Asks nvidia-smi, which comes with every driver; the toolkit is not enough to know the GPU.
#include "build/real_gpu.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <memory>
#include <stdexcept>

namespace cudalabs::builder {

std::string real_gpu_architecture() {
  static const std::string architecture = [] {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
        popen("nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null </dev/null", "re"), &pclose);
    std::array<char, 64> line{};
    std::string digits;
    if (pipe && fgets(line.data(), line.size(), pipe.get())) digits = line.data();
    std::erase_if(digits, [](unsigned char letter) { return std::isdigit(letter) == 0; });
    return digits;
  }();
  if (architecture.empty()) throw std::runtime_error("there is no GPU that nvidia-smi knows of");
  return architecture;
}

}  // namespace cudalabs::builder
