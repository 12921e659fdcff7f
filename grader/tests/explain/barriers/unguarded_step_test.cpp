// Steps of a reduction that all threads do, and others that no such thing is said of.
#include "explain/barriers/unguarded_step.h"

#include <string>

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_unguarded_step {
namespace {

const std::string kWarp =
    "template <typename T>\n"
    "__device__ void finish(T* s, int lane) {\n"
    "  for (int d = 32; d > 0; d >>= 1) {\n"
    "    s[lane] += s[lane + d];\n"
    "    __syncwarp();\n"
    "  }\n"
    "}\n";

const std::string kAsBefore = "put a `__syncthreads()` between the two accesses of line 4";

std::string help_of(const std::string& source, std::uint32_t other_line = 4) {
  MergedFinding finding;
  finding.id = finding_ids::kSharedRace;
  finding.where = {"k.cu", 4, 13};
  finding.other = OtherPlace{"the other thread's read is here", {"k.cu", other_line, 16}, {}, {}};
  finding.help = kAsBefore;
  const bool said = show_unguarded_step(finding, source);
  CHECK(said == (finding.help != kAsBefore));
  return finding.help;
}

TEST_CASE("a step that all threads do is to be done by those below the distance", "[explain]") {
  const std::string help =
      "in one step a thread reads `s[lane + d]` while another thread stores there, in the same statement: let only "
      "those threads add whose `lane` is less than `d`, `if (lane < d)`, and keep the barrier outside of that `if`";
  CHECK(help_of(kWarp) == help);
  CHECK(help_of(replaced(kWarp, "s[lane] += s[lane + d];", "s[lane] = s[lane] + s[lane + d];")) == help);
  CHECK(help_of(replaced(kWarp, "__syncwarp()", "__syncthreads()")) == help);
  CHECK(help_of(replaced(kWarp, "__syncwarp()", "tile.sync()")) == help);
}

TEST_CASE("nothing is said of a step that asks for the thread, or has no barrier", "[explain]") {
  CHECK(help_of(replaced(kWarp, "    s[lane] +=", "    if (lane < d) s[lane] +=")) == kAsBefore);
  CHECK(help_of(replaced(kWarp, "    s[lane] +=", "    if (adds) s[lane] +=")) == kAsBefore);
  CHECK(help_of(replaced(kWarp, "d > 0; d", "d > lane; d")) == kAsBefore);
  CHECK(help_of(replaced(kWarp, "    s[lane] += s", "    if (lane >= d) break; s[lane] += s")) == kAsBefore);
  CHECK(help_of(replaced(kWarp, "__syncwarp();", ";")) == kAsBefore);
}

TEST_CASE("nothing is said of other statements, and of accesses in two lines", "[explain]") {
  CHECK(help_of(kWarp, 5) == kAsBefore);
  CHECK(help_of(replaced(kWarp, "s[lane + d]", "r[lane + d]")) == kAsBefore);
  CHECK(help_of(replaced(kWarp, "s[lane + d]", "s[lane - d]")) == kAsBefore);
  CHECK(help_of(replaced(kWarp, "s[lane + d]", "s[lane + d] * 2")) == kAsBefore);
  CHECK(help_of(replaced(kWarp, "int d = 32; d > 0; d >>= 1", "int k = 0; k < 5; ++k")) == kAsBefore);
  CHECK(help_of("") == kAsBefore);
}

}  // namespace
}  // namespace cudalabs::test::of_unguarded_step
