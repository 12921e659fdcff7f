// Labs 1 and 2 at the size they are timed at: each element of an output comes from the same place of the inputs.
#include <memory>

#include "datasets/dataset.h"
#include "datasets/parameters.h"
#include "datasets/timed_work.h"

namespace cudalabs::datasets {
namespace {

constexpr std::int64_t kLargestTimedVector = std::int64_t{1} << 28;
constexpr std::int64_t kLargestTimedPicture = 32768;

CaseSpec elementwise_spec(const std::map<std::string, std::int64_t>& parameters) {
  CaseSpec spec;
  spec.name = "timed";
  spec.parameters = parameters;
  return spec;
}

/// Lab 1: c = a + b, rounded once.
class VectorAdd : public TimedWork {
 public:
  explicit VectorAdd(std::int64_t n) : n_(n) {}

  std::vector<PoolShape> pools() const override {
    const std::int64_t pool = n_ + n_ / 4;
    return {{"a", ElementType::f32, n_, pool}, {"b", ElementType::f32, n_, pool}};
  }
  std::vector<OutputShape> outputs() const override { return {{"c", ElementType::f32, n_}}; }
  void expect(std::span<const std::int64_t> windows, std::size_t, std::int64_t first, std::span<double> value,
              std::span<double> bound) const override {
    const auto a = values<float>(0, windows[0] + first, value.size());
    const auto b = values<float>(1, windows[1] + first, value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      value[i] = static_cast<float>(static_cast<double>(a[i]) + b[i]);
      bound[i] = 0;
    }
  }

 private:
  std::int64_t n_;
};

/// Lab 2: one picture doubled, one made grey, as picture.h has it.
class Pictures : public TimedWork {
 public:
  Pictures(std::int64_t width, std::int64_t height) : pixels_(width * height) {}

  std::vector<PoolShape> pools() const override {
    return {{"picture", ElementType::f32, pixels_, pool_for(pixels_, ElementType::f32)},
            {"rgb", ElementType::u8, 3 * pixels_, pool_for(3 * pixels_, ElementType::u8)}};
  }
  std::vector<OutputShape> outputs() const override {
    return {{"doubled", ElementType::f32, pixels_}, {"gray", ElementType::u8, pixels_}};
  }
  void expect(std::span<const std::int64_t> windows, std::size_t output, std::int64_t first, std::span<double> value,
              std::span<double> bound) const override {
    const auto picture = values<float>(0, windows[0] + first, output == 0 ? value.size() : 0);
    const auto rgb = values<std::uint8_t>(1, windows[1] + 3 * first, output == 1 ? 3 * value.size() : 0);
    for (std::size_t i = 0; i < value.size(); ++i) {
      value[i] =
          output == 0 ? 2.0 * picture[i] : (77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2] + 128) / 256;
      bound[i] = 0;
    }
  }

 private:
  std::int64_t pixels_;
};

std::unique_ptr<TimedWork> make_vector_add(const std::map<std::string, std::int64_t>& parameters) {
  return std::make_unique<VectorAdd>(parameter(elementwise_spec(parameters), "n", 1, kLargestTimedVector));
}

std::unique_ptr<TimedWork> make_pictures(const std::map<std::string, std::int64_t>& parameters) {
  const CaseSpec spec = elementwise_spec(parameters);
  return std::make_unique<Pictures>(parameter(spec, "width", 1, kLargestTimedPicture),
                                    parameter(spec, "height", 1, kLargestTimedPicture));
}

const RegisterTimedWork kTimedVectorAdd("vector_add", make_vector_add);
const RegisterTimedWork kTimedPictures("picture", make_pictures);

}  // namespace
}  // namespace cudalabs::datasets
