// The ladders of labs 1, 2 and 5, whose limit is memory bandwidth.
#include "stream.h"

#include <cmath>
#include <stdexcept>
#include <string>

#include "device.h"
#include "inputs.h"
#include "judge.h"

namespace cudalabs::ladder {
namespace {

using VectorAdd = void (*)(const float*, const float*, float*, int);
using Picture = void (*)(const float*, float*, int, int);
using Reduction = void (*)(const float*, float*, int);

constexpr const char* kLimit = "device-to-device copy";
constexpr const char* kUnit = "GB/s";

void require(const Verdict& verdict, const std::string& step, const std::string& size) {
  if (!verdict.ok()) throw std::runtime_error(step + " at " + size + ": " + verdict.text());
}

void copy(float* to, const float* from, std::size_t count) {
  check(cudaMemcpyAsync(to, from, count * sizeof(float), cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
}

/// The limit of all three ladders: a copy of `from` to a place of its own.
TimedStep copy_step(float* to, const float* from, std::size_t count) {
  return {"copy", [=] { copy(to, from, count); }};
}

const std::vector<int> kLengths = {1,   2,   3,    4,    5,    31,   32,    33,      127,      128,      129,       255,
                                   256, 257, 1023, 1024, 1025, 4097, 65537, 1000003, 16777217, 33554431, 2147483647};
constexpr std::size_t kOffsets = 4;  // values past a 16-byte boundary: 0 to 3
constexpr int kLargestWithOffset = 2000000;

}  // namespace

int check_vector_add_edges(const std::vector<Step>& steps, std::size_t largest) {
  int cases = 0;
  for (const int n : kLengths) {
    if (static_cast<std::size_t>(n) > largest) continue;
    for (std::size_t offset = 0; offset < kOffsets; ++offset) {
      if (offset > 0 && n > kLargestWithOffset) break;
      const std::size_t count = static_cast<std::size_t>(n);
      DeviceArray<float> a(count + offset), b(count + offset);
      Output c(count, offset);
      fill(a.data(), a.size(), Values::real, count);
      fill(b.data(), b.size(), Values::real, count + 1);
      for (const Step& step : steps) {
        c.poison();
        reinterpret_cast<VectorAdd>(step.function)(a.data() + offset, b.data() + offset, c.data(), n);
        check(cudaGetLastError(), step.name.c_str());
        require(judge_sum(c, a.data() + offset, b.data() + offset), step.name, std::to_string(n));
      }
      ++cases;
    }
  }
  return cases;
}

int check_picture_edges(const std::vector<Step>& steps, std::size_t largest) {
  struct Size {
    int width, height;
  };
  const std::vector<Size> sizes = {{1, 1},       {4, 1},        {1, 4},        {3, 5},       {72, 62},
                                   {16, 16},     {17, 15},      {129, 127},    {128, 33},    {4097, 129},
                                   {1, 4097},    {4097, 1},     {1021, 509},   {1024, 7},    {1048581, 3},
                                   {3, 1048581}, {2, 16777217}, {16777220, 2}, {1000, 1001}, {65537, 65536}};
  int cases = 0;
  for (const Size& size : sizes) {
    for (std::size_t offset = 0; offset < kOffsets; ++offset) {
      const std::size_t count = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
      if (count > largest || (offset > 0 && count > kLargestWithOffset)) break;
      DeviceArray<float> in(count + offset);
      Output out(count, offset);
      fill(in.data(), in.size(), Values::real, count);
      for (const Step& step : steps) {
        out.poison();
        reinterpret_cast<Picture>(step.function)(in.data() + offset, out.data(), size.width, size.height);
        check(cudaGetLastError(), step.name.c_str());
        require(judge_doubled(out, in.data() + offset), step.name,
                std::to_string(size.width) + " × " + std::to_string(size.height));
      }
      ++cases;
    }
  }
  return cases;
}

int check_reduction_edges(const std::vector<Step>& steps, std::size_t largest) {
  std::vector<int> lengths = kLengths;
  lengths.insert(lengths.begin(), 0);
  int cases = 0;
  for (const int n : lengths) {
    if (static_cast<std::size_t>(n) > largest) continue;
    for (std::size_t offset = 0; offset < kOffsets; ++offset) {
      if (offset > 0 && n > kLargestWithOffset) break;
      const std::size_t count = static_cast<std::size_t>(n);
      DeviceArray<float> in(count + offset + 1);
      Output out(1);
      for (const Values kind : {Values::real, Values::whole}) {
        fill(in.data(), in.size(), kind, count);
        const Sums reference = sums_of(in.data() + offset, count);
        for (const Step& step : steps) {
          float first = 0, again = 0;
          for (float* result : {&first, &again}) {
            out.poison();
            reinterpret_cast<Reduction>(step.function)(in.data() + offset, out.data(), n);
            check(cudaGetLastError(), step.name.c_str());
            require(judge_total(out, reference, depth_of_tree(count), kind == Values::whole), step.name,
                    std::to_string(n));
            check(cudaMemcpy(result, out.data(), sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
          }
          if (first != again) throw std::runtime_error(step.name + " gives two sums at " + std::to_string(n));
        }
      }
      ++cases;
    }
  }
  return cases;
}

std::vector<SizeResult> time_vector_add(const std::vector<Step>& steps) {
  std::vector<SizeResult> results;
  for (const int power : {24, 26, 28}) {
    const std::size_t count = std::size_t{1} << power;
    DeviceArray<float> a(count), b(count);
    Output c(count);
    TimingRounds rounds;
    rounds.steps.push_back(copy_step(c.data(), a.data(), count));
    for (const Step& step : steps) {
      rounds.steps.push_back({step.name, [&, function = reinterpret_cast<VectorAdd>(step.function)] {
                                function(a.data(), b.data(), c.data(), static_cast<int>(count));
                              }});
    }
    rounds.prepare = [&](int round) {
      fill(a.data(), count, Values::real, static_cast<std::uint64_t>(2 * round));
      fill(b.data(), count, Values::real, static_cast<std::uint64_t>(2 * round + 1));
    };
    rounds.poison = [&] { c.poison(); };
    rounds.verify = [&](bool is_limit) {
      return is_limit ? judge_copied(c, a.data()) : judge_sum(c, a.data(), b.data());
    };
    const double values = static_cast<double>(count);
    results.push_back({"2^" + std::to_string(power), kLimit, kUnit, 8 * values, 12 * values, hold(rounds), {}});
  }
  return results;
}

std::vector<SizeResult> time_picture(const std::vector<Step>& steps) {
  struct Size {
    int width, height;
  };
  std::vector<SizeResult> results;
  for (const Size& size : {Size{8192, 8192}, Size{16384, 16384}, Size{16383, 16385}}) {
    const std::size_t count = static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
    DeviceArray<float> in(count);
    Output out(count);
    TimingRounds rounds;
    rounds.steps.push_back(copy_step(out.data(), in.data(), count));
    for (const Step& step : steps) {
      rounds.steps.push_back({step.name, [&, function = reinterpret_cast<Picture>(step.function)] {
                                function(in.data(), out.data(), size.width, size.height);
                              }});
    }
    rounds.prepare = [&](int round) { fill(in.data(), count, Values::real, static_cast<std::uint64_t>(round)); };
    rounds.poison = [&] { out.poison(); };
    rounds.verify = [&](bool is_limit) {
      return is_limit ? judge_copied(out, in.data()) : judge_doubled(out, in.data());
    };
    const double bytes = 8 * static_cast<double>(count);
    results.push_back({std::to_string(size.width) + " × " + std::to_string(size.height),
                       kLimit,
                       kUnit,
                       bytes,
                       bytes,
                       hold(rounds),
                       {}});
  }
  return results;
}

std::vector<SizeResult> time_reduction(const std::vector<Step>& steps, bool any_order) {
  std::vector<SizeResult> results;
  for (const int power : {24, 26, 28}) {
    const std::size_t count = std::size_t{1} << power;
    DeviceArray<float> in(count);
    Output copied(count), out(1);
    Sums reference;
    bool exact = false;
    TimingRounds rounds;
    rounds.steps.push_back(copy_step(copied.data(), in.data(), count));
    for (const Step& step : steps) {
      rounds.steps.push_back({step.name, [&, function = reinterpret_cast<Reduction>(step.function)] {
                                function(in.data(), out.data(), static_cast<int>(count));
                              }});
    }
    rounds.prepare = [&](int round) {
      exact = round % 2 == 1;
      fill(in.data(), count, exact ? Values::whole : Values::real, static_cast<std::uint64_t>(round));
      reference = sums_of(in.data(), count);
    };
    rounds.poison = [&] {
      copied.poison();
      out.poison();
    };
    rounds.verify = [&](bool is_limit) {
      const double depth = any_order ? static_cast<double>(count) : depth_of_tree(count);
      return is_limit ? judge_copied(copied, in.data()) : judge_total(out, reference, depth, exact);
    };
    const double values = static_cast<double>(count);
    results.push_back({"2^" + std::to_string(power), kLimit, kUnit, 8 * values, 4 * values, hold(rounds), {}});
  }
  return results;
}

}  // namespace cudalabs::ladder
