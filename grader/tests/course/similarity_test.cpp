// Pages of who is alike: evidence, harmless whatever is in it, and for nobody but the teacher.
#include "course/similarity.h"

#include <fstream>
#include <iterator>

#include "catch.h"
#include "class_fixture.h"
#include "course/pages.h"
#include "golden_page.h"

using namespace cudalabs;
using namespace cudalabs::course;
using namespace cudalabs::test;

namespace {

namespace fs = std::filesystem;

const std::string kHostile = "<script>alert(1)</script>";

/// Three students with one file and one that is like it, one with another, and one with what everybody was given.
struct AlikeClass {
  SmallClass small;
  Similarity similarity{.lab = "lab3", .files = {}, .comparison = {}};

  AlikeClass() {
    small.store.put_roster(read_roster("id,name\ns1,Ada\ns2,Grace\ns3,Alan\ns4,Edsger\ns5,Barbara\n", "r"));
    Collected collected;
    collected.attempts = {made_up_attempt("lab3", "s1", "one\n" + kHostile + "\nthree\n"),
                          made_up_attempt("lab3", "s2", "one\n" + kHostile + "\nthree\n"),
                          made_up_attempt("lab3", "s3", "1\n2\n3\n"), made_up_attempt("lab3", "s4", "other\n"),
                          made_up_attempt("lab3", "s5", "given\n")};
    small.store.put_collected("/in", {"lab3"}, collected);
    similarity.files = files_to_compare(small.data(), small.store, "lab3", "given\n");
    for (AlikeFile& file : similarity.files) {
      const std::uint64_t first = file.text.starts_with("other") ? 1000 : 0;
      for (std::uint32_t i = 0; i < 40; ++i) file.piece.tokens.push_back({first + i, 2, 2, i});
    }
    std::vector<similar::Piece> pieces;
    for (const AlikeFile& file : similarity.files) pieces.push_back(file.piece);
    similarity.comparison = similar::compare({}, pieces, {});
  }
};

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool has(const std::string& page, const std::string& text) {
  return page.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("a file that several have is compared once, and what was given is not") {
  const AlikeClass alike;
  REQUIRE(alike.similarity.files.size() == 3);
  std::size_t students = 0;
  for (const AlikeFile& file : alike.similarity.files) students += file.students.size();
  CHECK(students == 4);
  const SimilaritySummary summary = summary_of(alike.similarity, 99);
  CHECK(summary.students == 4);
  CHECK(summary.files == 3);
  CHECK(summary.pairs == 1);
  REQUIRE(summary.groups.size() == 1);
  CHECK(summary.groups[0].size() == 3);
  CHECK(shown(summary) == "lab3: 3 files compared, 1 pair of different files alike, 1 group");
  CHECK(shown({.lab = "lab1", .students = 0, .files = 1, .pairs = 0, .made = 0, .groups = {}}) ==
        "lab1: 1 file compared, 0 pairs of different files alike, 0 groups");
}

TEST_CASE("the pages have the evidence, and hostile text is text") {
  AlikeClass alike;
  alike.small.folder.write("similar/lab3/old.html", "x");
  const fs::path folder = alike.small.folder.path();
  write_similarity(folder, alike.small.data(), alike.similarity, 99);
  CHECK_FALSE(fs::exists(folder / "similar/lab3/old.html"));
  const similar::Pair& pair = alike.similarity.comparison.pairs.at(0);
  const std::string page = text_of(folder / "similar/lab3" / pair_file(alike.similarity, pair));
  CHECK(has(page, "Ada"));
  CHECK(has(page, "Alan"));
  CHECK_FALSE(has(page, "Edsger"));
  CHECK(has(page, "40 rare runs"));
  CHECK(has(page, "nothing rare is in both"));
  CHECK(has(page, "<div class=\"row other\">"));
  CHECK(has(page, "&lt;script&gt;"));
  CHECK_FALSE(has(page, "<script"));
  const std::string index = text_of(folder / "similar/lab3/index.html");
  CHECK(has(index, pair_file(alike.similarity, pair)));
  CHECK(has(index, "The same file, byte for byte"));
  CHECK(has(index, "1 of 3"));
  check_golden_page("alike_lab.html", index);
  check_golden_page("alike_pair.html", page);
}

TEST_CASE("the class's page names the groups, students' pages do not") {
  AlikeClass alike;
  const fs::path folder = alike.small.folder.path();
  CHECK_FALSE(has(index_page(alike.small.data(), alike.small.store), "similar/lab3"));
  write_similarity(folder, alike.small.data(), alike.similarity, 99);
  const ClassData data = alike.small.data();
  REQUIRE(data.similarities.size() == 1);
  CHECK(data.similarities[0].made == 99);
  const std::string index = index_page(data, alike.small.store);
  CHECK(has(index, "similar/lab3/index.html"));
  CHECK(has(index, "No verdict"));
  const std::string page = student_page(data, alike.small.store, "s1");
  CHECK_FALSE(has(page, "similar"));
  CHECK_FALSE(has(page, "Alan"));
  alike.small.folder.write("similar/lab3/summary.json", "{\"version\": 1, \"lab\": ");
  CHECK(alike.small.data().similarities.empty());
}
