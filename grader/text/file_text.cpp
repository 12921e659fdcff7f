#include "text/file_text.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace cudalabs {

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string readable_text_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw std::runtime_error(file.string() + ": this file cannot be read");
  return text;
}

}  // namespace cudalabs
