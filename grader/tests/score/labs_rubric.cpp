// Holds the labs' own rubrics against the test cases that are linked into `grade`: prints each fault, exits 1 if any.
#include <cstdio>
#include <exception>

#include "check/catch_session.h"
#include "lab/lab.h"
#include "score/rubric.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s PROJECT_ROOT\n", argv[0]);
    return 2;
  }
  try {
    const std::filesystem::path root = argv[1];
    std::vector<cudalabs::Lab> labs;
    for (const auto& folder : cudalabs::find_labs(root / "labs")) {
      labs.push_back(cudalabs::read_lab(folder, root / "solutions"));
    }
    const auto faults = cudalabs::rubric_faults(labs, cudalabs::registered_tests());
    for (const auto& fault : faults) std::fprintf(stderr, "%s\n", fault.c_str());
    return faults.empty() && !labs.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
