#include "cli/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "report/layout.h"

namespace cudalabs {
namespace {

constexpr std::string_view kLevel = "## ", kChecks = "### ", kCode = "    ";

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// "### `one`, `other`" names a check.
bool names(std::string_view heading, std::string_view check) {
  return heading.find(fmt::format("`{}`", check)) != std::string_view::npos;
}

/// Marks of emphasis and of code; what stands between backticks is left as it is. `code` says whether the line begins
/// inside such a pair, and then whether it ends there.
std::string without_marks(const std::string& line, bool& code) {
  std::string out;
  for (const char letter : line) {
    if (letter == '`') {
      code = !code;
    } else if (code || letter != '*') {
      out += letter;
    }
  }
  return out;
}

}  // namespace

std::string check_to_fix(const Report& report) {
  if (!report.first_check.empty()) return report.first_check;
  const auto failed = [](const CheckResult& check) { return check.status == CheckStatus::failed; };
  const auto by_first_finding = std::ranges::find_if(report.checks, [&](const CheckResult& check) {
    return failed(check) && std::ranges::find(check.because, std::size_t{1}) != check.because.end();
  });
  if (by_first_finding != report.checks.end()) return by_first_finding->id;
  const auto first = std::ranges::find_if(report.checks, failed);
  return first == report.checks.end() ? "" : first->id;
}

std::string hint_for(std::string_view markdown, std::string_view check, unsigned level) {
  std::string out;
  unsigned at = 0;
  bool ours = false;
  for (const std::string& line : lines_of(markdown)) {
    if (line.starts_with(kChecks)) {
      ours = at == level && names(line, check);
      if (ours && !out.empty()) out += '\n';
    } else if (line.starts_with(kLevel)) {
      ++at;
      ours = false;
    } else if (ours && (!line.empty() || !out.empty())) {
      out += line + '\n';
    }
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

unsigned hint_levels(std::string_view markdown) {
  const auto lines = lines_of(markdown);
  return static_cast<unsigned>(std::ranges::count_if(
      lines, [](const std::string& line) { return line.starts_with(kLevel) && !line.starts_with(kChecks); }));
}

std::string plain_text(std::string_view markdown, unsigned width) {
  std::string out, paragraph;
  const auto flush = [&] {
    if (paragraph.empty()) return;
    bool code = false;
    // With its marks, because code is not broken where that is possible.
    for (const std::string& line : wrap(paragraph, width)) out += without_marks(line, code) + '\n';
    paragraph.clear();
  };
  for (const std::string& line : lines_of(markdown)) {
    if (line.starts_with(kCode)) {
      flush();
      out += line + '\n';
    } else if (line.empty()) {
      flush();
      if (!out.empty() && !out.ends_with("\n\n")) out += '\n';
    } else {
      if (!paragraph.empty()) paragraph += ' ';
      paragraph += line;
    }
  }
  flush();
  return out;
}

}  // namespace cudalabs
