// From folders as they are handed out to attempts of students.
#include "course/collect.h"

#include "catch.h"
#include "few_labs.h"
#include "sandbox/temporary_folder.h"

using namespace cudalabs;
using namespace cudalabs::course;
using cudalabs::sandbox::TemporaryFolder;

namespace {

const Roster kRoster = read_roster("id,name\ns1,Ada Lovelace\ns2,Grace Hopper\n", "roster.csv");

std::vector<std::string> attempts(const Collected& collected) {
  std::vector<std::string> all;
  for (const Attempt& attempt : collected.attempts)
    all.push_back(attempt.lab + " " + attempt.student + " " + attempt.found);
  return all;
}

std::vector<std::string> not_taken(const Collected& collected) {
  std::vector<std::string> all;
  for (const NotTaken& each : collected.not_taken)
    all.push_back(each.lab + "|" + each.student + "|" + each.found + "|" + each.reason);
  return all;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a roster takes its own, and names who is nobody's") {
  const TemporaryFolder folder;
  folder.write("s1/matmul.cu", "one");
  folder.write("Grace Hopper/matmul.cu", "two");
  folder.write("mallory/matmul.cu", "three");
  const Collected collected = collect(folder.path(), kOne, kRoster);
  CHECK(attempts(collected) == Names{"lab3 s2 Grace Hopper/matmul.cu", "lab3 s1 s1/matmul.cu"});
  CHECK(not_taken(collected) == Names{"lab3||mallory|nobody on the roster is meant by it"});
  CHECK(collected.attempts[1].bytes == "one");
  CHECK(collected.attempts[1].digest == "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed");
  CHECK(collected.attempts[1].time_source == TimeSource::file);
}

TEST_CASE("without a roster names are students") {
  const TemporaryFolder folder;
  folder.write("Ada Lovelace_12_assignsubmission_file_/matmul.cu", "one");
  folder.write("Bob_13_assignsubmission_file_/report.pdf", "two");
  const Collected collected = collect(folder.path(), kOne, {});
  REQUIRE(collected.students.size() == 2);
  CHECK(collected.students[0].id == "12");
  CHECK(collected.students[0].name == "Ada Lovelace");
  CHECK(attempts(collected) == Names{"lab3 12 Ada Lovelace_12_assignsubmission_file_/matmul.cu"});
  CHECK(not_taken(collected) ==
        Names{"lab3|13|Bob_13_assignsubmission_file_|there is no matmul.cu among what was handed in: report.pdf"});
}

TEST_CASE("a link instead of a submission is said to be one") {
  const TemporaryFolder folder;
  folder.write("s2/matmul.cu", "two");
  std::filesystem::create_directory(folder.path() / "s1");
  std::filesystem::create_symlink("../s2/matmul.cu", folder.path() / "s1" / "matmul.cu");
  const Collected collected = collect(folder.path(), kOne, kRoster);
  CHECK(attempts(collected) == Names{"lab3 s2 s2/matmul.cu"});
  CHECK(not_taken(collected) == Names{"lab3|s1|s1/matmul.cu|it is a link"});
}

TEST_CASE("what is refused and nobody's is said with the reason") {
  const TemporaryFolder folder;
  folder.write("s1/matmul.cu", "one");
  std::filesystem::create_symlink("s1/matmul.cu", folder.path() / "eve.cu");
  folder.write(std::string("a\nb.cu"), "x");
  CHECK(not_taken(collect(folder.path(), kOne, kRoster)) ==
        Names{"lab3||?|its name has control characters in it", "lab3||eve.cu|it is a link"});
}

TEST_CASE("several labs: a folder a lab, or a folder a student") {
  const TemporaryFolder by_lab;
  by_lab.write("export/lab3/s1/any.cu", "a");
  by_lab.write("export/lab5_reduction/s1/reduction.cu", "b");
  by_lab.write("export/lab5_reduction/s2/reduction.cu", "c");
  CHECK(attempts(collect(by_lab.path(), kTwo, kRoster)) == Names{"lab3 s1 export/lab3/s1/any.cu",
                                                                 "lab5 s1 export/lab5_reduction/s1/reduction.cu",
                                                                 "lab5 s2 export/lab5_reduction/s2/reduction.cu"});
  const TemporaryFolder by_student;
  by_student.write("s1/matmul.cu", "a");
  by_student.write("s1/lab5/reduction.cu", "b");
  by_student.write("s2/reduction.cu", "c");
  const Collected collected = collect(by_student.path(), kTwo, kRoster);
  CHECK(attempts(collected) ==
        Names{"lab3 s1 s1/matmul.cu", "lab5 s1 s1/lab5/reduction.cu", "lab5 s2 s2/reduction.cu"});
  CHECK(collected.not_taken.empty());
}
