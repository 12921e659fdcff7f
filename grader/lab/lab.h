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
  double cpu_seconds = 20;     // host process
  double wall_seconds = 60;    // start to end of one case
  double kernel_seconds = 20;  // one launch on the virtual GPU: processor time of each of its workers
  /// Of one block on the virtual GPU, in warp instructions; 0: no limit. Unlike a time it is the same on every machine.
  std::uint64_t kernel_instructions = 0;
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

/// What speed earns on one class of devices: no points up to `none` times the baseline's speed, all of them from `full`
/// on, and on a straight line between the two.
struct SpeedThreshold {
  std::string device;  // a named GPU, "h200", or "any"
  double none = 0, full = 1;
  double honours = 0;  // far beyond what the lab asks, and worth a word; 0: nothing is
  std::string source;  // where the figures come from
};

/// How a lab's function is timed, and against what, for one check.
struct SpeedTest {
  std::string check;  // id of the check it decides, of category speed
  std::map<std::string, std::int64_t> parameters;
  // Sizes for the virtual GPU, which executes a sample of the blocks but holds all of the data. A rate's share of the
  // baseline's work is the same as at the sizes that are measured.
  std::map<std::string, std::int64_t> modelled_parameters, modelled_baseline_parameters;
  bool per_launch = false;  // times launches: a call also copies between host and device
  std::string baseline;     // "copy", "coalesced_product": one of the pinned ones
  std::map<std::string, std::int64_t> baseline_parameters;
  double bytes = 0;       // a call, or a launch, must move so many at least, reading and writing
  double operations = 0;  // and must make so many floating-point operations
  // What the baseline does, where that is other work: then rates are compared. 0: it does the same, and times are.
  double baseline_bytes = 0, baseline_operations = 0;

  /// How much of the baseline's work a call, or a launch, does.
  double share_of_baseline() const;
  std::vector<SpeedThreshold> thresholds;
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
  std::vector<SpeedTest> speed;           // one for each check of category speed
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
