// `vgpu`, installed as `cudalabs-vgpu`: runs CUDA programs on the virtual GPU, lists the GPUs it can pose as.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sanitizer/checks.h"
#include "sanitizer/run_command.h"
#include "vgpu/cudart/server/serve.h"
#include "vgpu/model/device_model.h"

namespace {

using namespace cudalabs::sanitizer;
using cudalabs::vgpu::device_model;
using cudalabs::vgpu::device_model_names;
using cudalabs::vgpu::DeviceModel;
using cudalabs::vgpu::ServeOptions;

constexpr int kFailed = 125;  // as of `env` and `timeout`, whose programs have exit codes of their own

void add_device_options(CLI::App& command, ServeOptions& options) {
  command.add_option("--model", options.model, "GPU to pose as; see `vgpu models`")
      ->check(CLI::IsMember(device_model_names(), CLI::ignore_case))
      ->capture_default_str();
  command.add_flag_callback(
      "--no-counters", [&options] { options.access_counters = false; },
      "leave the counters of memory accesses out of --json: kernels run faster");
  command.add_flag("--record-accesses", options.record_accesses,
                   "put an example of every memory instruction into the report: which lanes access which addresses");
  command.add_option("--seed", options.order_seed,
                     "begin blocks that other blocks may wait for, or race with, in an order chosen by this number, "
                     "and threads that race go on in another one: outputs show what depends on the order "
                     "(default: one fixed order)");
  command.add_option("--sampled-blocks", options.sampled_blocks,
                     "execute about N blocks of every launch and estimate its counters: outputs are then worthless "
                     "(default: all)");
  command.add_option("--output-kib", options.output_kib, "cut what kernels print after this many KiB (default: never)");
  command.add_option("--device-mib", options.device_mib, "device memory in MiB (default: the model's)");
  command
      .add_option("--kernel-seconds", options.kernel_seconds,
                  "stop a kernel for which a worker has computed this long (default: never)")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--instruction-limit", options.instruction_limit,
                     "warp instructions a block may execute (default: no limit)");
  command.add_option("--fail-allocation", options.faults.allocation, "make the N-th allocation fail (default: none)")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--fail-copy", options.faults.copy, "make the N-th copy between host and device fail (default: none)")
      ->check(CLI::PositiveNumber);
  command.add_option("--fail-launch", options.faults.launch, "make the N-th kernel launch fail (default: none)")
      ->check(CLI::PositiveNumber);
  command.add_option("--fail-kernel", options.faults.kernel, "make the N-th kernel fail while it runs (default: none)")
      ->check(CLI::PositiveNumber);
  command.add_option("--workers", options.workers, "threads that execute blocks (default: one per core)");
}

void add_check_options(CLI::App& command, RunCommand& options) {
  std::string about = "what is looked for, names separated by commas, all or none (default: all):";
  for (const CheckName& name : check_names()) {
    about += fmt::format("\n{}", name.name);
    if (!name.compute_sanitizer.empty()) about += fmt::format(" ({})", name.compute_sanitizer);
    about += fmt::format(": {}", name.about);
  }
  command.add_option_function<std::string>(
      "--check",
      [&options](const std::string& list) {
        try {
          options.checks = Checks::parse(list);
        } catch (const std::invalid_argument& error) {
          throw CLI::ValidationError("--check", error.what());
        }
      },
      about);
  command.add_option("--suppress", options.suppressions, "findings that are not reported: a TOML file");
  command.add_option("--write-suppressions", options.write_suppressions,
                     "write a file for --suppress that has all that was found");
  command
      .add_option("--error-exitcode", options.error_exit_code,
                  "exit code where the program ends with 0, and an error was found or something was not checked")
      ->check(CLI::Range(0, 255))
      ->capture_default_str();
}

void add_output_options(CLI::App& command, RunCommand& options) {
  command.add_option("--max-findings", options.most_findings, "findings that are printed; 0: all")
      ->capture_default_str();
  command.add_option("--log", options.log, "print into this file; %p in its name is the number of the process");
  command.add_option("--json", options.json, "write what the virtual GPU saw to this file");
  command.add_option("--sarif", options.sarif, "write the findings to this file, for editors and code scanning");
  command.add_option("--html", options.html, "write a page for a browser to this file");
  const std::map<std::string, Color> colors{
      {"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}};
  command.add_option("--color", options.color, "auto, always or never (default: auto)")
      ->transform(CLI::CheckedTransformer(colors).description(""));
}

void print_models() {
  fmt::print("{:<10} {:<24} {:>10} {:>4} {:>10} {:>12} {:>10}\n", "name", "GPU", "capability", "SMs", "memory",
             "shared/block", "GHz");
  for (const std::string& name : device_model_names()) {
    const DeviceModel model = device_model(name);
    fmt::print("{:<10} {:<24} {:>10} {:>4} {:>6} GiB {:>8} KiB {:>10.2f}\n", name, model.name,
               fmt::format("{}.{}", model.compute_major, model.compute_minor), model.multiprocessors,
               model.global_bytes >> 30, model.shared_bytes_per_block >> 10, model.clock_khz / 1e6);
  }
}

/// The program and its arguments: what is left when the options are read, and all after the first "--", which may stand
/// before the program's name. Throws std::invalid_argument where there is none.
std::vector<std::string> command_of(std::vector<std::string> left, std::span<char*> after) {
  if (!left.empty() && left.front().starts_with('-')) {
    throw std::invalid_argument(
        fmt::format("run: there is no option {}; the options of the program come after its name", left.front()));
  }
  if (!left.empty() && !after.empty()) left.emplace_back("--");
  left.insert(left.end(), after.begin(), after.end());
  if (left.empty()) throw std::invalid_argument("run: no program given");
  return left;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A virtual GPU: executes CUDA programs on the CPU and sees every access and every barrier.");
  app.require_subcommand(1);
  app.set_version_flag("--version", "cudalabs-vgpu " CUDALABS_VERSION);
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  const auto dashes =
      std::ranges::find(arguments, "--", [](const char* argument) { return std::string_view(argument); });
  const std::span<char*> after(dashes == arguments.end() ? dashes : std::next(dashes), arguments.end());

  RunCommand run_command;
  CLI::App& run_app = *app.add_subcommand("run", "run a program that was linked with the shared CUDA runtime");
  add_check_options(run_app, run_command);
  add_output_options(run_app, run_command);
  add_device_options(run_app, run_command.serve);
  run_app.prefix_command();  // everything from the program's name on is the program's
  run_app.footer("usage: cudalabs-vgpu run [OPTIONS] [--] PROGRAM [ARGUMENTS...]");
  CLI::App& models = *app.add_subcommand("models", "list the GPUs it can pose as");

  CLI11_PARSE(app, static_cast<int>(dashes - arguments.begin()), argv);
  try {
    if (models.parsed()) {
      print_models();
      return 0;
    }
    run_command.command = command_of(run_app.remaining(), after);
    return run(run_command);
  } catch (const std::exception& error) {
    fmt::print(stderr, "vgpu: {}\n", error.what());
    return kFailed;
  }
}
