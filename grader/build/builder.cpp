// Takes a submission in, looks it up, or compiles it in a sandbox and says in the student's terms what went wrong.
#include "build/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "build/cache.h"
#include "build/compile_job.h"
#include "build/contract.h"
#include "build/diagnostics.h"
#include "build/digest.h"
#include "build/error_help.h"
#include "build/intake.h"
#include "build/job_inputs.h"
#include "build/own_headers.h"
#include "build/precompiled_headers.h"
#include "build/real_gpu.h"
#include "build/recipe.h"
#include "build/unsupported.h"
#include "sandbox/budget.h"
#include "sandbox/fd.h"
#include "sandbox/own_files.h"
#include "sandbox/sandbox.h"
#include "text/untrusted_text.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using namespace builder;
using sandbox::Fd;

/// Part of every digest: raised when the meaning of a cache entry changes.
constexpr std::string_view kFormat = "3";
constexpr std::size_t kMostErrors = 10;
/// Of these some follow from others, and are left out.
constexpr std::size_t kMostErrorsRead = 40;
constexpr std::size_t kMostDiagnostics = 64u << 10;

/// Everything but the submission and the cached runner object.
Inputs fixed_inputs(const BuildRequest& request) {
  Inputs inputs;
  const sandbox::OwnFiles& own = sandbox::own_files();
  const Program& program = *request.program;
  for (const std::string& name : {program.contract.header, program.contract.runner}) {
    inputs[std::string(kLabFolder) + "/" + name] = contents(program.folder / name);
  }
  add_folder(inputs, own.file("include/harness"), kHarnessHeaders);
  add_folder(inputs, runtime_headers(), kRuntimeHeaders);
  inputs[std::string(kHarnessLibrary)] = contents(own.file("libcudalabs_harness.a"));
  if (request.device == Device::virtual_gpu) {
    inputs[std::string(kClientLibrary)] = contents(own.file("libcudalabs_cudart.a"));
  }
  return inputs;
}

std::string digest_of(const Inputs& inputs, const Recipe& recipe, std::string_view submission) {
  Digest digest;
  digest.add("format", kFormat);
  digest.add("toolchain", recipe.toolchain.version + "\n" + recipe.toolchain.compiler.string());
  digest.add("script", script(recipe));
  digest.add("submission", submission);
  for (const auto& [path, bytes] : inputs) digest.add(path, bytes);
  return digest.finish();
}

Compiled run_script(const Recipe& recipe, Inputs inputs, std::string_view submission, sandbox::Budget* budget) {
  inputs[std::string(kSubmissionFolder) + "/" + recipe.source] = submission;
  CompileJob job;
  job.script = script(recipe);
  job.toolchain = &recipe.toolchain;
  job.inputs = &inputs;
  for (int channel = kProgram; channel < kChannelEnd; ++channel)
    job.channels[channel] = channel == kProgram || channel == kRunnerBuilt ? Keep::all : Keep::beginning;
  job.budget = budget;
  return compile(job);
}

PathNames path_names(const BuildRequest& request) {
  const Program& program = *request.program;
  return {
      {std::string(kSubmissionFolder) + "/" + program.contract.source, request.source.string()},
      {std::string(kLabFolder) + "/" + program.contract.header, (program.folder / program.contract.header).string()},
      {std::string(kLabFolder) + "/" + program.contract.runner, (program.folder / program.contract.runner).string()}};
}

Finding failed(const BuildRequest& request, std::string message, std::string help) {
  Finding finding;
  finding.id = "build-failed";
  finding.message = std::move(message);
  finding.where.file = request.source.string();
  finding.help = std::move(help);
  return finding;
}

/// What the compiler said of a submission that it accepted; `said` has the job's paths. Of the submission's file alone:
/// nobody else can fix another.
void add_warnings(BuildResult& result, const BuildRequest& request, std::string_view said) {
  const PathNames names = path_names(request);
  result.diagnostics = with_own_paths(said, names);
  for (Finding& finding : no_effect_warnings(said, kMostErrors)) {
    finding.where.file = with_own_paths(finding.where.file, names);
    if (finding.where.file == request.source.string()) result.findings.push_back(std::move(finding));
  }
  for (CompilerWarning& warning : telling_warnings(said, kMostErrors)) {
    warning.where.file = with_own_paths(warning.where.file, names);
    if (warning.where.file == request.source.string()) result.warnings.push_back(std::move(warning));
  }
}

/// The compiler did not end by itself.
std::optional<Finding> limit_finding(const BuildRequest& request, const Compiled& built) {
  using sandbox::End;
  if (built.over_budget) {
    const double most = request.budget->limit().cpu_seconds;
    if (request.kind == BuildKind::checked) {
      return failed(request, fmt::format("the compiler did not come to an end within {:.0f} s of processor time", most),
                    "look for a template, a macro or a `constexpr` function that grows without end");
    }
    Finding finding = failed(
        request,
        fmt::format("grading the submission takes more than {:.0f} s of processor time, compiling included", most),
        "look for loops that do far more than the task needs, and for code that is long to compile");
    finding.id = "time-budget";
    return finding;
  }
  // A shell tells a child's signal as 128 and its number.
  constexpr std::string_view kCpuSignal = "152\n", kFileSignal = "153\n", kKilled = "137\n";
  const std::string& step = built.outcome.output;
  const End end = built.outcome.end;
  if (end == End::memory_limit) {
    return failed(request, "the compiler ran out of memory",
                  "look for a template, a macro or an array that grows without end");
  }
  if (end == End::cpu_limit || end == End::wall_limit || step.starts_with(kCpuSignal) || step.starts_with(kKilled)) {
    return failed(request, "the compiler did not come to an end",
                  "look for a template, a `constexpr` function or an `#include` that calls itself without end");
  }
  if (end == End::output_limit || end == End::disk_limit || step.starts_with(kFileSignal) ||
      built.outcome.status == 128 + 25) {
    return failed(request, "what the compiler made of the submission is too large",
                  "look for an array with an initial value that is far too long");
  }
  if (end == End::process_limit || end == End::signaled) {
    return failed(request, "the compiler was stopped", "look for code that makes the compiler fail");
  }
  return std::nullopt;
}

/// Fills in a result that is no success; throws when the grader's own part is at fault.
void explain(BuildResult& result, const BuildRequest& request, const Compiled& built, std::string_view submission) {
  const PathNames names = path_names(request);
  const auto text = [&](Channel channel) {
    return with_own_paths(printable(cut_lines(built[channel], kMostDiagnostics)), names);
  };
  const int status = built.outcome.end == sandbox::End::exited ? built.outcome.status : -1;
  result.diagnostics = text(status == kDeviceFailed ? kDeviceLog : status == kLinkFailed ? kLinkLog : kHostLog);
  if (status == kRunnerFailed) {
    throw std::runtime_error("the lab's own runner does not compile:\n" + text(kRunnerLog));
  }
  if (const auto limit = limit_finding(request, built)) result.findings.push_back(*limit);
  // From text that still has the job's paths: the student's may hold anything, a line's end too.
  std::vector<Finding> found;
  if (status == kHostFailed || status == kDeviceFailed) {
    found = compile_errors(printable(built[status == kHostFailed ? kHostLog : kDeviceLog]), kMostErrorsRead);
    for (Finding& finding : found) {
      explain_unsupported(finding);
      result.breaks_contract = result.breaks_contract || is_about_signature(finding.message);
    }
    const Contract& contract = request.program->contract;
    help_with_errors(found, {submission, std::string(kSubmissionFolder) + "/" + contract.source, contract.header});
    if (found.size() > kMostErrors) found.resize(kMostErrors);
  } else if (status == kLinkFailed) {
    const std::string header = contents(request.program->folder / request.program->contract.header);
    result.breaks_contract = misses_function(request.program->contract, printable(built[kLinkLog]));
    found = explain_link(request.program->contract,
                         {printable(built[kLinkLog]), printable(built[kSymbols]), header, submission});
  }
  for (Finding& finding : found) {
    if (finding.where.known()) {
      finding.where.file = with_own_paths(finding.where.file, names);
    } else {
      finding.where = {request.source.string(), 0, 0};
    }
    finding.message = with_own_paths(finding.message, names);
    finding.note = with_own_paths(finding.note, names);
    result.findings.push_back(std::move(finding));
  }
  if (!result.findings.empty()) return;
  if (status == kHostFailed || status == kDeviceFailed || status == kLinkFailed) {
    result.findings.push_back(failed(request, "the compiler failed", "see the compiler's own words"));
  } else {
    throw std::runtime_error("the build failed in the grader's own part (status " + std::to_string(status) +
                             "): " + printable(built.outcome.output));
  }
}

/// The lab's runner.cpp compiled once for all submissions.
std::string runner_digest(const Inputs& inputs, Recipe recipe) {
  recipe.kind = BuildKind::checked;  // makes no difference to it
  recipe.part = BuildPart::program;
  Inputs own = inputs;
  own.erase(std::string(kHarnessLibrary));
  own.erase(std::string(kClientLibrary));
  return digest_of(own, recipe, "runner object");
}

/// A path to these bytes that is there as long as `result` and its copies, and leaves nothing behind.
fs::path kept_in_memory(BuildResult& result, std::string_view program) {
  result.memory = std::make_shared<const Fd>(sandbox::make_memory_file("runner", sandbox::bytes_of(program)));
  return "/proc/self/fd/" + std::to_string(result.memory->get());
}

}  // namespace

BuildResult build(const BuildRequest& request, const Toolchain& toolchain) {
  const auto start = std::chrono::steady_clock::now();
  BuildResult result;
  const auto finished = [&] {
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
  };
  if (request.device == Device::cuda && toolchain.frontend != Frontend::nvcc) {
    throw std::runtime_error("the cuda device needs nvcc");
  }

  Intake taken = request.text ? Intake{*request.text, std::nullopt} : take_in(request.source, request.beneath);
  if (taken.problem) {
    result.findings.push_back(std::move(*taken.problem));
    return finished();
  }

  Inputs inputs = fixed_inputs(request);
  const bool device_code_only = request.part == BuildPart::device_code;
  if (device_code_only) {
    inputs.erase(std::string(kHarnessLibrary));
    inputs.erase(std::string(kClientLibrary));
  }
  Recipe recipe;
  recipe.toolchain = toolchain;
  recipe.device = request.device;
  recipe.kind = request.kind;
  recipe.part = request.part;
  recipe.source = request.program->contract.source;
  recipe.runner = request.program->contract.runner;
  if (request.device == Device::cuda) recipe.gpu_architecture = real_gpu_architecture();

  const Cache cache = Cache::of_user();
  const std::string digest = digest_of(inputs, recipe, taken.text);
  if (const auto entry = cache.find_whole(digest)) {
    result.ok = true;
    result.cached = true;
    (device_code_only ? result.device_code : result.runner) = *entry / (device_code_only ? "device.ptx" : "runner");
    add_warnings(result, request, contents(*entry / "diagnostics"));
    return finished();
  }

  const std::string runner_entry = runner_digest(inputs, recipe);
  if (const auto entry = device_code_only ? std::nullopt : cache.find_whole(runner_entry)) {
    inputs[std::string(kRunnerObject)] = contents(*entry / "runner.o");
    recipe.runner_given = true;
  }
  if (toolchain.frontend == Frontend::clang) {
    const bool has_own =
        request.own_headers != nullptr && request.own_headers->add(inputs, recipe, taken.text, request.budget);
    recipe.headers_given = has_own || add_precompiled_headers(inputs, recipe, cache);
  }
  const Compiled built = run_script(recipe, std::move(inputs), taken.text, request.budget);
  if (built.outcome.end != sandbox::End::exited || built.outcome.status != kBuilt) {
    explain(result, request, built, taken.text);
    result.over_budget = built.over_budget;
    return finished();
  }
  const std::string diagnostics = printable(cut_lines(built[kHostLog], kMostDiagnostics));
  const auto stored = [&](const std::map<std::string, Cache::File>& files) {
    return request.is_kept ? cache.try_store(digest, files) : std::nullopt;
  };
  if (device_code_only) {
    const auto entry = stored({{"device.ptx", {built[kProgram], false}}, {"diagnostics", {diagnostics, false}}});
    result.ok = true;
    result.device_code = entry ? *entry / "device.ptx" : kept_in_memory(result, built[kProgram]);
    return finished();
  }
  if (!recipe.runner_given) cache.try_store(runner_entry, {{"runner.o", {built[kRunnerBuilt], false}}});
  const auto entry = stored({{"runner", {built[kProgram], true}}, {"diagnostics", {diagnostics, false}}});
  result.ok = true;
  result.runner = entry ? *entry / "runner" : kept_in_memory(result, built[kProgram]);
  add_warnings(result, request, diagnostics);
  return finished();
}

}  // namespace cudalabs
