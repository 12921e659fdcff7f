// Runs a program for a test: what it printed, how it ended, and whether anything of it is still there.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sandbox/temporary_folder.h"

namespace cudalabs::test {

struct ProgramRun {
  int exit_code = -1;  // 128 + number for a signal, as a shell has it
  std::string out, err;
  unsigned survivors = 0;  // processes it left behind; they have been killed
};

struct RunOptions {
  std::map<std::string, std::string> environment =
      {};                  // on top of this process's own; an empty value removes a variable
  unsigned seconds = 300;  // then it is killed
  bool interrupt = false;  // press Ctrl-C (SIGINT) as soon as it has a child
};

/// Runs `arguments` ([0]: the program) in `folder`. Every descendant that loses its parent becomes a child of the
/// calling process, which is how survivors are found: the calling process must have no other children.
ProgramRun run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                       const RunOptions& options = {});

using sandbox::TemporaryFolder;

std::string read_file(const std::filesystem::path& path);

}  // namespace cudalabs::test
