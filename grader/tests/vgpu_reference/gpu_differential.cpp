// Random programs on a real GPU and on the reference machine: gpu_differential [FIRST [COUNT [WORKERS [STATEMENTS]]]].
// With 0 statements every program is one form of instruction, which a difference then names.
//
// This is how the reference machine itself is checked. The driver is found when the program starts, so that it builds
// without a CUDA Toolkit; without a GPU it ends with status 77, which CTest counts as skipped. Every worker is a
// process of its own with its own context, because translating PTX is most of the time.
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <stdexcept>

#include "disagreement.h"

namespace {

using namespace cudalabs::reference;

constexpr int kSkipped = 77;

/// The few functions of the CUDA driver API that are needed, with the types of its documentation.
class Driver {
 public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW)) {}

  bool found() const { return library_ != nullptr; }

  template <class... Parameters>
  int status(const char* name, Parameters... parameters) const {
    void* const symbol = dlsym(library_, name);
    if (symbol == nullptr) throw std::runtime_error(fmt::format("the driver has no {}", name));
    return reinterpret_cast<int (*)(Parameters...)>(symbol)(parameters...);
  }
  template <class... Parameters>
  void call(const char* name, Parameters... parameters) const {
    if (const int error = status(name, parameters...))
      throw std::runtime_error(fmt::format("{}: error {}", name, error));
  }

 private:
  void* library_;
};

class Gpu {
 public:
  Gpu() {
    int device = 0;
    driver_.call("cuDeviceGet", &device, 0);
    void* context = nullptr;
    driver_.call("cuDevicePrimaryCtxRetain", &context, device);
    driver_.call("cuCtxSetCurrent", context);
  }

  std::vector<std::byte> run(const Program& program) {
    void* module = nullptr;
    void* function = nullptr;
    driver_.call("cuModuleLoadData", &module, static_cast<const void*>(program.ptx.c_str()));
    driver_.call("cuModuleGetFunction", &function, module, "program");
    std::uint64_t input = 0, output = 0;
    driver_.call("cuMemAlloc_v2", &input, program.input.size());
    driver_.call("cuMemAlloc_v2", &output, static_cast<std::size_t>(program.output_bytes));
    driver_.call("cuMemcpyHtoD_v2", input, static_cast<const void*>(program.input.data()), program.input.size());
    driver_.call("cuMemsetD8_v2", output, static_cast<unsigned char>(0),
                 static_cast<std::size_t>(program.output_bytes));
    void* parameters[] = {&input, &output};
    const auto [gx, gy, gz] = program.launch.grid;
    const auto [bx, by, bz] = program.launch.block;
    driver_.call("cuLaunchKernel", function, gx, gy, gz, bx, by, bz, program.launch.dynamic_shared_bytes,
                 static_cast<void*>(nullptr), static_cast<void**>(parameters), static_cast<void**>(nullptr));
    driver_.call("cuCtxSynchronize");
    std::vector<std::byte> result(program.output_bytes);
    driver_.call("cuMemcpyDtoH_v2", static_cast<void*>(result.data()), output, result.size());
    driver_.call("cuMemFree_v2", input);
    driver_.call("cuMemFree_v2", output);
    driver_.call("cuModuleUnload", module);
    return result;
  }

 private:
  Driver driver_;
};

/// Where a worker is, seen by its parent also when the worker is gone.
struct Progress {
  std::uint64_t seed = 0;  // at work on it
  std::uint64_t different = 0;
};

// The seeds progress.seed, progress.seed + step, ... below end.
void work(Progress& progress, std::uint64_t end, std::uint64_t step, std::uint32_t statements) {
  ProgramOptions options;
  options.statements = statements;
  options.portable = true;
  Gpu gpu;
  for (; progress.seed < end; progress.seed += step) {
    const Program program = generate(progress.seed, options);
    std::string difference;
    try {
      difference = disagreement(program, run_on_reference(program), "reference", gpu.run(program), "gpu");
    } catch (const std::runtime_error& error) {
      difference = error.what();
    }
    if (difference.empty()) continue;
    ++progress.different;
    const std::string form = all_forms()[progress.seed % all_forms().size()].instruction;
    fmt::print("seed {} ({}): {}\n", progress.seed, form, difference);
    std::fflush(stdout);
  }
}

pid_t start(Progress& progress, std::uint64_t end, std::uint64_t step, std::uint32_t statements) {
  const pid_t child = fork();
  if (child != 0) return child;
  try {
    Driver().call("cuInit", 0u);
    work(progress, end, step, statements);
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    ++progress.different;
  }
  std::fflush(stdout);
  _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 200;
  const std::uint64_t workers = argc > 3 ? std::max(1ull, std::strtoull(argv[3], nullptr, 10)) : 4;
  const auto statements = static_cast<std::uint32_t>(argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 60);
  {
    const Driver driver;
    int devices = 0;
    // Asked in a child: a driver that has been used does not survive fork().
    const pid_t probe = fork();
    if (probe == 0) {
      const bool usable = driver.found() && driver.status("cuInit", 0u) == 0 &&
                          driver.status("cuDeviceGetCount", &devices) == 0 && devices > 0;
      _exit(usable ? 0 : kSkipped);
    }
    int status = 0;
    waitpid(probe, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      fmt::print("no GPU: skipped\n");
      return kSkipped;
    }
  }
  void* const shared =
      mmap(nullptr, workers * sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::runtime_error("no shared memory");
  Progress* const progress = static_cast<Progress*>(shared);
  std::map<pid_t, std::uint64_t> worker_of;
  for (std::uint64_t worker = 0; worker < workers; ++worker) {
    progress[worker].seed = first + worker;
    worker_of[start(progress[worker], first + count, workers, statements)] = worker;
  }
  std::uint64_t crashes = 0;
  while (!worker_of.empty()) {
    int status = 0;
    const pid_t child = wait(&status);
    const auto found = worker_of.find(child);
    if (found == worker_of.end()) continue;
    Progress& at = progress[found->second];
    if (WIFSIGNALED(status)) {
      // NVIDIA's translator, which runs in the worker, crashes on some programs: ptxas 13.0 does on the same ones.
      fmt::print("seed {}: the driver crashed\n", at.seed);
      ++crashes;
      at.seed += workers;
      worker_of[start(at, first + count, workers, statements)] = found->second;
    }
    worker_of.erase(found);
  }
  std::uint64_t different = 0;
  for (std::uint64_t worker = 0; worker < workers; ++worker) different += progress[worker].different;
  fmt::print("{} programs, {} differ, {} crash the driver\n", count, different, crashes);
  return different == 0 ? 0 : 1;
}
