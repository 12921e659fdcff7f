// The numbers of a launch beside an access past the end, and the launch of a part.
#include "explain/accesses/given_arguments.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kSource =
    "__global__ void scale(const float* in, float* out, float factor, const std::size_t n, int* step) {\n"
    "  out[i] = in[i];\n}\n"
    "void f() {\n  scale<<<4, 256>>>(d_in + 512, d_out, 2.0f, n, step);\n}\n";

MergedFinding shown(std::vector<GivenArgument> given,
                    const std::string& id = std::string(finding_ids::kGlobalOutOfBounds)) {
  MergedFinding finding;
  finding.id = id;
  finding.kernel = "scale";
  finding.where = {"k.cu", 2, 7};
  finding.note = "just past the end\nlaunch: <<<4, 256>>>, 1024 threads\nin case `a`";
  finding.help = "look at the index";
  finding.launch.where = {"k.cu", 5, 3};
  finding.launch.given = std::move(given);
  show_given_arguments(finding, kSource);
  return finding;
}

}  // namespace

TEST_CASE("whole numbers of a launch are told by the kernel's names") {
  const MergedFinding numbers = shown({{3, 2, false}, {4, 1000, false}, {5, 77, false}, {9, 1, false}});
  CHECK(numbers.note == "just past the end\nlaunch: <<<4, 256>>>, 1024 threads, with `n` = 1000\nin case `a`");
  CHECK(numbers.help == "look at the index");
  CHECK_FALSE(numbers.other);
}

TEST_CASE("of a launch of a part of the array the launch is shown") {
  const MergedFinding part = shown({{1, 512, true}, {4, 1000, false}});
  REQUIRE(part.other);
  CHECK(part.other->label == "in this launch `in` begins 512 elements behind the array's first");
  CHECK(part.other->place.line == 5);
  CHECK(part.help.find("must be the sizes of that part, here `n` = 1000") != std::string::npos);
}

TEST_CASE("nothing is told of other findings, and of what has no name") {
  CHECK(shown({{4, 1000, false}}, std::string(finding_ids::kGlobalRace)).note.find("with") == std::string::npos);
  CHECK(shown({{0, 1000, false}, {6, 1, false}}).note.find("with") == std::string::npos);
  CHECK_FALSE(shown({{4, 512, true}}).other);  // no pointer in the source
}

}  // namespace cudalabs::test
