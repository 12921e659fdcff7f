// Reads after the end of what was written.
#include "explain/memory/read_count.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_read_count {
namespace {

const std::string kSource = R"(__global__ void add(const float* in, float* out, size_t n) {
  float mine = 0;
  for (size_t i = threadIdx.x; i < n; i += 256) {
    mine += in[i];
  }
  out[threadIdx.x] = mine;
}
void f(const float* in, float* out, size_t n, size_t chunks) {
  add<<<8, 256>>>(in, sums, n);
  const size_t left = chunks * 5;
  add<<<1, 256>>>(sums, out, left);
  add<<<1, 256>>>(sums, out, 5 * chunks);
  launch_it();
}
)";

MergedFinding read(std::uint32_t launch, std::uint64_t written = 1032) {
  MergedFinding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.where = {"k.cu", 4, 13};
  finding.launch.where = {"k.cu", launch, 0};
  finding.access.written = written;
  finding.note = "4 bytes";
  std::vector<MergedFinding> findings{finding};
  show_read_counts(findings, kSource, "k.cu");
  return findings.front();
}

/// Of a kernel with this body, whose third line reads.
MergedFinding read_in(const std::string& body) {
  MergedFinding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.where = {"k.cu", 3, 1};
  finding.launch.where = {"k.cu", 7, 0};
  finding.access.written = 8;
  std::vector<MergedFinding> findings{finding};
  show_read_counts(findings,
                   "__global__ void k(const float* in, float* out, int n, int m) {\n" + body +
                       "}\nvoid f() {\n  const int left = 5;\n  k<<<1, 1>>>(a, b, left, 2);\n}\n",
                   "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("without a condition for one number, the launch alone is shown") {
  const MergedFinding guarded = read_in("  int i = 0;\n  out[i] = i < n ? in[i] : 0;\n");
  REQUIRE(guarded.other);
  CHECK(guarded.other->label == "`left` is set here");
  for (const char* body : {"  int i = 0;\n  out[i] = in[i];\n", "  if (i < n && i < m)\n    out[i] = in[i];\n"}) {
    const MergedFinding made = read_in(body);
    REQUIRE(made.other);
    CHECK(made.other->place.line == 7);
    CHECK(made.other->label == "this launch reads there");
  }
}

TEST_CASE("a number that another one is multiplied by is no count of elements") {
  const MergedFinding rows = read_in("  for (int k = 0; k < n; ++k)\nin[k * m];\n");
  REQUIRE(rows.other);
  CHECK(rows.other->label == "this launch reads there");
  CHECK(rows.other->place.line == 7);
  CHECK(read_in("  for (int k = 0; k < n; ++k)\nin[k * 4] + m;\n").other->label == "`left` is set here");
}

TEST_CASE("the launch stays hidden where the line that is to blame is shown, and the read beside it") {
  MergedFinding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.where = {"k.cu", 10, 1};
  finding.launch.where = {"k.cu", 11, 0};
  finding.access.written = 8;
  finding.other = OtherPlace{"as before", {"k.cu", 4, 13}, {}, {}, PlaceRole::access};
  std::vector<MergedFinding> findings{finding};
  show_read_counts(findings, kSource, "k.cu");
  CHECK(findings.front() == finding);
}

TEST_CASE("the line that sets the number of elements to read is shown") {
  const MergedFinding made = read(11);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 10);
  CHECK(made.other->label == "`left` is set here");
  CHECK(made.note == "the launch in line 11 gives it to the kernel, as `n`\n4 bytes");
}

TEST_CASE("a number that the launch itself has is shown there") {
  const MergedFinding computed = read(12);
  REQUIRE(computed.other);
  CHECK(computed.other->place.line == 12);
  CHECK(computed.other->label == "this launch tells the kernel how many: `5 * chunks`");
  const MergedFinding given = read(9);
  REQUIRE(given.other);
  CHECK(given.other->place.line == 9);
  CHECK(given.other->label == "this launch tells the kernel how many: `n`");
}

TEST_CASE("nothing is shown where nothing was written, or the launch is not known") {
  CHECK_FALSE(read(11, 0).other);
  CHECK_FALSE(read(13).other);
  CHECK_FALSE(read(0).other);
}

}  // namespace cudalabs::test::of_read_count
