#include "pages.h"

#include <fnmatch.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

#include "markdown.h"

namespace cudalabs::test {
namespace {

namespace fs = std::filesystem;

Markdown page_at(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return read_markdown({std::string(std::istreambuf_iterator<char>(file), {})});
}

std::string complaint(const fs::path& page, const Mention& mention, const std::string& what) {
  return page.string() + ":" + std::to_string(mention.line) + ": `" + mention.text + "` " + what;
}

bool leads_outside(const std::string& target) {
  static const std::regex kScheme("[a-z]+:.*|//.*");
  return std::regex_match(target, kScheme);
}

/// All but those with faults on purpose, and the one that is written for another tree: what students get.
std::vector<fs::path> markdown_pages(const fs::path& root) {
  std::vector<fs::path> pages = project_files(root);
  std::erase_if(pages, [](const fs::path& path) {
    const std::string text = path.string();
    return path.extension() != ".md" || text.starts_with("grader/tests/") || text.starts_with("grader/release/");
  });
  return pages;
}

/// "labs/LAB/lab.toml" -> "labs/*/lab.toml"
std::string pattern_of(const std::string& text) {
  static const std::regex kAny("labN_slug|labN|\\bLAB\\b");
  return std::regex_replace(text, kAny, "*");
}

class Files {
 public:
  explicit Files(const fs::path& root) {
    for (const fs::path& path : project_files(root)) {
      paths_.push_back(path.string());
      names_.push_back(path.filename().string());
      for (fs::path folder = path.parent_path(); !folder.empty(); folder = folder.parent_path()) {
        paths_.push_back(folder.string());
      }
    }
  }

  bool has_path(const std::string& pattern) const { return any(paths_, pattern); }
  bool has_name(const std::string& pattern) const { return any(names_, pattern); }

 private:
  static bool any(const std::vector<std::string>& known, const std::string& pattern) {
    return std::ranges::any_of(
        known, [&](const std::string& each) { return fnmatch(pattern.c_str(), each.c_str(), FNM_PATHNAME) == 0; });
  }

  std::vector<std::string> paths_, names_;
};

/// Handouts, hints and decks speak of files that students write.
bool is_for_students(const fs::path& page) {
  return *page.begin() == "labs" || *page.begin() == "slides";
}

}  // namespace

std::vector<fs::path> project_files(const fs::path& root) {
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator entry(root), end; entry != end; ++entry) {
    const std::string name = entry->path().filename().string();
    const bool hidden = name.starts_with('.') && name != ".ci";
    if (entry->is_directory() &&
        (hidden || name == "node_modules" || (entry.depth() == 0 && name.starts_with("build")))) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      files.push_back(entry->path().lexically_relative(root));
    }
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> dead_links(const fs::path& root) {
  std::vector<std::string> dead;
  std::map<fs::path, Markdown> pages;
  for (const fs::path& path : markdown_pages(root)) pages[path] = page_at(root / path);
  for (const auto& [path, page] : pages) {
    for (const Mention& link : page.links) {
      if (leads_outside(link.text)) continue;
      const std::size_t hash = std::min(link.text.find('#'), link.text.size());
      const std::string file = link.text.substr(0, hash),
                        anchor = link.text.substr(std::min(hash + 1, link.text.size()));
      const fs::path target = file.empty() ? path : (path.parent_path() / file).lexically_normal();
      if (!fs::exists(root / target)) {
        dead.push_back(complaint(path, link, "leads to no file"));
      } else if (!anchor.empty()) {
        const auto found = pages.find(target);
        if (found == pages.end() || std::ranges::find(found->second.anchors, anchor) == found->second.anchors.end()) {
          dead.push_back(complaint(path, link, "leads to no heading"));
        }
      }
    }
  }
  return dead;
}

std::vector<std::string> missing_files(const fs::path& root) {
  static const std::regex kPath(R"([A-Za-z0-9_.*-]+(/[A-Za-z0-9_.*-]+)*/?)");
  static const std::regex kTop("(datasets|docs|grader|labs|slides|solutions|\\.ci)/.*");
  static const std::regex kName(R"([A-Za-z0-9_*-]+\.(cpp|h|cu|cmake|sh|md|toml))");
  const Files files(root);
  std::vector<std::string> missing;
  for (const fs::path& path : markdown_pages(root)) {
    for (const Mention& mention : page_at(root / path).code_spans) {
      if (!std::regex_match(mention.text, kPath)) continue;
      std::string pattern = pattern_of(mention.text);
      if (pattern.ends_with('/')) pattern.pop_back();
      const std::string first = pattern.substr(0, pattern.find('/'));
      if (std::regex_match(mention.text, kTop)) {
        if (!files.has_path(pattern)) missing.push_back(complaint(path, mention, "is not there"));
      } else if (pattern.find('/') != std::string::npos && files.has_path("grader/" + first)) {
        if (!files.has_path("grader/" + pattern)) missing.push_back(complaint(path, mention, "is not in grader/"));
      } else if (!is_for_students(path) && std::regex_match(mention.text, kName)) {
        if (!files.has_name(pattern)) missing.push_back(complaint(path, mention, "is no file's name"));
      }
    }
  }
  return missing;
}

}  // namespace cudalabs::test
