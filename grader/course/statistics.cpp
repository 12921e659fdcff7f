// What the gradings of one lab have in common, over the whole class.
#include "course/statistics.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "report/read_json.h"

namespace cudalabs::course {
namespace {

constexpr std::size_t kMostSlow = 10;

void count_checks(const Report& report, std::map<std::string, CheckRate>& rates) {
  for (const CheckResult& check : report.checks) {
    CheckRate& rate = rates[check.id];
    rate.id = check.id;
    rate.title = check.title;
    ++rate.all;
    if (check.status == CheckStatus::passed) ++rate.passed;
  }
}

void count_findings(const Report& report, const std::string& student, std::map<std::string, FindingRate>& rates) {
  std::set<std::string> seen;
  for (const Finding& finding : report.findings) {
    if (!seen.insert(finding.id).second) continue;
    FindingRate& rate = rates[finding.id];
    if (rate.students++ > 0) continue;
    rate.id = finding.id;
    rate.severity = name_of(finding.severity);
    rate.example = finding.message;
    rate.example_student = student;
  }
}

template <typename Key, typename Rate>
std::vector<Rate> values_of(std::map<Key, Rate>& rates) {
  std::vector<Rate> all;
  all.reserve(rates.size());
  for (auto& [key, rate] : rates) all.push_back(std::move(rate));
  return all;
}

/// What came in when. A file that equals another has that one's verdict.
void count_days(const std::string& lab, Store& store, LabStatistics& statistics) {
  constexpr std::int64_t kSecondsOfDay = 86400;
  const auto gradings = store.latest_gradings();
  std::map<std::int64_t, DayRate> days;
  std::map<std::string, std::int64_t> first;  // day of a student's first attempt
  for (const KeptAttempt& kept : store.attempts()) {
    const Attempt& attempt = kept.attempt;
    if (attempt.lab != lab) continue;
    if (!attempt.handed_in) {
      ++statistics.without_time;
      continue;
    }
    const std::int64_t number = *attempt.handed_in / kSecondsOfDay;
    DayRate& day = days[number];
    day.day = number;
    ++day.attempts;
    if (attempt.time_source == TimeSource::file) ++statistics.by_file_times;
    if (attempt.time_source == TimeSource::commit) ++statistics.by_commit_times;
    const auto [earliest, fresh] = first.try_emplace(attempt.student, number);
    if (!fresh) earliest->second = std::min(earliest->second, number);
    const auto grading = gradings.find({attempt.lab, attempt.digest});
    if (grading == gradings.end() || !grading->second.failure.empty()) continue;
    ++day.graded;
    day.points += grading->second.points;
  }
  for (const auto& [student, day] : first) ++days[day].first_ones;
  statistics.days = values_of(days);
}

void describe_points(std::vector<double> points, double most, LabStatistics& statistics) {
  if (points.empty()) return;
  std::ranges::sort(points);
  const std::size_t middle = points.size() / 2;
  statistics.median = points.size() % 2 == 1 ? points[middle] : (points[middle - 1] + points[middle]) / 2;
  statistics.mean = std::accumulate(points.begin(), points.end(), 0.0) / static_cast<double>(points.size());
  for (const double each : points) {
    const double tenth = std::clamp(each / most * 10, 0.0, 10.0);
    ++statistics.tenths[static_cast<std::size_t>(tenth)];
  }
}

}  // namespace

LabStatistics statistics_of(const Lab& lab, const ClassData& data, Store& store) {
  LabStatistics statistics;
  statistics.lab = lab.id;
  std::map<std::string, CheckRate> checks;
  std::map<std::string, FindingRate> findings;
  std::vector<double> points;
  for (const Standing& standing : data.standings) {
    if (standing.lab != lab.id) continue;
    ++statistics.students;
    if (standing.state != State::graded) {
      if (standing.state != State::nothing) statistics.not_graded.push_back(&standing);
      continue;
    }
    ++statistics.graded;
    if (standing.points >= standing.max) ++statistics.full_marks;
    points.push_back(standing.points);
    statistics.slowest.push_back(&standing);
    const Report report = read_json(store.report(standing.grading->id));
    count_checks(report, checks);
    count_findings(report, standing.student, findings);
  }
  count_days(lab.id, store, statistics);
  describe_points(std::move(points), lab.max_points(), statistics);
  statistics.checks = values_of(checks);
  std::ranges::stable_sort(statistics.checks, {}, [](const CheckRate& rate) {
    return static_cast<double>(rate.passed) / static_cast<double>(rate.all);
  });
  statistics.findings = values_of(findings);
  std::ranges::stable_sort(statistics.findings, std::greater{}, &FindingRate::students);
  std::ranges::stable_sort(statistics.slowest, std::greater{},
                           [](const Standing* standing) { return standing->grading->cpu_seconds; });
  if (statistics.slowest.size() > kMostSlow) statistics.slowest.resize(kMostSlow);
  return statistics;
}

}  // namespace cudalabs::course
