// Every lab of this repository is whole: its data, its generator, its handout and its hints agree.
#include <fmt/format.h>

#include <algorithm>
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

/// The submissions in a folder of a lab's mirror, in the order of their names.
std::vector<fs::path> submissions(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// The items between commas; one that is empty stays, so that somebody can object to it.
std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::size_t first = std::min(text.find_first_not_of(' ', begin), end);
    items.push_back(text.substr(first, end - first));
    begin = end + 1;
  }
  return items;
}

bool is_finding_id(const std::string& text) {
  return !text.empty() && text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos;
}

/// What is wrong with the first line of a wrong/ submission (see solutions/README.md); empty: nothing.
std::string objection_to(const std::string& first_line, const Lab& lab) {
  const std::string prefix = "// EXPECT: ", checks = "score < max [";
  if (!first_line.starts_with(prefix)) return "it does not start with `" + prefix + "`";
  const std::string expected = first_line.substr(prefix.size());
  if (!expected.starts_with(checks)) {
    for (const std::string& id : split_list(expected)) {
      if (!is_finding_id(id)) return "`" + id + "` is no finding";
    }
    return "";
  }
  if (!expected.ends_with("]")) return "the list does not end";
  const std::vector<std::string> ids = split_list(expected.substr(checks.size(), expected.size() - checks.size() - 1));
  for (const std::string& id : ids) {
    if (std::ranges::find(lab.checks, id, &Check::id) == lab.checks.end()) return "`" + id + "` is no check";
  }
  return "";
}

std::string first_line_of(const std::string& text) {
  return text.substr(0, text.find('\n'));
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

TEST_CASE("every wrong submission says what it must get, and where it is wrong") {
  for (const Lab& lab : labs()) {
    const std::vector<fs::path> files = submissions(lab.solution_folder / "wrong");
    CAPTURE(lab.slug);
    CHECK(files.size() >= 10);
    for (const fs::path& file : files) {
      CAPTURE(file.filename());
      CHECK(file.extension() == ".cu");
      const std::string text = text_of(file);
      CHECK(objection_to(first_line_of(text), lab).empty());
      CHECK(text.find("wrong:") != std::string::npos);
    }
  }
}

TEST_CASE("every unusual submission expects full marks") {
  for (const Lab& lab : labs()) {
    const std::vector<fs::path> files = submissions(lab.solution_folder / "unusual");
    CAPTURE(lab.slug);
    CHECK(files.size() >= 3);
    for (const fs::path& file : files) {
      CAPTURE(file.filename());
      CHECK(file.extension() == ".cu");
      CHECK(first_line_of(text_of(file)) == "// EXPECT: full marks");
    }
  }
}

TEST_CASE("an expectation that grading could not meet is refused") {
  const Lab lab = labs().front();
  CHECK(objection_to("// EXPECT: shared-race", lab).empty());
  CHECK(objection_to("// EXPECT: shared-race, result-mismatch", lab).empty());
  CHECK(objection_to("// EXPECT: score < max [" + lab.checks[0].id + ", " + lab.checks[1].id + "]", lab).empty());
  CHECK_FALSE(objection_to("// EXPECTS: shared-race", lab).empty());
  CHECK_FALSE(objection_to("// EXPECT: ", lab).empty());
  CHECK_FALSE(objection_to("// EXPECT: shared race", lab).empty());
  CHECK_FALSE(objection_to("// EXPECT: shared-race,", lab).empty());
  CHECK_FALSE(objection_to("// EXPECT: score < max", lab).empty());
  CHECK_FALSE(objection_to("// EXPECT: score < max [no_such_check]", lab).empty());
  CHECK_FALSE(objection_to("// EXPECT: score < max []", lab).empty());
  CHECK_FALSE(objection_to("// EXPECT: score < max [" + lab.checks[0].id, lab).empty());
}

TEST_CASE("the points table is read row by row, and no other table is") {
  CHECK(points_table("| `x` | y |\n\n| Check | Points |\n|---|---|\n| `a` | x \\| y | 5 |\n| `b` | z | 2.5|\ntext\n"
                     "| `c` | 3 |\n") == std::set<std::string>{"a 5", "b 2.5"});
}
