// The labs of a class, and what is known of it.
#include "course_cli/class_labs.h"

#include <filesystem>

#include "cli/project.h"
#include "cli/usage_error.h"

namespace cudalabs {

std::vector<Lab> all_labs() {
  std::vector<Lab> labs;
  const std::filesystem::path root = project_root();
  for (const auto& folder : find_labs(root / "labs")) labs.push_back(read_lab(folder, root / "solutions"));
  return labs;
}

void require_rules(const std::filesystem::path& out) {
  try {
    course::read_rules(out, all_labs());
  } catch (const LabError& error) {
    throw UsageError(error.what());
  }
}

course::ClassData class_data(const std::filesystem::path& out, course::Store& store,
                             const std::optional<std::string>& only, std::optional<std::int64_t> last_run) {
  const std::vector<Lab> labs = all_labs();
  try {
    return course::read_class(out, store, labs, only, last_run);
  } catch (const LabError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace cudalabs
