// A report as it was kept: JSON, version 1, back to a Report.
#include "report/read_json.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "report/speed_text.h"

namespace cudalabs {
namespace {

using ParsedJson = nlohmann::json;

/// A value, or an empty one where there is none of that type.
template <typename Value>
Value value_of(const ParsedJson& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return {};
  try {
    return found->get<Value>();
  } catch (const ParsedJson::type_error&) {
    return {};
  }
}

std::string text(const ParsedJson& object, const char* key) {
  return value_of<std::string>(object, key);
}

/// The elements of a list; none where there is no list.
std::vector<ParsedJson> elements(const ParsedJson& object, const char* key) {
  return value_of<std::vector<ParsedJson>>(object, key);
}

/// The object of a name; empty where there is none.
ParsedJson part(const ParsedJson& object, const char* key) {
  return value_of<ParsedJson>(object, key);
}

/// The one of `values` whose name that is; else the last.
template <typename Value, std::size_t count>
Value named(const std::array<Value, count>& values, const std::string& name) {
  for (const Value value : values) {
    if (name_of(value) == name) return value;
  }
  return values.back();
}

std::optional<Index3> index(const ParsedJson& object, const char* key) {
  const auto numbers = value_of<std::vector<std::uint32_t>>(object, key);
  if (numbers.size() != 3) return std::nullopt;
  return Index3{numbers[0], numbers[1], numbers[2]};
}

SourcePlace place(const ParsedJson& object) {
  return {text(object, "file"), value_of<std::uint32_t>(object, "line"), value_of<std::uint32_t>(object, "column")};
}

CheckResult check(const ParsedJson& object) {
  using enum CheckStatus;
  return {text(object, "id"),
          text(object, "title"),
          named(std::array{Category::build, Category::sync, Category::speed, Category::quality, Category::correctness},
                text(object, "category")),
          value_of<double>(object, "points"),
          value_of<double>(object, "max"),
          named(std::array{passed, failed, skipped, error}, text(object, "status")),
          text(object, "message"),
          text(object, "help"),
          value_of<std::vector<std::size_t>>(object, "because")};
}

Finding finding(const ParsedJson& object) {
  Finding result;
  result.id = text(object, "id");
  result.severity = named(std::array{Severity::warning, Severity::advice, Severity::error}, text(object, "severity"));
  result.message = text(object, "message");
  result.where = place(object);
  result.kernel = text(object, "kernel");
  result.block = index(object, "block");
  result.thread = index(object, "thread");
  if (part(object, "address").is_number()) result.address = value_of<std::uint64_t>(object, "address");
  result.count = value_of<std::uint64_t>(object, "count");
  result.note = text(object, "note");
  result.help = text(object, "help");
  if (const ParsedJson other = part(object, "other"); other.is_object())
    result.other = OtherPlace{text(other, "label"), place(other), index(other, "block"), index(other, "thread")};
  return result;
}

SpeedResult speed_result(const ParsedJson& object) {
  using enum SpeedResult::Kind;
  SpeedResult result;
  result.kind = named(std::array{measured, modelled, unknown}, text(object, "kind"));
  result.check = text(object, "check");
  result.device = text(object, "device");
  const ParsedJson thresholds = part(object, "thresholds");
  result.device_class = text(thresholds, "device");
  result.none = value_of<double>(thresholds, "none");
  result.full = value_of<double>(thresholds, "full");
  result.honours = value_of<double>(thresholds, "honours");
  result.baseline = text(object, "baseline");
  result.size = text(object, "size");
  result.ratio = value_of<double>(object, "ratio");
  const auto interval = value_of<std::vector<double>>(object, "interval");
  if (interval.size() == 2) result.low = interval[0], result.high = interval[1];
  result.pairs = value_of<std::size_t>(object, "pairs");
  result.ratios = value_of<std::vector<double>>(object, "ratios");
  result.decided = value_of<bool>(object, "decided");
  result.seconds = value_of<double>(object, "seconds");
  result.baseline_seconds = value_of<double>(object, "baseline_seconds");
  result.event_seconds = value_of<double>(object, "event_seconds");
  result.credit = value_of<double>(object, "credit");
  result.bound = text(object, "bound");
  result.doubt = text(object, "doubt");
  return result;
}

}  // namespace

Report read_json(const std::string& json) {
  const ParsedJson object = ParsedJson::parse(json, nullptr, false);
  Report report;
  if (!object.is_object()) return report;
  report.lab = text(object, "lab");
  report.title = text(object, "title");
  report.submission = text(object, "submission");
  report.device = text(object, "device");
  report.frontend = text(object, "frontend");
  report.sandbox = text(object, "sandbox");
  report.seed = value_of<std::uint64_t>(object, "seed");
  report.points = value_of<double>(part(object, "score"), "points");
  report.max = value_of<double>(part(object, "score"), "max");
  report.first_check = text(part(object, "first"), "check");
  for (const ParsedJson& each : elements(object, "checks")) report.checks.push_back(check(each));
  for (const ParsedJson& each : elements(object, "speed")) report.speed.push_back(speed_result(each));
  for (const ParsedJson& each : elements(object, "findings")) report.findings.push_back(finding(each));
  report.counters = value_of<std::map<std::string, std::uint64_t>>(object, "counters");
  report.timings = value_of<std::map<std::string, double>>(object, "timings");
  report.build_output = text(object, "build_output");
  report.console = text(object, "console");
  return report;
}

}  // namespace cudalabs
