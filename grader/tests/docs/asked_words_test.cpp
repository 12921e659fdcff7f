// No rule decides by the words of another one's text: who changes a sentence would turn the rule off and not see it.
// What a finding is about stands in its facts (vgpu/finding.h, check/merge.h) and in what its help advises
// (vgpu/help.h).
#include <algorithm>
#include <array>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "catch.h"
#include "pages.h"
#include "text/code_text.h"
#include "text/file_text.h"
#include "tree/tree_paths.h"

using namespace cudalabs;
using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

constexpr std::array kRooms{"grader/explain/", "grader/check/",  "grader/grading/",
                            "grader/patch/",   "grader/report/", "grader/score/"};

bool is_read(const std::string& path) {
  const auto has = [&](const char* room) { return path.starts_with(room); };
  return std::ranges::any_of(kRooms, has) && (path.ends_with(".cpp") || path.ends_with(".h"));
}

/// "path:12: ...", for each line of the code that looks into a text for people.
std::vector<std::string> asked_words(const std::string& path, const std::string& text) {
  static const std::regex kAsks(
      R"(\b(message|note|help|label|title)(\(\)|\)|\.words\(\))*(\.|->)(find|rfind|contains|starts_with|ends_with|substr)\()");
  static const std::regex kCompares(R"re(\b(message|note|help|label|title) *[!=]= *")re");
  std::vector<std::string> found;
  const std::string code = without_comments(text);
  std::size_t number = 0;
  for (const std::string_view line : text_lines(code)) {
    ++number;
    constexpr std::size_t kLongest = 500;  // the library's expressions take stack for each letter
    const std::string read(line.substr(0, kLongest));
    if (std::regex_search(read, kAsks) || std::regex_search(read, kCompares))
      found.push_back(path + ":" + std::to_string(number) + ": decides by words: let who writes them set a fact");
  }
  return found;
}

}  // namespace

TEST_CASE("code that looks into a text for people is found") {
  const auto asks = [](const std::string& line) { return !asked_words("a.cpp", "\n" + line + "\n").empty(); };
  CHECK(asked_words("a.cpp", "\nif (finding.help.starts_with(kLook)) return;\n").at(0).starts_with("a.cpp:2: "));
  CHECK(asks("const auto at = finding.message.find(kFirst);"));
  CHECK(asks("if (std::string_view(finding.note).find(kFirst) != kNowhere) return;"));
  CHECK(asks("return finding.other->label.ends_with(\"is set here\");"));
  CHECK(asks("return help.find(\"look at\") != kNowhere;"));
  CHECK(asks("if (finding.help == \"as before\") return;"));
  CHECK_FALSE(asks("if (finding.help.advises(Advice::align_arrays)) return;"));
  CHECK_FALSE(asks("finding.note.insert(0, \"line 3\\n\");"));
  CHECK_FALSE(asks("// finding.help.starts_with(kLook)"));
  CHECK_FALSE(asks("finding.help = \"look\";"));
}

TEST_CASE("no rule decides by the words of another one's text") {
  const fs::path root = source_path();
  std::size_t read = 0;
  for (const fs::path& path : project_files(root)) {
    if (!is_read(path.string())) continue;
    ++read;
    for (const std::string& each : asked_words(path.string(), text_of(root / path))) FAIL_CHECK(each);
  }
  CHECK(read > 300);
}
