// Writes a simulation file for oclgrind-kernel into a temporary folder and times the process.
#include "bench/oclgrind_bench.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "bench/process.h"

namespace cudalabs::bench {
namespace {

namespace fs = std::filesystem;

double process_seconds(const fs::path& folder, Product product, int n) {
  const std::string file = fmt::format("product_{}.sim", n);
  const int elements = n * n;
  std::ofstream(folder / file) << fmt::format(
      "{}\n{}\n{} {} 1\n16 16 1\n<size={} float range=1:1:{}>\n<size={} float range=1:1:{}>\n<size={} float noinit>\n"
      "<size=4 int>\n{}\n",
      CUDALABS_BENCH_SOURCES "/kernels.cl", product == Product::naive ? "naive_product" : "tiled_product", n, n,
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
  std::string folder = (fs::temp_directory_path() / "cudalabs-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  const double small = process_seconds(folder, product, 16);
  const double whole = process_seconds(folder, product, n);
  fs::remove_all(folder);
  return whole - small;
}

}  // namespace cudalabs::bench
