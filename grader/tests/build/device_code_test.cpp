// The device code of a submission alone, which runs with another build's host code.
#include <algorithm>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "build/recipe.h"
#include "catch.h"
#include "frontends.h"
#include "small_lab.h"
#include "text/file_text.h"

namespace cudalabs {
namespace {

using builder::has_names_of_one_compilation;
using testing::honest_submission;
using testing::SmallLab;
using testing::with_each_frontend;

/// The PTX that a runner has registered.
std::string device_code_in(const std::string& program) {
  const std::size_t ptx = program.find(".version");
  if (ptx == std::string::npos) return "";
  return program.substr(ptx, program.find('\0', ptx) - ptx);
}

/// Lines of PTX that end a statement, without comments, one space wide.
std::vector<std::string> statements(const std::string& ptx) {
  std::vector<std::string> lines;
  std::istringstream text(ptx);
  for (std::string line; std::getline(text, line);) {
    line = line.substr(0, line.find("//"));
    line = std::regex_replace(std::regex_replace(line, std::regex(R"(\s+)"), " "), std::regex("^ | $"), "");
    if (line.ends_with(';')) lines.push_back(line);
  }
  return lines;
}

TEST_CASE("the device code alone is that of the whole build", "[build]") {
  const SmallLab lab;
  with_each_frontend([&](const Toolchain& toolchain) {
    const BuildResult whole = lab.build(honest_submission(), toolchain, BuildKind::fast);
    const BuildResult alone = lab.build(honest_submission(), toolchain, BuildKind::fast, BuildPart::device_code);
    REQUIRE(whole.ok);
    REQUIRE(alone.ok);
    CHECK(alone.runner.empty());
    CHECK(whole.device_code.empty());
    const auto expected = statements(device_code_in(text_of(whole.runner)));
    CHECK(expected.size() > 10);
    CHECK(statements(text_of(alone.device_code)) == expected);
  });
}

TEST_CASE("names that nvcc makes for one compilation are told", "[build]") {
  const SmallLab lab;
  const std::string text = honest_submission() +
                           "namespace { __global__ void hidden(int* p) { *p = 1; } }\n"
                           "void also(int* p) { hidden<<<1, 1>>>(p); }\n";
  with_each_frontend([&](const Toolchain& toolchain) {
    const BuildResult plain = lab.build(honest_submission(), toolchain, BuildKind::fast, BuildPart::device_code);
    const BuildResult hidden = lab.build(text, toolchain, BuildKind::fast, BuildPart::device_code);
    REQUIRE(plain.ok);
    REQUIRE(hidden.ok);
    CHECK_FALSE(has_names_of_one_compilation(text_of(plain.device_code)));
    CHECK(has_names_of_one_compilation(text_of(hidden.device_code)) == (toolchain.frontend == Frontend::nvcc));
  });
}

/// Widths in bytes of the accesses of memory in `kernel`, loads first, without those of parameters.
std::vector<int> widths_in(const std::string& ptx, const std::string& kernel) {
  const std::size_t begin = ptx.find(".entry " + kernel + "(");
  const std::string text = ptx.substr(std::min(begin, ptx.size()));
  std::vector<int> loads, stores;
  static const std::regex access(R"(^(?:@!?%p\d+ )?(ld|st)(?:\.(?:global|shared))?(?:\.v([24]))?\.[a-z](\d+) .*)");
  for (const std::string& line : statements(text.substr(0, text.find("\n}")))) {
    std::smatch parts;
    if (!std::regex_match(line, parts, access)) continue;
    const int elements = parts[2].matched ? std::stoi(parts[2]) : 1;
    (parts[1] == "ld" ? loads : stores).push_back(elements * std::stoi(parts[3]) / 8);
  }
  loads.insert(loads.end(), stores.begin(), stores.end());
  return loads;
}

TEST_CASE("a structure that is aligned to its size is one access", "[build]") {
  const SmallLab lab;
  const std::string text = honest_submission() + R"(
struct __align__(16) Four { float of[4]; };
struct Loose { float of[4]; };
extern "C" {
__global__ void four(const float4* from, float4* to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void own(const Four* from, Four* to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void two(const float2* from, float2* to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void bytes(const uchar4* from, uchar4* to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void loose(const Loose* from, Loose* to) { to[threadIdx.x] = from[threadIdx.x]; }
}
void launch_them() {
  four<<<1, 1>>>(nullptr, nullptr), own<<<1, 1>>>(nullptr, nullptr), two<<<1, 1>>>(nullptr, nullptr);
  bytes<<<1, 1>>>(nullptr, nullptr), loose<<<1, 1>>>(nullptr, nullptr);
}
)";
  with_each_frontend([&](const Toolchain& toolchain) {
    for (const BuildKind kind : {BuildKind::checked, BuildKind::fast}) {
      // nvcc's code for debuggers has some of them in parts: what it does wrong is seen in the fast build.
      if (toolchain.frontend == Frontend::nvcc && kind == BuildKind::checked) continue;
      const BuildResult built = lab.build(text, toolchain, kind);
      REQUIRE(built.ok);
      const std::string ptx = device_code_in(text_of(built.runner));
      CAPTURE(ptx);
      CHECK(widths_in(ptx, "four") == std::vector{16, 16});
      CHECK(widths_in(ptx, "own") == std::vector{16, 16});
      CHECK(widths_in(ptx, "two") == std::vector{8, 8});
      CHECK(widths_in(ptx, "bytes") == std::vector{4, 4});
      for (const int width : widths_in(ptx, "loose")) CHECK(width <= 4);
    }
  });
}

TEST_CASE("a vector in an array of its elements is one access, too", "[build]") {
  const SmallLab lab;
  const std::string text = honest_submission() + R"(
struct Loose { float of[4]; };
__shared__ float tile[16][65];
extern "C" {
__global__ void read(float4* to, int k) { to[k] = *reinterpret_cast<const float4*>(&tile[k][4 * threadIdx.x]); }
__global__ void kept(float4* to, int k) {
  const float4 own = *reinterpret_cast<const float4*>(&tile[k][4 * threadIdx.x]);
  to[k] = own;
}
__global__ void write(const float2* from, int k) { *reinterpret_cast<float2*>(&tile[k][2 * threadIdx.x]) = from[k]; }
__global__ void loose(Loose* to, int k) {
  alignas(16) Loose own = *reinterpret_cast<const Loose*>(&tile[k][4 * threadIdx.x]);
  to[k] = own;
}
__global__ void bytes(float4* to, int k) {
  float4 own;
  memcpy(&own, &tile[k][threadIdx.x], sizeof(own));
  to[k] = own;
}
}
void launch_them() {
  bytes<<<1, 1>>>(nullptr, 0);
  read<<<1, 1>>>(nullptr, 0), kept<<<1, 1>>>(nullptr, 0), write<<<1, 1>>>(nullptr, 0), loose<<<1, 1>>>(nullptr, 0);
}
)";
  with_each_frontend([&](const Toolchain& toolchain) {
    for (const BuildKind kind : {BuildKind::checked, BuildKind::fast}) {
      if (toolchain.frontend == Frontend::nvcc && kind == BuildKind::checked) continue;
      const BuildResult built = lab.build(text, toolchain, kind);
      REQUIRE(built.ok);
      const std::string ptx = device_code_in(text_of(built.runner));
      CAPTURE(ptx);
      const auto widest = [&](const char* kernel) { return std::ranges::max(widths_in(ptx, kernel)); };
      CHECK(widths_in(ptx, "read") == std::vector{16, 16});
      CHECK(widths_in(ptx, "kept").front() == 16);
      CHECK(widths_in(ptx, "write").back() == 8);
      CHECK(widest("loose") < 16);
      CHECK(widths_in(ptx, "bytes").front() < 16);
    }
  });
}

TEST_CASE("optimised device code that does not compile says where", "[build]") {
  const SmallLab lab;
  with_each_frontend([&](const Toolchain& toolchain) {
    const std::string text =
        honest_submission() + "#ifdef __CUDA_ARCH__\n__device__ int f() { return nonsense; }\n#endif\n";
    const BuildResult built = lab.build(text, toolchain, BuildKind::fast, BuildPart::device_code);
    CHECK_FALSE(built.ok);
    CHECK(built.device_code.empty());
    REQUIRE_FALSE(built.findings.empty());
    CHECK(built.findings[0].message.find("nonsense") != std::string::npos);
    CHECK(built.findings[0].where.line > 0);
  });
}

}  // namespace
}  // namespace cudalabs
