// What a kit for a course host is refused for.
#include "course/host_kit.h"

#include "catch.h"
#include "class_fixture.h"
#include "hosts/host.h"

using namespace cudalabs;
using namespace cudalabs::test;

TEST_CASE("a kit is made of a Debian package alone") {
  const sandbox::TemporaryFolder folder;
  const Lab lab = made_up_lab("lab3", "matmul.cu");
  const std::filesystem::path kits = folder.path() / "kits";
  std::filesystem::create_directories(kits / "gradescope");
  const auto make = [&](const std::string& package) {
    course::make_host_kit({.host = hosts::find_host("gradescope"),
                           .lab = &lab,
                           .kits = kits,
                           .install_script = folder.path() / "install_package.sh",
                           .package = folder.write("cudalabs_1.0.0_amd64.deb", package)},
                          folder.path() / "out");
  };
  for (const std::string package :
       {"", "x", "!<arch>\nsomething.o  ", "PK and much more than a package's first bytes"}) {
    CAPTURE(package);
    CHECK_THROWS_WITH(make(package), contains_text("cudalabs_1.0.0_amd64.deb: this is no Debian package"));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "out"));
  }
  CHECK_NOTHROW(make("!<arch>\ndebian-binary   and what else stands in a package"));
}
