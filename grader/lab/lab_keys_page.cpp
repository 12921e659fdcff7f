// The keys of lab.toml and hidden.toml as Markdown.
#include <fmt/format.h>

#include <set>

#include "lab/lab_keys.h"

namespace cudalabs {
namespace {

constexpr std::string_view kIntroduction =
    "# Lab files\n\n"
    "<!-- Printed from grader/lab/lab_keys.cpp: change that file, then run `make lab_files`. A test holds the two "
    "together. -->\n\n"
    "A lab is data: `lab.toml` says what its files are, what a run may use, what earns points, what is timed and which "
    "cases there are; `hidden.toml` adds cases that students do not see; `baseline.toml` describes what speed is "
    "compared with. All are [TOML](https://toml.io).\n\n"
    "The reader checks every value. What it refuses, it names with file, line and key. A key that is not on this page "
    "is an error, and the message suggests the nearest one. `grade lint LAB --no-grading` reads a lab's files and "
    "looks at the rest of its folder.\n";

std::string anchor(std::string_view heading) {
  std::string result;
  for (const char c : heading) {
    if (c == ' ') {
      result += '-';
    } else if (c != '[' && c != ']' && c != '.' && c != '`') {
      result += c;
    }
  }
  return result;
}

class Page {
 public:
  std::string print() {
    text_ = kIntroduction;
    table(lab_keys());
    table(hidden_keys());
    table(baseline_keys());
    return text_;
  }

 private:
  void table(const KeyTable& keys) {
    if (!printed_.insert(&keys).second) return;
    text_ += fmt::format("\n## `{}`\n\n{}\n\n", keys.heading, keys.meaning);
    text_ += "| key | type | default | unit | meaning |\n|---|---|---|---|---|\n";
    for (const Key& key : keys.keys) {
      text_ += fmt::format("| `{}` | {} | {} | {} | {} |\n", key.name, words_of(key.type),
                           key.fallback.empty() ? "required" : key.fallback, key.unit, meaning(key));
    }
    for (const Key& key : keys.keys) {
      if (key.table != nullptr) table(*key.table);
    }
  }

  static std::string meaning(const Key& key) {
    if (key.table == nullptr) return key.meaning;
    return fmt::format("{} [`{}`](#{})", key.meaning, key.table->heading, anchor(key.table->heading));
  }

  std::string text_;
  std::set<const KeyTable*> printed_;
};

}  // namespace

std::string lab_keys_page() {
  return Page().print();
}

}  // namespace cudalabs
