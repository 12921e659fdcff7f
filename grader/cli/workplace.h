// Where the labs are, and which file of which lab a command line means.
#pragma once

#include <filesystem>
#include <optional>

#include "cli/options.h"
#include "lab/lab.h"

namespace cudalabs {

/// The folder that holds labs/ and, for instructors, solutions/: $CUDALABS_ROOT, or the one this program was built
/// from.
std::filesystem::path project_root();

/// Throws UsageError when there is no such lab (naming the nearest), LabError when its lab.toml is wrong.
Lab load_lab(const std::string& name);

/// A submission as found. Paths are as given, or relative to the current folder: they are what messages show.
struct Submission {
  std::filesystem::path source;   // the file
  std::filesystem::path beneath;  // folder the file must lie in; empty when the file itself was named
  /// Its bytes, read once: what is graded and what is shown stay the same, whatever becomes of the file meanwhile. None
  /// where the file cannot be taken in, which building it explains.
  std::optional<std::string> text = std::nullopt;
};

/// Throws UsageError when there is nothing to grade there.
Submission find_submission(const Target& target, const Lab& lab);

/// Makes the folder that `option` names, unless it is there. Throws UsageError when there can be no such folder.
void make_folder(const std::string& option, const std::filesystem::path& folder);

}  // namespace cudalabs
