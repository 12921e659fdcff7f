// Elements without a thread: sizes that launches were computed from, and divisions that leave out the last elements.
#include "explain/elements/missing_elements.h"

#include "catch.h"
#include "check/launch_reach.h"
#include "source/rounded_count.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

constexpr std::string_view kHost = R"(constexpr int WIDE = 4;
__global__ void add(const float4* a, float4* c, int quads, int n) {
  const int q = blockIdx.x * 256 + threadIdx.x;
  if (q < quads) {
    c[q] = a[q];
  }
}
void run(int m, int n) {
  const int needed = m * n;
  const int blocks = (needed + THREADS - 1) / THREADS;
  const int quads = n / WIDE;
  add<<<blocks, THREADS>>>(reinterpret_cast<float4*>(d_a), d_c, quads, n);
  other<<<blocks, 64>>>(d_a);
}
)";

/// A case with sizes m, n and p, the output `c` of m * p elements, and a launch of `blocks` blocks of 256 threads.
CaseRun launched(std::int64_t m, std::int64_t n, std::int64_t p, std::int64_t blocks, std::int64_t missing = 0) {
  datasets::Array output = float_matrix("c", m, p);
  for (std::int64_t i = m * p - missing; i < m * p; ++i) poison(output, i);
  CaseRun case_run = case_run_with("case_" + std::to_string(m), expected_matrix(m, p), std::move(output));
  case_run.test.spec.parameters = {{"m", m}, {"n", n}, {"p", p}};
  case_run.observed.launches.emplace_back().kernel = "add";
  case_run.observed.launches.back().config = {{static_cast<std::uint32_t>(blocks), 1, 1}, {256, 1, 1}};
  return case_run;
}

SubmissionRun run_of(std::vector<CaseRun> case_runs) {
  SubmissionRun submission_run;
  submission_run.case_runs = std::move(case_runs);
  return submission_run;
}

MergedFinding missing_in(std::uint32_t line, Reach reach) {
  MergedFinding finding;
  finding.id = finding_ids::kUnwrittenOutput;
  finding.where = {"folder/add.cu", line, 1};
  finding.kernel = "add";
  finding.output = "c";
  finding.reach = reach;
  finding.help = "as before";
  return finding;
}

MergedFinding explained(MergedFinding finding, const SubmissionRun& submission_run, std::string_view source = kHost) {
  std::vector<MergedFinding> findings{std::move(finding)};
  explain_missing_elements(findings, source, "add.cu", submission_run);
  return findings.front();
}

}  // namespace

TEST_CASE("the size that gives the number of blocks in every case is named beside the right one") {
  const SubmissionRun taken = run_of({launched(96, 32, 64, 12), launched(40, 70, 90, 11), launched(8, 8, 99, 1)});
  CHECK(launched_size(taken, "add", "c") == LaunchedSize{"m * n", "m * p"});
  CHECK_FALSE(launched_size(taken, "other", "c"));
  CHECK_FALSE(launched_size(taken, "add", "d"));
}

TEST_CASE("no size is named where none fits, where the right one does, or where there are too few cases") {
  CHECK_FALSE(
      launched_size(run_of({launched(96, 32, 64, 12), launched(40, 70, 90, 12), launched(8, 8, 99, 1)}), "add", "c"));
  CHECK_FALSE(
      launched_size(run_of({launched(96, 32, 64, 24), launched(40, 70, 90, 15), launched(8, 8, 99, 4)}), "add", "c"));
  CHECK_FALSE(launched_size(run_of({launched(96, 32, 64, 12), launched(40, 70, 90, 11)}), "add", "c"));
}

TEST_CASE("a number of blocks that is rounded up leads to what it is computed from") {
  CHECK(count_of_blocks(kHost, 10, 12)->line == 9);
  CHECK_FALSE(count_of_blocks(kHost, 10, 13));  // that launch has another block
  CHECK_FALSE(count_of_blocks(kHost, 11, 12));
  CHECK(rounds_up(kHost, 10));
  CHECK_FALSE(rounds_up(kHost, 11));
  CHECK(rounds_up("const dim3 grid((cols + 31) / 32, rows);"));
  CHECK_FALSE(rounds_up("const dim3 grid((cols + 30) / 32, rows);"));
  MergedFinding finding = missing_in(12, Reach::too_few);
  finding.other = OtherPlace{"`blocks` is set here", {"folder/add.cu", 10, 13}, {}, {}};
  const auto cases = run_of({launched(96, 32, 64, 12), launched(40, 70, 90, 11), launched(8, 8, 99, 1)});
  const MergedFinding known = explained(finding, cases);
  CHECK(known.other->place.line == 9);
  CHECK(known.other->label == "`needed` is set here");
  CHECK_THAT(known.help, contains_text("threads for `m * n` elements, and `c` has `m * p`"));
  CHECK_THAT(explained(finding, {}).help, contains_text("rounded up already"));
  finding.help = help_for_few_threads('y');
  CHECK_THAT(explained(finding, {}).help, contains_text("along y compute it from the output's size along y and from"));
  CHECK(explained(missing_in(12, Reach::unsaid), cases).help == "as before");
}

TEST_CASE("the division that a guard's bound comes from is found, also in the host's code") {
  const auto division = bound_that_drops(kHost, 5);
  REQUIRE(division);
  CHECK(division->text == "n / WIDE");
  CHECK(division->divisor == 4);
  CHECK(division->where.line == 11);
  const auto in_kernel = [](const std::string& body) {
    return bound_that_drops("__global__ void k(float* c, int n) {\n" + body + "  c[i] = 1;\n}\n", 3);
  };
  CHECK(in_kernel("  if (i >= n / 4) return;\n")->where.line == 2);
  CHECK_FALSE(in_kernel("  if (i >= (n + 3) / 4) return;\n"));
  CHECK_FALSE(in_kernel("  if (i >= n) return;\n"));
  CHECK_FALSE(in_kernel("  if (i >= n / wide) return;\n"));
}

TEST_CASE("a division is to blame only where it drops what is missing, in every case") {
  // 99, 31 and 1,023 elements.
  const MergedFinding finding = missing_in(5, Reach::several_each);
  const MergedFinding known = explained(finding, run_of({launched(3, 1, 33, 1, 3), launched(1, 1, 31, 1, 3)}));
  REQUIRE(known.other);
  CHECK(known.other->place.line == 11);
  CHECK_THAT(known.help, contains_text("`n / WIDE` drops what is left over"));
  CHECK(explained(finding, run_of({launched(3, 1, 33, 1, 3), launched(1, 1, 31, 1, 2)})).help == "as before");
  CHECK(explained(finding, {}).help == "as before");
}

TEST_CASE("blocks that begin too near to each other are told by what they leave out, in every case") {
  const std::string kernel =
      "__global__ void k(float* c, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) c[i] = 1;\n"
      "  i += blockDim.x;\n"
      "  if (i < n) c[i] = 1;\n"
      "}\n";
  MergedFinding finding = missing_in(5, Reach::several_each);
  finding.other = OtherPlace{"`i` is set here", {"folder/add.cu", 4, 3}, {}, {}};
  // Blocks of 256 threads that do 512 elements, for 1,023 and 2,048 elements.
  const MergedFinding known =
      explained(finding, run_of({launched(3, 1, 341, 2, 255), launched(2, 1, 1024, 4, 768)}), kernel);
  CHECK(known.other->place.line == 2);
  CHECK_THAT(known.help, contains_text("as if each block did 512 elements, but began only 256 after"));
  CHECK_THAT(known.help, contains_text("(2 * blockDim.x)"));
  const auto unknown = [&](std::vector<CaseRun> cases) {
    return explained(finding, run_of(std::move(cases)), kernel).other->place.line == 4;
  };
  CHECK(unknown({launched(3, 1, 341, 2, 255)}));                                // may be chance
  CHECK(unknown({launched(3, 1, 341, 2, 255), launched(2, 1, 1024, 4, 512)}));  // not those
  CHECK(unknown({launched(3, 1, 341, 2, 255), launched(2, 1, 1024, 5, 512)}));  // more blocks than that takes
}

TEST_CASE("so are blocks of rows, by the only line that has the block's number along y") {
  const std::string kernel =
      "__device__ int first_row() {\n  return blockIdx.y * blockDim.y + threadIdx.y;\n}\n"
      "__global__ void add(float* c, int m, int n) {\n  int x = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  for (int y = first_row(); y < m; y += 1) c[y * n + x] = 1;\n}\n";
  // Blocks of 8 rows of threads that do 32 rows.
  const auto rows = [](std::int64_t count, std::int64_t blocks, std::int64_t missing) {
    CaseRun made = launched(count, 1, 5, blocks, missing * 5);
    made.observed.launches.back().config = {{1, static_cast<std::uint32_t>(blocks), 1}, {32, 8, 1}};
    return made;
  };
  const MergedFinding finding = missing_in(6, Reach::several_each);
  const MergedFinding known = explained(finding, run_of({rows(64, 2, 24), rows(70, 3, 22)}), kernel);
  REQUIRE(known.other);
  CHECK(known.other->place.line == 2);
  CHECK(known.proven);
  CHECK_THAT(known.help, contains_text("each block did 32 rows, but began only 8 after"));
  CHECK_THAT(known.help, contains_text("`blockIdx.y * (4 * blockDim.y) + threadIdx.y`"));
  CHECK_FALSE(explained(finding, run_of({rows(64, 2, 24)}), kernel).proven);  // may be chance
  CHECK_FALSE(explained(finding, run_of({rows(64, 2, 24), rows(70, 3, 30)}), kernel).proven);
}

TEST_CASE("a loop is spoken of where there is one") {
  const std::string head = "__global__ void k(float* c, int n) {\n", end = "    c[i] = 1;\n}\n";
  CHECK(loops_before(head + "  for (int i = threadIdx.x; i < n; i += 9)\n" + end, 3));
  CHECK_FALSE(loops_before(head + "  int i = threadIdx.x;  // for\n" + end, 3));
  CHECK_THAT(explained(missing_in(3, Reach::several_each), {}, head + "  while (i < n)\n" + end).help,
             contains_text("the end of its loop"));
  MergedFinding own = missing_in(3, Reach::several_each);
  own.kernel = "k";
  CHECK_THAT(explained(own, {}, head + "  while (i < n)\n" + end).help, contains_text("the end of its loop"));
  CHECK_THAT(explained(own, {}, head + "  do {\n" + end).help, contains_text("the end of its loop"));
  // A loop before the line that stores is no loop of that.
  CHECK(explained(own, {}, head + "  for (int k = 0; k < n; ++k) sum += k;\n" + end).help == "as before");
}

namespace {

/// A case of one column whose elements `missing(i)` were never written.
template <typename IsMissing>
CaseRun column_of(std::int64_t elements, const IsMissing& missing, std::int64_t columns = 1) {
  datasets::Array output = float_matrix("c", elements, columns);
  for (std::int64_t i = 0; i < elements * columns; ++i) {
    if (missing(i)) poison(output, i);
  }
  return case_run_with("case_" + std::to_string(elements), expected_matrix(elements, columns), std::move(output));
}

}  // namespace

TEST_CASE("where the element in the middle is missing, the line that halves a number is shown") {
  constexpr std::string_view kMirrored =
      "__global__ void k(float* c, int n) {\n  if (i < n / 2) {\n    c[i] = 1;\n    c[n - 1 - i] = 1;\n  }\n}\n";
  const auto middle = [](std::int64_t elements) {
    return column_of(elements, [=](std::int64_t i) { return i == elements / 2; });
  };
  MergedFinding finding = missing_in(0, Reach::unsaid);
  finding.where = {};
  const MergedFinding known = explained(finding, run_of({middle(9), middle(1)}), kMirrored);
  CHECK(known.where == SourcePlace{"add.cu", 2, 13});
  CHECK_THAT(known.help, contains_text("the element in the middle"));
  finding.where = {"folder/add.cu", 3, 1};
  CHECK(explained(finding, run_of({middle(9), middle(1)}), kMirrored).other->place.line == 2);
  // Of one size it may be chance, an even number has no middle, and another one is missing.
  CHECK(explained(finding, run_of({middle(9)}), kMirrored).help == "as before");
  CHECK(explained(finding, run_of({middle(9), middle(8)}), kMirrored).help == "as before");
  const auto last = column_of(7, [](std::int64_t i) { return i == 6; });
  CHECK(explained(finding, run_of({middle(9), last}), kMirrored).help == "as before");
}

TEST_CASE("of several lines that halve a number the one that compares with it is shown, where it is the only one") {
  const auto middle = [](std::int64_t elements) {
    return column_of(elements, [=](std::int64_t i) { return i == elements / 2; });
  };
  MergedFinding finding = missing_in(0, Reach::unsaid);
  finding.where = {};
  const auto line_in = [&](const std::string& first, const std::string& second) {
    const std::string source = "__global__ void k(float* c, int n) {\n  " + first + "\n  " + second + "\n}\n";
    return explained(finding, run_of({middle(9), middle(1)}), source).where.line;
  };
  CHECK(line_in("const int pairs = n / 2;", "for (int p = 0; p < pairs; ++p) c[p] = 1;") == 2);
  CHECK(line_in("const int pairs = n >> 1;", "c[p] = 1;") == 2);
  CHECK(line_in("const int half = w / 2;", "if (p < n / 2) c[p] = 1;") == 3);
  CHECK(line_in("const int half = w / 2;", "const int pairs = n / 2;") == 0);
  CHECK(line_in("if (a < n / 2) c[a] = 1;", "if (p < n / 2) c[p] = 1;") == 0);
}

TEST_CASE("an index of 8 or 16 bits is shown where the elements that it cannot count are missing") {
  const auto kernel = [](const std::string& type) {
    return "__global__ void k(float* c, int m, int n) {\n  const " + type +
           " row = blockIdx.y;\n  const int col = threadIdx.x;\n  if (row < m) c[row * n + col] = 1;\n}\n";
  };
  const auto from = [](std::int64_t first, std::int64_t rows = 300) {
    return run_of({column_of(
        rows, [=](std::int64_t i) { return i / 2 >= first; }, 2)});
  };
  const MergedFinding known = explained(missing_in(4, Reach::unsaid), from(256), kernel("unsigned char"));
  REQUIRE(known.other);
  CHECK(known.other->place.line == 2);
  CHECK(known.other->label == "`row` is of the type `unsigned char`: after 255 comes 0 again");
  CHECK_THAT(known.help, contains_text("declare `row` as `int`"));
  // Of columns in another case it is the same mistake; the finding speaks of one of them.
  MergedFinding both = missing_in(4, Reach::unsaid);
  const SubmissionRun two = run_of({column_of(
                                        300, [](std::int64_t i) { return i / 2 >= 256; }, 2),
                                    column_of(
                                        2, [](std::int64_t i) { return i % 301 >= 256; }, 301)});
  both.lines = {{}, NumberedLines{256, 300}};
  std::string narrow = kernel("unsigned char");
  narrow.replace(narrow.find("const int"), 9, "const uint8_t");
  CHECK(explained(both, two, narrow).other->place.line == 3);
  both.lines = {NumberedLines{256, 299}, {}};
  CHECK(explained(both, two, narrow).other->place.line == 2);
  const auto unexplained = [&](const SubmissionRun& submission_run, const std::string& type) {
    return explained(missing_in(4, Reach::unsaid), submission_run, kernel(type)).help == "as before";
  };
  CHECK(unexplained(from(256), "int"));
  CHECK(unexplained(from(256), "unsigned short"));
  CHECK(unexplained(from(240), "unsigned char"));
  CHECK(unexplained(from(256), "int of = (unsigned char)1,"));
  CHECK(unexplained(run_of({column_of(
                        300, [](std::int64_t i) { return i == 512; }, 2)}),
                    "unsigned char"));
}

TEST_CASE("a shift or a mask that keeps too few bits is shown where the elements beyond are missing") {
  const auto kernel = [](const std::string& row) {
    return "__device__ unsigned pack(unsigned row, unsigned col) { return row << 16 | col; }\n__global__ void k(float* "
           "c, "
           "int m, int n) {\n  const int row = " +
           row + ";\n  const int col = threadIdx.x;\n  if (row < m) c[row * n + col] = 1;\n}\n";
  };
  const auto from = [](std::int64_t first) {
    return run_of({column_of(
        65600, [=](std::int64_t i) { return i / 2 >= first; }, 2)});
  };
  const MergedFinding shifted = explained(missing_in(5, Reach::unsaid), from(65536), kernel("place >> 16"));
  REQUIRE(shifted.other);
  CHECK(shifted.other->place.line == 1);
  CHECK_THAT(shifted.help,
             contains_text("row 65536 is the first that is missing, and the first number that 16 bits do"));
  std::string masked = kernel("place & 0xFFFFu");
  masked.erase(0, masked.find('\n'));
  CHECK(explained(missing_in(5, Reach::unsaid), from(65536), masked).other->place.line == 3);
  // Bytes are masked for other reasons, and where there were too few threads that is the reason.
  std::string bytes = kernel("place >> 8");
  CHECK(explained(missing_in(5, Reach::unsaid), from(256), bytes).help == "as before");
  CHECK_FALSE(explained(missing_in(5, Reach::never), from(65536), kernel("place >> 16")).other);
  // No other number of bits, no other begin, and nothing where no bits are kept.
  CHECK(explained(missing_in(5, Reach::unsaid), from(65535), kernel("place >> 16")).help == "as before");
  masked.replace(masked.find("0xFFFFu"), 7, "0xFFFFFu");
  CHECK(explained(missing_in(5, Reach::unsaid), from(65536), masked).help == "as before");
  masked.replace(masked.find("place & 0xFFFFFu"), 16, "blockIdx.y << 160");
  CHECK(explained(missing_in(5, Reach::unsaid), from(65536), masked).help == "as before");
}

TEST_CASE("where the source rounds the number of blocks up, nobody is told to") {
  const SubmissionRun none = run_of({launched(8, 8, 99, 1)});
  MergedFinding beyond = missing_in(5, Reach::unsaid);
  beyond.region = RegionKind::partial_block;
  CHECK_THAT(explained(beyond, none).help, contains_text("if the launch rounds the number of blocks up"));
  CHECK(explained(beyond, none, "void run() {\n  k<<<n / 256, 256>>>();\n}\n\n\n").help == "as before");
  beyond.right_at_first = true;
  CHECK(explained(beyond, none).help == "as before");
  CHECK(explained(missing_in(5, Reach::unsaid), none).help == "as before");
}

}  // namespace cudalabs::test
