// Who is in the class, and whom a submission says it is from.
#include "course/roster.h"

#include "catch.h"

using namespace cudalabs::course;

namespace {

std::string found(const Roster& roster, const Claim& claim) {
  const Roster::Match match = roster.find(claim);
  if (match.answer == Roster::Answer::several) return "several";
  return match.student == nullptr ? "nobody" : match.student->id;
}

Claim of_ids(const std::vector<std::string>& ids, const std::string& name = {}) {
  return {.ids = ids, .number = {}, .name = name, .guesses = {}};
}
Claim of_number(System system, const std::string& number, const std::string& name) {
  return {.ids = {}, .number = {number, system}, .name = name, .guesses = {}};
}
Claim of_folder(const std::string& name) {
  return {.ids = {}, .number = {}, .name = name, .guesses = {name}};
}

const Roster kRoster = read_roster(
    "id,name,email,section,canvas id,github\n"
    "s1,\"Lovelace, Ada\",ada@example.org,A,501,countess\n"
    "s2,Grace Brewster Hopper,grace@example.org,B,502,\n"
    "s3,Alan Turing,at@example.org,A,503,turing\n"
    "s4,Alan Turing,alan.turing@example.org,B,504,\n",
    "roster.csv");

}  // namespace

TEST_CASE("a roster as people write it") {
  REQUIRE(kRoster.students().size() == 4);
  const Student& ada = kRoster.students()[0];
  CHECK(ada.name == "Lovelace, Ada");
  CHECK(ada.email == "ada@example.org");
  CHECK(ada.section == "A");
  CHECK(ada.other_ids == std::vector<OtherId>{{"501", System::canvas}, {"countess", System::other}});
  const Roster other = read_roster("\xef\xbb\xbfLast Name;First Name;Student ID\r\nHopper;Grace;7\r\n", "r.csv");
  CHECK(other.students()[0].name == "Grace Hopper");
  CHECK(other.students()[0].id == "7");
}

TEST_CASE("a Canvas gradebook is a roster") {
  const Roster roster =
      read_roster("Student,ID,SIS User ID,SIS Login ID,Section\n\"Hopper, Grace\",77,x9,gh,One\n", "g");
  CHECK(found(roster, of_number(System::canvas, "77", "hoppergrace")) == "77");
  CHECK(found(roster, of_ids({"gh"})) == "77");
  CHECK(found(roster, of_ids({"77"})) == "nobody");  // the school's 77 may be another student
}

TEST_CASE("ids, e-mail addresses, logins and names find a student") {
  CHECK(found(kRoster, of_ids({"S1"})) == "s1");
  CHECK(found(kRoster, of_ids({"GRACE@example.org"})) == "s2");
  CHECK(found(kRoster, of_ids({"grace"})) == "s2");
  CHECK(found(kRoster, of_folder("countess")) == "s1");
  CHECK(found(kRoster, of_folder("501")) == "s1");
  CHECK(found(kRoster, of_ids({}, "lovelaceada")) == "s1");
  CHECK(found(kRoster, of_ids({}, "Ada Lovelace")) == "s1");
  CHECK(found(kRoster, of_ids({}, "Hopper, Grace Brewster")) == "s2");
  CHECK(found(kRoster, of_folder("ada-lovelace")) == "s1");
  CHECK(found(kRoster, of_ids({"ada.l"}, "Ada")) == "nobody");
  CHECK(found(kRoster, of_ids({""})) == "nobody");
}

TEST_CASE("nobody is chosen where two could be meant") {
  CHECK(found(kRoster, of_ids({}, "Alan Turing")) == "several");
  CHECK(kRoster.find(of_ids({}, "Alan Turing")).meant == std::vector<std::string>{"s3", "s4"});
  CHECK(found(kRoster, of_number(System::canvas, "503", "Alan Turing")) == "s3");
  CHECK(found(kRoster, of_ids({"s4"}, "Alan Turing")) == "s4");
  CHECK(found(kRoster, of_number(System::canvas, "501", "Grace Brewster Hopper")) == "several");
  CHECK(found(kRoster, of_number(System::canvas, "s1", "another name")) == "nobody");
  CHECK(found(kRoster, of_ids({"s1", "grace@example.org"})) == "several");
  CHECK(found(kRoster, of_ids({"s1"}, "Grace Brewster Hopper")) == "several");
}

TEST_CASE("a number is a student's in the system alone whose number it is") {
  CHECK(found(kRoster, of_number(System::moodle, "501", "")) == "nobody");
  CHECK(found(kRoster, of_ids({"501"})) == "nobody");
  CHECK(found(kRoster, of_ids({"countess"})) == "nobody");
  const Roster roster = read_roster(
      "id,name,student number,canvas id,moodle number,canvas login,identifier\n"
      "s1,Ada Lovelace,501,777,502,ada,Participant 9\n"
      "s2,Grace Hopper,502,501,777,gh,Participant 8\n",
      "r");
  CHECK(found(roster, of_ids({"501"})) == "s1");
  CHECK(found(roster, of_number(System::canvas, "501", "hoppergrace")) == "s2");
  CHECK(found(roster, of_number(System::moodle, "502", "Ada Lovelace")) == "s1");
  CHECK(found(roster, of_number(System::moodle, "8", "")) == "s2");
  CHECK(found(roster, of_ids({"gh"})) == "s2");
  CHECK(found(roster, of_folder("501")) == "several");
}

TEST_CASE("a roster that cannot be right is refused with its line") {
  CHECK_THROWS_WITH(read_roster("", "r.csv"), "r.csv:1: this roster is empty");
  CHECK_THROWS_WITH(read_roster("id,name\n", "r.csv"), "r.csv:1: this roster names nobody");
  CHECK_THROWS_WITH(read_roster("who,email\nx,y\n", "r.csv"),
                    "r.csv:1: no column is named `id`; the first line names the columns: id,name,email,section");
  CHECK_THROWS_WITH(read_roster("id\na\n\nA\n", "r.csv"), "r.csv:4: the id `A` stands in line 2, too");
  CHECK_THROWS_WITH(read_roster("id,name\n,Ada\n", "r.csv"), "r.csv:2: this row has no id");
  CHECK_THROWS_WITH(read_roster("id\n" + std::string(200, 'x') + "\n", "r.csv"),
                    "r.csv:2: this id is longer than 128 bytes");
}
