// `make bench`: the virtual GPU's speed with every check on, beside Oclgrind's in the same run, what an instruction of
// each class costs, launches and memory, and what a whole `grade lab3` costs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "bench/instruction_bench.h"
#include "bench/kernel_bench.h"
#include "bench/launch_bench.h"
#include "bench/memory_bench.h"
#include "bench/oclgrind_bench.h"
#include "bench/process.h"
#include "bench/table.h"
#include "sandbox/temporary_folder.h"
#include "tree/tree_paths.h"

namespace cudalabs::bench {
namespace {

constexpr int kLaunches = 5;

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> row(const std::string& name, const std::string& limit, const KernelTime& plain,
                             const KernelTime& checked) {
  const double per_instruction =
      checked.instructions == 0 ? 0 : checked.seconds * 1e9 / static_cast<double>(checked.instructions);
  return {name,
          fmt::format("{:.3f}", plain.seconds),
          fmt::format("{:.3f}", checked.seconds),
          limit,
          fmt::format("{:.2f}", checked.seconds / plain.seconds),
          fmt::format("{:.1f}", static_cast<double>(checked.instructions) / 1e6),
          fmt::format("{:.2f}", per_instruction)};
}

void kernels(const std::string& ptx) {
  std::vector<std::vector<std::string>> rows;
  rows.push_back(row("naive product 512^3", "1.0", time_product(ptx, Product::naive, 512, false, kLaunches),
                     time_product(ptx, Product::naive, 512, true, kLaunches)));
  rows.push_back(row("tiled product 512^3", "1.0", time_product(ptx, Product::tiled, 512, false, kLaunches),
                     time_product(ptx, Product::tiled, 512, true, kLaunches)));
  rows.push_back(
      row("block reduction 2^22", "0.6", time_reduction(ptx, false, kLaunches), time_reduction(ptx, true, kLaunches)));
  rows.push_back(
      row("histogram 2^20", "", time_histogram(ptx, false, kLaunches), time_histogram(ptx, true, kLaunches)));
  rows.push_back(
      row("merge sort 2^18", "", time_merge_sort(ptx, false, kLaunches), time_merge_sort(ptx, true, kLaunches)));
  print_table(fmt::format("Kernel seconds, checked build of clang, {} cores, median of {} launches",
                          std::thread::hardware_concurrency(), kLaunches),
              {"kernel", "no checks", "every check", "at most", "ratio", "M warp instr.", "ns a warp instr."}, rows);
}

void oclgrind(const std::string& ptx) {
  std::vector<std::vector<std::string>> rows;
  for (const Product product : {Product::naive, Product::tiled}) {
    const std::optional<double> theirs = oclgrind_seconds(product, 128);
    if (!theirs) {
      fmt::print("\nOclgrind is not installed (package oclgrind): no comparison.\n");
      return;
    }
    const KernelTime ours = time_product(ptx, product, 128, true, kLaunches);
    rows.push_back({product == Product::naive ? "naive product 128^3" : "tiled product 128^3",
                    fmt::format("{:.4f}", ours.seconds), fmt::format("{:.2f}", *theirs),
                    fmt::format("{:.0f}x", *theirs / ours.seconds), "100x"});
  }
  print_table("Beside Oclgrind with --data-races --uninitialized, same machine, same run",
              {"kernel", "every check, s", "Oclgrind, s", "faster by", "at least"}, rows);
}

void instructions() {
  std::vector<std::vector<std::string>> rows;
  for (const ClassTime& each : time_instruction_classes()) {
    rows.push_back(
        {each.name, fmt::format("{:.1f}", each.plain_nanoseconds), fmt::format("{:.1f}", each.checked_nanoseconds)});
  }
  print_table("Nanoseconds a warp instruction (32 lanes), one core", {"class", "no checks", "every check"}, rows);
}

void launches() {
  std::vector<std::vector<std::string>> rows;
  for (const int kernels : {1, 300}) {
    const LaunchTime time = time_small_launches(kernels);
    rows.push_back({fmt::format("{}", kernels), fmt::format("{:.1f}", time.plain_microseconds),
                    fmt::format("{:.1f}", time.checked_microseconds)});
  }
  print_table("Microseconds a launch of one block of 64 threads, 2,000 launches, kernels of a module in turn",
              {"kernels in the module", "no checks", "every check"}, rows);
}

void memory() {
  std::vector<std::vector<std::string>> rows;
  for (const MemoryTime& each : time_memory()) rows.push_back({each.name, fmt::format("{:.2f}", each.milliseconds)});
  print_table("Device memory", {"call", "ms"}, rows);
}

void grading() {
  const sandbox::TemporaryFolder cache("bench-cache");
  const auto grade = [&] {
    const ProcessCost cost = run_process({cudalabs::build_path("grade"), "lab3", "--solution"}, cudalabs::build_path(),
                                         {"XDG_CACHE_HOME=" + cache.path().string()});
    if (cost.exit_code != 0) throw std::runtime_error("grading the solution of lab3 did not give full marks");
    return cost;
  };
  const ProcessCost cold = grade();
  std::vector<double> warm;
  std::uint64_t peak = cold.peak_bytes;
  for (int run = 0; run < kLaunches; ++run) {
    const ProcessCost cost = grade();
    warm.push_back(cost.wall_seconds);
    peak = std::max(peak, cost.peak_bytes);
  }
  print_table("grade lab3 --solution, start to finish", {"what", "seconds or MiB", "at most"},
              {{"nothing cached", fmt::format("{:.2f}", cold.wall_seconds), "3"},
               {"nothing changed", fmt::format("{:.2f}", median(warm)), "1.5"},
               {"peak memory of all its processes, MiB", fmt::format("{:.0f}", static_cast<double>(peak) / (1 << 20)),
                "1024"}});
}

}  // namespace
}  // namespace cudalabs::bench

int main(int argc, char** argv) {
  using namespace cudalabs::bench;
  const std::vector<std::string> asked(argv + 1, argv + argc);
  const std::vector<std::string> tables{"kernels", "oclgrind", "instructions", "launches", "memory", "grading"};
  for (const std::string& name : asked) {
    if (std::ranges::find(tables, name) != tables.end()) continue;
    fmt::print(stderr, "usage: vgpu_bench [TABLE...]\nprints these tables, or all: {}\n", fmt::join(tables, " "));
    return 2;
  }
  const auto wanted = [&](const char* name) { return asked.empty() || std::ranges::find(asked, name) != asked.end(); };
  try {
    const std::string ptx = read_text(cudalabs::build_path("grader/bench/kernels.checked.ptx"));
    if (wanted("kernels")) kernels(ptx);
    if (wanted("oclgrind")) oclgrind(ptx);
    if (wanted("instructions")) instructions();
    if (wanted("launches")) launches();
    if (wanted("memory")) memory();
    if (wanted("grading")) grading();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 1;
  }
}
