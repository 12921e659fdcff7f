// libdevice's functions on the virtual GPU: each ends soon with an answer, whatever the operands.
#include <cmath>
#include <limits>

#include "error_bounds.h"
#include "instruction_forms.h"
#include "vgpu/exec/builtins/bessel.h"
#include "virtual_answers.h"

using namespace cudalabs;
using namespace cudalabs::conformance;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::int32_t kGreatest = std::numeric_limits<std::int32_t>::max();

}  // namespace

TEST_CASE("every function answers, whatever its operands", "[vgpu]") {
  VirtualDevice device;
  for (InstructionForm form : all_function_forms()) {
    CAPTURE(form.key());
    form.counts = false;  // any order of a Bessel function
    CHECK(answer_to(form, operands_of(form), device));
  }
}

TEST_CASE("a norm with an infinite coordinate is infinite", "[vgpu]") {
  VirtualDevice device;
  for (const InstructionForm& form : all_function_forms()) {
    if (form.text.find("norm3d") == std::string::npos && form.text.find("norm4d") == std::string::npos &&
        form.text.find("hypot") == std::string::npos) {
      continue;
    }
    CAPTURE(form.key());
    const double expected = form.text.starts_with("__nv_r") ? 0.0 : kInfinity;
    const OperandTable operands = operands_of(form);
    const std::vector<FormResult> results = answer_to(form, operands, device).value();
    std::size_t wrong = 0;
    for (std::size_t row = 0; row < results.size(); ++row) {
      bool infinite = false;
      for (std::size_t i = 0; i < form.operands.size(); ++i) {
        infinite = infinite || std::isinf(real_values(form.operands[i], operands.columns[i][row])[0].value);
      }
      if (infinite && real_values(form.result, results[row].first)[0].value != expected) ++wrong;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("Bessel functions have CUDA's values at special operands", "[vgpu]") {
  using namespace vgpu::exec;
  for (const std::int32_t order : {0, 1, 2, 33, 16384, 16385, 1'000'000, kGreatest}) {
    CAPTURE(order);
    CHECK(bessel_j(order, kInfinity) == 0);
    CHECK(bessel_j(order, -kInfinity) == 0);
    CHECK(std::signbit(bessel_j(order, -kInfinity)) == (order % 2 != 0));
    CHECK(std::isnan(bessel_j(order, kNan)));
    CHECK(bessel_y(order, 0.0) == -kInfinity);
    CHECK(bessel_y(order, -0.0) == -kInfinity);
    CHECK(bessel_y(order, kInfinity) == 0);
    CHECK(std::isnan(bessel_y(order, -1.0)));
    CHECK(std::isnan(bessel_y(order, kNan)));
    CHECK(std::abs(bessel_j(order, 1e300)) < 1e-149);
    CHECK(std::abs(bessel_y(order, 1e300)) < 1e-149);
  }
  CHECK(std::isnan(bessel_j(-1, 1.0)));
  CHECK(std::isnan(bessel_y(-1, 1.0)));
  CHECK(bessel_j(kGreatest, 1.0) == 0);
  CHECK(bessel_y(kGreatest, 1.0) == -kInfinity);
  for (const int order : {0, 1}) {
    CHECK(bessel_i(order, kInfinity) == kInfinity);
    CHECK(bessel_i(order, 1e300) == kInfinity);
    CHECK(bessel_i(order, 715.0) == kInfinity);
    CHECK(bessel_i(order, -715.0) == (order == 0 ? kInfinity : -kInfinity));
    CHECK(std::isnan(bessel_i(order, kNan)));
  }
  CHECK(bessel_i(0, 0.0) == 1);
  CHECK(std::signbit(bessel_i(1, -0.0)));
  CHECK(bessel_i(1, 4e-310) == 2e-310);
}

TEST_CASE("Bessel functions of a great order go on where recurrences end", "[vgpu]") {
  using namespace vgpu::exec;
  const std::int32_t order = 20000;
  for (const double x : {1.0, 15000.0, 19700.0, 19990.0, 19999.99, 20000.0, 20000.01, 20010.0, 20300.0, 30000.0, 1e7}) {
    for (const std::int32_t n : {order, order + 1}) {
      CAPTURE(x, n);
      CHECK_THAT(bessel_j(n, x), Catch::Matchers::WithinAbs(::jn(n, x), 1e-7));
      CHECK_THAT(bessel_j(n, -x), Catch::Matchers::WithinAbs(::jn(n, -x), 1e-7));
      CHECK_THAT(bessel_y(n, x),
                 Catch::Matchers::WithinRel(::yn(n, x), 1e-4) || Catch::Matchers::WithinAbs(::yn(n, x), 1e-7));
    }
  }
}

TEST_CASE("modified Bessel functions are the library's where that has them", "[vgpu]") {
  for (const double x : {1e-5, 0.3, 1.0, 7.5, 29.99, 30.0, 30.01, 100.0, 650.0}) {
    for (const int order : {0, 1}) {
      CAPTURE(x, order);
      CHECK_THAT(vgpu::exec::bessel_i(order, x), Catch::Matchers::WithinRel(std::cyl_bessel_i(order, x), 1e-13));
    }
  }
}
