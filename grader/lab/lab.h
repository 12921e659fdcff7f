// A lab as data: what lab.toml says. Knows no lab by name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/dataset.h"
#include "lab/check_data.h"
#include "lab/program_data.h"
#include "lab/speed_test.h"

namespace cudalabs {

/// What a lab says about one way of being wrong that its author knows: which detector finds it, and in what words.
struct Explanation {
  std::string detector;  // a name that detector_of() knows, see check/explanations.h
  std::string what;      // continues "`c` is wrong: "; {name} stands for a number that the detector found
  std::string help;      // what to do about it
};

/// Which shapes are tried besides a lab's cases: those next to the numbers that a submission's own text has. An author
/// cannot foresee where each way of solving the lab changes what it does.
struct BoundaryCases {
  std::vector<std::string> sizes;                  // the parameters that give the shape; empty: none is tried
  std::map<std::string, std::int64_t> parameters;  // the others
  std::vector<std::string> tags;                   // which checks use them
  std::int64_t most_work = 1;                      // largest product of the sizes
  std::int64_t most_of_two = 0;  // the product of first and last size while others are 1; 0: not tried
  std::int64_t most_alone = 0;   // largest size while all others are 1; 0: none is tried alone
  // Of one more case, in which the last launch fails: its largest product of the sizes, and which checks use it. 0:
  // there is none.
  std::int64_t most_failing = 0;
  std::vector<std::string> failing_tags = {};
};

struct Lab : Program {
  std::string id;    // "lab3"
  std::string slug;  // "lab3_naive_matmul": the folder's name
  std::string title;
  std::string task, teaches;              // what the student writes, and what that teaches: a row of README.md's table
  std::string generator;                  // who makes the data: a name that generator_for() knows
  std::filesystem::path solution_folder;  // solutions/lab3_naive_matmul; may not exist (student release)
  std::vector<Check> checks;              // the rubric
  std::vector<SpeedTest> speed;           // one for each check of category speed
  std::vector<Explanation> explanations;  // in the order in which they are tried
  std::vector<datasets::CaseSpec> cases;  // visible cases, then hidden ones when hidden.toml is there
  BoundaryCases boundary_cases;
  std::uint64_t seed = 1;

  double max_points() const;
};

/// Something wrong in a lab.toml: `what()` is "file:line: message", naming the key.
class LabError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads labs/SLUG/lab.toml and, where it exists, solutions/SLUG/hidden.toml. Throws LabError; unknown keys are errors.
Lab read_lab(const std::filesystem::path& lab_folder, const std::filesystem::path& solutions_root);

/// All folders under `labs_root` that hold a lab.toml, sorted by id.
std::vector<std::filesystem::path> find_labs(const std::filesystem::path& labs_root);

/// The folder of `name`: an id ("lab3") or a folder's name, capital letters or not. LabError suggests the nearest name.
std::filesystem::path find_lab(const std::filesystem::path& labs_root, std::string_view name);

}  // namespace cudalabs
