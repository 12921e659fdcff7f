// Who has other points in one grading of a class than in another, and why.
#include "course/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "text/counted.h"

namespace cudalabs::course {
namespace {

using Key = std::pair<std::string, std::string>;  // student, lab

std::string outcome(const Standing& standing) {
  if (standing.state != State::graded && standing.adjusted == 0) return std::string(name_of(standing.state));
  return shown_points(standing.total());
}

std::map<std::string, std::string> checks_of(Store& store, const Standing& standing) {
  std::map<std::string, std::string> checks;
  if (!standing.grading) return checks;
  const auto report = nlohmann::json::parse(store.report(standing.grading->id), nullptr, false);
  if (report.is_discarded()) return checks;
  for (const auto& check : report.at("checks")) {
    const std::string points = shown_points(check.value("points", 0.0));
    checks[check.value("id", "")] = fmt::format("{} ({})", check.value("status", ""), points);
  }
  return checks;
}

/// How the gradings were done; whether anything is another.
bool compare_used(const Used& before, const Used& after, std::vector<std::string>& reasons) {
  if (before == Used{} || after == Used{}) return false;  // one of them left no report
  const auto compare = [&](const char* name, const std::string& old_one, const std::string& new_one) {
    if (old_one != new_one) reasons.push_back(fmt::format("{}: {}, then {}", name, old_one, new_one));
  };
  compare("seed", before.seed, after.seed);
  compare("device", before.device, after.device);
  compare("compiler", before.frontend, after.frontend);
  compare("sandbox", before.sandbox, after.sandbox);
  return before != after;
}

void compare_gradings(const Standing& before, const Standing& after, std::vector<std::string>& reasons) {
  if (!before.grading || !after.grading) return;
  const Grading &old_one = *before.grading, &new_one = *after.grading;
  if (old_one.digest != new_one.digest) reasons.emplace_back("another file");
  if (old_one.audit.grader != new_one.audit.grader)
    reasons.push_back(fmt::format("another grader ({:.10}, then {:.10})", old_one.audit.commit, new_one.audit.commit));
  if (old_one.audit.lab_data != new_one.audit.lab_data) reasons.emplace_back("other data of the lab");
  if (old_one.audit.hidden != new_one.audit.hidden) reasons.emplace_back("other hidden cases");
  if (!compare_used(old_one.audit.used, new_one.audit.used, reasons) && old_one.settings != new_one.settings)
    reasons.emplace_back("graded with other options");
}

Difference compare(Store& old_store, const Standing& before, Store& new_store, const Standing& after) {
  Difference difference{after.student, after.lab, outcome(before), outcome(after), {}};
  std::vector<std::string>& reasons = difference.reasons;
  if (before.state != after.state && !after.note.empty() && after.state != State::graded) reasons.push_back(after.note);
  compare_gradings(before, after, reasons);
  if (before.late_points != after.late_points)
    reasons.push_back(fmt::format("late: {} points less, then {}", shown_points(before.late_points),
                                  shown_points(after.late_points)));
  if (before.adjusted != after.adjusted)
    reasons.push_back(fmt::format("by hand: {}, then {}", shown_points(before.adjusted), shown_points(after.adjusted)));
  if (before.points == after.points) return difference;
  const auto old_checks = checks_of(old_store, before);
  for (const auto& [id, status] : checks_of(new_store, after)) {
    const auto found = old_checks.find(id);
    if (found != old_checks.end() && found->second != status)
      reasons.push_back(fmt::format("{}: {}, then {}", id, found->second, status));
  }
  return difference;
}

}  // namespace

std::vector<Difference> differences(Store& before, const ClassData& old_data, Store& after, const ClassData& new_data) {
  std::map<Key, Standing> old_rows, new_rows;
  for (const Standing& standing : old_data.standings) old_rows.emplace(Key(standing.student, standing.lab), standing);
  for (const Standing& standing : new_data.standings) new_rows.emplace(Key(standing.student, standing.lab), standing);
  std::set<Key> keys;
  for (const auto& [key, standing] : old_rows) keys.insert(key);
  for (const auto& [key, standing] : new_rows) keys.insert(key);
  std::vector<Difference> all;
  for (const Key& key : keys) {
    const auto old_row = old_rows.find(key), new_row = new_rows.find(key);
    if (old_row == old_rows.end()) {
      all.push_back({key.first, key.second, "not in the class", outcome(new_row->second), {}});
    } else if (new_row == new_rows.end()) {
      all.push_back({key.first, key.second, outcome(old_row->second), "not in the class", {}});
    } else if (outcome(old_row->second) != outcome(new_row->second)) {
      all.push_back(compare(before, old_row->second, after, new_row->second));
    }
  }
  return all;
}

std::size_t compared_rows(const ClassData& old_data, const ClassData& new_data) {
  std::set<Key> keys;
  for (const auto* data : {&old_data, &new_data}) {
    for (const Standing& standing : data->standings) keys.emplace(standing.student, standing.lab);
  }
  return keys.size();
}

std::string shown(const std::vector<Difference>& differences, std::size_t rows) {
  return fmt::format("{} of {} {}", differences.size(), counted(rows, "row"),
                     differences.size() == 1 ? "differs" : "differ");
}

std::string shown(const Difference& difference) {
  const std::string change =
      fmt::format("{} {}: {} -> {}", difference.student, difference.lab, difference.before, difference.after);
  return difference.reasons.empty() ? change : fmt::format("{}: {}", change, fmt::join(difference.reasons, "; "));
}

}  // namespace cudalabs::course
