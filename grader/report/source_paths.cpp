// Where the files of a report lie in the repository they belong to.
#include "report/source_paths.h"

#include <fmt/format.h>

#include <cctype>
#include <system_error>

namespace cudalabs {

namespace fs = std::filesystem;

namespace {

fs::path whole(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? fs::absolute(path).lexically_normal() : absolute;
}

}  // namespace

fs::path repository_of(const fs::path& file) {
  fs::path folder = whole(file).parent_path();
  std::error_code error;
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) return at;
  }
  return folder;
}

void add_source_path(SourcePaths& paths, const std::string& name, const fs::path& file, const fs::path& top) {
  const fs::path relative = whole(file).lexically_relative(top);
  if (!relative.empty() && *relative.begin() != "..") paths[name] = relative.generic_string();
}

std::string uri_of(std::string_view path) {
  std::string uri;
  for (const unsigned char c : path) {
    const bool plain = std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '~' || c == '/';
    uri += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return uri;
}

}  // namespace cudalabs
