// A run as a page for a browser.
#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "page/finding_values.h"
#include "page/source_values.h"
#include "page/templates.h"
#include "report/number_text.h"
#include "sanitizer/run_report.h"
#include "sanitizer_template_files.h"

namespace cudalabs::sanitizer {
namespace {

using page::Values;

const page::Templates& own_templates() {
  static const page::Templates kTemplates{kSanitizerTemplateFiles.begin(), kSanitizerTemplateFiles.end()};
  return kTemplates;
}

std::string outcome_of(const RunReport& report) {
  const std::size_t count = report.findings.size();
  if (count > 0) return count_text(count, "finding", "findings");
  return report.failures.empty() ? "nothing found" : "not all of it was checked";
}

std::vector<Values> facts_of(const RunReport& report) {
  const std::pair<const char*, std::string> facts[] = {
      {"command", fmt::format("{}", fmt::join(report.command, " "))},
      {"exit code", std::to_string(report.exit_code)},
      {"device", fmt::format("virtual {}", report.device)},
      {"checks", report.checks},
      {"ran", fmt::format("{}, {:.2f} s in kernels", count_text(report.launches, "launch", "launches"),
                          report.kernel_seconds)},
  };
  std::vector<Values> values;
  for (const auto& [name, value] : facts) values.push_back(Values().text("name", name).text("value", value));
  return values;
}

std::vector<Values> sentences(const std::vector<std::string>& all) {
  std::vector<Values> values;
  for (const std::string& each : all) values.push_back(Values().markup("text_markup", page::Markup::prose(each)));
  return values;
}

std::vector<Values> suppressed_of(const RunReport& report) {
  std::vector<Values> values;
  for (const auto& [finding, reason] : report.suppressed) {
    Values one;
    one.text("name", finding.id).markup("message_markup", page::Markup::prose(finding.message));
    one.text("place", finding.where.known() ? fmt::format("{}:{}", finding.where.file, finding.where.line) : "");
    values.push_back(one.text("reason", reason));
  }
  return values;
}

}  // namespace

std::string render_page(const RunReport& report, const FileSources& sources, const std::vector<std::string>& files) {
  const page::FindingList list{"run", report.findings, sources, files};
  const std::string program = std::filesystem::path(report.command.front()).filename().string();
  const std::string title = fmt::format("{}: {}", program, outcome_of(report));
  Values values;
  values.text("title", title).list("facts", facts_of(report));
  values.flag("has_failures", !report.failures.empty()).list("failures", sentences(report.failures));
  values.flag("has_remarks", !report.remarks.empty()).list("remarks", sentences(report.remarks));
  std::vector<Values> cards;
  for (std::size_t number = 1; number <= report.findings.size(); ++number)
    cards.push_back(page::finding_values(list, number, 3));
  values.flag("has_findings", !cards.empty()).list("findings", cards);
  const std::vector<Values> suppressed = suppressed_of(report);
  values.flag("has_suppressed", !suppressed.empty()).list("suppressed", suppressed);
  std::vector<Values> texts;
  for (std::size_t file = 0; file < files.size(); ++file) {
    const page::ShownCoverage coverage{report.coverage, count_text(report.launches, "launch", "launches")};
    if (const auto text = page::source_values(list, file, coverage))
      texts.push_back(Values(*text).text("number", std::to_string(file + 1)));
  }
  values.flag("has_sources", !texts.empty()).list("sources", texts);
  return page::whole_page(title, page::fill("run", values, own_templates()));
}

}  // namespace cudalabs::sanitizer
