// A lab's files to work on, copied into a folder of one's own.
#include "cli/start.h"

#include "catch.h"
#include "cli/project.h"
#include "cli/usage_error.h"
#include "program.h"

using namespace cudalabs;
using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

Lab lab_in(const fs::path& folder) {
  Lab lab;
  lab.id = "lab9";
  lab.folder = folder;
  lab.contract.source = "x.cu";
  lab.contract.header = "x.h";
  return lab;
}

}  // namespace

TEST_CASE("skeleton and header are copied, and can be edited though the lab is read-only") {
  const TemporaryFolder folder;
  fs::permissions(folder.write("lab/x.cu", "// to do\n"), fs::perms::owner_read);
  folder.write("lab/x.h", "int f();\n");
  folder.write("lab/runner.cpp", "");
  const auto copies = copy_skeleton(lab_in(folder.path() / "lab"), folder.path() / "mine/here");
  CHECK(copies == std::vector<fs::path>{folder.path() / "mine/here/x.cu", folder.path() / "mine/here/x.h"});
  CHECK(read_file(copies[0]) == "// to do\n");
  CHECK(read_file(copies[1]) == "int f();\n");
  CHECK((fs::status(copies[0]).permissions() & fs::perms::owner_write) == fs::perms::owner_write);
  CHECK_FALSE(fs::exists(folder.path() / "mine/here/runner.cpp"));
}

TEST_CASE("nothing is written over, and nothing is written beside it") {
  const TemporaryFolder folder;
  folder.write("lab/x.cu", "// to do\n");
  folder.write("lab/x.h", "int f();\n");
  folder.write("mine/x.h", "mine\n");
  CHECK_THROWS_AS(copy_skeleton(lab_in(folder.path() / "lab"), folder.path() / "mine"), UsageError);
  CHECK(read_file(folder.path() / "mine/x.h") == "mine\n");
  CHECK_FALSE(fs::exists(folder.path() / "mine/x.cu"));
}

TEST_CASE("an installed grader takes the file of the current folder") {
  const TemporaryFolder folder;
  folder.write("lab/x.cu", "// to do\n");
  const Invocation installed{.name = "cudalabs-grade", .typed = "cudalabs-grade", .installed = true};
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  Target target;
  target.lab = "lab9";
  CHECK_THROWS_WITH(find_submission(target, lab_in(folder.path() / "lab"), installed),
                    contains_text("cudalabs-grade start lab9"));
  folder.write("x.cu", "// mine\n");
  CHECK(find_submission(target, lab_in(folder.path() / "lab"), installed).text == "// mine\n");
  fs::current_path(before);
}
