// PrairieLearn's results.json. What is not gradable costs neither points nor an attempt: that is a submission that does
// not compile, as its handbook has it, and a failure of the grader.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "hosts/host.h"

namespace cudalabs::hosts {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = 1'000'000;

std::string dump(const HostReport& report, std::size_t most_text) {
  // Text is UTF-8 of whole characters; cut in the middle of one, it is made whole by the writer.
  const auto cut = [&](const std::string& text) {
    return text.size() <= most_text ? text : text.substr(0, most_text) + "\n(cut: too long)\n";
  };
  Json json{{"gradable", report.gradable}};
  if (!report.gradable) {
    json["format_errors"] = Json::array({cut(report.summary)});
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  json["score"] = std::clamp(report.points / report.max, 0.0, 1.0);
  json["message"] = cut(report.summary);
  json["tests"] = Json::array();
  for (const HostCheck& check : report.checks) {
    json["tests"].push_back({{"name", check.title},
                             {"points", check.points},
                             {"max_points", check.max},
                             {"message", check.passed ? "passed" : "not passed"},
                             {"output", cut(check.text)}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string prairielearn_results(const HostReport& report) {
  std::string text;
  for (std::size_t most = kMostBytes; text.empty() || text.size() > kMostBytes; most /= 2) text = dump(report, most);
  return text;
}

std::string prairielearn_fault(std::string_view /*lab*/) {
  return Json{{"gradable", false}, {"format_errors", Json::array({kNotYourFault})}}.dump(2) + "\n";
}

}  // namespace cudalabs::hosts
