// The submissions that a lab's folders hold, each with what grading must make of it.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab.h"
#include "lint/expectation.h"
#include "lint/first.h"

namespace cudalabs::lint {

enum class SampleKind { skeleton, solution, alternative, wrong, ladder, hostile };
std::string_view name_of(SampleKind kind);  // "skeleton"

struct Sample {
  SampleKind kind = SampleKind::skeleton;
  std::filesystem::path file;
  Expectation expected;
  std::optional<Expectation> on_cuda = {};  // where grading on a real GPU must make something else of it
  std::optional<Expectation> by_nvcc = {};  // where nvcc's code on the virtual GPU must
  std::optional<First> first = {};          // of a wrong one: what is to be fixed first
  std::string differs = {};                 // of a wrong one: why it differs in more than its bug; empty: it does not
  std::vector<Expectation> or_else = {};    // of a hostile one: as good, where it depends on the machine which it is
  std::optional<double> most_points = {};   // of a hostile one, whatever else is said
  std::filesystem::path rest = {};          // appended when a step of a ladder is graded; empty: nothing
};

/// The skeleton, the solution, and the .cu files under alternative/, wrong/, hostile/ and ladder/ of the lab's mirror,
/// by name. A step of a ladder may define only the function that it is about; `ladder/rest.h` defines the rest of the
/// contract. Throws LabError where a file under alternative/, wrong/ or hostile/ does not say what it expects,
/// or one under wrong/ not what comes first, or not at which line.
std::vector<Sample> samples_of(const Lab& lab);

/// Leaves of a lab's wrong ones as many as expect every failed check that all of them do, and every finding that is not
/// in `covered`, the first by name; of the others all. Adds their findings to `covered`: what recognises a finding is
/// the same in every lab, while checks are each lab's own.
void keep_representatives(std::vector<Sample>& samples, std::set<std::string>& covered);

/// Leaves of a lab's right ones, but for steps of a ladder, one for each device code: of the others only the host's
/// code differs. One for which nvcc's code gets a verdict of its own stays.
void keep_device_codes(std::vector<Sample>& samples);

/// Leaves of the steps of a lab's ladder the last.
void keep_last_step(std::vector<Sample>& samples);

}  // namespace cudalabs::lint
