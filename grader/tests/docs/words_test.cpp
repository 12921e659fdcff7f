// The words of the field: threads, processes and people are called by their names, and what has a name in the
// literature has no other here.
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
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

/// Not read: this list, and what the test of prose must object to.
bool is_read(const fs::path& path) {
  const std::string text = path.string();
  for (const char* left_out : {"grader/tests/docs/words_test.cpp", "grader/tests/slides/bad_"}) {
    if (text.starts_with(left_out)) return false;
  }
  static const std::array kKinds = {".cpp", ".h", ".cu", ".cuh", ".md", ".toml", ".cmake", ".sh", ".txt"};
  return std::ranges::find(kKinds, path.extension().string()) != kKinds.end();
}

/// Each with what to write instead.
const std::map<std::string, std::string> kRetired = {
    {"contest", "benchmark, paired measurement"},
    {"contestant", "timed program"},
    {"contestants", "timed programs"},
    {"disqualified", "invalid timing"},
    {"mend", "fix"},
    {"mended", "fixed"},
    {"mends", "fixes"},
    {"somebody", "the thread, process, caller or person"},
    {"stadium", "benchmark"},
    {"trial", "case run, test run, measurement"},
    {"trials", "case runs, test runs, measurements"},
    {"turnstile", "lock, turn"},
    {"warden", "sandbox init"},
    {"whoever", "the thread, process, caller or person"},
    {"workplace", "toolchain, folder"},
};

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// "path:12: `whoever`: write ...", for each retired word.
std::vector<std::string> retired_words(const std::string& path, const std::string& text) {
  std::vector<std::string> found;
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') ++line;
    std::string word;
    for (; at < text.size() && is_of_word(text[at]); ++at)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
    if (word.empty()) ++at;
    const auto retired = kRetired.find(word);
    if (retired != kRetired.end())
      found.push_back(path + ":" + std::to_string(line) + ": `" + word + "`: write " + retired->second);
  }
  return found;
}

}  // namespace

TEST_CASE("retired words are found in any case, whole words only") {
  CHECK(retired_words("a.h", "// Whoever starts it\nint contestants;\n").size() == 2);
  CHECK(retired_words("a.h", "int industrial, somebody_else;\n").empty());
  CHECK(retired_words("a.h", "\n// a trial\n").at(0) == "a.h:2: `trial`: write case run, test run, measurement");
}

TEST_CASE("no page and no source uses a retired word") {
  const fs::path root = source_path();
  std::size_t read = 0;
  for (const fs::path& path : project_files(root)) {
    if (!is_read(path)) continue;
    ++read;
    for (const std::string& each : retired_words(path.string(), text_of(root / path))) FAIL_CHECK(each);
  }
  CHECK(read > 1000);
}
