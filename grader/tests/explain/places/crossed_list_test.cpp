// Lists that set the members of a structure crosswise.
#include "explain/places/crossed_list.h"

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_crossed_list {
namespace {

const std::string kShape = R"(struct Shape {
  unsigned threads;
  unsigned blocks;
};
Shape shape_for(int n) {
  const unsigned blocks = (n + 255) / 256;
  return {blocks, kThreadsPerBlock};
}
void launch(int n) {
  const Shape shape = shape_for(n);
  add<<<shape.blocks, shape.threads>>>(n);
}
)";

bool is_crossed(const std::string& list) {
  return crossed_list(replaced(kShape, "return {blocks, kThreadsPerBlock};", list)).has_value();
}

MergedFinding refused(std::uint32_t line) {
  MergedFinding finding;
  finding.id = finding_ids::kInvalidLaunch;
  finding.where = {"k.cu", line, 3};
  finding.other = OtherPlace{"`shape` is set here", {"k.cu", 10, 0}, {}, {}};
  return finding;
}

}  // namespace

TEST_CASE("a list in the order of the names and not of the members is found") {
  CHECK(crossed_list(kShape) == CrossedList{{{"blocks"}, 7, 11}, "kThreadsPerBlock", "Shape", "threads", "blocks"});
  CHECK(is_crossed("return Shape{blocks, threads};"));
  CHECK(is_crossed("Shape shape{blocks, threads};\n  return shape;"));
  CHECK(is_crossed("const Shape shape = {blocks, threads};\n  return shape;"));
}

TEST_CASE("a list in the order of the members is right") {
  CHECK_FALSE(is_crossed("return {kThreadsPerBlock, blocks};"));
  CHECK_FALSE(is_crossed("return {256, blocks};"));
  CHECK_FALSE(is_crossed("return {blocks, 256};"));
  CHECK_FALSE(is_crossed("return {blocks};"));
  CHECK_FALSE(is_crossed("return {count, size};"));
  CHECK_FALSE(is_crossed("return {.threads = threads, .blocks = blocks};"));
  CHECK_FALSE(is_crossed("return {blocks / 2, threads};"));
  CHECK_FALSE(is_crossed("run([] { return {blocks; threads}; });"));
  CHECK_FALSE(crossed_list("struct Other { int threads, blocks; };\nShape f() {\n  return {blocks, threads};\n}\n"));
}

TEST_CASE("the list stands beside a launch that uses both members") {
  std::vector<MergedFinding> findings{refused(11), refused(10), refused(11)};
  findings[2].id = finding_ids::kUncheckedLaunch;
  show_crossed_lists(findings, kShape, "k.cu");
  CHECK(findings[0].other->place == SourcePlace{"k.cu", 7, 11});
  CHECK(findings[0].other->label == "`threads` of `Shape` gets `blocks` here");
  CHECK(findings[0].help.starts_with("exchange `blocks` and `kThreadsPerBlock` in line 7: "));
  CHECK(findings[0].note == "line 10: `shape` is set here\n");
  CHECK(findings[0].proposed == ProposedChange{7, 11, "blocks, kThreadsPerBlock", "kThreadsPerBlock, blocks"});
  CHECK_FALSE(findings[1].proposed);
  CHECK(findings[1].other->place.line == 10);
  CHECK(findings[2].other->place.line == 10);
}

}  // namespace cudalabs::test::of_crossed_list
