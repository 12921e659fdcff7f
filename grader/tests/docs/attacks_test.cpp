// docs/SECURITY.md's table of attacks: the samples and tests that it names are there, and no hostile sample is missing.
#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "catch.h"
#include "pages.h"
#include "text/file_text.h"
#include "tree/tree_paths.h"

using namespace cudalabs;
using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

struct Attack {
  std::string number, shown, tiers;
};

/// "| 6 | attack | what the grader does | what shows it | tiers |", for each line of that form.
std::vector<Attack> attacks_in(const std::string& page) {
  static const std::regex kRow(R"(\| (\d+) \| [^|]+ \| [^|]+ \| ([^|]+) \| ([^|]+) \|)");
  std::vector<Attack> attacks;
  std::istringstream lines(page);
  std::smatch cells;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_match(line, cells, kRow)) attacks.push_back({cells[1], cells[2], cells[3]});
  }
  return attacks;
}

std::set<std::string> found_in(const std::string& text, const std::regex& pattern) {
  std::set<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match)
    found.insert((*match)[1]);
  return found;
}

std::set<std::string> samples_of(const std::string& cell) {
  return found_in(cell, std::regex("`([^`]+\\.cu)`"));
}

std::set<std::string> tests_of(const std::string& cell) {
  return found_in(cell, std::regex("\"([^\"]+)\""));
}

std::set<std::string> hostile_samples(const fs::path& root) {
  std::set<std::string> samples;
  for (const fs::path& path : project_files(root)) {
    if (path.string().starts_with("solutions/") && path.parent_path().filename() == "hostile")
      samples.insert(path.filename().string());
  }
  return samples;
}

std::set<std::string> all_tests(const fs::path& root) {
  std::set<std::string> tests;
  for (const fs::path& path : project_files(root)) {
    if (path.string().starts_with("grader/tests/") && path.extension() == ".cpp")
      tests.merge(found_in(text_of(root / path), std::regex("TEST_CASE(?:_METHOD\\(\\w+, |\\()\"([^\"]+)\"")));
  }
  return tests;
}

}  // namespace

TEST_CASE("a row of the table of attacks is read") {
  const auto attacks = attacks_in("| 7 | a | b | `x.cu`, \"it works\" | A, B, C |\n| - | a | b | c | d |\n");
  REQUIRE(attacks.size() == 1);
  CHECK(attacks[0].number == "7");
  CHECK(samples_of(attacks[0].shown) == std::set<std::string>{"x.cu"});
  CHECK(tests_of(attacks[0].shown) == std::set<std::string>{"it works"});
  CHECK(attacks[0].tiers == "A, B, C");
}

TEST_CASE("the table of attacks names samples and tests that there are, and every hostile sample") {
  const fs::path root = source_path();
  const std::vector<Attack> attacks = attacks_in(text_of(root / "docs" / "SECURITY.md"));
  const std::set<std::string> samples = hostile_samples(root), tests = all_tests(root);
  REQUIRE(attacks.size() >= 60);
  CHECK(samples.size() > 70);
  std::set<std::string> named;
  for (std::size_t i = 0; i < attacks.size(); ++i) {
    const Attack& attack = attacks[i];
    CAPTURE(attack.number);
    CHECK(attack.number == std::to_string(i + 1));
    const std::set<std::string> own_samples = samples_of(attack.shown), own_tests = tests_of(attack.shown);
    CHECK(own_samples.size() + own_tests.size() > 0);
    for (const std::string& sample : own_samples) {
      if (!samples.contains(sample)) FAIL_CHECK("there is no hostile sample " << sample);
    }
    for (const std::string& test : own_tests) {
      if (!tests.contains(test)) FAIL_CHECK("there is no test \"" << test << '"');
    }
    // Hostile samples are graded in every tier.
    if (!own_samples.empty()) CHECK(attack.tiers == "A, B, C");
    named.insert(own_samples.begin(), own_samples.end());
  }
  for (const std::string& sample : samples) {
    if (!named.contains(sample)) FAIL_CHECK("no row of docs/SECURITY.md names " << sample);
  }
}
