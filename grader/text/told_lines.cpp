#include "text/told_lines.h"

#include <algorithm>
#include <cstddef>

namespace cudalabs {
namespace {

std::size_t end_of_line(const std::string& text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

}  // namespace

void insert_second_line(std::string& text, std::string_view line) {
  text.insert(end_of_line(text, 0), '\n' + std::string(line));
}

void add_to_first_line(std::string& text, std::string_view more) {
  text.insert(end_of_line(text, 0), more);
}

void add_to_line(std::string& text, std::string_view words, std::string_view more) {
  const std::size_t at = text.find(words);
  if (at != std::string::npos) text.insert(end_of_line(text, at), more);
}

void erase_line(std::string& text, std::string_view begin) {
  const std::size_t at = text.find('\n' + std::string(begin));
  if (at != std::string::npos) text.erase(at, end_of_line(text, at + 1) - at);
}

bool replace_first(std::string& text, std::string_view words, std::string_view fresh) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return false;
  text.replace(at, words.size(), fresh);
  return true;
}

bool replace_begin(std::string& text, std::string_view words, std::string_view fresh) {
  return text.starts_with(words) && replace_first(text, words, fresh);
}

bool replace_end(std::string& text, std::string_view words, std::string_view fresh) {
  if (!text.ends_with(words)) return false;
  text.replace(text.size() - words.size(), words.size(), fresh);
  return true;
}

bool replace_rest(std::string& text, std::string_view words, std::string_view fresh) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return false;
  text.replace(at, std::string::npos, fresh);
  return true;
}

bool erase_through(std::string& text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string::npos) return false;
  text.erase(0, at + words.size());
  return true;
}

}  // namespace cudalabs
