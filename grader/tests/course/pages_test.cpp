// Pages that no submission's text can change, and that tell no student about others.
#include "course/pages.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "class_fixture.h"
#include "course/statistics.h"
#include "golden_page.h"

using namespace cudalabs;
using namespace cudalabs::course;
using namespace cudalabs::test;

namespace {

const std::string kHostile = "<script>alert(1)</script>\"'&\x1b[31m\xe2\x80\xae";

bool has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a student's id becomes a file's name") {
  CHECK(student_file("s1") == "s1.html");
  CHECK(student_file("ada@example.org") == "ada@example.org.html");
  CHECK(student_file("../../x") == "=2e.=2f..=2fx.html");
  CHECK(student_file(".hidden") == "=2ehidden.html");
  CHECK(student_file(std::string(128, '/')).size() == 70);
}

TEST_CASE("hostile text in every field is shown, and nothing more") {
  SmallClass small;
  small.store.put_roster(Roster({{.id = "s1" + kHostile,
                                  .name = "name" + kHostile,
                                  .email = "mail" + kHostile,
                                  .section = "section" + kHostile,
                                  .other_ids = {}}}));
  Attempt attempt = made_up_attempt("lab3", "s1" + kHostile, "source" + kHostile + "\n");
  attempt.found = "found" + kHostile;
  attempt.note = "note" + kHostile;
  Collected collected;
  collected.attempts = {attempt};
  collected.not_taken = {{"lab3", "", "path" + kHostile, "reason" + kHostile}};
  small.store.put_collected("/in", {"lab3"}, collected);
  small.store.add(made_up_grading("lab3", attempt.bytes, false, "message" + kHostile));
  small.store.add(Adjustment{
      .student = "s1" + kHostile, .lab = "lab3", .points = 1, .reason = "because" + kHostile, .by = "x", .made = 1});
  const ClassData data = small.data();
  const std::string index = index_page(data, small.store), page = student_page(data, small.store, "s1" + kHostile);
  for (const std::string& text : {index, page}) {
    CHECK_FALSE(has(text, "<script"));
    CHECK_FALSE(has(text, "\x1b"));
    CHECK_FALSE(has(text, "\xe2\x80\xae"));
    CHECK(has(text, "default-src 'none'"));
  }
  for (const char* field : {"name", "path", "reason", "section", "message"}) {
    CAPTURE(field);
    CHECK(has(index, std::string(field) + "&lt;script&gt;"));
  }
  for (const char* field : {"name", "section", "found", "note", "message", "source", "because"}) {
    CAPTURE(field);
    CHECK(has(page, std::string(field) + "&lt;script&gt;"));
  }
}

TEST_CASE("a student's page says nothing about others") {
  SmallClass small;
  small.store.put_roster(read_roster("id,name,section\ns1,Ada,North\ns2,Grace,South\n", "r"));
  Collected collected;
  collected.attempts = {made_up_attempt("lab3", "s1", "int ada;"), made_up_attempt("lab3", "s2", "int grace;"),
                        made_up_attempt("lab1", "s2", "int other;")};
  collected.not_taken = {{"lab3", "", "mallory", "nobody's"}};
  small.store.put_collected("/in", {"lab1", "lab3"}, collected);
  small.store.add(made_up_grading("lab3", "int ada;", false, "an error"));
  small.store.add(made_up_grading("lab3", "int grace;", true, "something else"));
  small.store.add(Adjustment{.student = "s2", .lab = "lab3", .points = 1, .reason = "kindness", .by = "x", .made = 1});
  write_pages(small.folder.path(), small.store, small.data());
  std::ifstream stream(small.folder.path() / "students" / "s1.html");
  const std::string page{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  CHECK(has(page, "Ada"));
  CHECK(has(page, "<strong>60</strong> of 100 points"));
  CHECK(has(page, "an error"));
  CHECK(has(page, "matmul.cu:1"));
  CHECK(has(page, "int ada;"));
  CHECK(has(page, "Nothing was handed in."));
  for (const char* other : {"Grace", "s2", "South", "grace", "something else", "kindness", "mallory", "index.html"}) {
    CAPTURE(other);
    CHECK_FALSE(has(page, other));
  }
}

TEST_CASE("pages of a class") {
  SmallClass small;
  small.store.put_roster(read_roster("id,name,section\ns1,Ada,North\ns2,Grace,South\n", "r"));
  Collected collected;
  collected.attempts = {made_up_attempt("lab3", "s1", "int ada;\n"), made_up_attempt("lab3", "s2", "int grace;\n")};
  for (Attempt& attempt : collected.attempts) {
    attempt.handed_in = 1795215600;  // 2026-11-20
    attempt.time_source = TimeSource::system;
  }
  collected.not_taken = {{"lab3", "", "mallory", "nobody's"}};
  small.store.put_collected("/in", {"lab1", "lab3"}, collected);
  small.store.add(made_up_grading("lab3", "int ada;\n", false, "read past the end of `a`"));
  small.store.add(made_up_grading("lab3", "int grace;\n", true));
  check_golden_page("student.html", student_page(small.data(), small.store, "s1"));
  check_golden_page("class.html", index_page(small.data(), small.store));
}

TEST_CASE("a student's page has what the page of one grading has, and keeps hidden cases' data back") {
  SmallClass small;
  small.store.put_roster(read_roster("id,name\ns1,Ada\n", "r"));
  Collected collected;
  collected.attempts = {made_up_attempt("lab3", "s1", "int ada;\n")};
  small.store.put_collected("/in", {"lab3"}, collected);
  Grading grading = made_up_grading("lab3", "int ada;\n", false, "a wrong read");
  auto report = nlohmann::json::parse(grading.report);
  report["console"] = "the input is 17";
  report["counters"] = {{"hidden_case.global_load_bytes", 17}};
  report["submission"] = "/tmp/work/4711/matmul.cu";
  grading.report = report.dump();
  small.store.add(grading);
  small.store.add(Adjustment{.student = "s1", .lab = "lab3", .points = -5, .reason = "no name", .by = "x", .made = 1});
  const std::string page = student_page(small.data(), small.store, "s1");
  CHECK(has(page, "<strong>55</strong> of 100 points"));
  CHECK(has(page, "60 for the submission"));
  CHECK(has(page, "-5 points: no name"));
  CHECK(has(page, "id=\"lab3-finding-1\""));
  CHECK(has(page, "id=\"lab3-L1\""));
  CHECK(has(page, "The report as JSON"));
  for (const char* secret : {"the input is 17", "hidden_case", "4711"}) {
    CAPTURE(secret);
    CHECK_FALSE(has(page, secret));
  }
}

TEST_CASE("what cannot be graded has no score yet, until a person gives points") {
  SmallClass small;
  small.store.put_roster(read_roster("id,name\ns1,Ada\n", "r"));
  Collected collected;
  collected.not_taken = {{"lab3", "s1", "s1", "there is no matmul.cu among what was handed in: m.rar"}};
  small.store.put_collected("/in", {"lab3"}, collected);
  const std::string page = student_page(small.data(), small.store, "s1");
  CHECK(has(page, "No score yet: what was handed in could not be graded. s1: there is no matmul.cu"));
  CHECK_FALSE(has(page, "<strong>0</strong>"));
  small.store.add(Adjustment{.student = "s1", .lab = "lab3", .points = 50, .reason = "r", .by = "x", .made = 1});
  const std::string adjusted = student_page(small.data(), small.store, "s1");
  CHECK(has(adjusted, "<strong>50</strong> of 100 points"));
}

TEST_CASE("students of one name are told apart by their ids") {
  SmallClass small;
  small.store.put_roster(read_roster("id,name\ns1,Kim Lee\ns2,Kim Lee\ns3,Ada\n", "r"));
  Collected collected;
  collected.attempts = {made_up_attempt("lab3", "s1", "a"), made_up_attempt("lab3", "s3", "b")};
  collected.not_taken = {{"lab3", "s2", "s2/x", "it is a link"}};
  small.store.put_collected("/in", {"lab3"}, collected);
  small.store.add(made_up_grading("lab3", "a", false, "read past the end"));
  small.store.add(made_up_grading("lab3", "b", true));
  const ClassData data = small.data();
  CHECK(data.shown_name(data.student("s1")) == "Kim Lee (s1)");
  CHECK(data.shown_name(data.student("s3")) == "Ada");
  const std::string index = index_page(data, small.store);
  CHECK(has(index, ">Kim Lee (s1)</a>"));
  CHECK(has(index, ">Kim Lee (s2)</a>"));
  CHECK_FALSE(has(index, "Ada (s3)"));
  CHECK(has(index, "before late points and points by hand"));
}

TEST_CASE("a page that says the same stays, one that does not is written anew") {
  SmallClass small;
  small.store.put_roster(read_roster("id,name\ns1,Ada\ns2,Grace\n", "r"));
  write_pages(small.folder.path(), small.store, small.data());
  const std::filesystem::path students = small.folder.path() / "students";
  const auto long_ago = std::filesystem::file_time_type() + std::chrono::hours(1);
  for (const char* name : {"s1.html", "s2.html"}) std::filesystem::last_write_time(students / name, long_ago);
  small.store.add(Adjustment{.student = "s2", .lab = "lab3", .points = 1, .reason = "r", .by = "x", .made = 1});
  small.store.put_collected("/in", {"lab3"}, {});
  small.folder.write("students/s2.html", "half a pa");
  write_pages(small.folder.path(), small.store, small.data());
  const auto written = std::filesystem::last_write_time(students / "s2.html");
  CHECK(written != long_ago);
  write_pages(small.folder.path(), small.store, small.data());
  CHECK(std::filesystem::last_write_time(students / "s2.html") == written);
  std::ifstream stream(students / "s2.html");
  CHECK(has({std::istreambuf_iterator<char>(stream), {}}, "</html>"));
}

TEST_CASE("the page of the class has what came in when, attempts that do not count among it") {
  SmallClass small;
  small.store.put_roster(read_roster("id,name\ns1,Ada\ns2,Grace\n", "r"));
  const auto hand_in = [&](const char* download, const char* student, const char* text,
                           std::optional<std::int64_t> when, TimeSource source) {
    Attempt attempt = made_up_attempt("lab3", student, text);
    attempt.handed_in = when;
    attempt.time_source = source;
    Collected collected;
    collected.attempts = {attempt};
    small.store.put_collected(download, {"lab3"}, collected);
  };
  constexpr std::int64_t kDay = 86400, kNoon = 20776 * kDay + kDay / 2;  // of 2026-11-19
  hand_in("/1", "s1", "a", kNoon, TimeSource::system);
  hand_in("/2", "s1", "b", kNoon + 2 * kDay, TimeSource::system);
  hand_in("/3", "s2", "b", kNoon + 2 * kDay, TimeSource::file);
  hand_in("/4", "s2", "c", std::nullopt, TimeSource::none);
  hand_in("/5", "s2", "d", kNoon + 2 * kDay, TimeSource::commit);
  small.store.add(made_up_grading("lab3", "a", false));
  small.store.add(made_up_grading("lab3", "b", true));
  const ClassData data = small.data();
  const LabStatistics lab = statistics_of(data.labs.at(0), data, small.store);
  REQUIRE(lab.days.size() == 2);
  CHECK(lab.days[0].attempts == 1);
  CHECK(lab.days[0].first_ones == 1);
  CHECK(lab.days[0].points == 60);
  CHECK(lab.days[1].attempts == 3);
  CHECK(lab.days[1].first_ones == 1);
  CHECK(lab.days[1].graded == 2);
  CHECK(lab.days[1].points == 200);
  CHECK(lab.by_file_times == 1);
  CHECK(lab.by_commit_times == 1);
  CHECK(lab.without_time == 1);
  const std::string page = index_page(data, small.store);
  CHECK(has(page,
            "Attempts by day, 1 of them by the time of the file, 1 of them by the time of the last commit; 1 came in "
            "at no known time"));
  for (const char* day : {"2026-11-19", "2026-11-21"}) CHECK(has(page, day));
  CHECK_FALSE(has(page, "2026-11-20"));
}

TEST_CASE("the page of the class has what happened, and pages of who has left are removed") {
  SmallClass small;
  small.store.put_roster(read_roster("id,name\ns1,Ada\ns2,Grace\ns3,Alan\n", "r"));
  Collected collected;
  collected.attempts = {made_up_attempt("lab3", "s1", "a"), made_up_attempt("lab3", "s2", "b")};
  small.store.put_collected("/in", {"lab3"}, collected);
  small.store.add(made_up_grading("lab3", "a", false, "read past the end"));
  Grading failed = made_up_grading("lab3", "b", false);
  failed.failure = "the grading was ended by signal 9";
  small.store.add(failed);
  small.folder.write("students/gone.html", "x");
  write_pages(small.folder.path(), small.store, small.data());
  CHECK_FALSE(std::filesystem::exists(small.folder.path() / "students" / "gone.html"));
  const std::string index = index_page(small.data(), small.store);
  CHECK(has(index, "read past the end"));
  CHECK(has(index, "global-out-of-bounds"));
  CHECK(has(index, "the grading was ended by signal 9"));
  CHECK(has(index, "nothing handed in"));
  CHECK(has(index, "href=\"students/s1.html\""));
  const std::string page = student_page(small.data(), small.store, "s2");
  CHECK(has(page, "There is no verdict yet."));
  CHECK_FALSE(has(page, "signal"));
}
