// Which of the files that a student handed in is the submission.
#include "course/pick.h"

#include "catch.h"
#include "course/entry_path.h"
#include "few_labs.h"

using namespace cudalabs;
using namespace cudalabs::course;

namespace {

/// The files as "path" or "path=text"; what is picked and what is said of it.
std::string picked(const std::vector<std::string>& files, const Lab& wanted, const std::vector<Lab>& labs) {
  std::vector<TreeFile> kept(files.size());
  HandIn hand_in;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string path = files[i].substr(0, files[i].find('='));
    kept[i] = {parse_entry_path(path).parts, files[i], !path.ends_with(".pdf"), std::nullopt};
    if (files[i].find('=') != std::string::npos) kept[i].bytes = files[i].substr(path.size());
    hand_in.files.push_back({kept[i].path, &kept[i]});
  }
  const Picked result = pick(hand_in, wanted, labs);
  if (result.file == nullptr) return "none: " + result.problem;
  return joined(result.file->path) + (result.note.empty() ? "" : " (" + result.note + ")");
}

std::string picked(const std::vector<std::string>& files) {
  return picked(files, kOne[0], kOne);
}

}  // namespace

TEST_CASE("the file of the lab's own name, wherever it lies") {
  CHECK(picked({"matmul.cu", "other.cu"}) == "matmul.cu");
  CHECK(picked({"src/matmul.cu", "other.cu"}) == "src/matmul.cu");
}

TEST_CASE("two of its name that differ are left to a person") {
  CHECK(picked({"a/matmul.cu", "b/matmul.cu"}) == "none: there is more than one matmul.cu: a/matmul.cu, b/matmul.cu");
  CHECK(picked({"a/matmul.cu=same", "b/matmul.cu=same"}) == "a/matmul.cu");
}

TEST_CASE("what browsers and systems make of the name") {
  for (const char* name : {"Matmul.CU", "matmul (2).cu", "matmul(1).cu", "matmul-3.cu", "matmul_1.cu", "matmul copy.cu",
                           "matmul.cu.txt"}) {
    CHECK(picked({name, "x.cu"}) == std::string(name) + " (taken for matmul.cu: " + name + ")");
  }
  CHECK(picked({"matmul.cu", "matmul-1.cu", "matmul-10.cu"}) == "matmul-10.cu (taken for matmul.cu: matmul-10.cu)");
  CHECK(picked({"matmul_old.cu", "mat.cu"}).starts_with("none: there is more than one file that could be meant"));
}

TEST_CASE("the only file that fits, and it is said so") {
  CHECK(picked({"solution.cu", "report.pdf", "notes.txt"}) == "solution.cu (taken for matmul.cu: solution.cu)");
  CHECK(picked({"solution.cpp", "report.pdf"}) == "solution.cpp (taken for matmul.cu: solution.cpp)");
  CHECK(picked({"a.cu", "b.cu"}) == "none: there is more than one file that could be meant: a.cu, b.cu");
  CHECK(picked({"report.pdf"}) == "none: there is no matmul.cu among what was handed in: report.pdf");
  CHECK(picked({}) == "none: ");
}

TEST_CASE("of several labs handed in together names and folders decide") {
  CHECK(picked({"matmul.cu", "x.cu"}, kTwo[1], kTwo) == "none: ");
  CHECK(picked({"matmul.cu", "reduction-1.cu"}, kTwo[1], kTwo) ==
        "reduction-1.cu (taken for reduction.cu: reduction-1.cu)");
  CHECK(picked({"lab3/a.cu", "LAB5/b.cu"}, kTwo[1], kTwo) == "LAB5/b.cu (taken for reduction.cu: LAB5/b.cu)");
  CHECK(picked({"lab5_reduction/matmul.cu", "matmul.cu"}, kTwo[0], kTwo) == "matmul.cu");
  CHECK(picked({"lab3/matmul.cu", "matmul.cu"}, kTwo[0], kTwo) == "lab3/matmul.cu");
}
