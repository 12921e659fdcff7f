#include "hosts/host_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

namespace cudalabs::hosts {
namespace {

using ReportJson = nlohmann::json;

/// "matmul.cu:15: read of 4 bytes ...", with its note and its help indented below.
std::string finding_text(const ReportJson& finding, std::size_t number) {
  const auto file = std::filesystem::path(finding.at("file").get<std::string>()).filename().string();
  const auto line = finding.at("line").get<unsigned>();
  std::string text = fmt::format("finding {}: ", number);
  if (line > 0) text += fmt::format("{}:{}: ", file, line);
  text += finding.at("message").get<std::string>() + "\n";
  for (const char* part : {"note", "help"}) {
    std::string words = finding.at(part).get<std::string>();
    if (words.empty()) continue;
    for (std::size_t at = 0; (at = words.find('\n', at)) != std::string::npos; at += 5) words.replace(at, 1, "\n    ");
    text += fmt::format("    {}{}\n", std::string_view(part) == "help" ? "help: " : "", words);
  }
  return text;
}

/// Each finding stands in full below the first check that it explains.
std::string check_text(const ReportJson& check, const ReportJson& findings, std::set<std::size_t>& told) {
  std::string text;
  if (const auto message = check.at("message").get<std::string>(); !message.empty()) text += message + "\n";
  for (const auto& each : check.at("because")) {
    const auto number = each.get<std::size_t>();
    if (number == 0 || number > findings.size()) continue;
    text += told.insert(number).second ? finding_text(findings.at(number - 1), number)
                                       : fmt::format("because of finding {}, see above\n", number);
  }
  if (const auto help = check.at("help").get<std::string>(); !help.empty()) text += "help: " + help + "\n";
  return text;
}

std::string summary_of(const HostReport& report, const ReportJson& json) {
  std::string text = fmt::format("{}: {} of {} points", report.title, report.points, report.max);
  const ReportJson& first = json.at("first").at("finding");
  if (report.points < report.max && first.is_number()) {
    const ReportJson& finding = json.at("findings").at(first.get<std::size_t>() - 1);
    text += fmt::format("\nfix this first: {}", finding_text(finding, first.get<std::size_t>()));
  }
  return text;
}

HostReport read(const ReportJson& json) {
  if (json.at("version") != 1) throw NoVerdict("this is no report of version 1");
  HostReport report;
  report.lab = json.at("lab");
  report.title = json.at("title");
  report.points = json.at("score").at("points");
  report.max = json.at("score").at("max");
  report.seconds = json.at("timings").value("total", 0.0);
  std::set<std::size_t> told;
  for (const ReportJson& each : json.at("checks")) {
    const auto status = each.at("status").get<std::string>();
    if (status == "error") {
      throw NoVerdict(fmt::format("the grader failed in check `{}`: {}", each.at("id").get<std::string>(),
                                  each.at("message").get<std::string>()));
    }
    HostCheck check;
    check.title = each.at("title");
    check.build = each.at("category") == "build";
    check.points = each.at("points");
    check.max = each.at("max");
    check.passed = status == "passed";
    if (!check.passed || check.points < check.max) check.text = check_text(each, json.at("findings"), told);
    if (check.build && !check.passed) report.gradable = false;
    report.checks.push_back(std::move(check));
  }
  if (report.checks.empty() || report.max <= 0) throw NoVerdict("the report has no checks");
  report.summary = summary_of(report, json);
  if (!report.gradable) {
    if (const std::string said = json.value("build_output", ""); !said.empty()) report.summary += "\n" + said;
  }
  return report;
}

}  // namespace

HostReport read_host_report(std::string_view json) {
  try {
    return read(ReportJson::parse(json));
  } catch (const ReportJson::exception& error) {
    throw NoVerdict(std::string("this is no report of the grader: ") + error.what());
  }
}

}  // namespace cudalabs::hosts
