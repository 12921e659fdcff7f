// Stores of whole vectors and of single elements to one array.
#include "explain/accesses/mixed_units.h"

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kMixed = R"(__global__ void add(const float* a, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, quads = n / 4;
  if (i < quads) {
    reinterpret_cast<float4*>(c)[i] = reinterpret_cast<const float4*>(a)[i];
  }
  if (i < n % 4) {
    c[quads + i] = a[quads + i];
  }
}
)";

std::string help_between(std::uint32_t line, std::uint32_t other, const std::string& source = kMixed,
                         std::string_view id = finding_ids::kGlobalRace) {
  MergedFinding finding;
  finding.id = id;
  finding.where = {"k.cu", line, 5};
  finding.help = "as before";
  finding.other = OtherPlace{"the other thread's write is here", {"k.cu", other, 5}, {}, {}};
  std::vector<MergedFinding> findings{finding};
  show_mixed_units(findings, source, "k.cu");
  return findings.front().help;
}

TEST_CASE("stores of vectors and of elements that meet are told by their units") {
  const std::string said =
      "line 4 stores `float4`, 4 elements at once, and line 7 single ones: do both count in the same unit? Look at "
      "which elements line 7 takes";
  CHECK(help_between(7, 4) == said);
  CHECK(help_between(4, 7) == said);
  const std::string pointer = replaced(replaced(kMixed, "reinterpret_cast<float4*>(c)[i]", "wide[i]"),
                                       "  if (i < quads)", "  float4* wide = (float4*)c; if (i < quads)");
  CHECK(help_between(7, 4, pointer) == said);
}

TEST_CASE("stores of one width, reads, and other findings keep their help") {
  CHECK(help_between(4, 4) == "as before");
  CHECK(help_between(7, 4, replaced(kMixed, "reinterpret_cast<float4*>(c)[i]", "c[i]")) == "as before");
  CHECK(help_between(7, 4, replaced(kMixed, "c[quads + i] =", "float s =")) == "as before");
  CHECK(help_between(7, 4, kMixed, finding_ids::kSharedRace) == "as before");
  CHECK(help_between(7, 40) == "as before");
}

}  // namespace
}  // namespace cudalabs::test
