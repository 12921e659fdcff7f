// How a front end turns a submission into a runner: one shell script of fixed commands, run in one sandbox. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "build/builder.h"

namespace cudalabs::builder {

/// Places in the job's root. The student's file always has the lab's own name there, whatever it is called outside.
constexpr std::string_view kSubmissionFolder = "submission";
constexpr std::string_view kLabFolder = "lab";
constexpr std::string_view kRuntimeHeaders = "include/cudart";
constexpr std::string_view kHarnessHeaders = "include/harness";
constexpr std::string_view kHostHeaders = "precompiled/host", kDeviceHeaders = "precompiled/device";
constexpr std::string_view kRunnerObject = "link/runner.o";
constexpr std::string_view kHarnessLibrary = "link/libcudalabs_harness.a";
constexpr std::string_view kClientLibrary = "link/libcudalabs_cudart.a";

/// Descriptors the script writes to; memory files, read when it is over. None above 9: dash knows one digit.
enum Channel : int { kProgram = 3, kRunnerBuilt, kHostLog, kDeviceLog, kRunnerLog, kLinkLog, kSymbols, kChannelEnd };
/// Those of the script that precompiles headers, beside kHostLog.
enum PrecompileChannel : int { kPrecompiledHost = kProgram, kPrecompiledDevice = kRunnerBuilt, kIncluded = kSymbols };

/// The script's exit status; its output then starts with a line that holds the raw status of the command that failed.
enum ScriptEnd : int { kBuilt = 0, kHostFailed = 10, kDeviceFailed = 11, kRunnerFailed = 12, kLinkFailed = 13 };

struct Recipe {
  Toolchain toolchain;
  Device device = Device::virtual_gpu;
  BuildKind kind = BuildKind::checked;
  BuildPart part = BuildPart::program;
  std::string source;                         // "matmul.cu"
  std::string runner;                         // "runner.cpp"
  std::string gpu_architecture;               // "90": of the real GPU; unused for the virtual one
  bool runner_given = false;                  // kRunnerObject is there already, from the cache
  bool headers_given = false;                 // likewise kHostHeaders and kDeviceHeaders; clang's
  std::vector<std::string> own_headers = {};  // of the submission's, to be precompiled, too
};

/// POSIX shell text. It refers only to files of the job and to the toolchain.
std::string script(const Recipe& recipe);

/// Likewise, of clang's: compiles the headers that every submission includes, and `own_headers`, for the host and for
/// the device, and lists all that was read. Takes nothing else of a submission, and nothing of a lab.
std::string precompile_script(const Recipe& recipe);

/// One shell command that compiles the device code alone to the file `output`, a place in the job: optimised PTX for
/// comparing, not for running, with source lines. Clang only; of `recipe` it takes the toolchain and the source.
std::string device_code_command(const Recipe& recipe, std::string_view output);

/// What clang is told when it compiles device code for a time, so that loops and calls become what nvcc makes of them.
const std::vector<std::string>& optimisations_as_of_nvcc();

/// Whether PTX has names that a compiler made for this compilation alone, as nvcc does in unnamed namespaces: host code
/// of another one does not know them.
bool has_names_of_one_compilation(std::string_view ptx);

/// What of the toolchain lies outside /usr and has to be shown to the job.
std::vector<std::filesystem::path> toolchain_folders(const Toolchain& toolchain);

/// One shell word.
std::string shell_word(std::string_view word);

}  // namespace cudalabs::builder
