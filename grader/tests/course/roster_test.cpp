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
  CHECK(ada.other_ids == std::vector<std::string>{"501", "countess"});
  const Roster other = read_roster("\xef\xbb\xbfLast Name;First Name;Student ID\r\nHopper;Grace;7\r\n", "r.csv");
  CHECK(other.students()[0].name == "Grace Hopper");
  CHECK(other.students()[0].id == "7");
}

TEST_CASE("a Canvas gradebook is a roster") {
  const Roster roster =
      read_roster("Student,ID,SIS User ID,SIS Login ID,Section\n\"Hopper, Grace\",77,x9,gh,One\n", "g");
  CHECK(found(roster, {{}, {"77"}, "hoppergrace"}) == "77");
  CHECK(found(roster, {{"gh"}, {}, ""}) == "77");
}

TEST_CASE("ids, e-mail addresses, logins and names find a student") {
  CHECK(found(kRoster, {{"S1"}, {}, ""}) == "s1");
  CHECK(found(kRoster, {{"GRACE@example.org"}, {}, ""}) == "s2");
  CHECK(found(kRoster, {{"grace"}, {}, ""}) == "s2");
  CHECK(found(kRoster, {{"countess"}, {}, ""}) == "s1");
  CHECK(found(kRoster, {{}, {}, "lovelaceada"}) == "s1");
  CHECK(found(kRoster, {{}, {}, "Ada Lovelace"}) == "s1");
  CHECK(found(kRoster, {{}, {}, "Hopper, Grace Brewster"}) == "s2");
  CHECK(found(kRoster, {{"ada-lovelace"}, {}, ""}) == "s1");
  CHECK(found(kRoster, {{"ada.l"}, {}, "Ada"}) == "nobody");
  CHECK(found(kRoster, {{""}, {}, ""}) == "nobody");
}

TEST_CASE("nobody is chosen where two could be meant") {
  CHECK(found(kRoster, {{}, {}, "Alan Turing"}) == "several");
  CHECK(found(kRoster, {{}, {"503"}, "Alan Turing"}) == "s3");
  // Another system's number must not give a submission to another student.
  CHECK(found(kRoster, {{}, {"501"}, "Grace Brewster Hopper"}) == "several");
  CHECK(found(kRoster, {{}, {"s1"}, "another name"}) == "nobody");
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
