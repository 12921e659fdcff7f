// A speed in words.
#include "report/speed_text.h"

#include "catch.h"
#include "speed/speed_result.h"

using cudalabs::speed_text;
using cudalabs::SpeedResult;

namespace {

std::string text_of(double ratio, double full) {
  SpeedResult result;
  result.kind = SpeedResult::Kind::modelled;
  result.device = "NVIDIA T4";
  result.baseline = "a copy";
  result.size = "n = 1";
  result.full = full;
  result.ratio = result.low = result.high = ratio;
  return speed_text(result);
}

}  // namespace

TEST_CASE("a ratio has three digits") {
  CHECK(text_of(1.23456, 1.5) == "modelled, not measured, for the NVIDIA T4: 1.23 times the speed of a copy (n = 1)");
  CHECK(text_of(1.50001, 1.5) == "modelled, not measured, for the NVIDIA T4: 1.5 times the speed of a copy (n = 1)");
}

TEST_CASE("a ratio below the threshold does not look like it") {
  CHECK(text_of(1.4994, 1.5) == "modelled, not measured, for the NVIDIA T4: 1.499 times the speed of a copy (n = 1)");
  CHECK(text_of(1.49999996, 1.5) ==
        "modelled, not measured, for the NVIDIA T4: 1.49999996 times the speed of a copy (n = 1)");
}
