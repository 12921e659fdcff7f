// ladder_bench: times the reference ladders of the labs on the GPU of this machine and writes what it saw.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "device.h"
#include "judge.h"
#include "matmul.h"
#include "results.h"
#include "steps.h"
#include "stream.h"

namespace cudalabs::ladder {
namespace {

struct Ladder {
  std::string lab;
  std::string function;
  std::string symbol;  // mangled
  std::function<int(const std::vector<Step>&, std::size_t)> check_edges;
  std::function<std::vector<SizeResult>(const std::vector<Step>&, bool submissions)> time;
};

const std::vector<Ladder> kLadders = {
    {"lab1", "vector_add_device", "_Z17vector_add_devicePKfS0_Pfi", check_vector_add_edges,
     [](const std::vector<Step>& steps, bool) { return time_vector_add(steps); }},
    {"lab2", "picture_double", "_Z14picture_doublePKfPfii", check_picture_edges,
     [](const std::vector<Step>& steps, bool) { return time_picture(steps); }},
    {"lab3", "matmul", "_Z6matmulPKfS0_Pfiii", check_matmul_edges,
     [](const std::vector<Step>& steps, bool) {
       return time_matmul(steps, {512, 1024, 2048, 4096});
     }},
    {"lab4", "tiled_matmul", "_Z12tiled_matmulPKfS0_Pfiii", check_matmul_edges,
     [](const std::vector<Step>& steps, bool) {
       return time_matmul(steps, {256, 512, 1024, 2048, 3072, 4096, 4095, 8192});
     }},
    {"lab5", "reduce_sum", "_Z10reduce_sumPKfPfi", check_reduction_edges, time_reduction}};

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

nlohmann::ordered_json machine() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "cudaGetDeviceProperties");
  int driver = 0, runtime = 0, blas = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  cublasGetProperty(MAJOR_VERSION, &blas);
  std::string blas_text = std::to_string(blas);
  for (const libraryPropertyType part : {MINOR_VERSION, PATCH_LEVEL}) {
    cublasGetProperty(part, &blas);
    blas_text += "." + std::to_string(blas);
  }
  return {{"device", properties.name},          {"multiprocessors", properties.multiProcessorCount},
          {"l2_bytes", properties.l2CacheSize}, {"cuda_driver", version_text(driver)},
          {"toolkit", version_text(runtime)},   {"cublas", blas_text}};
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

int run(const std::filesystem::path& build, const std::filesystem::path& output, const std::vector<std::string>& labs,
        const std::string& driver, bool submissions, bool edges_only, std::size_t largest_edge) {
  test_the_judge();
  nlohmann::ordered_json all = {{"date", today()}, {"machine", machine()}};
  all["machine"]["driver"] = driver;
  all["timed_rounds"] = kTimedRounds;
  all["warm_up_rounds"] = kWarmUpRounds;
  all["ladders"] = nlohmann::ordered_json::array();
  for (const Ladder& ladder : kLadders) {
    if (!labs.empty() && std::find(labs.begin(), labs.end(), ladder.lab) == labs.end()) continue;
    const std::vector<Step> steps = load_steps(build / ladder.lab, ladder.symbol);
    LadderResult result{ladder.lab, ladder.function, submissions ? 0 : ladder.check_edges(steps, largest_edge), {}};
    if (!edges_only) result.sizes = ladder.time(steps, submissions);
    all["ladders"].push_back(to_json(result));
    std::printf("%s\n", to_markdown(result).c_str());
    std::fflush(stdout);
  }
  if (!output.empty()) {
    std::ofstream file(output);
    file << all.dump(2) << "\n";
    if (!file.flush()) throw std::runtime_error("cannot write " + output.string());
  }
  return 0;
}

}  // namespace
}  // namespace cudalabs::ladder

int main(int argc, char** argv) {
  CLI::App app("Times the reference ladders of the labs.");
  std::filesystem::path build, output;
  std::vector<std::string> labs;
  std::string driver;
  bool submissions = false, edges_only = false;
  std::size_t largest_edge = std::numeric_limits<std::size_t>::max();
  app.add_option("build", build, "folder with a folder of step libraries for each lab")->required();
  app.add_option("--output", output, "JSON file for the results");
  app.add_option("--lab", labs, "only these labs (lab1 to lab5)");
  app.add_option("--driver", driver, "driver version, for the results");
  app.add_flag("--submissions", submissions, "no ladders: no edge sizes are checked, and sums add up in any order");
  app.add_flag("--edges-only", edges_only, "check the edge sizes and time nothing");
  app.add_option("--largest-edge", largest_edge, "leave out edge sizes of more values, as under compute-sanitizer");
  CLI11_PARSE(app, argc, argv);
  try {
    return cudalabs::ladder::run(build, output, labs, driver, submissions, edges_only, largest_edge);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ladder_bench: %s\n", error.what());
    return 1;
  }
}
