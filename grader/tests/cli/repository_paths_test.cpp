// Where a submission lies in its repository: places that other tools understand.
#include "cli/repository_paths.h"

#include <filesystem>

#include "catch.h"
#include "sandbox/temporary_folder.h"

using namespace cudalabs;
namespace fs = std::filesystem;

namespace {

Lab lab_in(const fs::path& folder) {
  Lab lab;
  lab.folder = folder;
  lab.contract.header = "matmul.h";
  lab.contract.source = "matmul.cu";
  return lab;
}

Submission at(const fs::path& file) {
  return {file, {}};
}

}  // namespace

TEST_CASE("files are named from the top of their repository") {
  sandbox::TemporaryFolder folder;
  fs::create_directories(folder.path() / ".git");
  fs::create_directories(folder.path() / "labs" / "lab3");
  const fs::path source = folder.path() / "labs" / "lab3" / "matmul.cu";
  const SourcePaths paths = repository_paths(lab_in(folder.path() / "labs" / "lab3"), at(source));
  CHECK(paths.at(source.string()) == "labs/lab3/matmul.cu");
  CHECK(paths.at("matmul.h") == "labs/lab3/matmul.h");
}

TEST_CASE("a repository may be a worktree, whose .git is a file, and a path may go back and forth") {
  sandbox::TemporaryFolder folder;
  folder.write(".git", "gitdir: elsewhere");
  folder.write("mine/matmul.cu", "");
  const fs::path source = folder.path() / "mine" / ".." / "mine" / "matmul.cu";
  CHECK(repository_paths(lab_in("/nowhere"), at(source)).at(source.string()) == "mine/matmul.cu");
}

TEST_CASE("outside of any repository a file is named alone, and one that lies elsewhere not at all") {
  sandbox::TemporaryFolder folder;
  folder.write("matmul.cu", "");
  const SourcePaths paths = repository_paths(lab_in("/nowhere"), at(folder.path() / "matmul.cu"));
  REQUIRE(paths.size() == 1);
  CHECK(paths.begin()->second == "matmul.cu");
}
