// Gradings on a machine that has too much to do, or no room left: the verdict is the same.
#include <algorithm>
#include <thread>

#include "catch.h"
#include "grade_run.h"
#include "tree/tree_paths.h"

using cudalabs::contains_text;
using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

/// What a shell says of `script` in a folder that has `tmp`, for temporary files, with `CUDALABS_GRADE` in $grade.
ProgramRun shell(const fs::path& folder, const std::string& script) {
  const fs::path scratch = folder / "tmp";
  fs::create_directory(scratch);
  return run_program({"/bin/sh", "-c", "grade=" + cudalabs::build_path("grade") + "\n" + script}, folder,
                     {.environment = {{"TMPDIR", scratch.string()}, {"CUDALABS_CACHE", (folder / "cache").string()}}});
}

}  // namespace

TEST_CASE("more gradings than processors get full marks all the same") {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms::others_exec, fs::perm_options::add);
  const unsigned gradings = 2 * std::max(std::thread::hardware_concurrency(), 1u);
  const ProgramRun run = shell(folder.path(), "for i in $(seq " + std::to_string(gradings) +
                                                  "); do $grade lab3 --solution > said.$i & all=\"$all $!\"; done\n"
                                                  "for each in $all; do wait $each || exit $?; done\n");
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(run.survivors == 0);
  CHECK(fs::is_empty(folder.path() / "tmp"));
  for (unsigned i = 1; i <= gradings; ++i)
    CHECK_THAT(read_file(folder.path() / ("said." + std::to_string(i))), contains_text("100 of 100 points"));
}

TEST_CASE("a full disk costs the cache alone") {
  const TemporaryFolder folder;
  const ProgramRun mounts = shell(folder.path(), "unshare --mount mount -t tmpfs none tmp");
  if (mounts.exit_code != 0) {
    WARN("no file system can be mounted here: skipped");
    return;
  }
  // One page is all there is, and another file has it.
  const ProgramRun run = shell(folder.path(),
                               "mkdir cache\n"
                               "exec unshare --mount sh -c 'mount -t tmpfs -o size=4k,mode=0700 none cache; "
                               "echo all > cache/all; exec '$grade' lab1 --solution'\n");
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(run.survivors == 0);
  CHECK_THAT(run.out, contains_text("100 of 100 points"));
}
