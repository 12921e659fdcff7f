// Which labs there are, and which of them a person means.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lab/lab.h"
#include "lab/nearest.h"
#include "text/lower_case.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// "lab3" of "lab3_naive_matmul": read_lab() refuses a lab.toml that says otherwise.
std::string id_of(const fs::path& folder) {
  const std::string slug = folder.filename().string();
  return slug.substr(0, slug.find('_'));
}

/// Sorts "lab2" before "lab10": by the text before the trailing number, then by the number, then by the whole name.
bool before(const fs::path& a, const fs::path& b) {
  const auto split = [](const std::string& id) {
    const std::size_t digits = id.find_last_not_of("0123456789") + 1;  // 0 when all are digits
    unsigned long long number = 0;
    std::from_chars(id.data() + digits, id.data() + id.size(), number);
    return std::pair{id.substr(0, digits), number};
  };
  const auto key_a = split(id_of(a)), key_b = split(id_of(b));
  return key_a != key_b ? key_a < key_b : a.filename() < b.filename();
}

/// "lab1_vector_add" of "labs/lab1_vector_add/", as a shell completes it, and "lab1" of "LAB1".
std::string name_of_lab(std::string_view typed) {
  while (typed.ends_with('/')) typed.remove_suffix(1);
  for (const std::string_view folder : {"./", "labs/"})
    if (typed.starts_with(folder)) typed.remove_prefix(folder.size());
  return lower(typed);
}

}  // namespace

std::vector<fs::path> find_labs(const fs::path& labs_root) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator entry(labs_root, error), end; !error && entry != end; entry.increment(error)) {
    if (fs::is_regular_file(entry->path() / "lab.toml")) folders.push_back(entry->path());
  }
  if (error) throw LabError(fmt::format("{}: cannot list labs: {}", labs_root.string(), error.message()));
  std::ranges::sort(folders, before);
  return folders;
}

fs::path find_lab(const fs::path& labs_root, std::string_view typed) {
  const std::string name = name_of_lab(typed);
  const std::vector<fs::path> folders = find_labs(labs_root);
  if (folders.empty()) throw LabError(fmt::format("{}: no labs here", labs_root.string()));
  std::vector<std::string> names;
  std::vector<fs::path> found;
  for (const fs::path& folder : folders) {
    if (name_of_lab(folder.filename().string()) == name) return folder;
    if (name_of_lab(id_of(folder)) == name) found.push_back(folder);
    names.push_back(id_of(folder));
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1) {
    throw LabError(fmt::format("{}: \"{}\" is the id of both {} and {}", labs_root.string(), name,
                               found[0].filename().string(), found[1].filename().string()));
  }
  // A long name is a mistyped folder, a short one a mistyped id.
  if (name.find('_') != std::string_view::npos) {
    names.clear();
    for (const fs::path& folder : folders) names.push_back(folder.filename().string());
  }
  throw LabError(fmt::format("{}: no lab is called \"{}\"{}", labs_root.string(), typed, suggestion(name, names)));
}

}  // namespace cudalabs
