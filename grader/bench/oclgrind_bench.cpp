// Writes a simulation file for oclgrind-kernel into a temporary folder and times the process.
#include "bench/oclgrind_bench.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "bench/process.h"
#include "sandbox/temporary_folder.h"
#include "tree/tree_paths.h"

namespace cudalabs::bench {
namespace {

namespace fs = std::filesystem;

double process_seconds(const fs::path& folder, Product product, int n) {
  const std::string file = fmt::format("product_{}.sim", n);
  const int elements = n * n;
  std::ofstream(folder / file) << fmt::format(
      "{}\n{}\n{} {} 1\n16 16 1\n<size={} float range=1:1:{}>\n<size={} float range=1:1:{}>\n<size={} float noinit>\n"
      "<size=4 int>\n{}\n",
      source_path("grader/bench/kernels.cl"), product == Product::naive ? "naive_product" : "tiled_product", n, n,
      elements * 4, elements, elements * 4, elements, elements * 4, n);
  const ProcessCost cost =
      run_process({"oclgrind-kernel", "--data-races", "--uninitialized", file}, folder.string(), {"LC_ALL=C"});
  if (cost.exit_code != 0) throw std::runtime_error("oclgrind-kernel failed");
  return cost.wall_seconds;
}

bool on_path(const char* program) {
  const char* path = getenv("PATH");
  for (std::string rest = path == nullptr ? "" : path; !rest.empty();) {
    const std::size_t colon = rest.find(':');
    if (fs::exists(fs::path(rest.substr(0, colon)) / program)) return true;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return false;
}

}  // namespace

std::optional<double> oclgrind_seconds(Product product, int n) {
  if (!on_path("oclgrind-kernel")) return std::nullopt;
  const sandbox::TemporaryFolder folder("bench");
  const double small = process_seconds(folder.path(), product, 16);
  return process_seconds(folder.path(), product, n) - small;
}

}  // namespace cudalabs::bench
