// A grading as a file.
#include "course/grading_file.h"

#include <nlohmann/json.hpp>

namespace cudalabs::course {
namespace {

constexpr int kGradingVersion = 2;

}  // namespace

std::string grading_as_text(const Grading& grading) {
  const Settings& settings = grading.settings;
  const Audit& audit = grading.audit;
  const nlohmann::json json{{"version", kGradingVersion},
                            {"lab", grading.lab},
                            {"digest", grading.digest},
                            {"seed", settings.seed},
                            {"device", settings.device},
                            {"frontend", settings.frontend},
                            {"sandbox", settings.sandbox},
                            {"report", grading.report},
                            {"failure", grading.failure},
                            {"points", grading.points},
                            {"max", grading.max},
                            {"cpu_seconds", grading.cpu_seconds},
                            {"wall_seconds", grading.wall_seconds},
                            {"ended", grading.ended},
                            {"grader_version", audit.version},
                            {"commit", audit.commit},
                            {"grader", audit.grader},
                            {"lab_data", audit.lab_data},
                            {"hidden", audit.hidden},
                            {"host", audit.host},
                            {"used_seed", audit.used.seed},
                            {"used_device", audit.used.device},
                            {"used_frontend", audit.used.frontend},
                            {"used_sandbox", audit.used.sandbox}};
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::optional<Grading> grading_from_text(const std::string& text) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    if (json.at("version") != kGradingVersion) return std::nullopt;
    return Grading{.id = 0,
                   .lab = json.at("lab"),
                   .digest = json.at("digest"),
                   .settings = {json.at("seed"), json.at("device"), json.at("frontend"), json.at("sandbox")},
                   .report = json.at("report"),
                   .failure = json.at("failure"),
                   .points = json.at("points"),
                   .max = json.at("max"),
                   .cpu_seconds = json.at("cpu_seconds"),
                   .wall_seconds = json.at("wall_seconds"),
                   .ended = json.at("ended"),
                   .audit = {.version = json.at("grader_version"),
                             .commit = json.at("commit"),
                             .grader = json.at("grader"),
                             .lab_data = json.at("lab_data"),
                             .hidden = json.at("hidden"),
                             .host = json.at("host"),
                             .used = {json.at("used_seed"), json.at("used_device"), json.at("used_frontend"),
                                      json.at("used_sandbox")}}};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace cudalabs::course
