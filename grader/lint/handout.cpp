// What a handout has in its Markdown: the files it links to, and its sections.
#include "lint/handout.h"

#include <sstream>

namespace cudalabs::lint {
namespace {

/// Marks of headings, lists and emphasis alone are no words.
bool is_word(const std::string& text) {
  return text.find_first_not_of("#*-=+|<>.,:;·()`") != std::string::npos;
}

}  // namespace

std::vector<std::string> linked_files(const std::string& markdown) {
  std::vector<std::string> targets;
  for (std::size_t at = markdown.find("]("); at != std::string::npos; at = markdown.find("](", at + 2)) {
    const std::size_t end = markdown.find_first_of(" )\n", at + 2);
    if (end == std::string::npos) break;
    std::string target = markdown.substr(at + 2, end - at - 2);
    target.resize(std::min(target.size(), target.find('#')));
    if (!target.empty() && target.find("://") == std::string::npos) targets.push_back(std::move(target));
  }
  return targets;
}

std::vector<std::string> sections(const std::string& markdown) {
  std::vector<std::string> headings;
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) headings.push_back(line.substr(3));
  }
  return headings;
}

std::size_t words_of_body(const std::string& markdown) {
  std::istringstream lines(markdown);
  std::size_t words = 0;
  bool folded = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("<details>")) folded = true;
    if (!folded && !line.starts_with("|") && !line.starts_with("    ")) {
      std::istringstream text(line);
      for (std::string word; text >> word;) words += is_word(word) ? 1 : 0;
    }
    if (line.starts_with("</details>")) folded = false;
  }
  return words;
}

std::vector<std::string> hinted_checks(const std::string& hints) {
  std::vector<std::string> ids;
  std::istringstream lines(hints);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("### ")) continue;
    for (std::size_t at = line.find('`'); at != std::string::npos;) {
      const std::size_t end = line.find('`', at + 1);
      if (end == std::string::npos) break;
      ids.push_back(line.substr(at + 1, end - at - 1));
      at = line.find('`', end + 1);
    }
  }
  return ids;
}

}  // namespace cudalabs::lint
