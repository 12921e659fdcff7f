// A report as JSON, version 1.
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/printable.h"
#include "report/report.h"
#include "report/speed_text.h"

namespace cudalabs {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kVersion = 1;

/// Points are whole numbers as a rule, and then look like it.
Json number(double value) {
  if (std::trunc(value) == value && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  return value;
}

Json index(const std::optional<Index3>& index) {
  return index ? Json(*index) : Json(nullptr);
}

Json check_json(const CheckResult& check) {
  return {
      {"id", printable(check.id)},           {"title", printable(check.title)}, {"category", name_of(check.category)},
      {"points", number(check.points)},      {"max", number(check.max)},        {"status", name_of(check.status)},
      {"message", printable(check.message)}, {"help", printable(check.help)},   {"because", check.because}};
}

Json other_json(const OtherPlace& other) {
  return {{"label", printable(other.label)}, {"file", printable(other.place.file)}, {"line", other.place.line},
          {"column", other.place.column},    {"block", index(other.block)},         {"thread", index(other.thread)}};
}

Json finding_json(const Finding& finding) {
  return {{"id", printable(finding.id)},
          {"severity", name_of(finding.severity)},
          {"message", printable(finding.message)},
          {"file", printable(finding.where.file)},
          {"line", finding.where.line},
          {"column", finding.where.column},
          {"kernel", printable(finding.kernel)},
          {"block", index(finding.block)},
          {"thread", index(finding.thread)},
          {"address", finding.address ? Json(*finding.address) : Json(nullptr)},
          {"count", finding.count},
          {"note", printable(finding.note)},
          {"help", printable(finding.help)},
          {"other", finding.other ? other_json(*finding.other) : Json(nullptr)}};
}

/// What to fix first: a finding by its number, from 1, or a check.
Json first_json(const Report& report) {
  if (!report.first_check.empty()) return {{"finding", nullptr}, {"check", printable(report.first_check)}};
  const bool found = !report.findings.empty() && report.findings.front().severity != Severity::advice;
  return {{"finding", found ? Json(1) : Json(nullptr)}, {"check", nullptr}};
}

/// Ratios and intervals are times the baseline's speed; seconds are of one call, or one launch.
Json speed_json(const SpeedResult& speed) {
  return {{"check", printable(speed.check)},
          {"kind", name_of(speed.kind)},
          {"device", printable(speed.device)},
          {"thresholds",
           {{"device", speed.device_class}, {"none", speed.none}, {"full", speed.full}, {"honours", speed.honours}}},
          {"baseline", printable(speed.baseline)},
          {"size", printable(speed.size)},
          {"ratio", speed.ratio},
          {"interval", {speed.low, speed.high}},
          {"pairs", speed.pairs},
          {"ratios", speed.ratios},
          {"decided", speed.decided},
          {"seconds", speed.seconds},
          {"baseline_seconds", speed.baseline_seconds},
          {"event_seconds", speed.event_seconds},
          {"credit", speed.credit},
          {"bound", printable(speed.bound)},
          {"doubt", printable(speed.doubt)}};
}

}  // namespace

std::string render_json(const Report& report) {
  Json json{{"version", kVersion},
            {"lab", printable(report.lab)},
            {"title", printable(report.title)},
            {"submission", printable(report.submission)},
            {"device", printable(report.device)},
            {"frontend", printable(report.frontend)},
            {"sandbox", printable(report.sandbox)},
            {"seed", report.seed},
            {"score", {{"points", number(report.points)}, {"max", number(report.max)}}},
            {"first", first_json(report)},
            {"checks", Json::array()},
            {"speed", Json::array()},
            {"findings", Json::array()},
            {"counters", Json::object()},
            {"timings", Json::object()},
            {"build_output", printable(report.build_output)},
            {"console", printable(report.console)}};
  for (const CheckResult& check : report.checks) json["checks"].push_back(check_json(check));
  for (const SpeedResult& speed : report.speed) json["speed"].push_back(speed_json(speed));
  for (const Finding& finding : report.findings) json["findings"].push_back(finding_json(finding));
  for (const auto& [name, value] : report.counters) json["counters"][printable(name)] = value;
  for (const auto& [name, seconds] : report.timings) json["timings"][printable(name)] = seconds;
  return json.dump(2) + "\n";
}

}  // namespace cudalabs
