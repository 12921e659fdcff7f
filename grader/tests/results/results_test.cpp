// The form of the committed results. Their figures are not judged here: a machine without a GPU cannot know better.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "catch.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json read(const fs::path& path) {
  std::ifstream stream(path);
  REQUIRE(stream);
  return Json::parse(stream);
}

std::vector<fs::path> results(const std::string& stem) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(CUDALABS_RESULTS)) {
    const std::string name = entry.path().filename();
    if (name.starts_with(stem) && entry.path().extension() == ".json") found.push_back(entry.path());
  }
  return found;
}

void check_machine(const Json& all) {
  CHECK(std::regex_match(all.at("date").get<std::string>(), std::regex(R"(\d{4}-\d{2}-\d{2})")));
  for (const char* fact : {"device", "driver", "toolkit"}) {
    CHECK_FALSE(all.at("machine").at(fact).get<std::string>().empty());
  }
}

std::set<std::string> steps_on_disk(const std::string& lab) {
  std::set<std::string> steps;
  for (const auto& folder : fs::directory_iterator(CUDALABS_SOLUTIONS)) {
    if (!folder.path().filename().string().starts_with(lab + "_")) continue;
    for (const auto& entry : fs::directory_iterator(folder.path() / "ladder")) {
      if (entry.path().extension() == ".cu") steps.insert(entry.path().stem());
    }
  }
  return steps;
}

}  // namespace

TEST_CASE("ladders say where they were climbed, and have every step that there is") {
  const auto files = results("ladder-");
  REQUIRE_FALSE(files.empty());
  for (const fs::path& file : files) {
    CAPTURE(file);
    const Json all = read(file);
    check_machine(all);
    CHECK(all.at("ladders").size() == 5);
    for (const Json& ladder : all.at("ladders")) {
      CAPTURE(ladder.at("lab"));
      CHECK(ladder.at("edge_cases").get<int>() > 0);
      std::set<std::string> seen;
      for (const Json& size : ladder.at("sizes")) {
        CHECK(size.at("results").at(0).at("share").get<double>() == 1);
        for (const Json& result : size.at("results")) {
          CHECK(result.at("median_ms").get<double>() > 0);
          CHECK(result.at("outputs_verified").get<int>() > 0);
          const double share = result.at("share");
          CHECK((std::isfinite(share) && share > 0));
          if (&result != &size.at("results").at(0)) seen.insert(result.at("name").get<std::string>());
        }
        for (const Json& name : size.at("left_out")) seen.insert(name.get<std::string>());
      }
      CHECK(seen == steps_on_disk(ladder.at("lab")));
    }
  }
}

TEST_CASE("an acceptance says where it was, in how long, and nothing in it is not as expected") {
  for (const fs::path& file : results("acceptance-")) {
    CAPTURE(file);
    const Json all = read(file);
    check_machine(all);
    CHECK(all.at("seconds").get<int>() > 0);
    CHECK(all.at("seconds").get<int>() < 600);
    CHECK(all.at("samples").at("table").size() == 6);
    CHECK(all.at("samples").at("not_as_expected").empty());
    CHECK_FALSE(all.at("samples").at("speeds").empty());
    for (const auto& [lab, row] : all.at("stability").items()) {
      CAPTURE(lab);
      CHECK(row.at("gradings").get<int>() == 20);
      CHECK(row.at("points").size() == 1);
    }
    CHECK(all.at("model").at("all").at("pairs").get<int>() > 0);
    CHECK(fs::exists(fs::path(file).replace_extension(".md")));
  }
}
