// Whose is which file, in every shape that systems hand submissions out in.
#include "course/hand_ins.h"

#include <map>

#include "catch.h"
#include "course/entry_path.h"
#include "course/owner_name.h"

using namespace cudalabs::course;

namespace {

const std::vector<std::string> kStems{"matmul", "lab3_naive_matmul", "lab3"};

SourceTree tree_of(const std::vector<std::string>& paths, const std::string& metadata = "") {
  SourceTree tree;
  for (const std::string& path : paths) {
    const std::vector<std::string> parts = parse_entry_path(path).parts;
    if (parts.back() == ".git") {
      tree.clones.push_back({parts.begin(), parts.end() - 1});
    } else {
      const bool about = parts.back() == "submission_metadata.yml";
      tree.files.push_back({parts, about ? metadata : "text of " + path, true, std::nullopt});
    }
  }
  return tree;
}

/// By whose it is said to be (first id, number or name): the files, as the student named them.
std::map<std::string, std::string> split(const SourceTree& tree, const Roster& roster = {}) {
  std::map<std::string, std::string> result;
  for (const HandIn& hand_in : split_by_student(tree, roster, kStems)) {
    std::string whose = "?";
    if (!hand_in.from.empty()) {
      const Claim& claim = hand_in.from[0];
      whose = !claim.ids.empty()       ? claim.ids[0]
              : !claim.guesses.empty() ? claim.guesses[0]
                                       : claim.number.id + " " + claim.name;
    }
    std::string& files = result[whose + (hand_in.marked_late ? " (late)" : "")];
    for (const HandedFile& file : hand_in.files) files += (files.empty() ? "" : " ") + joined(file.path);
  }
  return result;
}

using Split = std::map<std::string, std::string>;

}  // namespace

TEST_CASE("a folder a student, whatever is around them") {
  const Split expected{{"ada", "matmul.cu"}, {"bob", "notes.txt src/matmul.cu"}};
  CHECK(split(tree_of({"ada/matmul.cu", "bob/notes.txt", "bob/src/matmul.cu"})) == expected);
  CHECK(split(tree_of({"x/y/ada/matmul.cu", "x/y/bob/notes.txt", "x/y/bob/src/matmul.cu"})) == expected);
}

TEST_CASE("the only student's folder is no folder around students") {
  CHECK(split(tree_of({"ada/matmul.cu"})) == Split{{"ada", "matmul.cu"}});
  CHECK(split(tree_of({"ada/matmul.cu", "ada/notes.txt"})) == Split{{"ada", "matmul.cu notes.txt"}});
  CHECK(split(tree_of({"all/ada/matmul.cu"})) == Split{{"ada", "matmul.cu"}});
}

TEST_CASE("flat files, the lab's name among theirs or not") {
  const Split expected{{"ada", "ada_matmul.cu"}, {"bob", "matmul-bob.cu"}, {"eve", "eve.cu"}, {"?", "matmul.cu"}};
  CHECK(split(tree_of({"in/ada_matmul.cu", "in/eve.cu"})) == Split{{"ada", "ada_matmul.cu"}, {"eve", "eve.cu"}});
  CHECK(split(tree_of({"ada_matmul.cu", "matmul-bob.cu", "eve.cu", "matmul.cu"})) == expected);
  CHECK(owner_of_flat_file("lab3_matmul_s123.cu.txt", kStems) == "s123");
  CHECK(owner_of_flat_file("Matmul.cu", kStems).empty());
}

TEST_CASE("Moodle's folders and flat files") {
  CHECK(split(tree_of({"Ada Lovelace_12345_assignsubmission_file_/matmul.cu",
                       "Bob_B O'Neill_99_assignsubmission_file_/a/matmul.cu", "Eve_7_assignsubmission_file_matmul.cu",
                       "Eve_7_assignsubmission_file_util.h"})) ==
        Split{{"12345 Ada Lovelace", "matmul.cu"}, {"99 Bob_B O'Neill", "a/matmul.cu"}, {"7 Eve", "matmul.cu util.h"}});
}

TEST_CASE("Canvas's flat files, late marks, and archives that became folders") {
  CHECK(split(tree_of({"lovelaceada_501_9001_matmul.cu", "lovelaceada_501_9002_notes.txt",
                       "hoppergrace_LATE_502_9003_matmul-1.cu", "turingalan_503_9004_lab3/src/matmul.cu"})) ==
        Split{{"501 lovelaceada", "matmul.cu notes.txt"},
              {"502 hoppergrace (late)", "matmul-1.cu"},
              {"503 turingalan", "lab3/src/matmul.cu"}});
}

TEST_CASE("Gradescope's export says whose a number is, and when") {
  const std::string metadata = R"(---
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: 's1'
    :email: ada@example.org
  :created_at: 2026-11-20 14:59:00.123456000 -08:00
  :score: 0.0
submission_12:
  :submitters:
  - :name: Grace Hopper
    :sid:
    :email: grace@example.org
  - :name: Alan Turing
    :sid: s3
    :email: at@example.org
  :created_at: 2026-11-20 14:59:00 Z
)";
  const SourceTree tree =
      tree_of({"assignment_1_export/submission_metadata.yml", "assignment_1_export/submission_11/matmul.cu",
               "assignment_1_export/submission_12/matmul.cu", "assignment_1_export/submission_13/matmul.cu"},
              metadata);
  const std::vector<HandIn> all = split_by_student(tree, {}, kStems);
  REQUIRE(all.size() == 3);
  CHECK(all[0].from[0].ids == std::vector<std::string>{"s1", "ada@example.org"});
  CHECK(all[0].handed_in == 1795215540);
  REQUIRE(all[1].from.size() == 2);
  CHECK(all[1].from[0].ids == std::vector<std::string>{"grace@example.org"});
  CHECK(all[1].from[0].name == "Grace Hopper");
  CHECK(all[2].from.empty());
  CHECK_THROWS(split_by_student(tree_of({"e/submission_metadata.yml", "e/submission_1/m.cu"}, "- [x"), {}, kStems));
}

TEST_CASE("clones of GitHub Classroom begin alike") {
  const std::vector<std::string> paths{"lab3-submissions/lab3-ada/.git", "lab3-submissions/lab3-ada/matmul.cu",
                                       "lab3-submissions/lab3-al-an/.git", "lab3-submissions/lab3-al-an/matmul.cu"};
  CHECK(split(tree_of(paths)) == Split{{"ada", "matmul.cu"}, {"al-an", "matmul.cu"}});
  // Without git's folders the beginning may be a part of the names: the roster decides.
  const SourceTree plain = tree_of({"hw-ada/matmul.cu", "hw-bob/matmul.cu"});
  CHECK(split(plain) == Split{{"hw-ada", "matmul.cu"}, {"hw-bob", "matmul.cu"}});
  CHECK(split_by_student(plain, {}, kStems)[0].from[0].guesses == std::vector<std::string>{"hw-ada", "ada"});
}

TEST_CASE("what was refused goes with its student") {
  SourceTree tree = tree_of({"ada/matmul.cu", "bob/matmul.cu"});
  tree.refused.push_back({{"bob", "link.cu"}, "it is a link"});
  tree.refused.push_back({{"eve"}, "this archive is damaged"});
  const std::vector<HandIn> all = split_by_student(tree, {}, kStems);
  REQUIRE(all.size() == 3);
  CHECK(all[1].refused.at(0).path == std::vector<std::string>{"link.cu"});
  CHECK(all[2].from.at(0).guesses[0] == "eve");
  CHECK(all[2].refused.at(0).reason == "this archive is damaged");
}
