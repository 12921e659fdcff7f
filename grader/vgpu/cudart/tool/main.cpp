// `vgpu`: runs CUDA programs on the virtual GPU, serves a client, lists the GPUs it can pose as.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "vgpu/cudart/server/serve.h"
#include "vgpu/cudart/tool/run_program.h"
#include "vgpu/model/device_model.h"

namespace {

using namespace cudalabs::vgpu;

void add_device_options(CLI::App& command, ServeOptions& options) {
  command.add_option("--model", options.model, "GPU to pose as; see `vgpu models`")
      ->check(CLI::IsMember(device_model_names(), CLI::ignore_case))
      ->capture_default_str();
  command.add_flag_callback(
      "--no-checks", [&options] { options.checks = false; }, "count only: no races, barriers or uninitialised reads");
  command.add_flag("--record-accesses", options.record_accesses,
                   "put an example of every memory instruction into the report: which lanes access which addresses");
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
  command.add_option("--fail-launch", options.faults.launch, "make the N-th kernel launch fail (default: none)")
      ->check(CLI::PositiveNumber);
  command.add_option("--workers", options.workers, "threads that execute blocks (default: one per core)");
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

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A virtual GPU: executes CUDA programs on the CPU and sees every access and every barrier.");
  app.require_subcommand(1);

  RunOptions run_options;
  CLI::App& run = *app.add_subcommand("run", "run a program that was linked with the shared CUDA runtime");
  add_device_options(run, run_options.serve);
  run.add_option("--json", run_options.json, "write the report to this file");
  run.prefix_command();  // everything from the program's name on is the program's
  run.footer("usage: vgpu run [OPTIONS] PROGRAM [ARGUMENTS...]");

  ServeOptions serve_options;
  CLI::App& serve_command = *app.add_subcommand("serve", "serve one client on an inherited socket, then report");
  add_device_options(serve_command, serve_options);
  serve_command.add_option("--connection", serve_options.connection, "number of the connected socket")->required();
  serve_command.add_option("--report", serve_options.report, "number of the descriptor for the report")->required();

  serve_command.add_option("--transfers", serve_options.transfers,
                           "number of the descriptor for what is copied between host and device (default: none)");
  serve_command.add_option("--replacements", serve_options.replacements,
                           "number of the descriptor of a file that says what to put in the place of what is copied "
                           "(default: nothing)");

  CLI::App& models = *app.add_subcommand("models", "list the GPUs it can pose as");

  CLI11_PARSE(app, argc, argv);
  try {
    if (models.parsed()) {
      print_models();
      return 0;
    }
    if (serve_command.parsed()) return serve(serve_options);
    run_options.command = run.remaining();
    if (run_options.command.empty()) throw std::invalid_argument("run: no program given");
    return run_program(run_options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "vgpu: {}\n", error.what());
    return 125;
  }
}
