// Where a student stands in a lab.
#include "course/standing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "course/moment.h"

namespace cudalabs::course {
namespace {

constexpr std::int64_t kSecondsADay = 86400;

/// How a time is known that no system says.
std::string_view basis_of(TimeSource source) {
  if (source == TimeSource::file) return ", by the file's time";
  return source == TimeSource::commit ? ", by the commit's time" : "";
}

struct Lateness {
  std::int64_t seconds = 0;
  std::string note;
};

Lateness lateness_of(const Attempt& attempt, const Course& course) {
  const CourseLab* lab = course.find(attempt.lab);
  const bool known = attempt.handed_in && (attempt.time_source == TimeSource::system || course.late.file_times);
  const std::int64_t extra = course.extra_seconds(attempt.student, attempt.lab);
  if (known && lab != nullptr && lab->deadline) {
    const std::int64_t seconds = *attempt.handed_in - *lab->deadline - extra - course.late.grace_seconds;
    if (seconds <= 0) return {};
    return {seconds, fmt::format("{} late{}", shown_span(seconds), basis_of(attempt.time_source))};
  }
  // A mark tells neither by how much, nor of extra time that was given elsewhere.
  if (!attempt.marked_late || extra > 0) return {};
  return {1, "marked late, taken for a day"};
}

double share_lost(std::int64_t late_seconds, const LateRule& rule) {
  if (late_seconds <= 0) return 0;
  const std::int64_t days = (late_seconds + kSecondsADay - 1) / kSecondsADay;
  if (rule.most_days && days > static_cast<std::int64_t>(*rule.most_days)) return 1;
  return std::min(1.0, rule.percent_per_day / 100 * static_cast<double>(days));
}

using Gradings = std::map<std::pair<std::string, std::string>, Grading>;

Standing standing_of(const Attempt& attempt, const Gradings& gradings, const Course& course) {
  Standing standing;
  standing.student = attempt.student;
  standing.lab = attempt.lab;
  standing.attempt = attempt;
  standing.note = attempt.note;
  standing.state = State::waiting;
  const Lateness late = lateness_of(attempt, course);
  standing.late_seconds = late.seconds;
  standing.late_note = late.note;
  const auto found = gradings.find({attempt.lab, attempt.digest});
  if (found == gradings.end()) return standing;
  standing.grading = found->second;
  if (!found->second.failure.empty()) {
    standing.state = State::failed;
    standing.note = found->second.failure;
    return standing;
  }
  standing.state = State::graded;
  standing.points = found->second.points;
  standing.max = found->second.max;
  standing.late_points = standing.points * share_lost(late.seconds, course.late);
  return standing;
}

/// Orders attempts of one student for one lab: the one that counts is the greatest.
bool counts_less(const Standing& one, const Standing& other, Counted counted) {
  const auto verdict = [](const Standing& standing) { return standing.state == State::graded; };
  const auto time = [](const Standing& standing) { return standing.attempt->handed_in.value_or(0); };
  // Where one of the times is not known, the order in which they came in decides.
  const bool timed = one.attempt->handed_in && other.attempt->handed_in;
  const bool earlier = timed && time(one) != time(other) ? time(one) < time(other) : true;
  if (counted == Counted::last) return earlier;
  if (verdict(one) != verdict(other)) return verdict(other);
  return one.total() != other.total() ? one.total() < other.total() : earlier;
}

}  // namespace

double Standing::total() const {
  return std::max(0.0, points - late_points + adjusted);
}

bool Standing::is_open() const {
  return state != State::graded && state != State::nothing && adjusted == 0;
}

std::string_view name_of(State state) {
  switch (state) {
    case State::graded:
      return "graded";
    case State::nothing:
      return "nothing handed in";
    case State::refused:
      return "not gradable";
    case State::failed:
      return "no verdict";
    case State::waiting:
      return "waiting";
  }
  return "unknown";
}

std::vector<Standing> standings(Store& store, const std::vector<std::string>& labs, const Course& course,
                                std::optional<std::int64_t> last_run) {
  using Key = std::pair<std::string, std::string>;  // student, lab
  const Gradings gradings = store.latest_gradings(last_run);
  std::map<Key, Standing> best;
  for (const Student& student : store.students()) {
    for (const std::string& lab : labs) {
      Standing& standing = best[{student.id, lab}];
      standing.student = student.id;
      standing.lab = lab;
    }
  }
  for (const KeptAttempt& kept : store.attempts()) {
    const auto found = best.find({kept.attempt.student, kept.attempt.lab});
    if (found == best.end()) continue;
    Standing standing = standing_of(kept.attempt, gradings, course);
    Standing& known = found->second;
    standing.attempts = known.attempts + 1;
    known.attempts = standing.attempts;
    const bool only_one_graded = known.grading.has_value() != standing.grading.has_value();
    const auto less = [&] {
      return last_run && only_one_graded ? !known.grading : counts_less(known, standing, course.counted);
    };
    if (!known.attempt || less()) known = std::move(standing);
  }
  for (const NotTaken& each : store.not_taken()) {
    for (const std::string& lab : labs) {
      const auto found = best.find({each.student, lab});
      const bool meant = each.lab.empty() || each.lab == lab;
      if (found == best.end() || !meant || found->second.attempt) continue;
      found->second.state = State::refused;
      found->second.note = fmt::format("{}: {}", each.found, each.reason);
    }
  }
  for (const Adjustment& adjustment : store.adjustments()) {
    const auto found = best.find({adjustment.student, adjustment.lab});
    if (found != best.end()) found->second.adjusted += adjustment.points;
  }
  std::vector<Standing> all;
  all.reserve(best.size());
  for (auto& [key, standing] : best) all.push_back(std::move(standing));
  return all;
}

std::optional<CoursePercent> course_percent(const std::vector<Standing>& of_student, const Course& course,
                                            const std::vector<std::pair<std::string, double>>& most_points) {
  double got = 0, most = 0;
  bool open = false;
  for (const auto& [lab, points] : most_points) {
    const auto found = std::ranges::find(of_student, lab, &Standing::lab);
    if (!(points > 0)) continue;
    if (found != of_student.end() && found->is_open()) {
      open = true;
      continue;
    }
    most += course.weight(lab);
    if (found != of_student.end()) got += course.weight(lab) * found->total() / points;
  }
  if (!(most > 0)) return std::nullopt;
  return CoursePercent{100 * got / most, open};
}

std::string shown_percent(const CoursePercent& percent) {
  return fmt::format("{:.1f} %{}", percent.percent, percent.open ? " so far" : "");
}

}  // namespace cudalabs::course
