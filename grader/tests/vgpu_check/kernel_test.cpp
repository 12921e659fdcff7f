// Kernels written in CUDA C++, compiled as submissions are, run on the virtual GPU: every finding stands as a comment
// beside the line it is about, and there are no others.
//
//   // launch: grid 4 4 block 16 16 shared 256 args f32[1024] out[1024] int=64
//   s[t] = x;  // expect: shared-race uninitialized-read(warning)
//
// Arguments: f32[n] and u8[n] are arrays filled by the host, out[n] and outu8[n] are not, zero[n] is cleared.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "catch.h"
#include "tree/tree_paths.h"
#include "vgpu/check/barrier_usage.h"
#include "vgpu/virtual_gpu.h"

using namespace cudalabs;
using namespace cudalabs::vgpu;

namespace {

namespace fs = std::filesystem;

/// Line, id, severity.
using Expected = std::set<std::tuple<std::uint32_t, std::string, std::string>>;

struct Kernel {
  LaunchConfig config;
  std::vector<std::string> arguments;
  Expected expected;
};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

Expected expectations(const std::string& source) {
  Expected expected;
  std::istringstream lines(source);
  std::string line;
  for (std::uint32_t number = 1; std::getline(lines, line); ++number) {
    const auto at = line.find("// expect:");
    if (at == std::string::npos) continue;
    std::istringstream words(line.substr(at + 10));
    for (std::string word; words >> word;) {
      const auto bracket = word.find('(');
      const std::string id = word.substr(0, bracket);
      std::string severity = id == "redundant-barrier" ? "advice" : "error";
      if (bracket != std::string::npos) severity = word.substr(bracket + 1, word.size() - bracket - 2);
      expected.emplace(number, id, severity);
    }
  }
  return expected;
}

Kernel read_kernel(const std::string& source) {
  Kernel kernel;
  kernel.expected = expectations(source);
  const auto at = source.find("// launch:");
  REQUIRE(at != std::string::npos);
  std::istringstream words(source.substr(at + 10, source.find('\n', at) - at - 10));
  std::string section;
  std::size_t dimension = 0;
  for (std::string word; words >> word;) {
    if (word == "grid" || word == "block" || word == "shared" || word == "args") {
      section = word;
      dimension = 0;
    } else if (section == "args") {
      kernel.arguments.push_back(word);
    } else if (section == "shared") {
      kernel.config.dynamic_shared_bytes = static_cast<std::uint32_t>(std::stoul(word));
    } else {
      (section == "grid" ? kernel.config.grid : kernel.config.block)[dimension++] =
          static_cast<std::uint32_t>(std::stoul(word));
    }
  }
  return kernel;
}

/// The eight bytes of an argument; pointers are allocated and filled on the way.
std::uint64_t argument(VirtualGpu& gpu, const std::string& word) {
  if (word.starts_with("int=")) return std::stoul(word.substr(4));
  const auto bracket = word.find('[');
  const std::string kind = word.substr(0, bracket);
  const std::uint64_t count = std::stoul(word.substr(bracket + 1));
  const bool bytes = kind == "u8" || kind == "outu8";
  const DeviceAddress address = gpu.allocate(count * (bytes ? 1 : 4));
  REQUIRE(address != 0);
  if (kind == "zero") REQUIRE(gpu.fill(address, 0, count * 4));
  std::vector<std::byte> content(count * (bytes ? 1 : 4));
  for (std::uint64_t i = 0; i < count; ++i) {
    if (kind == "u8") content[i] = static_cast<std::byte>(i * 7 % 251);
    const auto value = static_cast<float>(i % 17);
    if (kind == "f32") std::memcpy(&content[i * 4], &value, 4);
  }
  if (kind == "u8" || kind == "f32") REQUIRE(gpu.copy_in(address, content));
  return address;
}

std::string name_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::advice:
      return "advice";
  }
  return "?";
}

std::vector<Finding> findings_of(const Kernel& kernel, const std::string& ptx, unsigned workers) {
  VirtualGpuOptions options;
  options.model = device_model("t4");
  options.workers = workers;
  VirtualGpu gpu(options);
  const std::uint32_t module = gpu.load_module(ptx);
  const auto kernels = gpu.kernels(module);
  REQUIRE(kernels.size() == 1);
  REQUIRE(kernels[0].parameters.size() == kernel.arguments.size());
  std::vector<std::byte> parameters;
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    const auto [offset, size] = kernels[0].parameters[i];
    const std::uint64_t value = argument(gpu, kernel.arguments[i]);
    parameters.resize(std::max<std::size_t>(parameters.size(), offset + size));
    std::memcpy(&parameters[offset], &value, size);
  }
  gpu.launch(module, kernels[0].name, kernel.config, parameters);
  auto findings = gpu.findings();
  const auto advice = gpu.barrier_usage().advice();
  findings.insert(findings.end(), advice.begin(), advice.end());
  return findings;
}

}  // namespace

TEST_CASE("kernels get the findings written beside their lines, and no others", "[kernels]") {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(source_path("grader/tests/vgpu_check/kernels")))
    sources.push_back(entry.path());
  std::sort(sources.begin(), sources.end());
  REQUIRE(sources.size() > 30);
  for (const fs::path& path : sources) {
    const std::string name = path.stem().string();
    INFO(name);
    const Kernel kernel = read_kernel(text_of(path));
    const std::string ptx = text_of(build_path("grader/tests/vgpu_check/kernels/" + name + ".ptx"));
    const auto findings = findings_of(kernel, ptx, 1);
    Expected found;
    for (const Finding& f : findings) {
      INFO(f.where.line << " " << f.id << ": " << f.message);
      CHECK(fs::path(f.where.file).filename() == path.filename());
      CHECK(f.kernel == "k");
      CHECK(!f.help.empty());
      found.emplace(f.where.line, f.id, name_of(f.severity));
    }
    std::ostringstream differences;
    for (const auto& [line, id, severity] : kernel.expected) {
      if (!found.contains({line, id, severity})) differences << line << ": missing " << id << " (" << severity << ")\n";
    }
    for (const Finding& f : findings) {
      if (!kernel.expected.contains({f.where.line, f.id, name_of(f.severity)})) {
        differences << f.where.line << ": unexpected " << f.id << " (" << name_of(f.severity) << ") " << f.message
                    << "; " << f.note << (f.other ? "; other line " + std::to_string(f.other->place.line) : "") << "\n";
      }
    }
    CHECK(differences.str().empty());
    if (!differences.str().empty()) FAIL_CHECK(differences.str());
    // More workers than cores, so that blocks interleave.
    CHECK(findings_of(kernel, ptx, 3) == findings);
  }
}

TEST_CASE("findings in shared memory name the array", "[kernels]") {
  const auto notes = [](const std::string& name) {
    const Kernel kernel = read_kernel(text_of(source_path("grader/tests/vgpu_check/kernels/" + name + ".cu")));
    std::string text;
    for (const Finding& f :
         findings_of(kernel, text_of(build_path("grader/tests/vgpu_check/kernels/" + name + ".ptx")), 1)) {
      text += f.note + "\n";
    }
    return text;
  };
  const std::string tiles = notes("tiled_second_barrier_missing");
  CHECK_THAT(tiles, contains_text("at `as[0][0]`") && contains_text("at `bs[0][0]`"));
  CHECK_THAT(notes("dynamic_shared_too_small"),
             contains_text("just past the end of `s`, allocated as 128 bytes: `s[32]` where `s[31]` is the last"));
  const std::string subscripts = notes("subscripts");
  for (const char* element : {"tile[2][3]", "cube[1][0][4]", "s.tile[1][5]", "dynamic[6]", "table[2][7]"})
    CHECK_THAT(subscripts, contains_text(std::string("at `") + element + "`"));
}

TEST_CASE("a barrier that threads have gone past shows where they went", "[kernels]") {
  const auto line_of = [](const std::string& name, const std::string& code) {
    std::istringstream lines(text_of(source_path("grader/tests/vgpu_check/kernels/" + name + ".cu")));
    std::string line;
    for (std::uint32_t number = 1; std::getline(lines, line); ++number) {
      if (line.find(code) != std::string::npos) return number;
    }
    return 0u;
  };
  for (const auto& [name, code, help] : {std::tuple("idle_threads_return_before_barrier", "return;", "`return`"),
                                         std::tuple("sum_barrier_inside_if", "if (t < stride)", "out of the `if`"),
                                         std::tuple("loop_trips_differ", "for (", "as many rounds")}) {
    INFO(name);
    const Kernel kernel =
        read_kernel(text_of(source_path("grader/tests/vgpu_check/kernels/" + std::string(name) + ".cu")));
    const std::string ptx = text_of(build_path("grader/tests/vgpu_check/kernels/" + std::string(name) + ".ptx"));
    const auto findings = findings_of(kernel, ptx, 1);
    const auto found = std::ranges::find(findings, "barrier-divergence", &Finding::id);
    REQUIRE(found != findings.end());
    REQUIRE(found->other);
    CHECK(found->other->place.line == line_of(name, code));
    CHECK_THAT(found->help, contains_text(help));
  }
}

TEST_CASE("a race within one round of a loop is not told to wait, which all threads do already", "[kernels]") {
  const auto help = [](const std::string& name) {
    const Kernel kernel = read_kernel(text_of(source_path("grader/tests/vgpu_check/kernels/" + name + ".cu")));
    const auto findings =
        findings_of(kernel, text_of(build_path("grader/tests/vgpu_check/kernels/" + name + ".ptx")), 1);
    const auto found = std::ranges::find(findings, "shared-race", &Finding::id);
    return found == findings.end() ? std::string() : found->help.words();
  };
  CHECK_THAT(help("sum_every_stride_th"), contains_text("in the same round"));
  // A barrier of the warp is none for the others.
  CHECK_THAT(help("sum_warp_barrier_too_early"), contains_text("`__syncthreads()` between the two accesses of line 9"));
  CHECK_THAT(help("sum_no_barrier_in_loop"), contains_text("`__syncthreads()` between the two accesses of line 8"));
}

TEST_CASE("work that a counter gives out again is told as that, and what all blocks write anyway is not", "[kernels]") {
  const auto race = [](const std::string& name) {
    const Kernel kernel = read_kernel(text_of(source_path("grader/tests/vgpu_check/kernels/" + name + ".cu")));
    const auto findings =
        findings_of(kernel, text_of(build_path("grader/tests/vgpu_check/kernels/" + name + ".ptx")), 1);
    const auto found = std::ranges::find(findings, "global-race", &Finding::id);
    REQUIRE(found != findings.end());
    return *found;
  };
  const Finding twice = race("queue_from_zero");
  CHECK_THAT(twice.message, contains_text("two blocks do the same work"));
  CHECK_THAT(twice.note, contains_text("block (3, 0, 0) drew the number 0, and block (0, 0, 0) began with it\n"));
  CHECK_THAT(twice.help, contains_text("set it to the number of blocks before the launch"));
  REQUIRE(twice.cause);
  CHECK(twice.cause->place.line == 8);
  const Finding alike = race("copied_by_all_blocks");
  CHECK_THAT(alike.message, !contains_text("same work"));
  CHECK_THAT(alike.note, !contains_text("drew"));
  CHECK_FALSE(alike.cause);
}
