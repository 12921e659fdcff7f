// From a ratio to a share of points, and whose thresholds apply.
#include "speed/credit.h"

#include <limits>
#include <stdexcept>

#include "catch.h"
#include "speed/gpu_facts.h"
#include "speed/speed_result.h"

using namespace cudalabs;
using namespace cudalabs::speed;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

SpeedThreshold threshold(const std::string& device, double none, double full) {
  SpeedThreshold made;
  made.device = device;
  made.none = none;
  made.full = full;
  return made;
}

}  // namespace

TEST_CASE("nothing up to one ratio, everything from the other on, and a straight line between") {
  const SpeedThreshold any = threshold("any", 1, 1.5);
  CHECK(credit(any, 0) == 0);
  CHECK(credit(any, 1) == 0);
  CHECK(credit(any, 1.125) == 0.25);
  CHECK(credit(any, 1.25) == 0.5);
  CHECK(credit(any, 1.5) == 1);
  CHECK(credit(any, 1000) == 1);
}

TEST_CASE("what is no ratio earns nothing, but for one beyond all bounds") {
  const SpeedThreshold any = threshold("any", 1, 1.5);
  CHECK(credit(any, std::numeric_limits<double>::quiet_NaN()) == 0);
  CHECK(credit(any, -kInfinity) == 0);
  CHECK(credit(any, -1) == 0);
  CHECK(credit(any, kInfinity) == 1);
}

TEST_CASE("who is faster never earns less, and nobody more than everything") {
  for (const SpeedThreshold& any : {threshold("any", 0, 0.1), threshold("any", 0.03, 0.15), threshold("any", 1, 20)}) {
    double before = 0;
    for (double ratio = -1; ratio < 25; ratio += 1.0 / 128) {
      const double now = credit(any, ratio);
      REQUIRE(now >= before);
      REQUIRE(now <= 1);
      before = now;
    }
    CHECK(before == 1);
  }
}

TEST_CASE("a class of devices has its own thresholds, or those of any") {
  SpeedTest test;
  test.thresholds = {threshold("h200", 1, 2), threshold("any", 3, 4), threshold("t4", 5, 6)};
  CHECK(threshold_for(test, "h200").none == 1);
  CHECK(threshold_for(test, "t4").none == 5);
  CHECK(threshold_for(test, "any").none == 3);
  CHECK(threshold_for(test, "a100").none == 3);
  CHECK(threshold_for(test, "").none == 3);
  test.thresholds = {threshold("h200", 1, 2)};
  CHECK_THROWS_AS(threshold_for(test, "t4"), std::logic_error);
  test.thresholds.clear();
  CHECK_THROWS_AS(threshold_for(test, "any"), std::logic_error);
}

TEST_CASE("a GPU's class is a whole word of its name") {
  CHECK(device_class_of("NVIDIA H200") == "h200");
  CHECK(device_class_of("NVIDIA H200 NVL") == "h200");
  CHECK(device_class_of("NVIDIA A100-SXM4-80GB") == "a100");
  CHECK(device_class_of("Tesla T4") == "t4");
  CHECK(device_class_of("NVIDIA GeForce RTX 3060") == "rtx3060");
  CHECK(device_class_of("nvidia geforce rtx3060") == "rtx3060");
  for (const char* other : {"NVIDIA RTX A1000 Laptop GPU", "NVIDIA T400 4GB", "GeForce GT 430", "NVIDIA GH200 480GB",
                            "NVIDIA GeForce RTX 3050", "NVIDIA", ""}) {
    CAPTURE(other);
    CHECK(device_class_of(other) == "any");
  }
}

TEST_CASE("before anything is known of a speed it is known what was asked") {
  SpeedTest test;
  test.check = "bandwidth";
  test.parameters = {{"m", 4096}};
  test.baseline = "copy";
  test.thresholds = {threshold("any", 0.3, 0.7), threshold("h200", 0.4, 0.8)};
  test.thresholds.back().honours = 0.9;
  const SpeedResult result = nothing_known(test, "NVIDIA H200", "h200", {{"m", 2048}, {"n", 16}});
  CHECK(result.kind == SpeedResult::Kind::unknown);
  CHECK(result.check == "bandwidth");
  CHECK(result.device == "NVIDIA H200");
  CHECK(result.device_class == "h200");
  CHECK(result.baseline == "a copy within the device");
  CHECK(result.size == "m = 2048, n = 16");
  CHECK(result.none == 0.4);
  CHECK(result.full == 0.8);
  CHECK(result.honours == 0.9);
  CHECK(result.credit == 0);
  CHECK_FALSE(result.finding);
}
