#include "text/file_text.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace cudalabs {

namespace {

/// nullopt: the file cannot be read. A folder can be opened, and then reading it throws.
std::optional<std::string> read(const std::filesystem::path& file) {
  std::error_code unknown;
  if (std::filesystem::is_directory(file, unknown)) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

std::string text_of(const std::filesystem::path& file) {
  return read(file).value_or("");
}

std::string readable_text_of(const std::filesystem::path& file) {
  std::optional<std::string> text = read(file);
  if (!text) throw std::runtime_error(file.string() + ": this file cannot be read");
  return *std::move(text);
}

}  // namespace cudalabs
