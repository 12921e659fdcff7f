// Which attempt counts, and what being late costs.
#include "course/standing.h"

#include "catch.h"
#include "class_fixture.h"

using namespace cudalabs;
using namespace cudalabs::course;
using namespace cudalabs::test;

namespace {

constexpr std::int64_t kDeadline = 1795215540, kHour = 3600, kDay = 86400;

struct Handed {
  std::string text;
  std::optional<std::int64_t> time;
  bool all = true;  // whether it gets all points
  TimeSource source = TimeSource::system;
  bool marked_late = false;
};

/// Of the only student, in lab3.
Standing standing_of(const std::vector<Handed>& handed, const Course& course) {
  SmallClass small;
  small.store.put_roster(read_roster("id\ns1\n", "r"));
  Collected collected;
  for (const Handed& each : handed) {
    Attempt attempt = made_up_attempt("lab3", "s1", each.text);
    attempt.handed_in = each.time;
    attempt.time_source = each.source;
    attempt.marked_late = each.marked_late;
    collected.attempts.push_back(attempt);
  }
  small.store.put_collected("/in", {"lab3"}, collected);
  for (const Handed& each : handed) small.store.add(made_up_grading("lab3", each.text, each.all));
  return standings(small.store, {"lab3"}, course).at(0);
}

Course course_with(double percent, std::optional<std::uint64_t> most_days = std::nullopt) {
  Course course;
  course.late.percent_per_day = percent;
  course.late.grace_seconds = 600;
  course.late.most_days = most_days;
  course.labs = {{.id = "lab3", .weight = 1, .deadline = kDeadline, .canvas = {}}};
  return course;
}

}  // namespace

TEST_CASE("extra time of a student who is not on the roster is an error, without a roster it may come right") {
  SmallClass small;
  small.folder.write("course.toml", "[[extra_time]]\nstudent = \"s2\"\ndays = 1\n");
  CHECK(small.data().doubts.size() == 1);
  small.store.put_roster(read_roster("id\ns1\n", "r"));
  CHECK_THROWS_WITH(small.data(),
                    contains_text("course.toml:2: `student` in [[extra_time]] is \"s2\", the id of nobody "
                                  "in this class; did you mean \"s1\"?"));
  small.store.put_roster(read_roster("id\ns2\n", "r"));
  CHECK(small.data().doubts.empty());
}

TEST_CASE("the last attempt counts, by the time of handing in") {
  const Standing standing = standing_of({{"a", kDeadline - 5}, {"b", kDeadline - 50, false}}, course_with(10));
  CHECK(standing.points == 100);
  CHECK(standing.attempts == 2);
}

TEST_CASE("without times the order decides") {
  CHECK(standing_of({{"a", std::nullopt}, {"b", std::nullopt, false}}, course_with(10)).points == 60);
}

TEST_CASE("the best attempt counts, after what being late costs") {
  Course course = course_with(50);
  course.counted = Counted::best;
  CHECK(standing_of({{"a", kDeadline - 5}, {"b", kDeadline - 1, false}}, course).total() == 100);
  const Standing standing = standing_of({{"b", kDeadline - 5, false}, {"a", kDeadline + kHour}}, course);
  CHECK(standing.total() == 60);
  CHECK(standing.late_points == 0);
}

TEST_CASE("every day that has begun costs, after the grace") {
  const auto total = [](std::int64_t late, const Course& course) {
    return standing_of({{"a", kDeadline + late}}, course).total();
  };
  CHECK(total(600, course_with(10)) == 100);
  CHECK(total(601, course_with(10)) == 90);
  CHECK(total(600 + kDay, course_with(10)) == 90);
  CHECK(total(601 + kDay, course_with(10)) == 80);
  CHECK(total(20 * kDay, course_with(10)) == 0);
  CHECK(total(kDay, course_with(0, 2)) == 100);
  CHECK(total(3 * kDay, course_with(0, 2)) == 0);
}

TEST_CASE("extra time moves the deadline of one student") {
  Course course = course_with(10);
  course.extra_time = {{.student = "s1", .lab = "lab3", .seconds = 2 * kDay, .reason = "ill"}};
  CHECK(standing_of({{"a", kDeadline + 2 * kDay}}, course).total() == 100);
  CHECK(standing_of({{"a", kDeadline + 2 * kDay + 601}}, course).total() == 90);
  CHECK(standing_of({{"a", std::nullopt, true, TimeSource::none, true}}, course).total() == 100);
}

TEST_CASE("the time of a file counts only where the course says so, a system's mark always") {
  Course course = course_with(10);
  const Handed by_file{"a", kDeadline + kHour, true, TimeSource::file};
  CHECK(standing_of({by_file}, course).total() == 100);
  course.late.file_times = true;
  CHECK(standing_of({by_file}, course).total() == 90);
  const Standing committed = standing_of({{"a", kDeadline + kHour, true, TimeSource::commit}}, course);
  CHECK(committed.total() == 90);
  CHECK(committed.late_note.ends_with("late, by the commit's time"));
  const Standing marked = standing_of({{"a", std::nullopt, true, TimeSource::none, true}}, course);
  CHECK(marked.total() == 90);
  CHECK(marked.late_note == "marked late, taken for a day");
}

TEST_CASE("points by hand stay apart, and never make less than nothing") {
  SmallClass small;
  small.store.put_roster(read_roster("id\ns1\ns2\n", "r"));
  Collected collected;
  collected.attempts = {made_up_attempt("lab3", "s1", "a")};
  small.store.put_collected("/in", {"lab3"}, collected);
  small.store.add(made_up_grading("lab3", "a", true));
  small.store.add(Adjustment{.student = "s1", .lab = "lab3", .points = 3, .reason = "r", .by = "b", .made = 1});
  small.store.add(Adjustment{.student = "s1", .lab = "lab3", .points = -10.5, .reason = "r", .by = "b", .made = 2});
  small.store.add(Adjustment{.student = "s2", .lab = "lab3", .points = -5, .reason = "r", .by = "b", .made = 3});
  const ClassData data = small.data();
  CHECK(data.standings.at(0).points == 100);
  CHECK(data.standings.at(0).adjusted == -7.5);
  CHECK(data.standings.at(0).total() == 92.5);
  CHECK(data.standings.at(1).total() == 0);
}

TEST_CASE("who has handed in nothing, or what cannot be graded, has a row") {
  SmallClass small;
  small.store.put_roster(read_roster("id\ns1\ns2\n", "r"));
  Collected collected;
  collected.not_taken = {{"lab3", "s2", "s2/m.cu", "it is a link"}, {"lab3", "", "eve", "nobody on the roster"}};
  small.store.put_collected("/in", {"lab3"}, collected);
  const ClassData data = small.data();
  REQUIRE(data.standings.size() == 2);
  CHECK(data.standings[0].state == State::nothing);
  CHECK(data.standings[1].state == State::refused);
  CHECK(data.standings[1].note == "s2/m.cu: it is a link");
}

TEST_CASE("labs weigh what the course says") {
  Course course;
  course.labs = {{.id = "lab1", .weight = 1, .deadline = {}, .canvas = {}},
                 {.id = "lab3", .weight = 3, .deadline = {}, .canvas = {}}};
  Standing one, three;
  one.lab = "lab1";
  one.points = 100;
  three.lab = "lab3";
  three.points = 60;
  one.state = three.state = State::graded;
  const std::vector<std::pair<std::string, double>> most{{"lab1", 100}, {"lab3", 100}};
  CHECK(shown_percent(course_percent({one, three}, course, most).value()) == "70.0 %");
  CHECK(shown_percent(course_percent({one}, course, most).value()) == "25.0 %");
  // What has no score yet counts neither way, and points given by hand are a score.
  three.points = 0;
  for (const State open : {State::refused, State::failed, State::waiting}) {
    three.state = open;
    CHECK(shown_percent(course_percent({one, three}, course, most).value()) == "100.0 % so far");
  }
  three.adjusted = 20;
  CHECK(shown_percent(course_percent({one, three}, course, most).value()) == "40.0 %");
  three.adjusted = 0;
  three.state = State::nothing;
  CHECK(shown_percent(course_percent({one, three}, course, most).value()) == "25.0 %");
  CHECK_FALSE(course_percent({one}, course, {}).has_value());
}
