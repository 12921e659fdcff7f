// Several arrays in one allocation, at distances that are a multiple of a wide access, and not.
#include "explain/accesses/uneven_pitch.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_uneven_pitch {
namespace {

const Help kAskedBefore = Advice::align_arrays;

/// In the host's function, whose first line is 2, of an access of 16 bytes.
MergedFinding explained(const std::string& body, std::int64_t n = 1001) {
  const std::string source = "#include \"vector_add.h\"\nvoid vector_add(const float* a, float* c, int n) {\n" + body +
                             "\n  add<<<1, 256>>>(arena, n);\n}\n";
  MergedFinding made{finding(std::string(finding_ids::kMisalignedAccess), 20), {}};
  made.where = {"k.cu", 1, 1};
  made.help = kAskedBefore;
  made.access.bytes = 16;
  made.cases = {"odd"};
  CaseRun run;
  run.test.spec.name = "odd";
  run.test.spec.parameters = {{"n", n}};
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(run);
  std::vector<MergedFinding> findings{made};
  show_uneven_pitches(findings, source, "k.cu", submission_run);
  return findings.front();
}

const std::string kArena = "  float* arena = nullptr;\n  if (cudaMalloc(&arena, 3 * n * sizeof(float))) return;\n";

}  // namespace

TEST_CASE("the line that sets the distance of arrays is shown") {
  const MergedFinding found =
      explained("  const std::size_t pitch = static_cast<std::size_t>(n);\n" + kArena +
                "  float* d_a = arena;\n  float* d_b = d_a + pitch;\n  float *d_c = d_b + pitch;");
  CHECK(found.help ==
        "`pitch` in line 3 is the distance of `d_a` and `d_b`, and no multiple of 4 `float`s: round `n` up, `(n + 3) / "
        "4 * 4`");
  REQUIRE(found.other);
  CHECK(found.other->place == SourcePlace{"k.cu", 3, 21});
}

TEST_CASE("a distance is found behind a factor, in a subscript and in bytes") {
  CHECK(explained("  int each = n;\n" + kArena + "  float* d_b = arena + 2 * each;").other->place.line == 3);
  CHECK(explained("  int each = n;\n" + kArena + "  float* d_b = &arena[each];").other->place.line == 3);
  CHECK(
      explained(kArena + "  float* d_b = arena + n;").help ==
      "`d_b` begins `n` `float`s behind `arena`, and wide accesses need a multiple of 4: let the distance be `(n + 3) "
      "/ 4 * 4`, here and in the size of the allocation");
  CHECK(explained("  size_t bytes = n * 4;\n  char* arena;\n  cudaMalloc((void**)&arena, 3 * bytes);\n"
                  "  float* d_b = reinterpret_cast<float*>(arena + bytes);")
            .help.ends_with("no multiple of 16 `char`s: round it up to a multiple of 16"));
}

TEST_CASE("nothing is said of a distance that is a multiple, or not known") {
  const auto stays = [](const std::string& body, std::int64_t n = 1001) {
    const MergedFinding found = explained(body, n);
    return found.help == kAskedBefore && !found.other;
  };
  CHECK(stays("  int pitch = (n + 3) / 4 * 4;\n" + kArena + "  float* d_b = arena + pitch;"));
  CHECK(stays("  int pitch = n;\n" + kArena + "  float* d_b = arena + pitch;", 1024));
  CHECK(stays("  int pitch = rounded(n);\n" + kArena + "  float* d_b = arena + pitch;"));
  CHECK(stays("  int pitch = n;\n  float* d_b = c + pitch;"));
  CHECK(stays(kArena + "  int pitch = n;"));
}

TEST_CASE("a long text of arrays is read all the same") {
  std::string many = kArena;
  for (int i = 0; i < 50'000; ++i) many += "float* d = arena + n;";
  CHECK(explained(many).other);
  explained(kArena + std::string(1 << 20, '('));
  std::string calls;
  for (int i = 0; i < 50'000; ++i) calls += "cudaMalloc(&a[";
  explained(calls);
}

}  // namespace cudalabs::test::of_uneven_pitch
