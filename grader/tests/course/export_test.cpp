// Grades as other systems read them.
#include "course/export.h"

#include "catch.h"
#include "class_fixture.h"
#include "course/listed.h"

using namespace cudalabs;
using namespace cudalabs::course;
using namespace cudalabs::test;

namespace {

/// Ada with all points in lab3, Grace with 60 and 2.5 more by hand, Alan with nothing.
struct Graded : SmallClass {
  explicit Graded(const std::string& roster =
                      "id,name,email,section,canvas id,moodle identifier\n"
                      "s1,\"Lovelace, Ada\",ada@example.org,A,501,Participant 11\n"
                      "s2,=Grace Hopper,grace@example.org,B,502,Participant 12\n"
                      "s3,Alan Turing,alan@example.org,A,503,Participant 13\n") {
    store.put_roster(read_roster(roster, "r"));
    Collected collected;
    collected.attempts = {made_up_attempt("lab3", "s1", "a"), made_up_attempt("lab3", "s2", "b")};
    store.put_collected("/in", {"lab3"}, collected);
    store.add(made_up_grading("lab3", "a", true));
    store.add(made_up_grading("lab3", "b", false));
    store.add(Adjustment{.student = "s2", .lab = "lab3", .points = 2.5, .reason = "r", .by = "b", .made = 1});
  }
};

}  // namespace

TEST_CASE("a spreadsheet gets a row for everybody and no formulas") {
  Graded graded;
  const CsvTable table = read_csv(export_csv(graded.data()).text, "out");
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[1][0] == "s1");
  CHECK(table.rows[1][1] == "Lovelace, Ada");
  CHECK(table.rows[1][5] == "graded");
  CHECK(table.rows[1][10] == "100");
  CHECK(table.rows[2][1] == "'=Grace Hopper");
  CHECK(table.rows[2][6] == "60");
  CHECK(table.rows[2][9] == "2.5");
  CHECK(table.rows[2][10] == "62.5");
  CHECK(table.rows[3][5] == "nothing handed in");
  CHECK(table.rows[3][10].empty());
}

TEST_CASE("Canvas: the downloaded gradebook's rows, and the lab's column") {
  Graded graded;
  const std::string gradebook =
      "Student,ID,SIS User ID,SIS Login ID,Section,Essay (1),Title of lab3 (77),Current Score\n"
      ",,,,,Manual Posting,,\n"
      "    Points Possible,,,,,10,100,(read only)\n"
      "\"Lovelace, Ada\",501,x1,ada,A,9,,80\n"
      "\"Hopper, Grace\",502,x2,grace,B,8,50,70\n"
      "\"Turing, Alan\",503,x3,alan,A,7,33,60\n"
      "\"Student, Test\",999,,,A,,1,\n";
  const Exported exported = export_canvas(graded.data(), gradebook, "g.csv", false);
  CHECK(exported.text ==
        "Student,ID,SIS User ID,SIS Login ID,Section,Title of lab3 (77)\r\n"
        "\"    Points Possible\",,,,,100\r\n"
        "\"Lovelace, Ada\",501,x1,ada,A,100\r\n"
        "\"Hopper, Grace\",502,x2,grace,B,62.5\r\n"
        "\"Turing, Alan\",503,x3,alan,A,33\r\n"
        "\"Student, Test\",999,,,A,1\r\n");
  CHECK(exported.notes == std::vector<std::string>{"1 row of the gradebook is of nobody in this class: Student, Test"});
  CHECK(export_canvas(graded.data(), gradebook, "g.csv", true).text.find("alan,A,0\r\n") != std::string::npos);
}

TEST_CASE("Canvas: a lab without a column becomes a new assignment, a named one is found") {
  Graded graded;
  const std::string gradebook = "Student,ID,Section,Homework 3 (5)\nAda,501,A,\n";
  const Exported fresh = export_canvas(graded.data(), gradebook, "g.csv", false);
  CHECK(fresh.text == "Student,ID,Section,Title of lab3\r\nAda,501,A,100\r\n");
  REQUIRE(fresh.notes.size() == 2);
  CHECK(fresh.notes[0] == "lab3: no column is named so: Canvas will make a new assignment `Title of lab3`");
  CHECK(fresh.notes[1] == "2 of 3 students of the class are not in the gradebook: s2, s3");
  graded.folder.write("course.toml", "[[labs]]\nlab = \"lab3\"\ncanvas = \"Homework 3\"\n");
  CHECK(export_canvas(graded.data(), gradebook, "g.csv", false).text ==
        "Student,ID,Section,Homework 3 (5)\r\nAda,501,A,100\r\n");
}

TEST_CASE("Moodle: the worksheet comes back with grades in it") {
  Graded graded;
  const std::string worksheet =
      "\xef\xbb\xbfIdentifier,\"Full name\",\"Email address\",Status,Grade,\"Maximum Grade\",\"Grade can be changed\","
      "\"Last modified (grade)\",\"Feedback comments\"\n"
      "\"Participant 11\",\"Ada Lovelace\",ada@example.org,Submitted,,10.00,Yes,-,\n"
      "\"Participant 12\",\"Grace Hopper\",grace@example.org,Submitted,,10.00,Yes,-,\n"
      "\"Participant 13\",\"Alan Turing\",alan@example.org,\"No submission\",,10.00,Yes,-,\n"
      "\"Participant 14\",\"Eve\",eve@example.org,Submitted,,10.00,Yes,-,\n";
  const Exported exported = export_moodle(graded.data(), worksheet, "w.csv", false);
  CHECK(
      exported.text ==
      "\xef\xbb\xbfIdentifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
      "Last modified (grade),Feedback comments\r\n"
      "Participant 11,Ada Lovelace,ada@example.org,Submitted,10,10.00,Yes,-,100 of 100 points\r\n"
      "Participant 12,Grace Hopper,grace@example.org,Submitted,6.25,10.00,Yes,-,62.5 of 100 points; adjusted by 2.5\r\n"
      "Participant 13,Alan Turing,alan@example.org,No submission,,10.00,Yes,-,\r\n"
      "Participant 14,Eve,eve@example.org,Submitted,,10.00,Yes,-,\r\n");
  CHECK(exported.notes ==
        std::vector<std::string>{"1 row of the worksheet is of nobody in this class: Participant 14"});
  CHECK(export_moodle(graded.data(), worksheet, "w.csv", true).text.find("No submission,0,") != std::string::npos);
}

TEST_CASE("Canvas: a row is whose school id says so, whatever number another system gave to whom") {
  Graded graded(
      "id,name,email,moodle number\n"
      "s1,Ada Lovelace,ada@example.org,500\n"
      "s2,Grace Hopper,grace@example.org,501\n");
  const std::string header = "Student,ID,SIS User ID,SIS Login ID,Section,Title of lab3 (1)\n";
  const Exported exported = export_canvas(graded.data(), header + "\"Lovelace, Ada\",501,s1,ada,A,\n", "g.csv", false);
  CHECK(exported.text.ends_with("\"Lovelace, Ada\",501,s1,ada,A,100\r\n"));
  CHECK(exported.refused.empty());
  // Without any other key the number leads to nobody.
  CHECK(
      export_canvas(graded.data(), header + "A. L.,501,,,A,7\n", "g.csv", false).text.ends_with("A. L.,501,,,A,7\r\n"));
}

TEST_CASE("Canvas: a student number that is another's Canvas ID leads to nobody there") {
  Graded graded(
      "id,name,email,student number,canvas id\n"
      "s1,Ada Lovelace,a@example.org,501,777\n"
      "s2,Grace Hopper,g@example.org,778,501\n");
  const std::string gradebook =
      "Student,ID,SIS User ID,SIS Login ID,Section,Title of lab3 (1)\n"
      "\"Lovelace, Ada\",777,s1,a,A,\n\"Hopper, Grace\",501,s2,b,A,\n";
  const Exported exported = export_canvas(graded.data(), gradebook, "g.csv", false);
  CHECK(exported.text.ends_with("\"Lovelace, Ada\",777,s1,a,A,100\r\n\"Hopper, Grace\",501,s2,b,A,62.5\r\n"));
  CHECK(exported.refused.empty());
}

TEST_CASE("a row whose ids lead to different students stays as it was, and is refused with both") {
  Graded graded;
  const std::string header = "Student,ID,SIS User ID,SIS Login ID,Section,Title of lab3 (1)\n";
  const auto refused = [&](const std::string& row) {
    const Exported exported = export_canvas(graded.data(), header + row + ",7\n", "g.csv", false);
    CHECK(exported.text.ends_with(",7\r\n"));
    return exported.refused;
  };
  const std::vector<std::string> both{
      "Ada (line 2): its ids and name lead to more than one student: s1, s2; the row stays as it was"};
  CHECK(refused("Ada,502,s1,,A") == both);
  CHECK(refused("Ada,900,s1,grace@example.org,A") == both);
  CHECK(refused("Grace Hopper,501,,,A").size() == 1);
  const std::string worksheet =
      "Identifier,Full name,Email address,ID number,Grade\n"
      "Participant 11,Ada,grace@example.org,,3\n"
      "Participant 12,Grace Hopper,,s2,\n";
  const Exported moodle = export_moodle(graded.data(), worksheet, "w.csv", false);
  CHECK(moodle.text.find("Participant 11,Ada,grace@example.org,,3\r\n") != std::string::npos);
  CHECK(moodle.text.ends_with("Participant 12,Grace Hopper,,s2,62.5\r\n"));
  // Neither of both is missing.
  CHECK(moodle.notes == std::vector<std::string>{"1 of 3 students of the class is not in the worksheet: s3"});
  CHECK(
      moodle.refused ==
      std::vector<std::string>{
          "Participant 11 (line 2): its ids and name lead to more than one student: s1, s2; the row stays as it was"});
}

TEST_CASE("of two rows with the name of one student, at most that with an id gets the grade") {
  Graded graded;
  const std::string header = "Student,ID,SIS User ID,Section,Title of lab3 (1)\n";
  const std::string by_name = "Ada Lovelace,901,x1,A,1\n", other = "Ada Lovelace,902,x2,A,2\n";
  const Exported two = export_canvas(graded.data(), header + by_name + other, "g.csv", false);
  CHECK(two.text.ends_with("901,x1,A,1\r\nAda Lovelace,902,x2,A,2\r\n"));
  REQUIRE(two.refused.size() == 2);
  CHECK(two.refused[1] ==
        "Ada Lovelace (line 3): it leads to s1, and another row does so, too; the row stays as it was");
  const Exported one = export_canvas(graded.data(), header + by_name + "Ada Lovelace,501,s1,A,2\n", "g.csv", false);
  CHECK(one.text.ends_with("901,x1,A,1\r\nAda Lovelace,501,s1,A,100\r\n"));
  CHECK(one.refused.size() == 1);
}

TEST_CASE("Moodle: a participant's number is nobody's student number, but of who came without a roster it is the id") {
  SmallClass numbered;
  numbered.store.put_roster(read_roster("id,name\n11,Ada Lovelace\n", "r"));
  Collected of_roster;
  of_roster.attempts = {made_up_attempt("lab3", "11", "a")};
  numbered.store.put_collected("/in", {"lab3"}, of_roster);
  numbered.store.add(made_up_grading("lab3", "a", true));
  const std::string worksheet = "Identifier,Grade\nParticipant 11,\n";
  CHECK(export_moodle(numbered.data(), worksheet, "w.csv", true).text.ends_with("Participant 11,\r\n"));
  SmallClass small;
  Collected collected;
  collected.attempts = {made_up_attempt("lab3", "11", "a")};
  collected.students = {{"11", "", "", "", {{"11", System::moodle}}}};
  small.store.put_collected("/in", {"lab3"}, collected);
  small.store.add(made_up_grading("lab3", "a", true));
  CHECK(export_moodle(small.data(), worksheet, "w.csv", true).text.ends_with("Participant 11,100\r\n"));
  CHECK(export_canvas(small.data(), "Student,ID,SIS User ID,Section\nA,7,11,A\n", "g.csv", true)
            .text.ends_with("A,7,11,A,\r\n"));
}

TEST_CASE("nbgrader: its columns, and no score where there is no verdict") {
  Graded graded;
  graded.folder.write("course.toml",
                      "[late]\npercent_per_day = 10\n[[labs]]\nlab = \"lab3\"\ndeadline = 2026-11-20T23:59:00+01:00\n");
  Attempt late = made_up_attempt("lab3", "s1", "a");
  late.handed_in = 1795215600;  // 2026-11-20 23:00 UTC, a minute late
  late.time_source = TimeSource::system;
  Collected collected;
  collected.attempts = {late, made_up_attempt("lab3", "s2", "b")};
  graded.store.put_collected("/in", {"lab3"}, collected);
  const Exported exported = export_nbgrader(graded.data(), false);
  CHECK(exported.text ==
        "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,"
        "max_score\r\n"
        "lab3,2026-11-20 22:59:00,2026-11-20 23:00:00,s1,Lovelace,Ada,ada@example.org,100,10,90,100\r\n"
        "lab3,2026-11-20 22:59:00,,s2,Hopper,'=Grace,grace@example.org,62.5,0,62.5,100\r\n"
        "lab3,2026-11-20 22:59:00,,s3,Turing,Alan,alan@example.org,,,,100\r\n");
  CHECK(exported.notes == std::vector<std::string>{"1 score is empty: s3 lab3 (nothing handed in)"});
  const Exported zero = export_nbgrader(graded.data(), true);
  CHECK(zero.text.ends_with("alan@example.org,0,0,0,100\r\n"));
  CHECK(zero.notes.empty());
}

TEST_CASE("what is no gradebook or worksheet is refused") {
  Graded graded;
  CHECK_THROWS_WITH(export_canvas(graded.data(), "a,b,c\n", "g.csv", false),
                    "g.csv:1: this is no gradebook of Canvas: its first column is Student, its second ID");
  CHECK_THROWS_WITH(export_canvas(graded.data(), "Student,ID,Lab\n", "g.csv", false),
                    "g.csv:1: this is no gradebook of Canvas: it has no column Section");
  CHECK_THROWS_WITH(export_moodle(graded.data(), "Id,Note\n", "w.csv", false),
                    Catch::Matchers::StartsWith("w.csv:1: this is no grading worksheet of Moodle"));
}

TEST_CASE("of many names the first five are told, and how many there are") {
  CHECK(listed({"a", "b", "c", "d", "e"}) == "a, b, c, d, e");
  CHECK(listed({"a", "b", "c", "d", "e", "f", "g"}) == "a, b, c, d, e and 2 more");
}

TEST_CASE("points as people write them") {
  CHECK(shown_points(97.4) == "97.4");
  CHECK(shown_points(97.3603) == "97.36");
  CHECK(shown_points(100) == "100");
  CHECK(shown_points(0) == "0");
  CHECK(shown_points(-0.001) == "0");
  CHECK(shown_points(-7.5) == "-7.5");
}
