#include "speed/gpu_facts.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "build/real_gpu.h"
#include "run/gpu_session.h"
#include "speed/baseline.h"
#include "vgpu/model/device_model.h"

namespace cudalabs::speed {
namespace {

std::string squeezed(const std::string& text) {
  std::string letters;
  for (const unsigned char letter : text) {
    if (std::isalnum(letter) != 0) letters += static_cast<char>(std::tolower(letter));
  }
  return letters;
}

/// Single-precision lanes of a multiprocessor, by compute capability times ten (CUDA C++ Programming Guide, arithmetic
/// instructions).
double lanes_of(int capability) {
  return capability < 80 || capability == 80 ? 64 : 128;
}

}  // namespace

std::string device_class_of(const std::string& name) {
  const std::string letters = squeezed(name);
  for (const std::string& known : vgpu::device_model_names()) {
    if (letters.find(squeezed(known)) != std::string::npos) return known;
  }
  return "any";
}

GpuFacts gpu_facts(const Toolchain& nvcc) {
  const Lab lab = baseline_lab(std::string(kCopy));
  const std::filesystem::path runner = built_baseline(lab, nvcc, Device::cuda);

  datasets::Case ask;
  ask.spec.name = "facts";
  ask.spec.parameters = {{"n", 0}};
  ask.expected = {{"facts", datasets::ElementType::i32, {4}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
  GpuSession session(lab, runner);
  const Observation observed = session.run(ask);
  if (observed.end != RunEnd::finished) throw GpuUnfit("the GPU cannot be used: " + observed.detail);
  int facts[4];
  std::memcpy(facts, observed.outputs.front().data.data(), sizeof facts);

  GpuFacts gpu;
  gpu.name = builder::real_gpu_name();
  gpu.driver = builder::real_gpu_driver();
  gpu.device_class = device_class_of(gpu.name);
  gpu.peak_float32 = 2.0 * facts[0] * lanes_of(facts[2]) * 1000.0 * facts[1];
  return gpu;
}

}  // namespace cudalabs::speed
