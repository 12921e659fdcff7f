// Finding labs and submissions, and saying what is missing.
#include "cli/project.h"

#include <cstdlib>

#include "catch.h"
#include "cli/usage_error.h"
#include "program.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

Target target(const std::string& lab, std::optional<std::filesystem::path> submission = std::nullopt) {
  Target made;
  made.lab = lab;
  made.submission = std::move(submission);
  return made;
}

Lab lab_in(const std::filesystem::path& root) {
  Lab lab;
  lab.id = "lab9";
  lab.folder = root / "labs/lab9_x";
  lab.solution_folder = root / "solutions/lab9_x";
  lab.contract.source = "x.cu";
  return lab;
}

std::string refusal(const Target& asked, const Lab& lab) {
  try {
    find_submission(asked, lab);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("without an argument the lab's own file is the submission") {
  const TemporaryFolder folder;
  folder.write("labs/lab9_x/x.cu", "");
  const Submission found = find_submission(target("lab9"), lab_in(folder.path()));
  CHECK(std::filesystem::equivalent(found.source, folder.path() / "labs/lab9_x/x.cu"));
  CHECK(std::filesystem::equivalent(found.beneath, folder.path() / "labs/lab9_x"));
}

TEST_CASE("a file is taken as given, a folder by the contract's name") {
  const TemporaryFolder folder;
  const auto file = folder.write("my/other.cu", "");
  folder.write("my/x.cu", "");
  const Lab lab = lab_in(folder.path());
  CHECK(find_submission(target("lab9", file), lab).source == file);
  CHECK(find_submission(target("lab9", file), lab).beneath.empty());
  CHECK(find_submission(target("lab9", folder.path() / "my"), lab).source == folder.path() / "my/x.cu");
  CHECK(find_submission(target("lab9", folder.path() / "my"), lab).beneath == folder.path() / "my");
}

TEST_CASE("what is not there is named, and what would do instead") {
  const TemporaryFolder folder;
  folder.write("labs/lab9_x/readme", "");
  const Lab lab = lab_in(folder.path());
  CHECK_THAT(refusal(target("lab9"), lab), contains_text("x.cu: there is no such file"));
  CHECK_THAT(refusal(target("lab9", folder.path() / "missing.cu"), lab),
             contains_text("missing.cu: there is no such file"));
  Target solution = target("lab9");
  solution.solution = true;
  CHECK(refusal(solution, lab) == "there is no solution of lab9 here");
}
