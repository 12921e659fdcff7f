#include "speed/gpu_facts.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <vector>

#include "build/real_gpu.h"
#include "run/gpu_session.h"
#include "speed/baseline.h"
#include "vgpu/model/device_model.h"

namespace cudalabs::speed {
namespace {

/// Lower-case words of letters and digits.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const unsigned char letter : text) {
    if (std::isalnum(letter) != 0) {
      words.back() += static_cast<char>(std::tolower(letter));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

/// Single-precision lanes of a multiprocessor, by compute capability times ten (CUDA C++ Programming Guide, arithmetic
/// instructions).
double lanes_of(int capability) {
  return capability < 80 || capability == 80 ? 64 : 128;
}

}  // namespace

std::string device_class_of(const std::string& name) {
  // Whole words, for an A1000 is no A100; several together, for the class of an RTX 3060 is one.
  const std::vector<std::string> words = words_of(name), known = vgpu::device_model_names();
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::string joined;
    for (std::size_t i = first; i < words.size(); ++i) {
      joined += words[i];
      if (std::ranges::find(known, joined) != known.end()) return joined;
    }
  }
  return "any";
}

GpuFacts gpu_facts(const Toolchain& nvcc) {
  const Baseline copy = read_baseline(std::string(kCopy));
  const std::filesystem::path runner = built_baseline(copy, nvcc, Device::cuda);

  datasets::Case ask;
  ask.spec.name = "facts";
  ask.spec.parameters = {{"n", 0}};
  ask.expected = {{"facts", datasets::ElementType::i32, {4}, {0, 0, 0, 0}, {0, 0, 0, 0}}};
  GpuSession session(copy.program, runner);
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
