// Reads of parts of an array that whole blocks have left out.
#include "explain/memory/left_out_blocks.h"

#include "catch.h"
#include "tests/check/make.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_left_out_blocks {
namespace {

const std::string kSlices =
    "__global__ void parts(const float* a, float* partial, int per_slice, int phases) {\n"
    "  const int first = blockIdx.z * per_slice;\n"
    "  const int last = min(first + per_slice, phases);\n"
    "  if (first >= last) return;\n"
    "  const int i = blockIdx.x * 16 + threadIdx.x;\n"
    "  if (i < 64) partial[blockIdx.z * 64 + i] = a[i];\n"
    "}\n"
    "__global__ void add(const float* partial, float* c, int slices) {\n"
    "  for (int s = 0; s < slices; ++s) sum += partial[s * 64 + threadIdx.x];\n"
    "}\n";

/// `written` and `read_to` are in bytes; `add` reads in line 9.
MergedFinding shown(const std::string& source, std::uint64_t written = 1280, std::uint64_t read_to = 2048,
                    Index3 grid = {4, 1, 8}) {
  MergedFinding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.where = {"k.cu", 9, 43};
  finding.kernel = "add";
  finding.cases = {"deep"};
  finding.access.written = written;
  finding.access.read_to = read_to;
  finding.access.bytes = 4;
  finding.help = "as before";
  finding.other = OtherPlace{"this launch reads there", {"k.cu", 20, 3}, {}, {}};
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(case_run_with("deep", expected_matrix(2, 2), float_matrix("out", 2, 2)));
  Observation& observed = submission_run.case_runs.back().observed;
  observed.launches.emplace_back().kernel = "parts";
  observed.launches.back().config = {grid, {16, 1, 1}};
  std::vector<MergedFinding> findings{finding};
  show_left_out_blocks(findings, source, "k.cu", submission_run);
  return findings.front();
}

bool stays(const MergedFinding& finding) {
  return finding.help == "as before" && finding.other->place.line == 20;
}

}  // namespace

TEST_CASE("the return of whole blocks is shown where the rest is as much as they had to write") {
  const MergedFinding made = shown(kSlices);
  CHECK(made.other->place.line == 4);
  CHECK(made.other->label == "3 of 8 blocks of `parts` along z return here, and store nothing");
  CHECK(made.note == "this launch reads there in line 20\n");
  CHECK(made.help ==
        "let these blocks of `parts` store 0, without the `return`; or let `add` read only the parts that are written, "
        "5 of 8");
}

TEST_CASE("a condition around the store is shown likewise") {
  const std::string around = replaced(replaced(kSlices, "  if (first >= last) return;\n", "\n"),
                                      "  if (i < 64) partial[blockIdx.z * 64 + i] = a[i];",
                                      "  if (first < last) { partial[blockIdx.z * 64 + i] = a[i]; }");
  const MergedFinding made = shown(around);
  CHECK(made.other->place.line == 6);
  CHECK(made.other->label.ends_with("along z do nothing here, and store nothing"));
  CHECK(made.help.find("store 0, outside of the `if`") != std::string::npos);
}

TEST_CASE("where the counts do not fit, or threads decide, no block is blamed") {
  CHECK(stays(shown(kSlices, 1284)));
  CHECK(stays(shown(kSlices, 1280, 2048, {4, 1, 1})));
  CHECK(stays(shown(kSlices, 0)));
  CHECK(stays(shown(replaced(kSlices, "blockIdx.z * per_slice;", "blockIdx.z * per_slice + threadIdx.x;"))));
  CHECK(stays(shown(replaced(kSlices, "blockIdx.z * per_slice;", "blockIdx.z * per_slice + blockIdx.y;"))));
  CHECK(stays(shown(replaced(kSlices, "  if (first >= last) return;", ""))));
  // It stores before it returns.
  CHECK(stays(shown(replaced(kSlices, "  if (first >= last)", "  partial[blockIdx.z] = 0;\n  if (first >= last)"))));
  // Two such conditions.
  CHECK(stays(shown(kSlices + replaced(kSlices, "parts", "others"))));
}

TEST_CASE("a long text of blocks that leave is read all the same") {
  for (const std::string part : {"if (blockIdx.z > 3) return; ", "partial[i] = 2; ", "int j = blockIdx.z; ", "{"}) {
    std::string many = "__global__ void parts(float* partial) {\n";
    while (many.size() < (1U << 20)) many += part;
    CHECK(stays(shown(many)));
  }
}

}  // namespace cudalabs::test::of_left_out_blocks
