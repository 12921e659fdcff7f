#include "cli/best_scores.h"

#include <cmath>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "report/write_file.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uintmax_t kMostBytes = 64 << 10;
constexpr int kVersion = 1;

fs::path folder_in(const char* variable, std::string_view below) {
  const char* value = std::getenv(variable);
  if (value == nullptr || !fs::path(value).is_absolute()) return {};
  return fs::path(value) / below;
}

bool is_score(const BestScore& score) {
  return std::isfinite(score.points) && std::isfinite(score.max) && score.points >= 0 && score.max > 0 &&
         score.points <= score.max;
}

double share(const BestScore& score) {
  return score.points / score.max;
}

}  // namespace

fs::path progress_file() {
  fs::path state = folder_in("XDG_STATE_HOME", "");
  if (state.empty()) state = folder_in("HOME", ".local/state");
  return state.empty() ? fs::path() : state / "cudalabs" / "progress.json";
}

BestScores read_best_scores(const fs::path& file) {
  std::error_code error;
  if (file.empty() || !fs::is_regular_file(file, error)) return {};
  if (const auto size = fs::file_size(file, error); error || size > kMostBytes) return {};
  std::ifstream stream(file, std::ios::binary);
  const Json json = Json::parse(std::string{std::istreambuf_iterator<char>(stream), {}}, nullptr, false);
  if (!json.is_object() || !json.contains("labs") || !json["labs"].is_object()) return {};
  BestScores scores;
  for (const auto& [lab, entry] : json["labs"].items()) {
    if (!entry.is_object() || !entry.contains("points") || !entry.contains("max")) continue;
    if (!entry["points"].is_number() || !entry["max"].is_number()) continue;
    const BestScore score{entry["points"].get<double>(), entry["max"].get<double>()};
    if (is_score(score)) scores.emplace(lab, score);
  }
  return scores;
}

void note_score(const fs::path& file, const std::string& lab, const BestScore& score) {
  if (file.empty() || !is_score(score)) return;
  BestScores scores = read_best_scores(file);
  const auto known = scores.find(lab);
  if (known != scores.end() && share(known->second) >= share(score)) return;
  scores[lab] = score;
  Json json{{"version", kVersion}, {"labs", Json::object()}};
  for (const auto& [id, best] : scores) json["labs"][id] = {{"points", best.points}, {"max", best.max}};
  try {
    fs::create_directories(file.parent_path());
    write_file(file, json.dump(2) + "\n");
  } catch (const std::exception&) {
    // The score was shown; that it is not remembered is no reason to fail.
  }
}

}  // namespace cudalabs
