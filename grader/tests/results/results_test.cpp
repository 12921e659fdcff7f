// The form of the committed results. Their figures are not judged here: a machine without a GPU cannot know better.
#include <sys/wait.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "sandbox/temporary_folder.h"
#include "tree/tree_paths.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using cudalabs::sandbox::TemporaryFolder;

Json read(const fs::path& path) {
  std::ifstream stream(path);
  REQUIRE(stream);
  return Json::parse(stream);
}

std::vector<fs::path> results(const std::string& stem) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(cudalabs::source_path("grader/bench/results"))) {
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
  for (const auto& folder : fs::directory_iterator(cudalabs::source_path("solutions"))) {
    if (!folder.path().filename().string().starts_with(lab + "_")) continue;
    for (const auto& entry : fs::directory_iterator(folder.path() / "ladder")) {
      if (entry.path().extension() == ".cu") steps.insert(entry.path().stem());
    }
  }
  return steps;
}

/// A lab's solution and its alternative submissions.
std::set<std::string> submissions_on_disk(const std::string& lab) {
  std::set<std::string> names;
  for (const auto& mirror : fs::directory_iterator(cudalabs::source_path("solutions"))) {
    if (!mirror.path().filename().string().starts_with(lab + "_")) continue;
    for (const fs::path& folder : {mirror.path(), mirror.path() / "alternative"}) {
      for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".cu") names.insert(entry.path().stem());
      }
    }
  }
  return names;
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

TEST_CASE("times of submissions say where they were taken, and are of submissions that there are") {
  const auto files = results("submissions-");
  REQUIRE_FALSE(files.empty());
  for (const fs::path& file : files) {
    CAPTURE(file);
    const Json all = read(file);
    check_machine(all);
    CHECK(all.at("ladders").size() == 4);
    for (const Json& lab : all.at("ladders")) {
      CAPTURE(lab.at("lab"));
      const std::set<std::string> known = submissions_on_disk(lab.at("lab"));
      std::set<std::string> seen;
      for (const Json& size : lab.at("sizes")) {
        for (const Json& result : size.at("results")) {
          const double milliseconds = result.at("median_ms");
          CHECK((std::isfinite(milliseconds) && milliseconds > 0));
          CHECK(result.at("outputs_verified").get<int>() > 0);
          if (&result != &size.at("results").at(0)) seen.insert(result.at("name").get<std::string>());
        }
      }
      // Submissions that came after the measurement are named until the next one.
      for (const Json& name : lab.value("not_timed", Json::array())) CHECK(seen.insert(name.get<std::string>()).second);
      CHECK(seen == known);
    }
  }
}

TEST_CASE("acceptances say where they took place, and hold every sample, every comparison and every repetition") {
  const auto files = results("acceptance-");
  REQUIRE_FALSE(files.empty());
  for (const fs::path& file : files) {
    CAPTURE(file);
    CHECK(fs::exists(fs::path(file).replace_extension(".md")));
    const Json all = read(file);
    check_machine(all);
    CHECK(all.at("seconds").get<int>() > 0);
    if (all.contains("sandbox")) CHECK_FALSE(all.at("sandbox").get<std::string>().empty());
    CHECK(all.at("faults").size() >= 5);
    for (const Json& passed : all.at("faults")) CHECK(passed.is_boolean());
    const Json& table = all.at("samples").at("table");
    CHECK(table.size() == 6);
    for (const auto& [lab, kinds] : table.items()) {
      CAPTURE(lab);
      for (const char* kind : {"skeleton", "solution", "alternative", "wrong"}) {
        CHECK(kinds.at(kind).at("all").get<int>() > 0);
        CHECK(kinds.at(kind).at("met") <= kinds.at(kind).at("all"));
      }
    }
    for (const Json& speed : all.at("samples").at("speeds")) {
      const double low = speed.at("interval").at(0), ratio = speed.at("ratio"), high = speed.at("interval").at(1);
      CHECK((low > 0 && low <= ratio && ratio <= high && std::isfinite(high)));
    }
    REQUIRE_FALSE(all.at("stability").empty());
    for (const Json& lab : all.at("stability")) CHECK(lab.at("gradings").get<int>() >= 20);
    if (!all.contains("model")) continue;  // the virtual GPU has no model of that GPU
    for (const char* scores : {"all", "sizes held out", "steps of ladders", "solutions and alternative submissions"}) {
      const Json& score = all.at("model").at(scores);
      CHECK(score.at("pairs").get<int>() > 100);
      CHECK(score.at("in_order") <= score.at("apart"));
      CHECK(std::isfinite(score.at("median_error").get<double>()));
    }
  }
}

#ifdef CUDALABS_BENCH

namespace {

Json speed(double ratio) {
  return {{"check", "speed"}, {"ratio", ratio},  {"interval", {0.9 * ratio, 1.1 * ratio}},
          {"pairs", 9},       {"decided", true}, {"credit", 0.5}};
}

Json sample(const std::string& name, const std::string& objection) {
  return {{"lab", "lab4"},      {"kind", "wrong"},      {"sample", name},
          {"frontend", "nvcc"}, {"expected", "a-race"}, {"objection", objection},
          {"points", 95},       {"max", 100},           {"speed", Json::array({speed(1.5)})}};
}

Json grading(double points, double ratio) {
  return {{"lab", "lab4"},
          {"sandbox", "A (bubblewrap)"},
          {"score", {{"points", points}, {"max", 100}}},
          {"speed", Json::array({speed(ratio)})}};
}

/// The exit status of the program that puts an acceptance together, from these, each sample in a file of its own.
int put_together(const TemporaryFolder& scratch, const Json& samples, const std::vector<Json>& gradings,
                 const std::string& fault = "", bool modelled = true, const std::string& date = "") {
  const Json scores{{"all", {{"pairs", 10}, {"median_error", 0.1}, {"apart", 8}, {"in_order", 7}}}};
  const Json slow{{"lab", "lab4"}, {"name", "slow"}, {"size", "512"}, {"doubt", "it takes too long"}};
  const Json quick{{"lab", "lab4"}, {"name", "quick"}, {"size", "512"}, {"doubt", nullptr}};
  const Json model{{"scores", scores}, {"times", {slow, quick}}};
  const fs::path faults = scratch.write(
      "faults.xml", R"(<testsuite tests="2"><testcase classname="a.global" name="an illegal access" time="1">)" +
                        fault +
                        R"(</testcase><testcase classname="a.global" name="an endless kernel" time="1"/></testsuite>)");
  std::string command = cudalabs::build_path("grader/bench/acceptance_report") + " --ladder " +
                        results("ladder-").at(0).string() + " --seconds 400 --faults " + faults.string() +
                        " --output " + (scratch.path() / "acceptance").string();
  if (!date.empty()) command += " --date " + date;
  if (modelled) command += " --model " + scratch.write("model.json", model.dump()).string();
  for (const Json& one : samples) {
    command += " --samples " +
               scratch.write("samples" + std::to_string(command.size()) + ".json", Json::array({one}).dump()).string();
  }
  for (const Json& one : gradings) {
    command += " " + scratch.write(std::to_string(command.size()) + ".json", one.dump()).string();
  }
  const int status = std::system((command + " > /dev/null").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("an acceptance in which all is as expected says where it was and what it found") {
  const TemporaryFolder scratch;
  REQUIRE(put_together(scratch, Json::array({sample("a", ""), sample("b", "")}),
                       {grading(100, 1.5), grading(100, 1.4)}) == 0);
  const Json all = read(scratch.path() / "acceptance.json");
  check_machine(all);
  CHECK(all.at("seconds") == 400);
  CHECK(all.at("samples").at("table").at("lab4").at("wrong") == Json{{"met", 2}, {"all", 2}});
  CHECK(all.at("samples").at("speeds").size() == 2);
  CHECK(all.at("stability").at("lab4").at("gradings") == 2);
  CHECK(all.at("stability").at("lab4").at("least_ratio") == 1.4);
  CHECK(all.at("model").at("all").at("in_order") == 7);
  CHECK(all.at("faults") == Json{{"an illegal access", true}, {"an endless kernel", true}});
  REQUIRE(all.at("cannot_tell").size() == 1);
  CHECK(all.at("cannot_tell").at(0).at("name") == "slow");
  std::ifstream markdown(scratch.path() / "acceptance.md");
  const std::string text{std::istreambuf_iterator<char>(markdown), std::istreambuf_iterator<char>()};
  CHECK(text.find("| lab4 | - | - | - | 2 of 2 | - |") != std::string::npos);
  CHECK(text.find("| all | 10 | 10.0 % | 7 of 8 |") != std::string::npos);
}

TEST_CASE("an acceptance of another day than its ladders has both days") {
  const TemporaryFolder scratch;
  const std::string day = read(results("ladder-").at(0)).at("date");
  REQUIRE(day != "2031-02-03");
  REQUIRE(put_together(scratch, Json::array({sample("a", "")}), {grading(100, 1.5)}, "", true, "2031-02-03") == 0);
  CHECK(read(scratch.path() / "acceptance.json").at("date") == "2031-02-03");
  CHECK(read(scratch.path() / "acceptance.json").at("ladder_date") == day);
  std::ifstream markdown(scratch.path() / "acceptance.md");
  const std::string text{std::istreambuf_iterator<char>(markdown), std::istreambuf_iterator<char>()};
  CHECK(text.find("\n2031-02-03, driver ") != std::string::npos);
  CHECK(text.find("\nMeasured on " + day + ".\n") != std::string::npos);
}

TEST_CASE("a speed that was not measured is not among the speeds") {
  const TemporaryFolder scratch;
  Json failed = sample("a", "");
  failed["speed"][0]["pairs"] = 0;
  failed["speed"][0]["ratio"] = 0.0;
  CHECK(put_together(scratch, Json::array({failed, sample("b", "")}), {grading(100, 1.5)}) == 0);
  const Json speeds = read(scratch.path() / "acceptance.json").at("samples").at("speeds");
  REQUIRE(speeds.size() == 1);
  CHECK(speeds.at(0).at("sample") == "b");
}

TEST_CASE("a sample that is not as expected is named, and refused") {
  const TemporaryFolder scratch;
  CHECK(put_together(scratch, Json::array({sample("a", ""), sample("b", "no report")}), {grading(100, 1.5)}) == 1);
  const Json all = read(scratch.path() / "acceptance.json");
  REQUIRE(all.at("samples").at("not_as_expected").size() == 1);
  CHECK(all.at("samples").at("not_as_expected").at(0).at("sample") == "b");
}

TEST_CASE("a test of a failing GPU that failed is named, and refused") {
  const TemporaryFolder scratch;
  CHECK(put_together(scratch, Json::array({sample("a", "")}), {grading(100, 1.5)}, R"(<failure message="x"/>)") == 1);
  CHECK(read(scratch.path() / "acceptance.json").at("faults") ==
        Json{{"an illegal access", false}, {"an endless kernel", true}});
}

TEST_CASE("an acceptance on a GPU that has no model says so") {
  const TemporaryFolder scratch;
  CHECK(put_together(scratch, Json::array({sample("a", "")}), {grading(100, 1.5)}, "", false) == 0);
  CHECK_FALSE(read(scratch.path() / "acceptance.json").contains("model"));
  std::ifstream markdown(scratch.path() / "acceptance.md");
  const std::string text{std::istreambuf_iterator<char>(markdown), std::istreambuf_iterator<char>()};
  CHECK(text.find("no model of this GPU") != std::string::npos);
}

TEST_CASE("gradings that differ are refused") {
  const TemporaryFolder scratch;
  CHECK(put_together(scratch, Json::array({sample("a", "")}), {grading(100, 1.5), grading(97, 1.2)}) == 1);
}

#endif
