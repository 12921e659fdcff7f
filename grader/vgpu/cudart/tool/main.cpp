// `vgpu`: runs CUDA programs on the virtual GPU, serves clients, lists the GPUs it can pose as.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "vgpu/cudart/server/fork_server.h"
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
  command.add_flag_callback(
      "--no-counters", [&options] { options.access_counters = false; },
      "leave out the counters of memory accesses: kernels run faster");
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

  ForkServerOptions serve_options;
  CLI::App& serve_command =
      *app.add_subcommand("serve", "serve clients, each in a process of its own, as orders on an inherited socket say");
  serve_command.add_option("--orders", serve_options.orders, "number of the socket")->required();
  serve_command.add_option("--filter", serve_options.filter,
                           "number of the descriptor of a system call filter for those processes (default: none)");

  CLI::App& models = *app.add_subcommand("models", "list the GPUs it can pose as");

  CLI11_PARSE(app, argc, argv);
  try {
    if (models.parsed()) {
      print_models();
      return 0;
    }
    if (serve_command.parsed()) return serve_orders(serve_options);
    run_options.command = run.remaining();
    if (run_options.command.empty()) throw std::invalid_argument("run: no program given");
    return run_program(run_options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "vgpu: {}\n", error.what());
    return 125;
  }
}
