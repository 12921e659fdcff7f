// Matrix products at the size they are timed at.
#include <algorithm>
#include <cmath>
#include <memory>

#include "datasets/dataset.h"
#include "datasets/matmul.h"
#include "datasets/parameters.h"
#include "datasets/timed_work.h"

namespace cudalabs::datasets {
namespace {

constexpr std::int64_t kLargestTimedMatrix = 16384;

class Product : public TimedWork {
 public:
  Product(std::int64_t m, std::int64_t n, std::int64_t p) : m_(m), n_(n), p_(p) {}

  std::vector<PoolShape> pools() const override {
    return {{"a", ElementType::f32, m_ * n_, pool_for(m_ * n_, ElementType::f32)},
            {"b", ElementType::f32, n_ * p_, pool_for(n_ * p_, ElementType::f32)}};
  }
  std::vector<OutputShape> outputs() const override { return {{"c", ElementType::f32, m_ * p_}}; }

  void expect(std::span<const std::int64_t> windows, std::size_t, std::int64_t first, std::span<double> value,
              std::span<double> bound) const override {
    const auto a = values<float>(0, windows[0], static_cast<std::size_t>(m_ * n_));
    const auto b = values<float>(1, windows[1], static_cast<std::size_t>(n_ * p_));
    std::ranges::fill(value, 0.0);
    std::ranges::fill(bound, 0.0);
    // A row of C at a time, along the rows of B.
    for (std::size_t done = 0; done < value.size();) {
      const std::int64_t row = (first + static_cast<std::int64_t>(done)) / p_;
      const std::int64_t column = (first + static_cast<std::int64_t>(done)) % p_;
      const std::size_t count = std::min(value.size() - done, static_cast<std::size_t>(p_ - column));
      for (std::int64_t k = 0; k < n_; ++k) {
        const double factor = a[static_cast<std::size_t>(row * n_ + k)];
        const auto b_row = b.subspan(static_cast<std::size_t>(k * p_ + column), count);
        for (std::size_t i = 0; i < count; ++i) {
          const double product = factor * b_row[i];
          value[done + i] += product;
          bound[done + i] += std::abs(product);
        }
      }
      done += count;
    }
    for (double& element : bound) element = matmul_bound(n_, element);
  }

 private:
  std::int64_t m_, n_, p_;
};

std::unique_ptr<TimedWork> make_product(const std::map<std::string, std::int64_t>& parameters) {
  CaseSpec spec;
  spec.name = "timed";
  spec.parameters = parameters;
  const auto side = [&](std::string_view name) { return parameter(spec, name, 1, kLargestTimedMatrix); };
  return std::make_unique<Product>(side("m"), side("n"), side("p"));
}

const RegisterTimedWork kTimedProduct("matrix_product", make_product);

}  // namespace
}  // namespace cudalabs::datasets
