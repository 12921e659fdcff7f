// What is asked of device files before anything is compiled, with files that every machine has.
#include "run/real_device.h"

#include <filesystem>
#include <string>

#include "catch.h"

namespace cudalabs::runner {
namespace {

TEST_CASE("a device file that the sandbox opens is no obstacle", "[run]") {
  CHECK(unopenable_device({}).empty());
  CHECK(unopenable_device({{"/dev/null", true}, {"/dev/zero", true}}).empty());
}

TEST_CASE("a device file that the sandbox does not open is named", "[run]") {
  const std::string why = unopenable_device({{"/dev/null", true}, {"/dev/no-such-gpu", true}});
  CAPTURE(why);
  CHECK(why.find("/dev/no-such-gpu") != std::string::npos);
}

TEST_CASE("a machine without the driver's device files is said to have no GPU", "[run]") {
  if (std::filesystem::exists("/dev/nvidiactl")) return;
  CHECK_THROWS_AS(require_real_device(), GpuUnfit);
}

}  // namespace
}  // namespace cudalabs::runner
