// A lab as data: what lab.toml says. Knows no lab by name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/dataset.h"

namespace cudalabs {

enum class Category : std::uint8_t { build, correctness, sync, speed, quality };
std::string_view name_of(Category category);

/// One line of the rubric. The Catch2 test case tagged [lab-id][check-id] decides it; it earns all or nothing.
struct Check {
  std::string id;     // "rectangular"
  std::string title;  // the sentence the student reads: "rectangular products are right"
  Category category = Category::correctness;
  double points = 0;
  std::vector<std::string> needs;  // ids of checks that must pass first, else this one is skipped
  std::string help;                // what to read or do when it fails
};

/// What one run of one case may use. Each limit has its own verdict when it is hit.
struct Limits {
  double cpu_seconds = 20;          // host process
  double wall_seconds = 60;         // start to end of one case
  double kernel_seconds = 20;       // one launch on the virtual GPU
  std::uint64_t memory_mib = 1024;  // host process
  std::uint64_t device_mib = 1024;  // virtual GPU memory
  std::uint64_t output_kib = 256;   // stdout and stderr together
  std::uint64_t processes = 32;
  /// A case spends part of its time on one core (host process, sandbox) and part on all of them (kernels), so two
  /// share a machine well; 1 where times are measured.
  std::uint64_t cases_at_a_time = 2;
};

struct Contract {
  std::string header;  // "matmul.h", in the lab's folder
  std::string source;  // "matmul.cu": the file the student edits
  std::string runner = "runner.cpp";
  std::vector<std::string> functions;  // "matmul": must be defined by the submission
};

struct Lab {
  std::string id;    // "lab3"
  std::string slug;  // "lab3_naive_matmul": the folder's name
  std::string title;
  std::filesystem::path folder;           // labs/lab3_naive_matmul
  std::filesystem::path solution_folder;  // solutions/lab3_naive_matmul; may not exist (student release)
  Contract contract;
  std::string device_model = "t4";  // the named GPU the virtual device poses as
  Limits limits;
  std::vector<Check> checks;
  std::vector<datasets::CaseSpec> cases;  // visible cases, then hidden ones when hidden.toml is there
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

/// The folder of `name`: an id ("lab3"), or a folder's name. Throws LabError that suggests the nearest name.
std::filesystem::path find_lab(const std::filesystem::path& labs_root, std::string_view name);

}  // namespace cudalabs
