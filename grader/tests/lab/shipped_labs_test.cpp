// Every lab of this repository is whole: its data, its generator, its handout and its hints agree.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "lab/lab.h"

namespace fs = std::filesystem;
using cudalabs::Check;
using cudalabs::Lab;

namespace {

const fs::path kRoot = CUDALABS_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<Lab> labs() {
  std::vector<Lab> labs;
  for (const fs::path& folder : cudalabs::find_labs(kRoot / "labs")) {
    labs.push_back(cudalabs::read_lab(folder, kRoot / "solutions"));
  }
  return labs;
}

/// The rows of a handout's points table, as "id points": the lines "| `id` | … | points |" below the line that starts
/// with "| Check |", up to the first one that is no row.
std::set<std::string> points_table(const std::string& readme) {
  std::set<std::string> rows;
  std::istringstream lines(readme);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| Check |")) inside = true;
    if (!line.starts_with("|")) inside = false;
    if (!inside || !line.starts_with("| `")) continue;
    const std::size_t end = line.find('`', 3), bar = line.rfind('|', line.size() - 2);
    std::string points = line.substr(bar + 1);
    std::erase_if(points, [](char c) { return c == ' ' || c == '|'; });
    rows.insert(line.substr(3, end - 3) + " " + points);
  }
  return rows;
}

}  // namespace

TEST_CASE("every lab can be read and is worth 100 points") {
  REQUIRE_FALSE(labs().empty());
  for (const Lab& lab : labs()) {
    CAPTURE(lab.slug);
    CHECK(lab.max_points() == 100);
  }
}

TEST_CASE("every case of every lab has data") {
  for (const Lab& lab : labs()) {
    CAPTURE(lab.slug);
    const cudalabs::datasets::Generator generator = cudalabs::datasets::generator_for(lab.slug);
    REQUIRE(generator != nullptr);
    for (const cudalabs::datasets::CaseSpec& spec : lab.cases) {
      CAPTURE(spec.name);
      const cudalabs::datasets::Case test = generator(spec, lab.seed);
      CHECK_FALSE(test.inputs.empty());
      CHECK_FALSE(test.expected.empty());
      CHECK(test.spec.seed == spec.seed.value_or(lab.seed));
    }
  }
}

TEST_CASE("every correctness check but the general ones has a case that is tagged with it") {
  for (const Lab& lab : labs()) {
    std::set<std::string> tags;
    for (const cudalabs::datasets::CaseSpec& spec : lab.cases) tags.insert(spec.tags.begin(), spec.tags.end());
    for (const Check& check : lab.checks) {
      if (check.category != cudalabs::Category::correctness || check.id == "complete") continue;
      CAPTURE(lab.slug, check.id);
      CHECK(tags.contains(check.id));
    }
  }
}

TEST_CASE("the points table of every handout says what lab.toml says") {
  for (const Lab& lab : labs()) {
    CAPTURE(lab.slug);
    std::set<std::string> rubric;
    for (const Check& check : lab.checks) rubric.insert(fmt::format("{} {}", check.id, check.points));
    CHECK(points_table(text_of(lab.folder / "README.md")) == rubric);
  }
}

TEST_CASE("every lab has three levels of hints") {
  for (const Lab& lab : labs()) {
    CAPTURE(lab.slug);
    const std::string hints = text_of(lab.folder / "hints.md");
    for (const char* heading : {"\n## Level 1", "\n## Level 2", "\n## Level 3"}) {
      CAPTURE(heading);
      CHECK(hints.find(heading) != std::string::npos);
    }
  }
}

TEST_CASE("every lab has its mirror with a solution and hidden cases") {
  for (const Lab& lab : labs()) {
    CAPTURE(lab.slug);
    CHECK(fs::is_regular_file(lab.solution_folder / lab.contract.source));
    CHECK(fs::is_regular_file(lab.solution_folder / "hidden.toml"));
  }
}

TEST_CASE("the points table is read row by row, and no other table is") {
  CHECK(points_table("| `x` | y |\n\n| Check | Points |\n|---|---|\n| `a` | x \\| y | 5 |\n| `b` | z | 2.5|\ntext\n"
                     "| `c` | 3 |\n") == std::set<std::string>{"a 5", "b 2.5"});
}
