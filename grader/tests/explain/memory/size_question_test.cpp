// Questions after a `sizeof` that is there, and those after one that is missing.
#include "explain/memory/size_question.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

constexpr std::string_view kSource =
    "cudaMalloc(&a, n * sizeof(float));\n"
    "cudaMalloc(&b, n);  // sizeof is missing\n"
    "table[i] = 0;\n";

MergedFinding asked(MergedFinding finding, std::string_view source = kSource) {
  std::vector<MergedFinding> findings{std::move(finding)};
  withdraw_size_questions(findings, source);
  return findings.front();
}

MergedFinding blamed(std::uint32_t line) {
  MergedFinding finding;
  finding.id = finding_ids::kGlobalOutOfBounds;
  finding.where = {"k.cu", line, 1};
  finding.note = "256 bytes allocated, 1024 needed: is `sizeof` missing?\nin case `prime`";
  finding.help = "as before";
  return finding;
}

MergedFinding beside(std::uint32_t line) {
  MergedFinding finding = blamed(3);
  finding.note = "7 bytes past the end";
  finding.other = OtherPlace{"allocated here; accesses go on to byte 64: is `sizeof` missing?",
                             {"k.cu", line, 1},
                             {},
                             {},
                             PlaceRole::allocation};
  return finding;
}

}  // namespace

TEST_CASE("where the allocation has a `sizeof` nobody asks whether it is missing") {
  CHECK(asked(blamed(1)).note == "256 bytes allocated, 1024 needed\nin case `prime`");
  CHECK_THAT(asked(blamed(1)).help, contains_text("count elements and not bytes"));
  CHECK(asked(beside(1)).other->label == "allocated here; accesses go on to byte 64");
  CHECK_THAT(asked(beside(1)).help, contains_text("count elements and not bytes"));
}

TEST_CASE("a `sizeof` in what the size was set to counts, too") {
  const std::string_view source =
      "void f(int n) {\n"
      "  const size_t bytes = n * sizeof(float), count = n;\n"
      "  const int words = n;\n"
      "  cudaMalloc(&a, bytes);\n"
      "  cudaMalloc(&a, words);\n"
      "}\n";
  CHECK(asked(blamed(4), source).note == "256 bytes allocated, 1024 needed\nin case `prime`");
  CHECK(asked(blamed(5), source).note == blamed(5).note);
}

TEST_CASE("where it has none, or in a comment alone, the question stays") {
  CHECK(asked(blamed(2)).note == blamed(2).note);
  CHECK(asked(blamed(2)).help == "as before");
  CHECK(asked(beside(2)).other == beside(2).other);
  CHECK(asked(beside(2)).help == "as before");
  CHECK(asked(blamed(9)).help == "as before");
}

}  // namespace cudalabs::test
