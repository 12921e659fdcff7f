// The line that wrote an output that is wrong, and the threads there were for one that was not written.
#include "check/writer_place.h"

#include "catch.h"
#include "check/launch_reach.h"
#include "make.h"

namespace cudalabs::test {
namespace {

Mismatch mismatch(Fault fault) {
  Mismatch made;
  made.output = "c";
  made.fault = fault;
  made.elements = 45;
  made.finding.note = "case `one`";
  made.finding.help = "as before";
  made.finding.count = 13;
  return made;
}

Mismatch named(Fault fault, const std::vector<vgpu::ArrayWriter>& writers) {
  Mismatch made = mismatch(fault);
  name_writers(made, writers);
  return made;
}

/// Of an output of 45 elements, of which 13 are unwritten; of one with two axes, all outside `written`.
Mismatch with_threads(Index3 grid, Index3 block, std::vector<std::int64_t> shape, std::size_t launches = 1,
                      GridShape written = {}) {
  Observation observed;
  for (std::size_t i = 0; i < launches; ++i) {
    observed.launches.emplace_back().config = {grid, block};
    observed.launches.back().kernel = "add";
  }
  observed.launch_places = {{"other", {"a.cu", 30, 0}}, {"add", {"a.cu", 31, 0}}};
  Comparison comparison;
  comparison.shape = std::move(shape);
  comparison.fault.assign(45, Fault::none);
  for (std::int64_t i = 0; written != GridShape{} && i < 45; ++i) {
    const bool inside = i / comparison.shape[1] < written.rows && i % comparison.shape[1] < written.columns;
    if (!inside) comparison.fault[static_cast<std::size_t>(i)] = Fault::unwritten;
  }
  Mismatch made = named(Fault::unwritten, {{"c", "add", {"a.cu", 13, 10}}});
  made.finding.note = "case `one`";
  name_threads(made, comparison, observed);
  return made;
}

TEST_CASE("a wrong output has the line that stores to it, and the kernel") {
  const Mismatch made = named(Fault::wrong, {{"c", "add", {"a.cu", 13, 10}}, {"", "other", {"a.cu", 20, 3}}});
  CHECK(made.finding.where == SourcePlace{"a.cu", 13, 10});
  CHECK(made.finding.kernel == "add");
  CHECK(made.finding.note == "case `one`\nline 13 stores to `c`");
}

TEST_CASE("of a line that instances of a template share, the one that wrote the output is named") {
  const Mismatch made =
      named(Fault::wrong, {{"other", "sums<float>", {"a.cu", 13, 10}}, {"c", "sums<int>", {"a.cu", 13, 10}}});
  CHECK(made.finding.kernel == "sums<int>");
}

TEST_CASE("a store that is shown is not named once more") {
  Finding finding = named(Fault::wrong, {{"c", "add", {"a.cu", 13, 10}}}).finding;
  finding.note += "\nin 2 cases";
  const std::string before = finding.note;
  drop_repeated_store(finding);
  CHECK(finding.note == before);
  finding.other = OtherPlace{"the result is stored here", finding.where, {}, {}};
  finding.where.line = 7;
  drop_repeated_store(finding);
  CHECK(finding.note == "case `one`\nin 2 cases");
}

TEST_CASE("several stores of one line are one line without a column") {
  const Mismatch made = named(Fault::wrong, {{"c", "add", {"a.cu", 13, 10}}, {"c", "add", {"a.cu", 13, 20}}});
  CHECK(made.finding.where == SourcePlace{"a.cu", 13, 0});
}

TEST_CASE("of several lines none is blamed, but all are named") {
  const Mismatch made = named(Fault::wrong, {{"c", "add", {"a.cu", 20, 1}}, {"c", "add", {"a.cu", 13, 1}}});
  CHECK_FALSE(made.finding.where.known());
  CHECK(made.finding.note == "case `one`\nlines 13 and 20 store to `c`");
}

TEST_CASE("an output of the host: wrong values come from the device's array, missing ones from anywhere") {
  const std::vector<vgpu::ArrayWriter> elsewhere{{"", "add", {"a.cu", 13, 10}}};
  CHECK(named(Fault::wrong, elsewhere).finding.where.line == 13);
  CHECK(named(Fault::wrong, elsewhere).finding.note == "case `one`\nline 13 stores to the array of the device");
  CHECK_FALSE(named(Fault::unwritten, elsewhere).finding.where.known());
  CHECK(named(Fault::unwritten, {{"c", "add", {"a.cu", 13, 10}}}).finding.where.line == 13);
}

TEST_CASE("an output that was to be left alone has no line, nor has one whose writers nobody knows") {
  CHECK_FALSE(named(Fault::touched, {{"c", "add", {"a.cu", 13, 10}}}).finding.where.known());
  CHECK_FALSE(named(Fault::wrong, {}).finding.where.known());
  CHECK_FALSE(named(Fault::wrong, {{"c", "add", {}}}).finding.where.known());
}

TEST_CASE("too few threads are counted, along each axis where there are two") {
  const Mismatch line = with_threads({1, 1, 1}, {32, 1, 1}, {45});
  CHECK(line.finding.note == "case `one`\nlaunch: <<<1, 32>>>, 32 threads for 45 elements");
  CHECK(line.finding.help.starts_with("there are fewer threads than elements"));
  const Mismatch row = with_threads({2, 1, 1}, {16, 16, 1}, {1, 45});
  CHECK(row.finding.note == "case `one`\nlaunch: <<<(2, 1), (16, 16)>>>, 32 × 16 threads for 45 columns × 1 row");
  CHECK(row.finding.help.starts_with("there are fewer threads than elements"));
}

TEST_CASE("too few threads are the launch's fault, and what they store is shown beside") {
  const Mismatch made = with_threads({1, 1, 1}, {32, 1, 1}, {45});
  CHECK(made.finding.where == SourcePlace{"a.cu", 31, 0});
  REQUIRE(made.finding.other);
  CHECK(made.finding.other->place == SourcePlace{"a.cu", 13, 10});
}

TEST_CASE("axes that the launch exchanges are named so, and the launch is to blame") {
  const Mismatch made = with_threads({1, 2, 1}, {8, 8, 1}, {5, 9}, 1, {5, 8});
  CHECK(made.finding.message.starts_with("the launch exchanges rows and columns: "));
  Mismatch withdrawn = made;
  withdraw_exchange(withdrawn);
  CHECK("the launch exchanges rows and columns: " + withdrawn.finding.message == made.finding.message);
  Mismatch plain = withdrawn;
  withdraw_exchange(plain);
  CHECK(plain.finding.message == withdrawn.finding.message);
  CHECK(made.finding.help.find("`dim3 grid(blocks for the columns, blocks for the rows)`") != std::string::npos);
  CHECK(made.finding.where == SourcePlace{"a.cu", 31, 0});
  REQUIRE(made.finding.other);
  CHECK(made.finding.other->place == SourcePlace{"a.cu", 13, 10});
  CHECK(made.clarity == Clarity::values);
}

TEST_CASE("axes that the kernel exchanges are named so where the threads reach just that") {
  const Mismatch kernel = with_threads({3, 2, 1}, {4, 4, 1}, {5, 9}, 1, {5, 8});
  CHECK(kernel.finding.message.starts_with("the kernel exchanges rows and columns: "));
  CHECK(kernel.finding.where == SourcePlace{"a.cu", 13, 10});
  CHECK(kernel.clarity == Clarity::values);
  // Blocks of another shape, whose numbers alone are exchanged.
  CHECK(with_threads({3, 2, 1}, {4, 3, 1}, {5, 9}, 1, {5, 8}).finding.message.starts_with("the kernel exchanges"));
  // The first block alone: the block's number may as well be forgotten.
  CHECK(with_threads({1, 2, 1}, {8, 8, 1}, {9, 5}, 1, {8, 5}).finding.message.empty());
  // Anything else.
  CHECK(with_threads({3, 2, 1}, {4, 4, 1}, {5, 9}, 1, {5, 7}).finding.message.empty());
}

TEST_CASE("where there are threads enough for exchanged axes, and more, it is asked who counts rows") {
  const Mismatch made = with_threads({1, 4, 1}, {16, 16, 1}, {1, 45});
  CHECK(made.finding.help.starts_with("there are threads enough if x counts the rows"));
  CHECK(made.finding.where == SourcePlace{"a.cu", 13, 10});
  REQUIRE(made.finding.other);
  CHECK(made.finding.other->place == SourcePlace{"a.cu", 31, 0});
}

TEST_CASE("of blocks with one row of threads, or with layers, no axis is said to be short") {
  for (const Index3 block : {Index3{256, 1, 1}, Index3{8, 8, 4}}) {
    const Mismatch made = with_threads({1, 2, 1}, block, {45, 1});
    CHECK(made.finding.help == "as before");
    CHECK(made.finding.where == SourcePlace{"a.cu", 13, 10});
  }
}

TEST_CASE("of several launches, each may have had a part of the elements") {
  const Mismatch made = with_threads({1, 1, 1}, {32, 1, 1}, {45}, 2);
  CHECK(made.finding.help == "as before");
  CHECK(made.finding.note == "case `one`");
}

TEST_CASE("where threads have done several elements, their number is not blamed") {
  const Mismatch made = with_threads({1, 1, 1}, {16, 1, 1}, {45});  // which have written 32
  CHECK(made.finding.help.starts_with("a thread does several elements here"));
}

TEST_CASE("where there are threads enough, the grid is not blamed") {
  CHECK(with_threads({3, 1, 1}, {16, 1, 1}, {45}).finding.help.starts_with("there are threads enough"));
  CHECK(with_threads({3, 1, 1}, {16, 16, 1}, {1, 45}).finding.help.starts_with("there are threads enough"));
}

TEST_CASE("of wrong values that follow the blocks, the launch is shown") {
  Observation observed;
  observed.launches.emplace_back().config = {{2, 3, 1}, {16, 16, 1}};
  Comparison comparison;
  comparison.shape = {40, 20};
  comparison.fault.assign(800, Fault::wrong);
  Mismatch wrong = mismatch(Fault::wrong);
  wrong.region = RegionKind::partial_block;
  name_threads(wrong, comparison, observed);
  CHECK(wrong.finding.note == "case `one`\nlaunch: <<<(2, 3), (16, 16)>>>, 32 × 48 threads for 20 columns × 40 rows");
  CHECK(wrong.finding.help == "as before");
}

TEST_CASE("what was written, and what no launch could have written, keeps its advice") {
  Mismatch wrong = mismatch(Fault::wrong);
  Observation observed;
  observed.launches.emplace_back().config = {{1, 1, 1}, {32, 1, 1}};
  name_threads(wrong, Comparison{}, observed);
  CHECK(wrong == mismatch(Fault::wrong));
  Mismatch unwritten = mismatch(Fault::unwritten);
  name_threads(unwritten, Comparison{}, Observation{});
  CHECK(unwritten == mismatch(Fault::unwritten));
}

}  // namespace
}  // namespace cudalabs::test
