// The lab of add_lab.h as timed work, with pools that are soon made.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "datasets/timed_work.h"

namespace cudalabs::testing {

class AddWork : public datasets::TimedWork {
 public:
  explicit AddWork(std::int64_t n, std::int64_t pool) : n_(n), pool_(pool) {}

  std::vector<datasets::PoolShape> pools() const override {
    return {{"a", datasets::ElementType::f32, n_, pool_}, {"b", datasets::ElementType::f32, n_, pool_}};
  }
  std::vector<datasets::OutputShape> outputs() const override { return {{"c", datasets::ElementType::f32, n_}}; }
  void expect(std::span<const std::int64_t> windows, std::size_t, std::int64_t first, std::span<double> value,
              std::span<double> bound) const override {
    const auto a = values<float>(0, windows[0] + first, value.size());
    const auto b = values<float>(1, windows[1] + first, value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      value[i] = static_cast<double>(a[i] + b[i]);
      bound[i] = 0;
    }
  }

 private:
  std::int64_t n_, pool_;
};

}  // namespace cudalabs::testing
