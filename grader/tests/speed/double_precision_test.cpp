// What is said where double precision makes a kernel slow.
#include "speed/double_precision.h"

#include <array>

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::speed;

TEST_CASE("the rate of double precision is that of the GPU") {
  CHECK(double_precision_advice(vgpu::device_model("t4"))
            .starts_with("double precision runs at 1/32 of the rate of single precision on the NVIDIA T4: "));
  CHECK(double_precision_advice(vgpu::device_model("h200")).starts_with("double precision runs at 1/2 "));
}

TEST_CASE("a measured speed gets advice on double precision from counters, on a GPU that is known") {
  vgpu::LaunchCounters launch;
  launch.values = {{"warp_instructions", 1000}, {"float64_instructions", 800}};
  const auto advice = [&](SpeedResult::Kind kind, const char* device_class) {
    SpeedResult result;
    result.kind = kind;
    result.device_class = device_class;
    advise_on_measured(result, std::array{launch});
    return result.advice;
  };
  using enum SpeedResult::Kind;
  CHECK(advice(measured, "t4") == double_precision_advice(vgpu::device_model("t4")));
  CHECK(advice(measured, "any").empty());
  CHECK(advice(unknown, "t4").empty());
  launch.values["float64_instructions"] = 1;
  CHECK(advice(measured, "t4").empty());
}
