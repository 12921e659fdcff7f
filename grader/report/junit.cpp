// A report as JUnit XML, the form that continuous-integration systems show.
#include <fmt/format.h>

#include <algorithm>

#include "report/printable.h"
#include "report/report.h"
#include "report/speed_text.h"
#include "text/markup_escape.h"

namespace cudalabs {
namespace {

/// Text for an attribute or an element. printable() takes out the characters that XML 1.0 cannot hold.
std::string escape(std::string_view text) {
  return escaped_markup(printable(text));
}

/// A parser turns a line end inside an attribute into a space; references keep it.
std::string attribute(std::string_view text) {
  std::string out;
  for (const char c : escape(text)) {
    if (c == '\n') {
      out += "&#10;";
    } else if (c == '\t') {
      out += "&#9;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

std::string test_case(const Report& report, const CheckResult& check) {
  const std::string head = fmt::format("    <testcase classname=\"{}.{}\" name=\"{}: {}\"", attribute(report.lab),
                                       name_of(check.category), attribute(check.id), attribute(check.title));
  if (check.status == CheckStatus::passed) return head + "/>\n";
  if (check.status == CheckStatus::skipped) {
    return fmt::format("{}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", head, attribute(check.message));
  }
  const std::string_view element = check.status == CheckStatus::failed ? "failure" : "error";
  std::string body = check.message;
  if (!check.help.empty()) body += "\nhelp: " + check.help;
  return fmt::format("{}>\n      <{} message=\"{}\">{}</{}>\n    </testcase>\n", head, element,
                     attribute(first_line(check.message)), escape(body), element);
}

std::string finding_text(const Finding& finding) {
  std::string text;
  if (finding.where.known()) text += fmt::format("{}:{}: ", finding.where.file, finding.where.line);
  text += fmt::format("{}: {}\n", finding.id, finding.message);
  if (!finding.note.empty()) text += finding.note + '\n';
  return text;
}

std::string element(std::string_view name, const std::string& text) {
  return text.empty() ? std::string() : fmt::format("    <{0}>{1}</{0}>\n", name, escape(text));
}

}  // namespace

std::string render_junit(const Report& report) {
  const auto count = [&](CheckStatus status) {
    return std::ranges::count(report.checks, status, &CheckResult::status);
  };
  const auto total = report.timings.find("total");
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  out += fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n",
      attribute(report.lab), report.checks.size(), count(CheckStatus::failed), count(CheckStatus::error),
      count(CheckStatus::skipped), total == report.timings.end() ? 0.0 : total->second);
  out += "    <properties>\n";
  const auto property = [&](const std::string& name, const std::string& value) {
    out += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", attribute(name), attribute(value));
  };
  property("submission", report.submission);
  property("device", report.device);
  property("frontend", report.frontend);
  property("sandbox", report.sandbox);
  property("seed", std::to_string(report.seed));
  property("points", fmt::format("{:g}", report.points));
  property("max", fmt::format("{:g}", report.max));
  for (const SpeedResult& speed : report.speed) property("speed " + speed.check, speed_text(speed));
  out += "    </properties>\n";
  for (const CheckResult& check : report.checks) out += test_case(report, check);
  std::string findings;
  for (const Finding& finding : report.findings) findings += finding_text(finding);
  out += element("system-out", findings);
  out += element("system-err", report.build_output);
  out += "  </testsuite>\n</testsuites>\n";
  return out;
}

}  // namespace cudalabs
