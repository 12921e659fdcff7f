// Pointers that the host moves on by rows of another matrix.
#include "explain/accesses/other_row_length.h"

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_other_row_length {
namespace {

const std::string kSlabs = R"(__global__ void slab(const float* a, const float* b, float* c, int rows, int n, int p) {
  for (int k = 0; k < n; ++k)
    sum += a[std::size_t(row) * n + k] * b[std::size_t(k) * p + col];
  c[std::size_t(row) * p + col] = sum;
}
bool launch(const float* a, const float* b, float* c, int rows, int n, int p) {
  slab<<<1, 32>>>(a, b, c, rows, n, p);
  return true;
}
void matmul(const float* d_a, const float* d_b, float* d_c, int m, int inner, int p) {
  for (int done = 0; done < m; done += 16) {
    const std::size_t offset = std::size_t(done) * p;
    launch(d_a + offset, d_b, d_c + offset, 16, inner, p);
  }
}
)";

MergedFinding told(const std::string& source, std::string_view id = finding_ids::kGlobalOutOfBounds) {
  MergedFinding finding;
  finding.id = id;
  finding.where = {"k.cu", 3, 12};
  finding.kernel = "slab";
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  show_other_row_length(findings, source, "k.cu");
  return findings.front();
}

std::string help_with(const std::string& old, const std::string& with) {
  return told(replaced(kSlabs, old, with)).help.words();
}

}  // namespace

TEST_CASE("a pointer that moves on by rows of another matrix is named at the call") {
  const MergedFinding made = told(kSlabs);
  CHECK(made.help ==
        "rows of `d_a` have `inner` elements, but line 13 adds `std::size_t(done) * p` to it: `p` is the length of "
        "another matrix's rows; multiply by `inner` for `d_a`");
  REQUIRE(made.other);
  CHECK(made.other->label == "`d_a` moves on by rows of `p` elements here");
  CHECK(made.other->place == SourcePlace{"k.cu", 13, 12});
  CHECK_THAT(help_with("d_a + offset", "d_a + (size_t)done * p"), contains_text("adds `(size_t)done * p` to it"));
  CHECK_THAT(help_with("d_a + offset", "&d_a[done * p]"), contains_text("adds `done * p` to it"));
  CHECK_THAT(help_with("d_a + offset, d_b, d_c + offset", "d_a + done * inner, d_b, d_c + done * inner"),
             contains_text("rows of `d_c` have `p` elements"));
  CHECK_THAT(help_with("launch(d_a + offset, d_b, d_c + offset, 16, inner, p)",
                       "slab<<<1, 32>>>(d_a + offset, d_b, d_c + offset, 16, inner, p)"),
             contains_text("as before"));  // two launches
  CHECK_THAT(told(kSlabs, finding_ids::kResultMismatch).help.words(), contains_text("rows of `d_a`"));
}

TEST_CASE("a launch with the moved pointer is read, and rows that are pointers") {
  std::string direct = replaced(kSlabs, "  slab<<<1, 32>>>(a, b, c, rows, n, p);\n", "");
  direct = replaced(direct, "    launch(d_a", "    slab<<<1, 32>>>(d_a");
  CHECK_THAT(told(direct).help.words(), contains_text("line 12 adds"));
  CHECK_THAT(help_with("  for (int k", "  const float* line = a + (size_t)row * n;\n  for (int k"),
             contains_text("rows of `d_a` have `inner`"));
}

TEST_CASE("of missing elements the kernel is that of the line that stores") {
  MergedFinding finding;
  finding.id = finding_ids::kUnwrittenOutput;
  finding.where = {"k.cu", 7, 3};
  finding.other = OtherPlace{"the result is stored here", {"k.cu", 4, 3}, {}, {}};
  finding.proven = true;
  const auto helped = [](const MergedFinding& before) {
    std::vector<MergedFinding> findings{before};
    show_other_row_length(findings, kSlabs, "k.cu");
    return findings.front().help.words();
  };
  finding.help = Help::where_to_look("as before");
  CHECK_THAT(helped(finding), contains_text("rows of `d_a` have"));
  finding.help = "as before";
  finding.help.scope = HelpScope::change;
  CHECK(helped(finding) == "as before");
}

TEST_CASE("pointers that move on by their own rows, or by none, stay") {
  CHECK(help_with("d_a + offset", "d_a + std::size_t(done) * inner") == "as before");
  CHECK(help_with("d_a + offset", "d_a + done * inner * p") == "as before");
  CHECK(help_with("d_a + offset", "d_a + done") == "as before");
  CHECK(help_with("d_a + offset", "d_a + done * p + 1") == "as before");
  CHECK(help_with("d_a + offset", "d_a + done * m") == "as before");
  CHECK(help_with("d_a + offset", "d_a") == "as before");
  CHECK(help_with("16, inner, p)", "16, p, p)") == "as before");
  CHECK(help_with("* n + k]", "* n + k * p]") == "as before");
  CHECK(help_with("void matmul", "void twice() { launch(x, y, z, 1, 1, 1); }\nvoid matmul") == "as before");
  CHECK(told(kSlabs, finding_ids::kSharedRace).help == "as before");
}

TEST_CASE("a hostile text around moved pointers is read in one go") {
  for (const std::string part : {"a[a[", "launch(", "a + ", "offset = ", "slab<", "a*"}) {
    std::string text = kSlabs.substr(0, kSlabs.find("  c["));
    while (text.size() < (1U << 20)) text += part;
    told(text + kSlabs.substr(kSlabs.find("  c[")));
  }
}

}  // namespace cudalabs::test::of_other_row_length
