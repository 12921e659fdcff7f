// What a custom validator of Submitty writes. A failure of the grader is a failure of the validator there, which is
// logged for instructors and never a success with 0 points.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "hosts/host.h"

namespace cudalabs::hosts {

using Json = nlohmann::ordered_json;

std::string submitty_validation(const HostReport& report) {
  const bool full = report.points >= report.max;
  Json messages = Json::array();
  messages.push_back({{"message", report.summary}, {"status", full ? "success" : "information"}});
  for (const HostCheck& check : report.checks) {
    messages.push_back({{"message", check.text.empty() ? check.title : check.title + "\n" + check.text},
                        {"status", check.passed ? "success" : "failure"}});
  }
  const double score = std::clamp(report.points / report.max, 0.0, 1.0);
  return Json{{"status", "success"}, {"data", {{"score", score}, {"message", messages}}}}.dump(2) + "\n";
}

std::string submitty_fault(std::string_view lab) {
  return Json{{"status", "failure"}, {"message", std::string(lab) + ": " + std::string(kNotYourFault)}}.dump(2) + "\n";
}

}  // namespace cudalabs::hosts
