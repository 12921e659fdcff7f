// A small class without a grader.
#include "class_fixture.h"

#include <nlohmann/json.hpp>

#include "build/digest.h"

namespace cudalabs::test {

Lab made_up_lab(const std::string& id, const std::string& source) {
  Lab lab;
  lab.id = id;
  lab.slug = id + "_made_up";
  lab.title = "Title of " + id;
  lab.contract.source = source;
  lab.contract.header = "header.h";
  lab.checks = {{.id = "square", .title = "square ones", .points = 60, .needs = {}, .help = {}},
                {.id = "edges", .title = "odd sizes", .points = 40, .needs = {}, .help = {}}};
  return lab;
}

course::Attempt made_up_attempt(const std::string& lab, const std::string& student, const std::string& text) {
  return {.lab = lab,
          .student = student,
          .found = student + "/file.cu",
          .note = {},
          .digest = builder::sha256(text),
          .bytes = text,
          .marked_late = false,
          .handed_in = std::nullopt,
          .time_source = course::TimeSource::none};
}

std::string made_up_report(const std::string& lab, bool all, const std::string& message) {
  nlohmann::json report{{"version", 1},
                        {"lab", lab},
                        {"score", {{"points", all ? 100 : 60}, {"max", 100}}},
                        {"findings", nlohmann::json::array()},
                        {"build_output", ""}};
  const auto check = [](const char* id, const char* title, double points, bool passed) {
    return nlohmann::json{{"id", id},
                          {"title", title},
                          {"points", passed ? points : 0},
                          {"max", points},
                          {"status", passed ? "passed" : "failed"},
                          {"message", passed ? "" : "not all elements are right"}};
  };
  report["checks"] = {check("square", "square ones", 60, true), check("edges", "odd sizes", 40, all)};
  if (!message.empty()) {
    report["findings"].push_back({{"id", "global-out-of-bounds"},
                                  {"severity", "error"},
                                  {"message", message},
                                  {"file", "matmul.cu"},
                                  {"line", 1},
                                  {"column", 1},
                                  {"count", 3}});
  }
  return report.dump();
}

course::Grading made_up_grading(const std::string& lab, const std::string& text, bool all, const std::string& message) {
  course::Grading grading;
  grading.lab = lab;
  grading.digest = builder::sha256(text);
  grading.report = made_up_report(lab, all, message);
  grading.points = all ? 100 : 60;
  grading.max = 100;
  grading.audit = {
      .version = "1.0",
      .commit = "c",
      .grader = "g",
      .lab_data = "d",
      .hidden = "h",
      .host = "here",
      .used = {.seed = "5", .device = "virtual (T4)", .frontend = "clang 14", .sandbox = "A (bubblewrap)"}};
  return grading;
}

}  // namespace cudalabs::test
