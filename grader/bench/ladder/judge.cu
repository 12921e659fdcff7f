// Whether an output is right: one pass over it on the device, counting.
#include "judge.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "device.h"
#include "inputs.h"

namespace cudalabs::ladder {
namespace {

constexpr unsigned kBlock = 256, kBlocks = 132 * 16;
constexpr std::size_t kMargin = 1024;  // values
constexpr std::uint32_t kPoison = 0xffffffffu;
constexpr double kUnit = 0x1p-24;
constexpr double kDeviations = 8;
constexpr double kSmallestNormal = std::numeric_limits<float>::min();

struct Tally {
  unsigned long long wrong;
  unsigned long long worst;  // bits of a non-negative double: they order as the values do
};

struct ExactSum {
  const float *a, *b;
  __device__ double expected(std::size_t i) const { return static_cast<double>(a[i] + b[i]); }
  __device__ double allowed(std::size_t) const { return 0; }
};

struct ExactMultiple {
  const float* in;
  double factor;
  __device__ double expected(std::size_t i) const { return factor * static_cast<double>(in[i]); }
  __device__ double allowed(std::size_t) const { return 0; }
};

struct Products {
  const double *reference, *squares;
  double factor;
  __device__ double expected(std::size_t i) const { return reference[i]; }
  __device__ double allowed(std::size_t i) const {
    return squares == nullptr ? 0 : factor * sqrt(squares[i]) + kSmallestNormal;
  }
};

template <typename Rule>
__global__ void judge_kernel(const float* values, std::size_t count, Rule rule, Tally* tally) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  unsigned long long wrong = 0;
  double worst = 0;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const double error = fabs(static_cast<double>(values[i]) - rule.expected(i));
    const double allowed = rule.allowed(i);
    if (!(error <= allowed)) ++wrong;  // written so that NaN is wrong
    if (allowed > 0) worst = fmax(worst, error / allowed);
  }
  if (wrong != 0) atomicAdd(&tally->wrong, wrong);
  if (worst > 0) atomicMax(&tally->worst, static_cast<unsigned long long>(__double_as_longlong(worst)));
}

template <typename Rule>
Verdict judge(const Output& output, const Rule& rule) {
  DeviceArray<Tally> tally(1);
  check(cudaMemset(tally.data(), 0, tally.bytes()), "cudaMemset");
  judge_kernel<<<kBlocks, kBlock>>>(output.data(), output.size(), rule, tally.data());
  check(cudaGetLastError(), "judge");
  Tally counted{};
  check(cudaMemcpy(&counted, tally.data(), sizeof counted, cudaMemcpyDeviceToHost), "judge");
  Verdict verdict;
  verdict.wrong = counted.wrong;
  std::memcpy(&verdict.worst, &counted.worst, sizeof verdict.worst);
  verdict.margin_writes = output.margin_writes();
  return verdict;
}

struct PartialSums {
  double sum, squares;
};

__global__ void sums_kernel(const float* values, std::size_t count, PartialSums* partial) {
  __shared__ PartialSums shared[kBlock];
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  double sum = 0, squares = 0;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride) {
    const double value = values[i];
    sum += value;
    squares += value * value;
  }
  shared[threadIdx.x] = {sum, squares};
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned i = 1; i < kBlock; ++i) {
    sum += shared[i].sum;
    squares += shared[i].squares;
  }
  partial[blockIdx.x] = {sum, squares};
}

}  // namespace

struct Output::Memory {
  DeviceArray<float> values;
  std::size_t count, offset;
};

Output::Output(std::size_t count, std::size_t offset)
    : memory_(new Memory{DeviceArray<float>(count + offset + 2 * kMargin), count, offset}) {}

Output::~Output() = default;

float* Output::data() const {
  return memory_->values.data() + kMargin + memory_->offset;
}

std::size_t Output::size() const {
  return memory_->count;
}

void Output::poison() {
  check(cudaMemset(memory_->values.data(), 0xff, memory_->values.bytes()), "cudaMemset");
}

std::size_t Output::margin_writes() const {
  std::vector<std::uint32_t> margins(2 * kMargin + memory_->offset);
  const std::size_t before = kMargin + memory_->offset;
  check(cudaMemcpy(margins.data(), memory_->values.data(), before * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
  check(cudaMemcpy(margins.data() + before, data() + memory_->count, kMargin * 4, cudaMemcpyDeviceToHost),
        "cudaMemcpy");
  std::size_t changed = 0;
  for (const std::uint32_t bits : margins) changed += bits != kPoison;
  return changed;
}

std::string Verdict::text() const {
  if (ok()) return "right, at most " + std::to_string(worst) + " of the allowed error";
  return std::to_string(wrong) + " values wrong, " + std::to_string(margin_writes) + " written outside the output";
}

Verdict judge_sum(const Output& c, const float* a, const float* b) {
  return judge(c, ExactSum{a, b});
}

Verdict judge_doubled(const Output& out, const float* in) {
  return judge(out, ExactMultiple{in, 2});
}

Verdict judge_copied(const Output& copy, const float* from) {
  return judge(copy, ExactMultiple{from, 1});
}

Verdict judge_products(const Output& c, const double* reference, const double* squares, int terms) {
  return judge(c, Products{reference, squares, kDeviations * kUnit * std::sqrt(static_cast<double>(terms))});
}

Sums sums_of(const float* values, std::size_t count) {
  DeviceArray<PartialSums> partial(kBlocks);
  sums_kernel<<<kBlocks, kBlock>>>(values, count, partial.data());
  check(cudaGetLastError(), "sums_of");
  std::vector<PartialSums> host(kBlocks);
  check(cudaMemcpy(host.data(), partial.data(), partial.bytes(), cudaMemcpyDeviceToHost), "sums_of");
  Sums all;
  all.count = count;
  for (const PartialSums& part : host) {
    all.sum += part.sum;
    all.squares += part.squares;
  }
  return all;
}

double depth_of_tree(std::size_t count) {
  return 64 + static_cast<double>(count) * 0x1p-20;
}

Verdict judge_total(const Output& total, const Sums& reference, double depth, bool exact) {
  float value = 0;
  check(cudaMemcpy(&value, total.data(), sizeof value, cudaMemcpyDeviceToHost), "cudaMemcpy");
  const double allowed = exact ? 0 : kDeviations * kUnit * std::sqrt(depth * reference.squares) + kSmallestNormal;
  const double error = std::abs(static_cast<double>(value) - reference.sum);
  Verdict verdict;
  verdict.wrong = error <= allowed ? 0 : 1;  // NaN is wrong
  verdict.worst = allowed > 0 ? error / allowed : 0;
  verdict.margin_writes = total.margin_writes();
  return verdict;
}

void test_the_judge() {
  constexpr std::size_t kCount = 10007;
  const auto expect = [](bool truth, const char* what) {
    if (!truth) throw std::runtime_error(std::string("the judge failed its own test: ") + what);
  };
  DeviceArray<float> a(kCount), b(kCount);
  fill(a.data(), kCount, Values::real, 1);
  fill(b.data(), kCount, Values::real, 2);
  std::vector<float> host_a(kCount), host_b(kCount), sum(kCount);
  check(cudaMemcpy(host_a.data(), a.data(), a.bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  check(cudaMemcpy(host_b.data(), b.data(), b.bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  for (std::size_t i = 0; i < kCount; ++i) sum[i] = host_a[i] + host_b[i];

  Output output(kCount, 1);
  const auto judged = [&](const std::vector<float>& values) {
    output.poison();
    check(cudaMemcpy(output.data(), values.data(), values.size() * 4, cudaMemcpyHostToDevice), "cudaMemcpy");
    return judge_sum(output, a.data(), b.data());
  };
  expect(judged(sum).ok(), "a right sum was refused");
  std::vector<float> altered = sum;
  altered[kCount - 1] = std::nextafter(sum[kCount - 1], 2.0f);
  expect(judged(altered).wrong == 1, "one value off by one unit passed");
  altered[kCount - 1] = std::numeric_limits<float>::quiet_NaN();
  expect(judged(altered).wrong == 1, "NaN passed");
  altered.resize(kCount - 3);
  expect(judged(altered).wrong == 3, "values never written passed");
  judged(sum);
  expect(judge_copied(output, a.data()).wrong > kCount * 9 / 10, "a sum passed as a copy");
  const float stray = 0;
  check(cudaMemcpy(output.data() + kCount, &stray, sizeof stray, cudaMemcpyHostToDevice), "cudaMemcpy");
  expect(output.margin_writes() == 1, "a write past the end passed");
  judged(sum);
  check(cudaMemcpy(output.data() - 1, &stray, sizeof stray, cudaMemcpyHostToDevice), "cudaMemcpy");
  expect(output.margin_writes() == 1, "a write before the start passed");

  DeviceArray<double> reference(kCount), squares(kCount);
  widen(reference.data(), a.data(), kCount, false);
  widen(squares.data(), a.data(), kCount, true);
  const auto product_verdict = [&](double factor) {
    std::vector<float> values(kCount);
    for (std::size_t i = 0; i < kCount; ++i) values[i] = static_cast<float>(host_a[i] * factor);
    output.poison();
    check(cudaMemcpy(output.data(), values.data(), values.size() * 4, cudaMemcpyHostToDevice), "cudaMemcpy");
    return judge_products(output, reference.data(), squares.data(), 4);
  };
  expect(product_verdict(1).ok(), "right products were refused");
  expect(product_verdict(1 + 14 * kUnit).ok(), "an error within the bound was refused");
  expect(product_verdict(1 + 20 * kUnit).wrong > kCount * 9 / 10, "an error outside the bound passed");
  expect(product_verdict(std::numeric_limits<double>::quiet_NaN()).wrong == kCount, "NaN passed as a product");

  Output total(1);
  const Sums sums = sums_of(a.data(), kCount);
  const auto total_verdict = [&](double value, bool exact) {
    const float single = static_cast<float>(value);
    total.poison();
    check(cudaMemcpy(total.data(), &single, sizeof single, cudaMemcpyHostToDevice), "cudaMemcpy");
    return judge_total(total, sums, depth_of_tree(kCount), exact);
  };
  double host_sum = 0;
  for (const float value : host_a) host_sum += static_cast<double>(value);
  expect(std::abs(host_sum - sums.sum) < 1e-9, "the reference sum is not the host's");
  expect(total_verdict(sums.sum, false).ok(), "a right total was refused");
  expect(!total_verdict(sums.sum + 0.01, false).ok(), "a total without one small value passed");
  expect(!total_verdict(sums.sum + 0.01, true).ok(), "an inexact total passed as exact");
  expect(!total_verdict(std::numeric_limits<double>::infinity(), false).ok(), "infinity passed as a total");
  total.poison();
  expect(!judge_total(total, sums, kCount, false).ok(), "a total never written passed");
}

}  // namespace cudalabs::ladder
