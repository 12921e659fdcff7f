// Launches the kernels of kernels.cu through the VirtualGpu facade and verifies what they computed.
#include "bench/kernel_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "bench/table.h"
#include "vgpu/virtual_gpu.h"

namespace cudalabs::bench {
namespace {

std::vector<float> values(std::size_t count, std::uint32_t seed) {
  std::vector<float> result(count);
  std::uint32_t state = seed;
  for (float& value : result) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(static_cast<std::int32_t>(state >> 8) - (1 << 23)) / (1 << 23);
  }
  return result;
}

vgpu::VirtualGpuOptions options(bool checks) {
  vgpu::VirtualGpuOptions result;
  result.model = vgpu::device_model("t4");
  result.check_races = checks;
  result.check_initialized = checks;
  result.count = checks;
  return result;
}

template <class T>
vgpu::DeviceAddress upload(vgpu::VirtualGpu& gpu, const std::vector<T>& data) {
  const vgpu::DeviceAddress address = gpu.allocate(data.size() * sizeof(T));
  if (address == 0 || !gpu.copy_in(address, std::as_bytes(std::span(data)))) throw std::runtime_error("upload failed");
  return address;
}

std::vector<std::uint32_t> numbers(std::size_t count, std::uint32_t seed) {
  std::vector<std::uint32_t> result(count);
  std::uint32_t state = seed;
  for (std::uint32_t& value : result) {
    state = state * 1664525u + 1013904223u;
    value = state >> 8;
  }
  return result;
}

class ParameterBuffer {
 public:
  template <typename T>
  void add(T value) {
    const std::size_t at = (bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

KernelTime time_launches(vgpu::VirtualGpu& gpu, std::uint32_t module, std::string_view kernel,
                         const vgpu::LaunchConfig& config, const ParameterBuffer& parameters, int launches) {
  std::vector<double> seconds;
  for (int launch = 0; launch < launches; ++launch) {
    const vgpu::LaunchOutcome outcome = gpu.launch(module, kernel, config, parameters.bytes());
    if (outcome.status != vgpu::LaunchStatus::ok) throw std::runtime_error(fmt::format("{} did not run", kernel));
    seconds.push_back(outcome.seconds);
  }
  for (const Finding& finding : gpu.findings()) {
    if (finding.severity != Severity::advice) {
      throw std::runtime_error(fmt::format("{}: unexpected {}: {}", kernel, finding.id, finding.message));
    }
  }
  KernelTime result{median(seconds), 0};
  if (!gpu.launches().empty()) {
    const auto& counts = gpu.launches().back().values;
    if (const auto at = counts.find("warp_instructions"); at != counts.end()) result.instructions = at->second;
  }
  return result;
}

void expect_close(double got, double expected, double bound, std::size_t at) {
  if (!(std::abs(got - expected) <= bound)) {
    throw std::runtime_error(fmt::format("element {}: got {}, expected {} within {}", at, got, expected, bound));
  }
}

}  // namespace

KernelTime time_product(const std::string& ptx, Product product, int n, bool checks, int launches) {
  const auto size = static_cast<std::size_t>(n);
  const std::vector<float> a = values(size * size, 1), b = values(size * size, 2);
  vgpu::VirtualGpu gpu(options(checks));
  const std::uint32_t module = gpu.load_module(ptx);
  std::vector<float> c(size * size);
  const vgpu::DeviceAddress d_a = upload(gpu, a), d_b = upload(gpu, b), d_c = gpu.allocate(c.size() * sizeof(float));
  ParameterBuffer parameters;
  parameters.add(d_a);
  parameters.add(d_b);
  parameters.add(d_c);
  parameters.add(n);
  const auto blocks = static_cast<std::uint32_t>((n + 15) / 16);
  const KernelTime time = time_launches(gpu, module, product == Product::naive ? "naive_product" : "tiled_product",
                                        {.grid = {blocks, blocks, 1}, .block = {16, 16, 1}}, parameters, launches);
  if (!gpu.copy_out(std::as_writable_bytes(std::span(c)), d_c)) throw std::runtime_error("download failed");
  // A sample that touches every row and column keeps the verification short beside the launch.
  for (std::size_t row = 0; row < size; ++row) {
    const std::size_t col = row * 7 % size;
    double expected = 0, magnitude = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const double term = static_cast<double>(a[row * size + k]) * b[k * size + col];
      expected += term;
      magnitude += std::abs(term);
    }
    expect_close(c[row * size + col], expected, 1e-7 * static_cast<double>(n) * magnitude, row * size + col);
  }
  return time;
}

KernelTime time_reduction(const std::string& ptx, bool checks, int launches) {
  constexpr std::size_t kElements = std::size_t{1} << 22;
  constexpr std::uint32_t kThreads = 256;
  const std::vector<float> in = values(kElements, 3);
  vgpu::VirtualGpu gpu(options(checks));
  const std::uint32_t module = gpu.load_module(ptx);
  std::vector<float> out(kElements / kThreads);
  const vgpu::DeviceAddress d_in = upload(gpu, in), d_out = gpu.allocate(out.size() * sizeof(float));
  ParameterBuffer parameters;
  parameters.add(d_in);
  parameters.add(d_out);
  parameters.add(static_cast<int>(kElements));
  const KernelTime time =
      time_launches(gpu, module, "block_reduction", {.grid = {kElements / kThreads, 1, 1}, .block = {kThreads, 1, 1}},
                    parameters, launches);
  if (!gpu.copy_out(std::as_writable_bytes(std::span(out)), d_out)) throw std::runtime_error("download failed");
  for (std::size_t block = 0; block < out.size(); ++block) {
    double expected = 0, magnitude = 0;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      expected += in[block * kThreads + thread];
      magnitude += std::abs(in[block * kThreads + thread]);
    }
    expect_close(out[block], expected, 1e-6 * magnitude, block);
  }
  return time;
}

KernelTime time_histogram(const std::string& ptx, bool checks, int launches) {
  constexpr std::size_t kElements = std::size_t{1} << 20;
  constexpr std::uint32_t kBins = 256;
  const std::vector<std::uint32_t> in = numbers(kElements, 4);
  std::vector<std::uint32_t> out(kBins), expected(kBins);
  for (const std::uint32_t value : in) expected[value % kBins] += static_cast<std::uint32_t>(launches);
  vgpu::VirtualGpu gpu(options(checks));
  const std::uint32_t module = gpu.load_module(ptx);
  const vgpu::DeviceAddress d_in = upload(gpu, in), d_out = upload(gpu, out);
  ParameterBuffer parameters;
  parameters.add(d_in);
  parameters.add(d_out);
  parameters.add(static_cast<int>(kElements));
  const KernelTime time =
      time_launches(gpu, module, "histogram", {.grid = {64, 1, 1}, .block = {kBins, 1, 1}}, parameters, launches);
  if (!gpu.copy_out(std::as_writable_bytes(std::span(out)), d_out)) throw std::runtime_error("download failed");
  if (out != expected) throw std::runtime_error("the histogram is wrong");
  return time;
}

KernelTime time_merge_sort(const std::string& ptx, bool checks, int launches) {
  constexpr std::size_t kElements = std::size_t{1} << 18;
  constexpr std::uint32_t kSorted = 256;
  const std::vector<std::uint32_t> in = numbers(kElements, 5);
  std::vector<std::uint32_t> out(kElements), expected = in;
  for (auto at = expected.begin(); at != expected.end(); at += kSorted) std::sort(at, at + kSorted);
  vgpu::VirtualGpu gpu(options(checks));
  const std::uint32_t module = gpu.load_module(ptx);
  ParameterBuffer parameters;
  const vgpu::DeviceAddress d_in = upload(gpu, in), d_out = gpu.allocate(kElements * sizeof(std::uint32_t));
  parameters.add(d_in);
  parameters.add(d_out);
  const KernelTime time = time_launches(
      gpu, module, "merge_sort", {.grid = {kElements / kSorted, 1, 1}, .block = {kSorted, 1, 1}}, parameters, launches);
  if (!gpu.copy_out(std::as_writable_bytes(std::span(out)), d_out)) throw std::runtime_error("download failed");
  if (out != expected) throw std::runtime_error("the sorted numbers are wrong");
  return time;
}

}  // namespace cudalabs::bench
