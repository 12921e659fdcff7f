// The shipped labs are whole, and a lab that is not is told so.
#include "lint/structure.h"

#include <algorithm>
#include <filesystem>

#include "catch.h"
#include "program.h"
#include "tree/tree_paths.h"

using namespace cudalabs;
using namespace cudalabs::lint;
namespace fs = std::filesystem;

namespace {

const fs::path kRoot = source_path();

/// A copy of a shipped lab and its mirror, to be broken.
class BrokenLab {
 public:
  explicit BrokenLab(const std::string& slug = "lab3_naive_matmul") : slug_(slug) {
    for (const char* folder : {"labs", "solutions"}) fs::create_directory(root_.path() / folder);
    fs::copy(kRoot / "labs" / slug, labs() / slug, fs::copy_options::recursive);
    fs::copy(kRoot / "solutions" / slug, root_.path() / "solutions" / slug, fs::copy_options::recursive);
    fs::copy(kRoot / "slides", root_.path() / "slides", fs::copy_options::recursive);
  }
  fs::path lab() const { return labs() / slug_; }
  fs::path mirror() const { return root_.path() / "solutions" / slug_; }

  void replace(const fs::path& file, const std::string& from, const std::string& to) const {
    std::string text = test::read_file(file);
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    root_.write(fs::relative(file, root_.path()), text.replace(at, from.size(), to));
  }
  void write(const fs::path& file, const std::string& text) const {
    root_.write(fs::relative(file, root_.path()), text);
  }
  void append(const fs::path& file, const std::string& text) const {
    root_.write(fs::relative(file, root_.path()), test::read_file(file) + text);
  }

  std::vector<std::string> faults() const { return structure_faults(read_lab(lab(), root_.path() / "solutions")); }
  /// Exactly one fault, with this text.
  bool has_only(const std::string& text) const {
    const std::vector<std::string> found = faults();
    for (const std::string& fault : found) UNSCOPED_INFO(fault);
    return found.size() == 1 && found[0].find(text) != std::string::npos;
  }

 private:
  fs::path labs() const { return root_.path() / "labs"; }
  std::string slug_;
  test::TemporaryFolder root_;
};

}  // namespace

TEST_CASE("the shipped labs are whole") {
  const std::vector<fs::path> labs = find_labs(kRoot / "labs");
  REQUIRE_FALSE(labs.empty());
  for (const fs::path& folder : labs) {
    for (const std::string& fault : structure_faults(read_lab(folder, kRoot / "solutions"))) FAIL_CHECK(fault);
  }
}

TEST_CASE("a copy is as whole as the original, with its mirror and without") {
  const BrokenLab lab;
  CHECK(lab.faults().empty());
  fs::remove_all(lab.mirror());
  CHECK(lab.faults().empty());
}

TEST_CASE("a points table that says something else") {
  const BrokenLab lab;
  lab.replace(lab.lab() / "README.md", "| `square`", "| `squared`");
  const auto faults = lab.faults();
  REQUIRE(faults.size() == 2);
  CHECK(faults[0].find("the table lacks the line `| `square` | square products are correct | 15 |`") !=
        std::string::npos);
  CHECK(faults[1].find("the table has the line `| `squared` |") != std::string::npos);
  CHECK(faults[1].find("`grade lint lab3 --write` writes it") != std::string::npos);
}

TEST_CASE("a check that no case decides") {
  const BrokenLab lab;
  for (int i = 0; i < 2; ++i) lab.replace(lab.lab() / "lab.toml", "tags = [\"square\"]", "tags = [\"edges\"]");
  fs::remove_all(lab.mirror());
  CHECK(lab.has_only("no case is tagged `square`"));
}

TEST_CASE("a hint too few") {
  const BrokenLab lab;
  lab.replace(lab.lab() / "hints.md", "## Level 3", "### Level 3");
  CHECK(lab.has_only("2 sections"));
}

TEST_CASE("a handout that is too long, or lacks a part") {
  const BrokenLab lab;
  std::string more;
  for (int i = 0; i < 300; ++i) more += "more\n";
  lab.append(lab.lab() / "README.md", more);
  CHECK(lab.has_only("words in the body; at most 900"));
  const BrokenLab other;
  other.replace(other.lab() / "README.md", "## Further reading", "### Further reading");
  CHECK(other.has_only("no section `## Further reading`"));
}

TEST_CASE("a check without a hint, and a hint without a check") {
  const BrokenLab lab;
  lab.replace(lab.lab() / "hints.md", "### `compiles`", "### `square`");
  CHECK(lab.has_only("no hint is for `compiles`"));
  lab.append(lab.lab() / "hints.md", "\n### `compiles`, `misspelt`\n");
  CHECK(lab.has_only("a hint is for `misspelt`"));
}

TEST_CASE("a link to nowhere") {
  const BrokenLab lab;
  lab.append(lab.lab() / "README.md", "\n![a figure](../../slides/figures/no_such_figure.svg)\n");
  CHECK(lab.has_only("no_such_figure.svg, which is not there"));
}

TEST_CASE("a case that cannot be generated") {
  const BrokenLab lab;
  lab.append(lab.lab() / "lab.toml",
             "\n[[cases]]\nname = \"negative\"\ntitle = \"no such matrix\"\nparameters = { m = -1, n = 1, p = 1 }\n"
             "tags = [\"square\"]\n");
  CHECK(lab.has_only("case `negative`"));
}

TEST_CASE("a speed that cannot be timed") {
  const BrokenLab lab;
  const fs::path toml = lab.lab() / "lab.toml";
  lab.replace(toml, "baseline = \"uncoalesced_product\"", "baseline = \"uncoalesced_produkt\"");
  CHECK(lab.has_only(
      "`coalesced_speedup` is compared with `uncoalesced_produkt`; did you mean \"uncoalesced_product\"?"));
  lab.replace(toml, "baseline = \"uncoalesced_produkt\"", "baseline = \"lab3_naive_matmul\"");
  CHECK(lab.has_only("`coalesced_speedup` is compared with `lab3_naive_matmul`; known: "));
  lab.replace(toml, "baseline = \"lab3_naive_matmul\"", "baseline = \"uncoalesced_product\"");
  const std::string modelled = "modelled_parameters = { m = 1024, n = 1024, p = 1024 }\nbytes = 50_331_648 #";
  lab.replace(toml, modelled, "modelled_parameters = { m = 1024, n = 0, p = 1024 }\nbytes = 50_331_648 #");
  CHECK(lab.has_only("`host_speedup`, the size that matrix_product is timed at: case `timed`: parameter `n` is 0"));
}

TEST_CASE("a generator that is not there, and an explanation that cannot be given") {
  const BrokenLab lab;
  const fs::path toml = lab.lab() / "lab.toml";
  lab.replace(toml, "generator = \"matrix_product\"", "generator = \"matrix_produkt\"");
  lab.replace(toml, "detector = \"product_row_of_a\"", "detector = \"product_row_of_aa\"");
  lab.replace(toml, "held {taken} values", "held {took} values");
  const auto faults = lab.faults();
  for (const std::string& fault : faults) UNSCOPED_INFO(fault);
  const auto has = [&](const std::string& text) {
    return std::ranges::any_of(faults, [&](const std::string& fault) { return fault.find(text) != fault.npos; });
  };
  CHECK(has("`generator` is `matrix_produkt`; did you mean \"matrix_product\"?"));
  CHECK(has("no detector is called `product_row_of_aa`; did you mean \"product_row_of_a\"?"));
  CHECK(has("`matrix_produkt`"));
}

TEST_CASE("words with a number that is not there") {
  const BrokenLab lab;
  lab.replace(lab.lab() / "lab.toml", "it holds {right}", "it holds {wrong}");
  CHECK(lab.has_only("the words of `product_row_of_a` hold a {} that is none of {taken}, {right}"));
}

TEST_CASE("what a shipped lab's author has left to do is nothing, and submissions can be too few") {
  const BrokenLab lab;
  const Lab whole = read_lab(lab.lab(), lab.mirror().parent_path());
  CHECK(left_to_do(whole).empty());
  fs::remove_all(lab.mirror() / "alternative");
  lab.append(lab.lab() / "hints.md", "\nTODO(author): one more\n");
  const auto left = left_to_do(whole);
  REQUIRE(left.size() == 2);
  CHECK(left[0].find("hints.md:") != std::string::npos);
  CHECK(left[0].find(": TODO(author): one more") != std::string::npos);
  CHECK(left[1].find("alternative: 0 submissions; at least 3") != std::string::npos);
}

TEST_CASE("hidden cases that are not there") {
  const BrokenLab lab;
  fs::remove(lab.mirror() / "hidden.toml");
  CHECK(lab.has_only("hidden.toml: is not there"));
}

TEST_CASE("a sample that says nothing, or what cannot be") {
  const BrokenLab lab;
  const fs::path sample = lab.mirror() / "wrong" / "grid_swapped.cu";
  const std::string text = test::read_file(sample);
  const std::string line = text.substr(0, text.find('\n'));
  lab.replace(sample, line, "// no expectation");
  CHECK(lab.has_only("grid_swapped.cu:1: the first line must say"));
  lab.replace(sample, "// no expectation", "// EXPECT: full marks");
  CHECK(lab.has_only("expects full marks, though it is wrong"));
  lab.replace(sample, "// EXPECT: full marks", "// EXPECT: score < max [no_such_check]");
  CHECK(lab.has_only("`no_such_check`"));
  lab.replace(sample, "// EXPECT: score < max [no_such_check]", line);
  lab.replace(sample, "wrong:", "look:");
  CHECK(lab.has_only("no `// wrong:`"));
}

TEST_CASE("a wrong sample that does not say what comes first, or where") {
  const BrokenLab lab;
  const fs::path sample = lab.mirror() / "wrong" / "grid_swapped.cu";
  const std::string line = "// FIRST: unwritten-output";
  lab.replace(sample, line + " at `matmul_kernel<<<`", "// nothing");
  CHECK(lab.has_only("grid_swapped.cu:1: a comment at the start must say what is to be fixed first"));
  lab.replace(sample, "// nothing", line + " at `no such code`");
  CHECK(lab.has_only("grid_swapped.cu:1: the code of `// FIRST: ...` must stand in exactly one line"));
  lab.replace(sample, "no such code", ";");
  CHECK(lab.has_only("must stand in exactly one line"));
  lab.replace(sample, "at `;`", "at `const dim3 grid(`");
  CHECK(lab.faults().empty());
}

TEST_CASE("a wrong sample that differs from every right one in more than its bug says why") {
  const BrokenLab lab;
  std::string code = "// wrong: nothing of it is right\n";
  for (int i = 0; i < 200; ++i) code += "static int place" + std::to_string(i) + ";\n";
  const std::string expects = "// EXPECT: score < max [square]\n// FIRST: check square\n";
  const fs::path sample = lab.mirror() / "wrong" / "in_many_places.cu";
  lab.write(sample, expects + code);
  CHECK(lab.has_only("places from the right sample that is nearest to it; at most 8"));
  lab.write(sample, expects + "// DIFFERS: it has to\n" + code);
  CHECK(lab.faults().empty());
  const std::string few = "static int place;  // wrong: one more\n" + test::read_file(lab.mirror() / "matmul.cu");
  lab.write(sample, expects + "// DIFFERS: it need not\n" + few);
  CHECK(lab.has_only("differs in 1 place only"));
}

TEST_CASE("an alternative submission may be slow, and nothing else") {
  const BrokenLab lab;
  const fs::path sample = lab.mirror() / "alternative" / "four_columns_a_thread.cu";
  lab.replace(sample, "// EXPECT: full marks", "// EXPECT: score < max [coalesced_speedup]");
  CHECK(lab.faults().empty());
  lab.replace(sample, "[coalesced_speedup]", "[coalesced_speedup, edges]");
  CHECK(lab.has_only("must expect full marks, or only checks on speed to fail"));
  lab.replace(sample, "score < max [coalesced_speedup, edges]", "full marks\n// ON CUDA: score < max [edges]");
  CHECK(lab.has_only("must expect full marks, or only checks on speed to fail"));
  lab.replace(sample, "ON CUDA", "BY NVCC");
  CHECK(lab.has_only("must expect full marks, or only checks on speed to fail"));
}

TEST_CASE("a solution in the skeleton") {
  const BrokenLab lab;
  lab.append(lab.lab() / "matmul.cu", "\n/*\n" + test::read_file(lab.mirror() / "matmul.cu") + "\n*/\n");
  const auto faults = lab.faults();
  REQUIRE_FALSE(faults.empty());
  for (const std::string& fault : faults) CHECK(fault.find("gives the solution away") != std::string::npos);
}
