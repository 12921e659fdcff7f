// Random programs on a real GPU and on the reference machine: gpu_differential [FIRST [COUNT [WORKERS [STATEMENTS]]]].
// With 0 statements every program is one form of instruction, which a difference then names.
//
// This is how the reference machine itself is checked. Without a GPU it ends with status 77, which CTest counts as
// skipped.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "cuda_gpu.h"
#include "disagreement.h"
#include "processes.h"

namespace {

using namespace cudalabs::reference;

constexpr int kSkipped = 77;
constexpr unsigned kSecondsEach = 60;

std::vector<std::byte> run_on_gpu(CudaGpu& gpu, const Program& program) {
  const CudaGpu::Module module = gpu.load(program.ptx);
  std::vector<std::byte> output = gpu.run(module, "program", program.launch, program.input, program.output_bytes);
  gpu.unload(module);
  return output;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 0;
  const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 200;
  const std::uint64_t workers = argc > 3 ? std::max(1ull, std::strtoull(argv[3], nullptr, 10)) : 4;
  ProgramOptions options;
  options.statements = static_cast<std::uint32_t>(argc > 4 ? std::strtoul(argv[4], nullptr, 10) : 60);
  options.portable = true;
  if (!CudaGpu::found()) {
    fmt::print("no GPU: skipped\n");
    return kSkipped;
  }
  const auto make_work = [&] {
    return [&, gpu = std::make_shared<CudaGpu>()](std::uint64_t item) {
      const Program program = generate(first + item, options);
      const std::string difference =
          disagreement(program, run_on_reference(program), "reference", run_on_gpu(*gpu, program), "gpu");
      if (!difference.empty()) throw std::runtime_error(difference);
    };
  };
  std::uint64_t different = 0, crashes = 0;
  work_in_processes(count, workers, kSecondsEach, make_work, [&](std::uint64_t item, const std::string& why) {
    // NVIDIA's translator, which runs in the worker, crashes on some programs: ptxas 13.0 does on the same ones.
    const bool crashed = why.starts_with("ended by");
    ++(crashed ? crashes : different);
    const std::string form = all_forms()[(first + item) % portable_forms()].instruction;
    fmt::print("seed {} ({}): {}\n", first + item, form, why);
    std::fflush(stdout);
  });
  fmt::print("{} programs, {} differ, {} crash the driver\n", count, different, crashes);
  return different == 0 ? 0 : 1;
}
