// The tables that are made of lab.toml.
#include "lint/lab_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "lint/programs.h"
#include "report/write_file.h"
#include "text/file_text.h"

namespace cudalabs::lint {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// A part of a text: from its first byte, up to the one after its last.
struct Span {
  std::size_t begin = 0, end = 0;
};

/// The lines that start with a bar, from the one on that is the first of `table`; empty where there is none.
Span place_of(const std::string& markdown, const std::string& table) {
  const std::string first = table.substr(0, table.find('\n') + 1);
  std::size_t begin = markdown.starts_with(first) ? 0 : markdown.find("\n" + first);
  if (begin == std::string::npos) return {};
  if (begin != 0) ++begin;
  std::size_t end = begin;
  while (end < markdown.size() && markdown[end] == '|') {
    end = markdown.find('\n', end);
    end = end == std::string::npos ? markdown.size() : end + 1;
  }
  return {begin, end};
}

bool holds(const std::vector<std::string>& lines, const std::string& line) {
  return std::ranges::find(lines, line) != lines.end();
}

}  // namespace

std::string points_table(const Lab& lab) {
  std::string table = "| Check | What is asked | Points |\n|---|---|---|\n";
  for (const Check& check : lab.checks)
    table += fmt::format("| `{}` | {} | {} |\n", check.id, check.title, check.points);
  return table;
}

std::string table_of_labs(const std::vector<Lab>& labs) {
  std::string table = "| lab | what the student writes | what it teaches |\n|---|---|---|\n";
  for (const Lab& lab : labs)
    table += fmt::format("| [{}](labs/{}/README.md) | {} | {} |\n", lab.id, lab.slug, lab.task, lab.teaches);
  return table;
}

std::vector<std::string> differences(const std::string& markdown, const std::string& table) {
  const std::vector<std::string> wanted = lines_of(table);
  const Span place = place_of(markdown, table);
  if (place.begin == place.end) return {fmt::format("there is no table `{}`", wanted.front())};
  const std::vector<std::string> found = lines_of(markdown.substr(place.begin, place.end - place.begin));
  std::vector<std::string> sentences;
  for (const std::string& line : wanted) {
    if (!holds(found, line)) sentences.push_back(fmt::format("the table lacks the line `{}`", line));
  }
  for (const std::string& line : found) {
    if (!holds(wanted, line)) sentences.push_back(fmt::format("the table has the line `{}`, and must not", line));
  }
  if (sentences.empty() && found != wanted) sentences.emplace_back("the lines of the table are in another order");
  return sentences;
}

std::string with_table(const std::string& markdown, const std::string& table) {
  const Span place = place_of(markdown, table);
  if (place.begin == place.end) return markdown;
  return markdown.substr(0, place.begin) + table + markdown.substr(place.end);
}

bool write_table(const std::filesystem::path& file, const std::string& table) {
  const std::string before = text_of(file), after = with_table(before, table);
  if (after == before) return false;
  write_file(file, after);
  return true;
}

}  // namespace cudalabs::lint
