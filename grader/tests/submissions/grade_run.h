// One run of `grade` in a folder of its own.
#pragma once

#include <string>
#include <vector>

#include "catch.h"
#include "program.h"
#include "tree/tree_paths.h"

namespace cudalabs::test {

/// Checks that nothing is left behind.
struct GradeRun {
  explicit GradeRun(const std::vector<std::string>& arguments, RunOptions options = {}) {
    static const TemporaryFolder cache;
    const std::filesystem::path scratch = folder.path() / "tmp";
    std::filesystem::create_directory(scratch);
    options.environment.insert({{"TMPDIR", scratch.string()}, {"CUDALABS_CACHE", cache.path().string()}});
    std::vector<std::string> line{build_path("grade")};
    line.insert(line.end(), arguments.begin(), arguments.end());
    run = run_program(line, folder.path(), options);
    CHECK(run.survivors == 0);
    CHECK(std::filesystem::is_empty(scratch));
  }

  TemporaryFolder folder;
  ProgramRun run;
};

}  // namespace cudalabs::test
