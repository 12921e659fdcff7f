// What the screen of a wrong sample must say first, and whether it does.
#include "lint/first.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "vgpu/check/finding_ids.h"

namespace cudalabs::lint {
namespace {

constexpr std::string_view kFirstHead = "// FIRST: ", kCheck = "check ";

/// Comes between the finding and the code.
constexpr std::array<std::pair<std::string_view, First::Shown>, 3> kPlaces{
    {{" at `", First::Shown::at}, {" beside `", First::Shown::beside}, {" showing `", First::Shown::either}}};

/// "error[shared-race]: this read ..." -> "shared-race"; empty for other lines.
std::string_view id_in(std::string_view line) {
  for (const std::string_view severity : {"error[", "warning[", "advice["}) {
    if (!line.starts_with(severity)) continue;
    const std::size_t end = line.find("]: ");
    if (end != std::string_view::npos) return line.substr(severity.size(), end - severity.size());
  }
  return {};
}

/// "  --> folder/matmul.cu:23:43, in `kernel`" -> 23.
std::uint32_t line_in(std::string_view arrow) {
  const std::size_t name = arrow.rfind(".cu:");
  std::uint32_t line = 0;
  if (name != std::string_view::npos) {
    const std::string_view digits = arrow.substr(name + std::string_view(".cu:").size());
    std::from_chars(digits.data(), digits.data() + digits.size(), line);
  }
  return line;
}

/// "23 |     sum += tile_a[ty][k];" -> 23; 0 for other lines.
std::uint32_t line_of_frame(std::string_view frame) {
  std::uint32_t line = 0;
  const auto [end, error] = std::from_chars(frame.data(), frame.data() + frame.size(), line);
  const std::string_view rest = frame.substr(static_cast<std::size_t>(end - frame.data()));
  return error == std::errc() && rest.starts_with(" |") ? line : 0;
}

/// The last line that a finding shows beside its own.
std::uint32_t line_beside(std::istringstream& lines, std::uint32_t own) {
  std::uint32_t beside = 0;
  for (std::string line; std::getline(lines, line) && !line.empty() && !line.starts_with("   = help");) {
    if (const std::uint32_t shown = line_of_frame(line); shown != 0 && shown != own) beside = shown;
  }
  return beside;
}

std::string_view word_of(First::Shown shown) {
  switch (shown) {
    case First::Shown::at:
      return "at";
    case First::Shown::beside:
      return "beside";
    case First::Shown::either:
      return "showing";
  }
  return {};
}

}  // namespace

std::optional<First> parse_first(const std::string& line) {
  if (!line.starts_with(kFirstHead)) return std::nullopt;
  std::string_view text = std::string_view(line).substr(kFirstHead.size());
  First first;
  const auto* const found =
      std::ranges::min_element(kPlaces, {}, [&](const auto& each) { return text.find(each.first); });
  const auto& [place, shown] = *found;
  if (text.starts_with(kCheck)) {
    first.is_check = true;
    text.remove_prefix(kCheck.size());
  } else if (const std::size_t at = text.find(place); at != std::string_view::npos && text.ends_with('`')) {
    const std::size_t begin = at + place.size();
    if (begin + 1 >= text.size()) return std::nullopt;
    first.code = text.substr(begin, text.size() - begin - 1);
    first.shown = shown;
    text = text.substr(0, at);
  }
  if (text.empty() || text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") != std::string_view::npos)
    return std::nullopt;
  first.id = text;
  return first;
}

std::uint32_t line_of(const std::string& code, const std::string& text) {
  std::istringstream lines(text);
  std::uint32_t number = 0, found = 0;
  bool head = true;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    head = head && line.starts_with("//");
    if (head || line.find(code) == std::string::npos) continue;
    if (found != 0) return 0;
    found = number;
  }
  return found;
}

std::uint32_t statement_of(std::uint32_t line, const std::string& text) {
  std::istringstream lines(text);
  std::uint32_t number = 0, begin = 1;
  for (std::string each; ++number < line && std::getline(lines, each);) {
    if (const std::size_t comment = each.find("//"); comment != std::string::npos) each.resize(comment);
    const std::size_t end = each.find_last_not_of(" \t\r");
    if (end == std::string::npos) continue;  // may be within a statement as well
    const bool directive = each[each.find_first_not_of(" \t")] == '#';
    if (directive || std::string_view(";{}:").find(each[end]) != std::string_view::npos) begin = number + 1;
  }
  return std::min(begin, line);
}

std::string describe(const First& first) {
  if (first.is_check) return "check " + first.id;
  if (first.id.empty()) return "nothing";
  if (first.line == 0) return first.id;
  std::string text = fmt::format("{} {} line {}", first.id, word_of(first.shown), first.line);
  if (first.other != 0) text += fmt::format(", beside line {}", first.other);
  return text;
}

First first_of(const std::string& screen, const nlohmann::json& report) {
  First first;
  std::istringstream lines(screen);
  for (std::string line; std::getline(lines, line);) {
    if (first.id.empty()) {
      first.id = id_in(line);
    } else if (line.find("--> ") != std::string::npos) {
      first.line = line_in(line);
      first.other = line_beside(lines, first.line);
      return first;
    } else if (line.empty()) {
      return first;  // the end of a finding without a place
    }
  }
  if (!first.id.empty()) return first;
  const auto& says = report.at("first");
  if (says.at("check").is_string()) return {.id = says.at("check").get<std::string>(), .is_check = true};
  if (says.at("finding").is_null()) return first;
  const auto& finding = report.at("findings").at(says.at("finding").get<std::size_t>() - 1);
  return {.id = finding.at("id").get<std::string>(), .line = finding.at("line").get<std::uint32_t>()};
}

std::string objection_to_first(const First& expected, const std::string& screen, const nlohmann::json& report,
                               bool by_statement) {
  const First got = first_of(screen, report);
  const auto is_line = [&](std::uint32_t line) {
    // Where a semicolon is missing, nvcc names the line after it.
    const bool next_line = by_statement && expected.id == finding_ids::kBuildFailed && line == expected.line + 1;
    const bool in_statement =
        by_statement && expected.statement != 0 && line >= expected.statement && line < expected.line;
    return line == expected.line || next_line || in_statement;
  };
  const bool at_line = expected.line == 0 || (expected.shown != First::Shown::beside && is_line(got.line)) ||
                       (expected.shown != First::Shown::at && is_line(got.other));
  const bool as_expected = got.id == expected.id && got.is_check == expected.is_check && at_line;
  return as_expected ? std::string() : describe(got);
}

bool may_be_long(const nlohmann::json& report) {
  for (const auto& check : report.at("checks")) {
    if (check.at("category") == "build" && check.at("status") == "failed") return true;
  }
  return false;
}

}  // namespace cudalabs::lint
