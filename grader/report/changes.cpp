// What is different between two gradings of one lab.
#include "report/changes.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "report/number_text.h"

namespace cudalabs {
namespace {

using ReadJson = nlohmann::json;

std::set<std::string> passed_checks(const ReadJson& report) {
  std::set<std::string> titles;
  for (const ReadJson& check : report.at("checks")) {
    if (check.at("status") == "passed") titles.insert(check.at("title").get<std::string>());
  }
  return titles;
}

std::map<std::string, int> findings_by_id(const ReadJson& report) {
  std::map<std::string, int> counts;
  for (const ReadJson& finding : report.at("findings")) {
    if (finding.at("severity") == "advice") continue;
    ++counts[fmt::format("{}[{}]", finding.at("severity").get<std::string>(), finding.at("id").get<std::string>())];
  }
  return counts;
}

/// In the order of the report, those of `report` that pass in it and are not in `others`.
std::string passing_but_not_in(const ReadJson& report, const std::set<std::string>& others, const std::string& sign) {
  std::string lines;
  for (const ReadJson& check : report.at("checks")) {
    const std::string title = check.at("title").get<std::string>();
    if (check.at("status") == "passed" && !others.contains(title)) lines += fmt::format("  {} {}\n", sign, title);
  }
  return lines;
}

}  // namespace

std::string render_changes(const std::string& before, const std::string& after, const TerminalStyle& style) {
  const ReadJson old = ReadJson::parse(before), now = ReadJson::parse(after);
  const double gained = now.at("score").at("points").get<double>() - old.at("score").at("points").get<double>();
  std::string details = passing_but_not_in(now, passed_checks(old), style.unicode ? "✓ now:" : "+ now:") +
                        passing_but_not_in(old, passed_checks(now), style.unicode ? "✗ no longer:" : "- no longer:");
  auto counts = findings_by_id(now);
  for (const auto& [id, count] : findings_by_id(old)) counts.try_emplace(id, 0);
  const auto earlier = findings_by_id(old);
  for (const auto& [id, count] : counts) {
    const auto found = earlier.find(id);
    const int was = found == earlier.end() ? 0 : found->second;
    if (was == count) continue;
    details += count == 0 ? fmt::format("  gone: {}\n", id)
                          : fmt::format("  {}: {} {}, before: {}\n", id, count, count == 1 ? "place" : "places", was);
  }
  if (gained == 0 && details.empty()) return "as before\n";
  const std::string points =
      points_text(now.at("score").at("points").get<double>(), now.at("score").at("max").get<double>());
  const std::string sign = gained > 0 ? "+" : "";
  const std::string head = gained == 0 ? fmt::format("{}, as before\n", points)
                                       : fmt::format("{} ({}{})\n", points, sign, points_of(gained, gained));
  return head + details;
}

}  // namespace cudalabs
