#include "installation.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "lab/lab.h"
#include "tree/tree_paths.h"

namespace cudalabs::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = source_path();
const fs::path kBuild = build_path();

/// A line that is longer than this and stands in a solution only is no accident elsewhere.
constexpr std::size_t kTelling = 24;

std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(" \t") + 1 - first);
}

std::set<std::string> lines_of(const fs::path& file) {
  std::set<std::string> lines;
  std::istringstream text(read_file(file));
  for (std::string line; std::getline(text, line);) lines.insert(trimmed(line));
  return lines;
}

/// Lines of code of solutions, and of hidden cases, that no lab says (`grade lint` looks at those).
std::set<std::string> telling_lines() {
  std::set<std::string> telling;
  std::string known;
  for (const fs::path& folder : find_labs(kRoot / "labs")) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) known += read_file(entry.path());
    const Lab lab = read_lab(folder, kRoot / "solutions");
    for (const std::string& name : {lab.contract.source, std::string("hidden.toml")}) {
      for (const std::string& line : lines_of(lab.solution_folder / name)) {
        if (line.size() > kTelling) telling.insert(line);
      }
    }
  }
  // What the harness and the pinned baselines say as well is CUDA's way of saying it.
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / "grader/speed/pinned")) {
    if (entry.is_regular_file()) known += read_file(entry.path());
  }
  std::erase_if(telling, [&](const std::string& line) { return known.find(line) != std::string::npos; });
  return telling;
}

template <typename Look>
Secrets look_at(const fs::path& root, const Look& look) {
  Secrets secrets;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (!entry.is_regular_file() || entry.is_symlink()) continue;
    ++secrets.files;
    look(fs::relative(entry.path(), root).string(), read_file(entry.path()), secrets.found);
  }
  return secrets;
}

void find_build_paths(const std::string& name, const std::string& text, std::vector<std::string>& found) {
  for (const fs::path& path : {kRoot, kBuild}) {
    if (text.find(path.string() + "/") != std::string::npos) found.push_back(name + " holds the path " + path.string());
  }
}

}  // namespace

ProgramRun run_bare(const std::vector<std::string>& words, const fs::path& folder, const fs::path& home,
                    const std::vector<std::string>& more) {
  std::vector<std::string> all{"/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=" + home.string()};
  all.insert(all.end(), more.begin(), more.end());
  all.insert(all.end(), words.begin(), words.end());
  return run_program(all, folder);
}

ProgramRun install(const std::string& component, const fs::path& prefix) {
  std::vector<std::string> words{CUDALABS_CMAKE, "--install", kBuild.string(), "--prefix", prefix.string()};
  if (!component.empty()) words.insert(words.end(), {"--component", component});
  return run_program(words, fs::temp_directory_path());
}

Secrets secrets_in(const fs::path& root) {
  const std::set<std::string> telling = telling_lines();
  return look_at(root, [&](const std::string& name, const std::string& text, std::vector<std::string>& found) {
    for (const char* word : {"solutions/", "hidden.toml"}) {
      if (name.find(word) != std::string::npos) found.push_back(name + " is for instructors");
    }
    for (const std::string& line : telling) {
      if (text.find(line) != std::string::npos) found.push_back(name + " gives away: " + line);
    }
    find_build_paths(name, text, found);
  });
}

Secrets build_paths_in(const fs::path& root) {
  return look_at(root, [](const std::string& name, const std::string& text, std::vector<std::string>& found) {
    find_build_paths(name, text, found);
  });
}

}  // namespace cudalabs::test
