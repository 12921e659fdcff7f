// A run as text and as SARIF, held against golden files; what of it makes it a failure.
#include <nlohmann/json.hpp>

#include "catch.h"
#include "golden.h"
#include "report/finding_sarif.h"
#include "sample_run.h"
#include "sanitizer/run_report.h"

using namespace cudalabs;
using namespace cudalabs::test;
using namespace cudalabs::sanitizer;

namespace {

const SourcePaths kPaths{{"src/tree.cu", "lib/src/tree.cu"}, {"./build/tree", "/projects/build/tree"}};

}  // namespace

TEST_CASE("a run is printed as it was before") {
  check_golden("sample.txt", render_text(sample_run(), sample_sources(), {}, 0));
  check_golden("sample.color.txt", render_text(sample_run(), sample_sources(), {.color = true, .width = 60}, 0));
  check_golden("clean.txt", render_text(clean_run(), sample_sources(), {}, 0));
  check_golden("hostile.txt", render_text(hostile_run(), sample_sources(), {}, 0));
}

TEST_CASE("findings beyond the most that are shown are counted") {
  const std::string text = render_text(sample_run(), sample_sources(), {}, 1);
  CHECK(text.find("shared-race") != std::string::npos);
  CHECK(text.find("memory-leak") == std::string::npos);
  CHECK(text.find("vgpu: 2 findings more") != std::string::npos);
  CHECK(text.find("1 error, 1 warning, 1 advice, 1 suppressed; 3 launches") != std::string::npos);
  CHECK(render_text(sample_run(), sample_sources(), {}, 3) == render_text(sample_run(), sample_sources(), {}, 0));
}

TEST_CASE("findings that others speak for are counted, and are in SARIF") {
  RunReport run = sample_run();
  run.others = {run.findings[0], run.findings[0]};
  const std::string text = render_text(run, sample_sources(), {}, 0);
  CHECK(text.find("1 error, 1 warning, 1 advice, 2 more of the same causes, 1 suppressed; 3") != std::string::npos);
  const auto log = nlohmann::json::parse(render_sarif(run, sample_sources(), kPaths));
  CHECK(log.at("runs").at(0).at("results").size() == 3 + 2 + 1);
  CHECK(run.all_findings().size() == 3 + 2);
}

TEST_CASE("a run as SARIF is what it was before") {
  check_golden("sample.sarif", render_sarif(sample_run(), sample_sources(), kPaths));
  check_golden("clean.sarif", render_sarif(clean_run(), sample_sources(), kPaths));
  check_golden("hostile.sarif", render_sarif(hostile_run(), sample_sources(), kPaths));
}

TEST_CASE("in SARIF a suppressed finding has the reason with it, and a file elsewhere its whole path") {
  const auto log = nlohmann::json::parse(render_sarif(sample_run(), sample_sources(), kPaths));
  const auto& results = log.at("runs").at(0).at("results");
  REQUIRE(results.size() == 4);
  CHECK_FALSE(results.at(0).contains("suppressions"));
  CHECK(results.at(3).at("suppressions").at(0).at("justification") == "the library's authors say that it is benign");
  CHECK(results.at(0).at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri") ==
        "lib/src/tree.cu");
  const auto& program = results.at(1).at("locations").at(0).at("physicalLocation").at("artifactLocation");
  CHECK(program.at("uri") == "file:///projects/build/tree");
  CHECK_FALSE(program.contains("uriBaseId"));
}

TEST_CASE("a run has failed where an error was found, or something was not checked") {
  RunReport run = clean_run();
  CHECK_FALSE(run.failed());
  run.findings = {sample_run().findings[1], sample_run().findings[2]};
  run.suppressed = sample_run().suppressed;
  CHECK_FALSE(run.failed());
  run.failures = {"x"};
  CHECK(run.failed());
  run.failures.clear();
  run.findings = sample_run().findings;
  CHECK(run.failed());
}
