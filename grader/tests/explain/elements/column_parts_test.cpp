// Launches that each do some columns of an output.
#include "explain/elements/column_parts.h"

#include <algorithm>
#include <string>
#include <vector>

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_column_parts {
namespace {

constexpr std::int64_t kRows = 3;

struct Columns {
  std::int64_t left, right;
};

/// Each launch stores such columns of all rows, out of `columns`, with blocks of 32 threads in a row.
CaseRun with_columns(std::int64_t columns, const std::vector<Columns>& parts, std::int64_t blocks = 1) {
  datasets::Array output = float_matrix("c", kRows, columns);
  for (std::int64_t i = 0; i < kRows * columns; ++i) {
    const auto has = [&](const Columns& part) { return part.left <= i % columns && i % columns < part.right; };
    if (std::ranges::none_of(parts, has)) poison(output, i);
  }
  CaseRun made = case_run_with("parts", expected_matrix(kRows, columns), std::move(output));
  made.observed.on_device = {"c"};
  for (const auto& [left, right] : parts) {
    made.observed.launches.emplace_back().kernel = "k";
    made.observed.launches.back().config = {{static_cast<std::uint32_t>(blocks), 1, 1}, {32, 3, 1}};
    const auto stores = static_cast<std::uint64_t>(kRows * (right - left));
    made.observed.extents.push_back({"c",
                                     "k",
                                     {"k.cu", 2, 8},
                                     made.observed.launches.size(),
                                     stores,
                                     stores,
                                     static_cast<std::uint64_t>(left) * 4,
                                     static_cast<std::uint64_t>((kRows - 1) * columns + right) * 4});
  }
  return made;
}

/// The host's function calls itself twice.
std::string source_with(const std::string& second, const std::string& grid = "(cols + 31) / 32") {
  return "__global__ void k(const float* in, float* out, int cols) {\n"
         "  out[i] = in[i];\n"
         "}\n"
         "void run(const float* in, float* out, int cols) {\n"
         "  if (cols > 40) {\n"
         "    const int half = cols / 2;\n"
         "    run(in, out, half);\n"
         "    run(in + half, out + half, " +
         second +
         ");\n"
         "    return;\n"
         "  }\n"
         "  const dim3 grid(" +
         grid +
         ");\n"
         "  k<<<grid, 32>>>(in, out, cols);\n"
         "}\n";
}

MergedFinding missing() {
  MergedFinding made;
  made.id = finding_ids::kUnwrittenOutput;
  made.message = "`c` was never written in column 64: beyond the last whole block of 32 columns";
  made.where = {"k.cu", 2, 8};
  made.kernel = "k";
  made.output = "c";
  made.shown = "parts";
  made.help = "as before";
  return made;
}

MergedFinding explained(CaseRun case_run, const std::string& source) {
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(std::move(case_run));
  MergedFinding made = missing();
  if (!explain_column_parts(made, source, submission_run)) CHECK(made == missing());
  return made;
}

}  // namespace

TEST_CASE("the second of two halves leads to the call that gives it as much as the first") {
  const MergedFinding made = explained(with_columns(65, {{0, 32}, {32, 64}}), source_with("half"));
  CHECK(made.message == "`c` was never written in column 64; no launch was given it");
  CHECK(made.where == SourcePlace{"k.cu", 8, 0});
  CHECK(made.other->place.line == 2);
  CHECK(made.help ==
        "the 2 launches store columns 0 to 31 and 32 to 63 of 65, all that they are given: give this call what is "
        "left, `cols - half`");
}

TEST_CASE("where the text does not say which part is too small the launches alone are told") {
  const MergedFinding made = explained(with_columns(65, {{0, 32}, {32, 64}}), source_with("rest"));
  CHECK(made.where == missing().where);
  CHECK(made.help.ends_with(
      "look at where each part begins and how wide it is; the last one must take all that is left"));
  // What was stored before, of another picture, is no part.
  CaseRun later = with_columns(65, {{0, 32}, {32, 64}});
  vgpu::StoreExtent earlier = later.observed.extents.front();
  later.observed.launches.insert(later.observed.launches.begin(), later.observed.launches.front());
  for (vgpu::StoreExtent& extent : later.observed.extents) ++extent.launch;
  earlier.end = 40;
  later.observed.extents.insert(later.observed.extents.begin(), earlier);
  CHECK(explained(later, source_with("half")).where.line == 8);
}

TEST_CASE("a number of blocks that is not rounded up, one launch, and a gap elsewhere are other mistakes") {
  const auto stays = [](const CaseRun& made, const std::string& grid = "(cols + 31) / 32") {
    return explained(made, source_with("half", grid)) == missing();
  };
  CHECK(stays(with_columns(65, {{0, 32}, {32, 64}}), "cols / 32"));
  // Threads are left over, so that there are enough for what is given.
  CHECK_FALSE(stays(with_columns(65, {{0, 32}, {32, 64}}, 2), "cols / 32 + 1"));
  CHECK(stays(with_columns(65, {{0, 64}})));
  CHECK(stays(with_columns(65, {{0, 30}, {32, 65}})));
  CHECK(stays(with_columns(65, {{0, 33}, {33, 65}})));
  CaseRun scattered = with_columns(65, {{0, 32}, {32, 64}});
  scattered.observed.extents.back().stores -= 1;
  CHECK(stays(scattered));
}

}  // namespace cudalabs::test::of_column_parts
