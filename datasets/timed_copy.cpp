// A copy within the device: what bandwidth is measured by.
#include <memory>

#include "datasets/dataset.h"
#include "datasets/parameters.h"
#include "datasets/timed_work.h"

namespace cudalabs::datasets {
namespace {

constexpr std::int64_t kLargestCopy = std::int64_t{1} << 30;

class Copy : public TimedWork {
 public:
  explicit Copy(std::int64_t n) : n_(n) {}

  std::vector<PoolShape> pools() const override {
    return {{"in", ElementType::f32, n_, pool_for(n_, ElementType::f32)}};
  }
  std::vector<OutputShape> outputs() const override { return {{"out", ElementType::f32, n_}}; }
  void expect(std::span<const std::int64_t> windows, std::size_t, std::int64_t first, std::span<double> value,
              std::span<double> bound) const override {
    const auto in = values<float>(0, windows[0] + first, value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      value[i] = in[i];
      bound[i] = 0;
    }
  }

 private:
  std::int64_t n_;
};

std::unique_ptr<TimedWork> make_copy(const std::map<std::string, std::int64_t>& parameters) {
  CaseSpec spec;
  spec.name = "copy";
  spec.parameters = parameters;
  return std::make_unique<Copy>(parameter(spec, "n", 1, kLargestCopy));
}

const RegisterTimedWork kTimedCopy("copy", make_copy);

}  // namespace
}  // namespace cudalabs::datasets
