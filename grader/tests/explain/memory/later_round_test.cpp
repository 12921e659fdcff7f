// Reads of what a launch of a later round of the host's loop writes.
#include "explain/memory/later_round.h"

#include "catch.h"
#include "tests/replaced.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_later_round {
namespace {

const std::string kSource =
    "void two_stage(int n) {\n"
    "  for (int begin = 0; begin < n; begin += 1024) {\n"
    "    parts::double_part<<<8, 128>>>(d_in, d_mid, begin, n);\n"
    "    parts::mirror_part<<<8, 128>>>(d_mid, d_out, begin, n);\n"
    "  }\n"
    "}\n";

/// The writing kernel is launched in line `writes`, and the reading one in line `reads`.
MergedFinding shown(const std::string& source, std::uint32_t writes = 3, std::uint32_t reads = 4,
                    std::uint64_t written = 64) {
  MergedFinding finding;
  finding.id = finding_ids::kUninitializedRead;
  finding.where = {"k.cu", 9, 3};
  finding.kernel = "parts::mirror_part";
  finding.access.written = written;
  finding.launch.where = {"k.cu", reads, 3};
  finding.other = OtherPlace{"this launch of `parts::double_part` writes it, too late",
                             {"k.cu", writes, 3},
                             {},
                             {},
                             PlaceRole::late_launch,
                             "parts::double_part"};
  finding.help = "as before";
  std::vector<MergedFinding> findings{finding};
  show_later_rounds(findings, source, "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("a loop that launches what writes and what reads in each round is shown") {
  const MergedFinding made = shown(kSource);
  CHECK(made.other->place == SourcePlace{"k.cu", 2, 3});
  CHECK(made.other->label == "each round launches both kernels, and a later round writes this");
  CHECK(made.note == "line 3 launches `double_part`, and line 4 `mirror_part`\n");
  CHECK(
      made.help ==
      "end this loop after the launch of `double_part`, and launch `mirror_part` in a second loop behind it: launches "
      "of one stream run in the order of their calls, so all is written then before it is read");
  CHECK(shown(replaced(kSource, "for (int begin = 0; begin < n; begin += 1024)", "while (more())")).other->place.line ==
        2);
}

TEST_CASE("launches in another order, or in no common loop, keep their words") {
  CHECK(shown(kSource, 4, 3).help == "as before");
  CHECK(shown(kSource, 3, 3).help == "as before");
  const std::string plain = replaced(kSource, "  for (int begin = 0; begin < n; begin += 1024) {", "  {");
  CHECK(shown(plain).help == "as before");
  CHECK(shown(plain).note == "`mirror_part` is launched in line 4, before that\n");
  CHECK(shown(plain, 3, 4, 0).note.empty());
  const std::string two = replaced(kSource, "begin, n);\n    parts::m", "begin, n);\n  }\n  for (;;) {\n    parts::m");
  CHECK(shown(two, 3, 6).help == "as before");
  MergedFinding other;
  other.id = finding_ids::kUninitializedRead;
  CHECK_FALSE(is_written_later(other));
  other.other = OtherPlace{"this launch reads there", {"k.cu", 3, 3}, {}, {}};
  CHECK_FALSE(is_written_later(other));
}

TEST_CASE("a hostile text of loops is read in one go") {
  shown(kSource + std::string(1 << 20, '{'));
  shown("for (" + std::string(1 << 20, '('));
}

}  // namespace cudalabs::test::of_later_round
