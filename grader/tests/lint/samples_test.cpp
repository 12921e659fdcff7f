// The samples of a lab, and what is appended to which of them.
#include "lint/samples.h"

#include <algorithm>

#include "catch.h"

using namespace cudalabs;
using namespace cudalabs::lint;
namespace fs = std::filesystem;

namespace {

const fs::path kRoot = CUDALABS_SOURCE_DIR;

std::vector<Sample> samples_of_shipped(const std::string& slug) {
  return samples_of(read_lab(kRoot / "labs" / slug, kRoot / "solutions"));
}

}  // namespace

TEST_CASE("steps of a ladder get the rest of the contract, other samples nothing") {
  const std::vector<Sample> samples = samples_of_shipped("lab5_reduction");
  CHECK(std::ranges::count(samples, SampleKind::ladder, &Sample::kind) >= 3);
  for (const Sample& sample : samples) {
    CAPTURE(sample.file);
    CHECK(sample.file.extension() == ".cu");
    CHECK(sample.rest == (sample.kind == SampleKind::ladder ? sample.file.parent_path() / "rest.h" : fs::path()));
  }
}

TEST_CASE("steps that define the whole contract get nothing") {
  for (const Sample& sample : samples_of_shipped("lab4_tiled_matmul")) CHECK(sample.rest.empty());
}
