// A wrong sample is compared with the right one that is nearest to it.
#include "lint/nearest_right.h"

#include "catch.h"
#include "program.h"

using namespace cudalabs::lint;
using cudalabs::test::TemporaryFolder;

namespace {

const std::string kLine = "a = b + c; d = e + f; ";

struct Samples {
  Sample write(SampleKind kind, const std::string& name, const std::string& text) const {
    Sample sample;
    sample.kind = kind;
    sample.file = folder.write(name, text);
    return sample;
  }
  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("the nearest right sample may be the solution, an alternative or a step of a ladder") {
  const Samples at;
  const Sample wrong = at.write(SampleKind::wrong, "wrong.cu", "x; " + kLine + "x; " + kLine + "x;");
  std::vector<Sample> samples{wrong};
  CHECK(places_from_nearest_right(wrong, samples) == 0);
  samples.push_back(at.write(SampleKind::skeleton, "skeleton.cu", "x; " + kLine + "x; " + kLine + "y;"));
  samples.push_back(at.write(SampleKind::solution, "solution.cu", "y; " + kLine + "y; " + kLine + "y;"));
  CHECK(places_from_nearest_right(wrong, samples) == 3);
  samples.push_back(at.write(SampleKind::alternative, "alternative.cu", "x; " + kLine + "y; " + kLine + "y;"));
  CHECK(places_from_nearest_right(wrong, samples) == 2);
  samples.push_back(at.write(SampleKind::ladder, "ladder.cu", "x; " + kLine + "x; " + kLine + "y; // why"));
  CHECK(places_from_nearest_right(wrong, samples) == 1);
}

TEST_CASE("the places of all wrong samples are one line") {
  const Samples at;
  PlacesOfWrong counts;
  CHECK(described(counts).empty());
  count_places(counts, {at.write(SampleKind::solution, "solution.cu", "x;" + kLine + "x;"),
                        at.write(SampleKind::wrong, "one.cu", "x;" + kLine + "y;"),
                        at.write(SampleKind::wrong, "another.cu", "y;" + kLine + "x;"),
                        at.write(SampleKind::wrong, "two.cu", "y;" + kLine + "y;")});
  CHECK(described(counts) == "places in which wrong samples differ from the nearest right one: 2 in 1, 1 in 2\n");
  counts[kMostPlaces + 1] = 1;
  counts[kMostPlaces + 4] = 2;
  CHECK(described(counts) ==
        "places in which wrong samples differ from the nearest right one: 2 in 1, 1 in 2, 3 in more, with a reason\n");
}
