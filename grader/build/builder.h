// From a submission to a runner executable: front end, sandboxed compiler, cache by content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/program_data.h"
#include "vgpu/finding.h"

namespace cudalabs {

class OwnHeaders;
namespace sandbox {
class Budget;
class Fd;
}  // namespace sandbox

enum class Frontend : std::uint8_t { clang, nvcc };
enum class Device : std::uint8_t { virtual_gpu, cuda };
/// checked: device code as the student wrote it, no load hoisted, merged or deleted; fast: -O3 with line tables.
enum class BuildKind : std::uint8_t { checked, fast };
/// device_code: alone, which runs on the virtual GPU in the place of that of a program whose host code is the same.
enum class BuildPart : std::uint8_t { program, device_code };
std::string_view name_of(Frontend frontend);
std::string_view name_of(Device device);

struct BuildRequest {
  const Program* program = nullptr;
  std::filesystem::path source;     // the student's file as given
  std::filesystem::path beneath;    // folder the file must be in, no links below it; empty: its own folder
  std::optional<std::string> text;  // the file's bytes, taken in before; none: it is read now
  Frontend frontend = Frontend::clang;
  Device device = Device::virtual_gpu;
  BuildKind kind = BuildKind::checked;
  BuildPart part = BuildPart::program;
  sandbox::Budget* budget = nullptr;  // of the whole grading; null: none
  bool is_kept = true;                // in the cache; else only in memory
  OwnHeaders* own_headers = nullptr;  // of many texts that differ by little; none: each includes its own
};

/// What the compiler has said of a line that it accepted.
struct CompilerWarning {
  SourcePlace where;
  std::string text;  // without the option that it is called by

  bool operator==(const CompilerWarning&) const = default;
};

struct BuildResult {
  bool ok = false;
  std::filesystem::path runner;           // executable; empty unless ok
  std::filesystem::path device_code;      // PTX, where that is the part asked for, which has no runner
  std::string diagnostics;                // compiler text with the student's own file names and lines; printable UTF-8
  std::vector<Finding> findings;          // "build-failed" with place, when not ok
  std::vector<CompilerWarning> warnings;  // of the submission's file, that often tell a mistake; one a line
  bool breaks_contract = false;           // a finding is about how a function of the contract is declared or defined
  bool over_budget = false;               // it was ended because the grading had used up all that it may
  double seconds = 0;
  bool cached = false;
  std::shared_ptr<const sandbox::Fd> memory;  // what was built, where it is in no cache: its path leads there
};

/// A front end found on this machine.
struct Toolchain {
  Frontend frontend = Frontend::clang;
  std::string version;              // "Debian clang version 14.0.6"
  std::filesystem::path compiler;   // clang++ or nvcc
  std::filesystem::path optimizer;  // LLVM's opt and llc of the same version; empty for nvcc
  std::filesystem::path code_generator;
};

/// The toolchain for `frontend`, or nothing when it is not installed. CUDALABS_CLANG and CUDALABS_NVCC override.
std::optional<Toolchain> find_toolchain(Frontend frontend);

/// Builds the runner for a submission, or its device code, or takes it from the cache. A submission that does not
/// compile is a result, not an exception; throws std::runtime_error only when the grader's own machinery fails.
BuildResult build(const BuildRequest& request, const Toolchain& toolchain);

}  // namespace cudalabs
