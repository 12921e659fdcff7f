// Pages, SARIF and annotations of real gradings, through the program itself.
#include <nlohmann/json.hpp>

#include "catch.h"
#include "grade_run.h"
#include "tree/tree_paths.h"

using namespace cudalabs::test;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string wrong(const std::string& name) {
  return cudalabs::source_path("solutions/" + name);
}

}  // namespace

TEST_CASE("a race is on the page at both of its lines, in SARIF with both places, and a line like a compiler's") {
  const std::string file = wrong("lab4_tiled_matmul/wrong/second_barrier_missing.cu");
  const GradeRun grading({"lab4", "--submission", file, "--device", "virtual", "--html", "r.html", "--sarif", "r.sarif",
                          "--json", "r.json", "--format", "gcc"});
  INFO(grading.run.err);
  CHECK(grading.run.exit_code == 1);
  const auto report = nlohmann::json::parse(read_file(grading.folder.path() / "r.json"));
  const auto& race = report["findings"][0];
  REQUIRE(race["id"] == "shared-race");
  const std::string line = std::to_string(race["line"].get<int>());
  const std::string other = std::to_string(race["other"]["line"].get<int>());
  CHECK(contains(grading.run.out, file + ":" + line + ":"));
  CHECK(contains(grading.run.out, ": error: "));
  CHECK(contains(grading.run.out, "[shared-race]\n"));
  CHECK(grading.run.out.ends_with(" points\n"));

  const std::string page = read_file(grading.folder.path() / "r.html");
  for (const std::string& each : {line, other}) CHECK(contains(page, "id=\"lab4-L" + each + "\""));
  CHECK(contains(page, "href=\"#lab4-finding-1\""));
  CHECK(contains(page, "How one warp accesses memory"));
  CHECK(contains(page, " lines ran, "));

  const auto sarif = nlohmann::json::parse(read_file(grading.folder.path() / "r.sarif"));
  const auto& result = sarif["runs"][0]["results"][0];
  CHECK(result["ruleId"] == "shared-race");
  const auto& place = result["locations"][0]["physicalLocation"];
  CHECK(place["region"]["startLine"] == race["line"]);
  const std::string uri = place["artifactLocation"]["uri"];
  CHECK(uri.ends_with("second_barrier_missing.cu"));
  CHECK_FALSE(uri.starts_with("/"));
  CHECK(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"] == race["other"]["line"]);
}

TEST_CASE("wrong pixels are on the page: what came, what was expected and the difference") {
  const GradeRun grading({"lab2", "--submission", wrong("lab2_picture/wrong/height_for_width.cu"), "--device",
                          "virtual", "--html", "r.html", "--format", "github"});
  INFO(grading.run.err);
  CHECK(grading.run.exit_code == 1);
  CHECK(grading.run.out.starts_with("::error file="));
  const std::string page = read_file(grading.folder.path() / "r.html");
  for (const char* part : {"wrong in <code>", "as it is</figcaption>", "as expected</figcaption>",
                           "<figcaption>difference</figcaption>", "src=\"data:image/png;base64,"}) {
    CAPTURE(part);
    CHECK(contains(page, part));
  }
  // Hidden cases are not drawn.
  CHECK_FALSE(contains(page, "of hidden case"));
}

TEST_CASE("full marks are a page, an empty list of results, and exit code 0") {
  const GradeRun grading(
      {"lab3", "--solution", "--device", "virtual", "--html", "r.html", "--sarif", "r.sarif", "--format", "github"});
  INFO(grading.run.err);
  CHECK(grading.run.exit_code == 0);
  CHECK(grading.run.out == "::notice title=lab3::lab3: 100 of 100 points\n");
  CHECK(contains(read_file(grading.folder.path() / "r.html"), "<strong>100</strong> of 100 points"));
  CHECK(nlohmann::json::parse(read_file(grading.folder.path() / "r.sarif"))["runs"][0]["results"].empty());
}
