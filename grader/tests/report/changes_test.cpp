#include "report/changes.h"

#include <nlohmann/json.hpp>

#include "catch.h"

using namespace cudalabs;

namespace {

Report report(double points, CheckStatus edges, const std::vector<std::string>& findings) {
  Report report;
  report.points = points;
  report.max = 10;
  report.checks = {
      {.id = "square", .title = "squares are right", .status = CheckStatus::passed, .message = {}, .help = {}},
      {.id = "edges", .title = "edges are right", .status = edges, .message = {}, .help = {}}};
  for (const std::string& id : findings) {
    Finding finding;
    finding.id = id;
    report.findings.push_back(std::move(finding));
  }
  return report;
}

std::string changes(const Report& before, const Report& after, bool unicode = true) {
  return render_changes(render_json(before), render_json(after), {.color = false, .unicode = unicode, .width = 100});
}

}  // namespace

TEST_CASE("what a save won") {
  CHECK(changes(report(5, CheckStatus::failed, {"global-race", "shared-race"}),
                report(7.5, CheckStatus::passed, {"shared-race"})) ==
        "7.5 of 10 points (+2.5)\n  ✓ now: edges are right\n  gone: error[global-race]\n");
}

TEST_CASE("what a save lost, on a terminal without our signs") {
  CHECK(changes(report(10, CheckStatus::passed, {}), report(5, CheckStatus::skipped, {"shared-race", "shared-race"}),
                false) ==
        "5 of 10 points (-5)\n  - no longer: edges are right\n  error[shared-race]: 2 places, before: 0\n");
}

TEST_CASE("what a save did not change") {
  CHECK(changes(report(5, CheckStatus::failed, {"a"}), report(5, CheckStatus::failed, {"a"})) == "as before\n");
  CHECK(changes(report(5, CheckStatus::failed, {"a"}), report(5, CheckStatus::failed, {"b"})) ==
        "5 of 10 points, as before\n  gone: error[a]\n  error[b]: 1 place, before: 0\n");
}

TEST_CASE("text that is no report is refused") {
  const std::string json = render_json(report(5, CheckStatus::failed, {}));
  CHECK_THROWS_AS(render_changes("", json, {}), nlohmann::json::exception);
  CHECK_THROWS_AS(render_changes(json, "{}", {}), nlohmann::json::exception);
}
