// Lab 5 at the size it is timed at. A rounded sum of a hundred million floats may be off by more than any of them,
// so the floats are whole numbers, most of them zero, whose sum is exact in any order.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "datasets/dataset.h"
#include "datasets/parameters.h"
#include "datasets/rng.h"
#include "datasets/timed_work.h"

namespace cudalabs::datasets {
namespace {

constexpr std::int64_t kLargestTimedSum = std::int64_t{1} << 27;
/// Elements whose sum is kept, so that the sum of a window is soon there.
constexpr std::int64_t kBlock = 4096;
/// One float in 32 is -1 or 1: of 2^27 that is 2^22, far less than the 2^24 up to which floats count exactly.
constexpr std::uint64_t kOneIn = 32;

template <typename T>
double sum_of(std::span<const T> values) {
  // Floats are whole numbers, like the integers: a sum in 64 bits is exact.
  std::int64_t total = 0;
  for (const T value : values) total += static_cast<std::int64_t>(value);
  return static_cast<double>(total);
}

class Reduction : public TimedWork {
 public:
  explicit Reduction(std::int64_t n) : n_(n) {}

  std::vector<PoolShape> pools() const override {
    return {{"floats", ElementType::f32, n_, pool_for(n_, ElementType::f32)},
            {"integers", ElementType::i32, n_, pool_for(n_, ElementType::i32)}};
  }
  std::vector<OutputShape> outputs() const override {
    return {{"float_sum", ElementType::f32, 1}, {"integer_sum", ElementType::i32, 1}};
  }

  void fill(std::size_t pool, std::span<std::byte> bytes, std::uint64_t seed) const override {
    if (pool == 1) {
      // Small enough for the sum of 2^27 to be an int.
      Rng rng(seed);
      for (std::size_t at = 0; at + sizeof(std::int32_t) <= bytes.size(); at += sizeof(std::int32_t)) {
        const auto value = static_cast<std::int32_t>(rng.next() >> 60) - 7;
        std::memcpy(bytes.data() + at, &value, sizeof value);
      }
      return;
    }
    Rng rng(seed);
    for (std::size_t at = 0; at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
      const std::uint64_t bits = rng.next();
      const float value = bits % kOneIn != 0 ? 0.0f : (bits >> 63) != 0 ? -1.0f : 1.0f;
      std::memcpy(bytes.data() + at, &value, sizeof value);
    }
  }

  void attach(std::vector<std::span<const std::byte>> pools) override {
    TimedWork::attach(std::move(pools));
    for (std::size_t pool = 0; pool < blocks_.size(); ++pool) {
      blocks_.at(pool).clear();
      for (std::int64_t first = 0; first < elements(pool); first += kBlock)
        blocks_.at(pool).push_back(block(pool, first));
    }
  }

  void changed(std::size_t pool, std::size_t offset, std::size_t bytes) override {
    const auto first = static_cast<std::int64_t>(offset / sizeof(float));
    const auto last = static_cast<std::int64_t>((offset + bytes - 1) / sizeof(float));
    for (std::int64_t i = first / kBlock; i <= last / kBlock; ++i) {
      blocks_.at(pool)[static_cast<std::size_t>(i)] = block(pool, i * kBlock);
    }
  }

  void expect(std::span<const std::int64_t> windows, std::size_t output, std::int64_t, std::span<double> value,
              std::span<double> bound) const override {
    const std::int64_t begin = windows[output], end = begin + n_;
    const std::int64_t first_whole = std::min((begin + kBlock - 1) / kBlock * kBlock, end);
    const std::int64_t last_whole = std::max(end / kBlock * kBlock, first_whole);
    double total = part(output, begin, first_whole) + part(output, last_whole, end);
    for (std::int64_t i = first_whole / kBlock; i < last_whole / kBlock; ++i) {
      total += blocks_.at(output)[static_cast<std::size_t>(i)];
    }
    value[0] = total;
    bound[0] = 0;
  }

 private:
  std::int64_t elements(std::size_t pool) const {
    return static_cast<std::int64_t>(pool == 0 ? all<float>(0).size() : all<std::int32_t>(1).size());
  }
  double part(std::size_t pool, std::int64_t first, std::int64_t end) const {
    const auto count = static_cast<std::size_t>(end - first);
    return pool == 0 ? sum_of(values<float>(0, first, count)) : sum_of(values<std::int32_t>(1, first, count));
  }
  double block(std::size_t pool, std::int64_t first) const {
    return part(pool, first, std::min(first + kBlock, elements(pool)));
  }

  std::int64_t n_;
  std::array<std::vector<double>, 2> blocks_;
};

std::unique_ptr<TimedWork> make_reduction(const std::map<std::string, std::int64_t>& parameters) {
  CaseSpec spec;
  spec.name = "timed";
  spec.parameters = parameters;
  return std::make_unique<Reduction>(parameter(spec, "n", 1, kLargestTimedSum));
}

const RegisterTimedWork kTimedReduction("array_sum", make_reduction);

}  // namespace
}  // namespace cudalabs::datasets
