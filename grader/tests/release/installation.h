// The build's installations, and what must not be in the one for students.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program.h"

namespace cudalabs::test {

/// Runs `words` in `folder` with no environment but PATH, HOME (`home`) and `more`, each NAME=VALUE.
ProgramRun run_bare(const std::vector<std::string>& words, const std::filesystem::path& folder,
                    const std::filesystem::path& home, const std::vector<std::string>& more = {});

/// `cmake --install` of one component, "student" or "instructor"; an empty one: what a plain `cmake --install` takes.
ProgramRun install(const std::string& component, const std::filesystem::path& prefix);

/// Every passage of a solution or of hidden cases, and every path of this build, in the files beneath `root`; each with
/// its file. Also how many files there are.
struct Secrets {
  std::vector<std::string> found;
  std::size_t files = 0;
};
Secrets secrets_in(const std::filesystem::path& root);

/// The same of solutions and paths apart: instructors' files may hold the first and never the second.
Secrets build_paths_in(const std::filesystem::path& root);

}  // namespace cudalabs::test
