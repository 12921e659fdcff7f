// Launches that each do a part: what they leave out, and where that comes from.
#include "explain/elements/launch_parts.h"

#include <string>

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

const std::string kPieces =
    "__global__ void add(const float* a, float* c, int count) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i >= count) return;\n"
    "  c[i] = a[i];\n"
    "}\n"
    "void run(float* a, float* c, int n) {\n"
    "  for (int p = 0; p < pieces; ++p) {\n"
    "    const int count = n / 4;\n"
    "    const int start = p * count;\n"
    "    add<<<blocks, 64>>>(a + start, c + start, count);\n"
    "  }\n"
    "}\n";

using Range = std::pair<std::int64_t, std::int64_t>;

/// Each launch stores the elements of its range, by as many threads of 64.
CaseRun with_parts(std::int64_t elements, const std::vector<Range>& parts, std::int64_t columns = 1) {
  datasets::Array output = float_matrix("c", elements / columns, columns);
  for (std::int64_t i = 0; i < elements; ++i) {
    const auto has = [&](const Range& part) { return part.first <= i && i < part.second; };
    if (std::ranges::none_of(parts, has)) poison(output, i);
  }
  CaseRun made = case_run_with("parts", expected_matrix(elements / columns, columns), std::move(output));
  made.observed.on_device = {"c"};
  for (const auto& [first, end] : parts) {
    const auto launch = static_cast<std::uint64_t>(made.observed.launches.size()) + 1;
    made.observed.launches.emplace_back().kernel = "add";
    made.observed.launches.back().config = {{1, 1, 1}, {64, 1, 1}};
    const auto count = static_cast<std::uint64_t>(end - first);
    made.observed.extents.push_back({"c",
                                     "add",
                                     {"k.cu", 4, 8},
                                     launch,
                                     count,
                                     count,
                                     static_cast<std::uint64_t>(first) * 4,
                                     static_cast<std::uint64_t>(end) * 4});
  }
  return made;
}

MergedFinding missing() {
  MergedFinding made;
  made.id = finding_ids::kUnwrittenOutput;
  made.where = {"k.cu", 4, 8};
  made.kernel = "add";
  made.output = "c";
  made.shown = "parts";
  made.help = "as before";
  return made;
}

MergedFinding explained(CaseRun case_run, const std::string& source = kPieces, MergedFinding made = missing()) {
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(std::move(case_run));
  if (!explain_launch_parts(made, source, submission_run)) CHECK(made.help == "as before");
  return made;
}

}  // namespace

TEST_CASE("a launch that stores where another one has stored leads to where the parts begin") {
  const MergedFinding made = explained(with_parts(67, {{0, 32}, {32, 64}, {6, 9}}));
  CHECK(made.where.line == 9);
  CHECK(made.proven);
  CHECK(made.other->place.line == 4);
  CHECK_THAT(made.help, contains_text("launch 3 of 3 stores elements 6 to 8, where an earlier one has stored"));
  CHECK_THAT(made.help, contains_text("`start`"));
}

TEST_CASE("parts that end too early lead to the division that drops the rest") {
  const MergedFinding made = explained(with_parts(67, {{0, 16}, {16, 32}, {32, 48}, {48, 64}}));
  CHECK(made.where.line == 8);
  CHECK_THAT(made.help, contains_text("`n / 4` drops what is left over: the 4 launches store elements 0 to 63"));
}

TEST_CASE("other parts that end too early lead to the launch, but not where it may have too few threads") {
  const MergedFinding made = explained(with_parts(70, {{0, 32}, {32, 64}}));
  CHECK(made.where.line == 10);
  CHECK_THAT(made.help, contains_text("the 2 launches store elements 0 to 63"));
  CHECK(explained(with_parts(134, {{0, 64}, {64, 128}})).help == "as before");
}

TEST_CASE("a single launch, what kernels themselves left out, and launches that are not known say nothing") {
  CHECK(explained(with_parts(70, {{0, 64}})).help == "as before");
  CaseRun holes = with_parts(67, {{0, 32}, {32, 64}, {6, 9}});
  holes.observed.extents[0].end -= 4;
  CHECK(explained(holes).help == "as before");
  CaseRun unknown = with_parts(67, {{0, 32}, {32, 64}, {6, 9}});
  unknown.observed.launches.emplace_back().kernel = "add";
  CHECK(explained(unknown).help == "as before");
  const std::string twice = kPieces + "void more() { add<<<1, 2>>>(a, c, 3); }\n";
  CHECK(explained(with_parts(67, {{0, 32}, {32, 64}, {6, 9}}), twice).help == "as before");
}

TEST_CASE("rows that a launch reads from elsewhere lead to the addresses that it gets") {
  const auto moved = [](std::int64_t second) {
    CaseRun made = with_parts(72, {{0, 24}, {24, 48}, {48, 72}}, 6);
    made.observed.outputs[0] = float_matrix("c", 12, 6, [=](auto row, auto column) {
      const std::int64_t first = row / 4 * 4;
      return reference_value(first == 4 ? row - 4 + second : first == 8 ? row - 6 : row, column);
    });
    return judged(std::move(made));
  };
  MergedFinding wrong = missing();
  wrong.id = finding_ids::kResultMismatch;
  wrong.values = ValueKind::misplaced;
  const MergedFinding made = explained(moved(1), kPieces, wrong);
  CHECK(made.where.line == 10);
  CHECK_THAT(made.help, contains_text("the launch that stores rows 4 to 7 reads from row 1 on"));
  wrong.values = ValueKind::zero;
  CHECK(explained(moved(1), kPieces, wrong).help == "as before");
}

TEST_CASE("values that are wrong from the second launch on lead to what changes between the launches") {
  const auto wrong_in = [](auto is_wrong, const std::vector<Range>& parts = {{0, 24}, {24, 48}, {48, 72}}) {
    CaseRun made = with_parts(72, parts, 6);
    made.observed.outputs[0] = float_matrix("c", 12, 6, [=](auto row, auto column) {
      return reference_value(row, column) + (is_wrong(row) ? 0.3 + static_cast<double>(row * column % 5) : 0);
    });
    return judged(std::move(made));
  };
  const auto later = [](std::int64_t row) { return row >= 4; };
  MergedFinding wrong = missing();
  wrong.id = finding_ids::kResultMismatch;
  wrong.values.reset();
  const MergedFinding made = explained(wrong_in(later), kPieces, wrong);
  CHECK(made.where.line == 10);
  CHECK(made.message == "`c` is wrong just in what the second and later launches of `add` store");
  CHECK_THAT(made.help, contains_text("the first launch stores, rows 0 to 3, is right, and all that the second one "
                                      "stores, rows 4 to 7, is wrong: look at what changes"));
  REQUIRE(made.other);
  CHECK(made.other->place.line == 4);
  // Other launches, or only parts of what they store.
  const auto same = [&](CaseRun run) { return explained(run, kPieces, wrong).help == "as before"; };
  CHECK(same(wrong_in([](std::int64_t row) { return row >= 3; })));
  CHECK(same(wrong_in([](std::int64_t row) { return row >= 8; })));
  CHECK(same(wrong_in([](std::int64_t row) { return row >= 4 && row % 2 == 0; })));
  CHECK(same(wrong_in(later, {{0, 72}})));
  CHECK(same(wrong_in(later, {{0, 24}, {0, 72}})));
  wrong.detector = "known";
  CHECK(same(wrong_in(later)));
}

}  // namespace cudalabs::test
