// A report as it was kept, for pages.
#include "course/report_view.h"

#include <nlohmann/json.hpp>

namespace cudalabs::course {
namespace {

using Json = nlohmann::json;

template <typename Value>
Value value_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return {};
  return found->get<Value>();
}

std::string text(const Json& object, const char* key) {
  return value_of<std::string>(object, key);
}

PlaceView place(const Json& object) {
  return {text(object, "label"), text(object, "file"), value_of<std::uint32_t>(object, "line"),
          value_of<std::uint32_t>(object, "column")};
}

FindingView finding(const Json& object) {
  FindingView view{.id = text(object, "id"),
                   .severity = text(object, "severity"),
                   .message = text(object, "message"),
                   .kernel = text(object, "kernel"),
                   .note = text(object, "note"),
                   .help = text(object, "help"),
                   .where = place(object),
                   .others = {},
                   .count = value_of<std::uint64_t>(object, "count")};
  if (const auto other = object.find("other"); other != object.end() && other->is_object())
    view.others.push_back(place(*other));
  return view;
}

}  // namespace

ReportView view_report(const std::string& json) {
  ReportView view;
  const Json report = Json::parse(json, nullptr, false);
  if (!report.is_object()) return view;
  view.device = text(report, "device");
  view.frontend = text(report, "frontend");
  view.sandbox = text(report, "sandbox");
  view.build_output = text(report, "build_output");
  for (const Json& each : report.value("checks", Json::array())) {
    view.checks.push_back({text(each, "id"), text(each, "title"), text(each, "category"), text(each, "status"),
                           text(each, "message"), text(each, "help"), value_of<double>(each, "points"),
                           value_of<double>(each, "max")});
  }
  for (const Json& each : report.value("findings", Json::array())) view.findings.push_back(finding(each));
  return view;
}

}  // namespace cudalabs::course
