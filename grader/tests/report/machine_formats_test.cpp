// Formats that tools read: SARIF, annotations, lines like a compiler's, and JSON that is read back.
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "catch.h"
#include "golden.h"
#include "report/finding_rules.h"
#include "report/open_checks.h"
#include "report/read_json.h"
#include "sample_reports.h"
#include "vgpu/check/finding_table.h"

using namespace cudalabs;
using namespace cudalabs::test;
using Json = nlohmann::json;

namespace {

const SourcePaths kPaths{{"matmul.cu", "labs/lab4_tiled_matmul/matmul.cu"},
                         {"labs/lab4_tiled_matmul/tiled_matmul.cu", "labs/lab4 tiled/tiled_matmul.cu"}};

Json sarif_of(const Report& report) {
  return Json::parse(render_sarif(report, SampleSources(), kPaths));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Every string in it, keys and values.
void each_string(const Json& json, const std::function<void(const std::string&)>& look) {
  if (json.is_string()) look(json.get<std::string>());
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) {
    look(key);
    each_string(value, look);
  }
}

}  // namespace

TEST_CASE("every finding there is has a rule with a title and help") {
  std::set<std::string_view> known;
  for (const FindingRule& rule : finding_rules()) {
    CAPTURE(rule.id);
    CHECK(known.insert(rule.id).second);
    CHECK_FALSE(rule.title.empty());
    CHECK_FALSE(rule.title.ends_with('.'));
    CHECK(rule.help.ends_with('.'));
  }
  for (const FindingKind& kind : finding_kinds()) {
    CAPTURE(kind.id);
    CHECK(finding_rule(kind.id) != nullptr);
  }
  CHECK(known.size() == finding_kinds().size());
  CHECK(finding_rule("no-such-finding") == nullptr);
  CHECK(camel_case("shared-race") == "SharedRace");
}

TEST_CASE("reports as SARIF") {
  for (const auto& [name, report] : all_reports())
    check_golden(name + ".sarif", render_sarif(report, SampleSources(), kPaths));
}

TEST_CASE("reports as annotations for GitHub and as lines like a compiler's") {
  for (const auto& [name, report] : all_reports()) {
    check_golden(name + ".github.txt", render_github(report, kPaths));
    check_golden(name + ".gcc.txt", render_gcc(report));
  }
}

TEST_CASE("SARIF names both accesses of a race, and where they are") {
  const Json run = sarif_of(failing_report())["runs"][0];
  const Json race = run["results"][0];
  CHECK(race["ruleId"] == "shared-race");
  CHECK(race["level"] == "error");
  CHECK(run["tool"]["driver"]["rules"][race["ruleIndex"].get<std::size_t>()]["id"] == "shared-race");
  const Json place = race["locations"][0]["physicalLocation"];
  CHECK(place["artifactLocation"]["uri"] == "labs/lab4_tiled_matmul/matmul.cu");
  CHECK(place["region"]["startLine"] == 12);
  CHECK(place["region"]["startColumn"] == 33);
  CHECK(place["region"]["snippet"]["text"].get<std::string>().find("tile_b[k][tx]") != std::string::npos);
  CHECK(race["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == 9);
  CHECK(race["codeFlows"][0]["threadFlows"].size() == 2);
  CHECK(run["results"][2]["level"] == "note");
}

TEST_CASE("each rule of a SARIF log has help, and each result a rule, a message and a fingerprint of its own") {
  for (const auto& [name, report] : all_reports()) {
    CAPTURE(name);
    const Json run = sarif_of(report)["runs"][0];
    std::set<std::string> fingerprints;
    for (const Json& result : run["results"]) {
      const Json rule = run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()];
      CHECK(rule["id"] == result["ruleId"]);
      if (name != "hostile") CHECK_FALSE(rule["help"]["text"].get<std::string>().empty());
      CHECK_FALSE(result["message"]["text"].get<std::string>().empty());
      CHECK(fingerprints.insert(result["partialFingerprints"]["findingOnLine/v1"]).second);
    }
    CHECK(run["results"].size() == report.findings.size() + checks_without_finding(report).size());
  }
}

TEST_CASE("a fingerprint stays when lines are put in above, and changes with the line") {
  class Moved : public SourceText {
   public:
    explicit Moved(std::uint32_t by) : by_(by) {}
    std::string line(std::string_view file, std::uint32_t line) const override {
      return SampleSources().line(file, line - by_);
    }

   private:
    std::uint32_t by_;
  };
  const auto fingerprint = [](const Report& report, const SourceText& sources) {
    return Json::parse(render_sarif(report, sources, kPaths))["runs"][0]["results"][0]["partialFingerprints"];
  };
  Report report = failing_report();
  const Json before = fingerprint(report, Moved(0));
  report.findings[0].where.line += 7;
  CHECK(fingerprint(report, Moved(7)) == before);
  CHECK(fingerprint(report, Moved(0)) != before);
}

TEST_CASE("a failure of the grader is a notification in SARIF, and no result") {
  const Json run = sarif_of(broken_report())["runs"][0];
  CHECK(run["results"].empty());
  CHECK(run["invocations"][0]["executionSuccessful"] == false);
  CHECK(run["invocations"][0]["toolExecutionNotifications"].size() == 2);
  CHECK(sarif_of(failing_report())["runs"][0]["invocations"][0]["executionSuccessful"] == true);
}

TEST_CASE("a check that no finding explains is a result of its own") {
  const Json results = sarif_of(slow_report())["runs"][0]["results"];
  REQUIRE(results.size() == 1);
  CHECK(results[0]["ruleId"] == "failed-check");
  CHECK(results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] ==
        "labs/lab4%20tiled/tiled_matmul.cu");
}

TEST_CASE("a column counts UTF-16 units in SARIF") {
  class Wide : public SourceText {
   public:
    std::string line(std::string_view, std::uint32_t) const override { return "/* \xc3\xbc \xf0\x9f\x99\x82 */ x"; }
  };
  Report report;
  report.lab = "lab3";
  Finding finding;
  finding.id = "shared-race";
  finding.where = {"matmul.cu", 1, 15};  // the x, in bytes
  report.findings = {finding};
  const Json log = Json::parse(render_sarif(report, Wide(), kPaths));
  CHECK(log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startColumn"] == 12);
}

TEST_CASE("no text of a submission gets into SARIF as anything but text") {
  Report report = hostile_report();
  report.findings[0].message = "see [here](https://example.org) {0} \x1b[31m";
  each_string(sarif_of(report), [](const std::string& text) {
    CAPTURE(text);
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find("\xe2\x80\xae") == std::string::npos);
    CHECK(text.find("](") == std::string::npos);
  });
  CHECK(sarif_of(report)["runs"][0]["results"][0]["message"]["text"].get<std::string>().starts_with(
      "See [here] (https://example.org) {{0}} \\x1b[31m"));
}

TEST_CASE("no text of a submission becomes a workflow command") {
  Report report = failing_report();
  report.findings[0].message = "50%\n::error::forged\n::set-output name=x::y";
  report.findings[0].id = "a,b:c";
  report.findings[1].where = {"::error file=x", 1, 1};
  const std::vector<std::string> lines = lines_of(render_github(report, kPaths));
  CHECK(lines.size() == 4);  // three findings and the points
  CHECK(lines[0].starts_with("::error file=labs/lab4_tiled_matmul/matmul.cu,line=12,col=33,title=a%2Cb%3Ac::50%25%0A"));
  CHECK(lines[1].starts_with("::error file=labs/lab4 tiled/tiled_matmul.cu,title="));
  CHECK(lines[2].starts_with("::notice "));
  CHECK(lines[3] == "::notice title=lab4::lab4: 5 of 35 points");
}

TEST_CASE("lines like a compiler's have a file, a line and a column each") {
  const std::vector<std::string> lines = lines_of(render_gcc(failing_report()));
  CHECK(lines[0] ==
        "matmul.cu:12:33: error: `tile_b` is read before the thread that writes it has passed a barrier "
        "[shared-race]");
  CHECK(lines[1] == "matmul.cu:9:5: note: earlier write of 4 bytes");
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    CAPTURE(lines[i]);
    CHECK_THAT(lines[i], contains_text(":"));
    CHECK((lines[i].find(": error: ") != std::string::npos || lines[i].find(": note: ") != std::string::npos));
  }
  CHECK(lines.back() == "lab4: 5 of 35 points");
}

TEST_CASE("a report is read back from JSON") {
  for (const auto& [name, report] : all_reports()) {
    CAPTURE(name);
    const std::string json = render_json(report);
    CHECK(render_json(read_json(json)) == json);
  }
  Report report = failing_report();
  CHECK(read_json(render_json(report)).findings == report.findings);
  CHECK(read_json(render_json(report)).checks == report.checks);
}

TEST_CASE("what is no report has no checks, and fields of another type are empty") {
  for (const char* text : {"", "x", "[]", "17", "{\"checks\": 3, \"findings\": {\"a\": 1}}", "{\"score\": \"all\"}"}) {
    CAPTURE(text);
    CHECK(read_json(text).checks.empty());
  }
  const Report report = read_json(R"({"lab": 7, "checks": [{"id": 1, "status": "never heard of"}, 3]})");
  CHECK(report.lab.empty());
  REQUIRE(report.checks.size() == 2);
  CHECK(report.checks[0].status == CheckStatus::error);
}
