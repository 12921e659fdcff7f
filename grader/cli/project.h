// Where the labs are, and which file of which lab a command line means.
#pragma once

#include <filesystem>
#include <optional>

#include "cli/invocation.h"
#include "cli/options.h"
#include "lab/lab.h"

namespace cudalabs {

/// The folder that holds labs/ and, for instructors, solutions/: $CUDALABS_ROOT, else what is installed beside this
/// program, else what it was built from.
std::filesystem::path project_root();

/// Throws UsageError when there is no such lab (naming the nearest), LabError when its lab.toml is wrong.
Lab load_lab(const std::string& name);

/// Where no file is named: the lab's own, or, where `how` is installed, the one of its name in the current folder.
/// Throws UsageError when there is nothing to grade there.
Submission find_submission(const Target& target, const Lab& lab, const Invocation& how = invocation());

/// Makes the folder that `option` names, unless it is there. Throws UsageError when there can be no such folder.
void make_folder(const std::string& option, const std::filesystem::path& folder);

}  // namespace cudalabs
