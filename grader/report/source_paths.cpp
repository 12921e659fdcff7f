// Where the files of a report lie in the repository they belong to.
#include "report/source_paths.h"

#include <fmt/format.h>

#include <cctype>

namespace cudalabs {

std::string uri_of(std::string_view path) {
  std::string uri;
  for (const unsigned char c : path) {
    const bool plain = std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '~' || c == '/';
    uri += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return uri;
}

}  // namespace cudalabs
