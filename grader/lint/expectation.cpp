// What the first line of a sample submission expects of its grading.
#include "lint/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>

namespace cudalabs::lint {
namespace {

constexpr std::string_view kHead = "// EXPECT:", kHeadOnCuda = "// ON CUDA:", kHeadByNvcc = "// BY NVCC:",
                           kChecks = "score < max [", kWarnings = "full marks with ";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

bool is_name(std::string_view word) {
  return !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == std::string_view::npos;
}

/// Names between commas; nothing when there is none or one is not a name.
std::optional<std::set<std::string>> parse_names(std::string_view text) {
  std::set<std::string> names;
  for (;;) {
    const std::size_t comma = text.find(',');
    const std::string_view word = trimmed(text.substr(0, comma));
    if (!is_name(word)) return std::nullopt;
    names.emplace(word);
    if (comma == std::string_view::npos) return names;
    text.remove_prefix(comma + 1);
  }
}

std::set<std::string> findings_of(const nlohmann::json& report, std::string_view severity) {
  std::set<std::string> ids;
  for (const auto& finding : report.at("findings")) {
    if (finding.at("severity") == severity) ids.insert(finding.at("id").get<std::string>());
  }
  return ids;
}

std::set<std::string> checks_of(const nlohmann::json& report, std::string_view status) {
  std::set<std::string> ids;
  for (const auto& check : report.at("checks")) {
    if (check.at("status") == status) ids.insert(check.at("id").get<std::string>());
  }
  return ids;
}

std::string list(const std::set<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// There are checks of the category, and all of them pass.
bool passes(const nlohmann::json& report, std::string_view category) {
  bool any = false;
  for (const auto& check : report.at("checks")) {
    if (check.at("category") != category) continue;
    any = true;
    if (check.at("status") != "passed") return false;
  }
  return any;
}

/// No check of another category earned a point: who has written nothing has shown nothing.
bool earns_only(const nlohmann::json& report, std::string_view category) {
  return std::ranges::all_of(report.at("checks"), [&](const auto& check) {
    return check.at("category") == category || check.at("points") == 0.0;
  });
}

/// What the report says in the terms of expectations.
std::string summary(const nlohmann::json& report, int exit_code) {
  return fmt::format("exit code {}, {} of {} points, errors: {}, warnings: {}, failed checks: {}", exit_code,
                     report.at("score").at("points").dump(), report.at("score").at("max").dump(),
                     list(findings_of(report, "error")), list(findings_of(report, "warning")),
                     list(checks_of(report, "failed")));
}

bool met(const Expectation& expectation, const nlohmann::json& report, int exit_code) {
  const auto& score = report.at("score");
  const bool full = score.at("points") == score.at("max") && score.at("max") > 0;
  const std::set<std::string> errors = findings_of(report, "error");
  if (!checks_of(report, "error").empty()) return false;
  if (expectation.kind == Expectation::Kind::full_marks) {
    return full && exit_code == 0 && errors.empty() && findings_of(report, "warning") == expectation.names;
  }
  if (expectation.kind == Expectation::Kind::right_results) return errors.empty() && passes(report, "correctness");
  if (expectation.kind == Expectation::Kind::all_but_speed) {
    return exit_code <= 1 && errors.empty() && std::ranges::all_of(report.at("checks"), [](const auto& check) {
             return check.at("category") == "speed" || check.at("status") == "passed";
           });
  }
  if (full || exit_code != 1) return false;
  switch (expectation.kind) {
    case Expectation::Kind::errors:
      return errors == expectation.names;
    case Expectation::Kind::failed_checks:
      return checks_of(report, "failed") == expectation.names &&
             (errors.empty() || errors == std::set<std::string>{"result-mismatch"});
    case Expectation::Kind::builds_and_fails:
      return passes(report, "build") && earns_only(report, "build");
    case Expectation::Kind::full_marks:
    case Expectation::Kind::right_results:
    case Expectation::Kind::all_but_speed:
      break;
  }
  return false;
}

}  // namespace

std::optional<Expectation> parse_line(std::string_view line, std::string_view head) {
  if (!line.starts_with(head)) return std::nullopt;
  std::string_view text = trimmed(line.substr(head.size()));
  if (text == "full marks") return Expectation{Expectation::Kind::full_marks, {}};
  auto kind = Expectation::Kind::errors;
  if (text.starts_with(kChecks) && text.ends_with("]")) {
    kind = Expectation::Kind::failed_checks;
    text = text.substr(kChecks.size(), text.size() - kChecks.size() - 1);
  } else if (text.starts_with(kWarnings)) {
    kind = Expectation::Kind::full_marks;
    text.remove_prefix(kWarnings.size());
  }
  auto names = parse_names(text);
  if (!names) return std::nullopt;
  return Expectation{kind, std::move(*names)};
}

std::optional<Expectation> parse_expectation(const std::string& first_line) {
  return parse_line(first_line, kHead);
}

std::optional<Expectation> parse_expectation_on_cuda(const std::string& second_line) {
  if (second_line.starts_with(kHeadOnCuda) &&
      trimmed(std::string_view(second_line).substr(kHeadOnCuda.size())) == "full marks but for speed") {
    return Expectation{Expectation::Kind::all_but_speed, {}};
  }
  return parse_line(second_line, kHeadOnCuda);
}

std::optional<Expectation> parse_alternative(const std::string& line) {
  return parse_line(line, "// OR:");
}

std::optional<double> parse_most_points(const std::string& second_line) {
  constexpr std::string_view kHeadOfPoints = "// AT MOST:", kUnit = " points";
  const std::string_view line = trimmed(second_line);
  if (!line.starts_with(kHeadOfPoints) || !line.ends_with(kUnit)) return std::nullopt;
  const std::string_view number =
      trimmed(line.substr(kHeadOfPoints.size(), line.size() - kHeadOfPoints.size() - kUnit.size()));
  double points = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), points);
  if (error != std::errc() || end != number.data() + number.size() || !(points >= 0)) return std::nullopt;
  return points;
}

std::optional<std::string> parse_reason_for_difference(const std::string& line) {
  constexpr std::string_view kHeadOfReason = "// DIFFERS:";
  const std::string_view text = trimmed(line);
  if (!text.starts_with(kHeadOfReason)) return std::nullopt;
  const std::string_view reason = trimmed(text.substr(kHeadOfReason.size()));
  return reason.empty() ? std::nullopt : std::optional<std::string>(reason);
}

std::optional<Expectation> parse_expectation_by_nvcc(const std::string& second_line) {
  return parse_line(second_line, kHeadByNvcc);
}

std::string describe(const Expectation& expectation) {
  switch (expectation.kind) {
    case Expectation::Kind::full_marks:
      return expectation.names.empty() ? "full marks" : std::string(kWarnings) + list(expectation.names);
    case Expectation::Kind::errors:
      return list(expectation.names);
    case Expectation::Kind::failed_checks:
      return fmt::format("score < max [{}]", list(expectation.names));
    case Expectation::Kind::builds_and_fails:
      return "compiles, and earns points for nothing else";
    case Expectation::Kind::right_results:
      return "right results and no errors";
    case Expectation::Kind::all_but_speed:
      return "full marks but for speed";
  }
  return "";
}

std::string objection(const Expectation& expectation, const nlohmann::json& report, int exit_code) {
  return met(expectation, report, exit_code) ? std::string() : summary(report, exit_code);
}

}  // namespace cudalabs::lint
