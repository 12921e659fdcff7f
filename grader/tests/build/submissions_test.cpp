// Honest and mistaken submissions under every front end of this machine.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catch.h"
#include "frontends.h"
#include "small_lab.h"

namespace cudalabs {
namespace {

using testing::CacheOf;
using testing::honest_submission;
using testing::SmallLab;
using testing::toolchain_called;
using testing::with_each_frontend;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_CASE("an honest submission becomes a runner, then comes from the cache", "[build]") {
  const SmallLab lab(CacheOf::lab);
  with_each_frontend([&](const Toolchain& toolchain) {
    for (const BuildKind kind : {BuildKind::checked, BuildKind::fast}) {
      const BuildResult built = lab.build(honest_submission(), toolchain, kind);
      CAPTURE(built.diagnostics);
      REQUIRE(built.ok);
      CHECK(built.findings.empty());
      CHECK_FALSE(built.cached);
      CHECK(built.diagnostics.empty());
      REQUIRE(access(built.runner.c_str(), X_OK) == 0);
      const std::string program = text_of(built.runner);
      CHECK(program.find(".version") != std::string::npos);  // the PTX can be read in it
      CHECK(program.find("add_kernel") != std::string::npos);
      CHECK(program.find("INTERP") == std::string::npos);

      const BuildResult again = lab.build(honest_submission(), toolchain, kind);
      CHECK(again.ok);
      CHECK(again.cached);
      CHECK(again.runner == built.runner);
    }
    CHECK_FALSE(lab.build(honest_submission() + "\n", toolchain).cached);
  });
}

/// The C library's, and the C++ library's.
constexpr std::string_view kCHeaders =
    "assert.h ctype.h errno.h float.h inttypes.h limits.h math.h signal.h stdarg.h stdbool.h stddef.h "
    "stdint.h stdio.h stdlib.h string.h strings.h sys/time.h sys/types.h time.h unistd.h wchar.h";
constexpr std::string_view kCppHeaders =
    "algorithm any array atomic bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits "
    "clocale cmath complex condition_variable csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring "
    "ctime cwchar deque exception filesystem forward_list fstream functional future initializer_list iomanip "
    "ios iostream istream iterator limits list locale map memory memory_resource mutex new numeric optional "
    "ostream queue random ratio regex set shared_mutex sstream stack stdexcept streambuf string string_view "
    "system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray "
    "variant vector";

std::string included(std::string_view headers) {
  std::string text;
  std::istringstream words{std::string(headers)};
  for (std::string word; words >> word;) text += "#include <" + word + ">\n";
  return text;
}

TEST_CASE("a submission may include any header of the standard library", "[build]") {
  const SmallLab lab;
  const std::string use = R"(
__global__ void on_the_heap(int* out) {
  void* const one = malloc(4);
  void* const other = std::malloc(8);
  *out = one != nullptr && other != nullptr ? abs(-3) : 0;
  free(one);
  std::free(other);
}
void on_the_heap() { void* const one = calloc(4, 4); free(one); std::free(std::malloc(4)); }
)";
  with_each_frontend([&](const Toolchain& toolchain) {
    for (const std::string& headers : {included(kCHeaders) + included(kCppHeaders), included("stdlib.h")}) {
      const BuildResult built = lab.build(headers + honest_submission() + use, toolchain);
      CAPTURE(built.diagnostics);
      CHECK(built.ok);
    }
  });
}

TEST_CASE("printing needs its header, on both sides", "[build]") {
  const SmallLab lab;
  const std::string kernel = "__global__ void prints() { printf(\"%d\\n\", 1); }\n";
  const std::string host = "void says() { std::printf(\"%d\\n\", 1); std::fprintf(stderr, \"-\"); }\n";
  with_each_frontend([&](const Toolchain& toolchain) {
    for (const std::string& use : {kernel, host}) {
      const BuildResult built = lab.build(honest_submission() + use, toolchain);
      CHECK_FALSE(built.ok);
      CHECK(built.diagnostics.find("printf") != std::string::npos);
      CHECK(lab.build("#include <cstdio>\n" + honest_submission() + use, toolchain).ok);
    }
  });
}

TEST_CASE("a kernel that has the name of a vector type is refused", "[build]") {
  const SmallLab lab;
  with_each_frontend([&](const Toolchain& toolchain) {
    const BuildResult built =
        lab.build(honest_submission() + "__global__ void double4(float* a) { a[0] = 1; }\n", toolchain);
    CHECK_FALSE(built.ok);
    REQUIRE_FALSE(built.findings.empty());
    CHECK(built.findings[0].message.find("double4") != std::string::npos);
  });
}

TEST_CASE("device variables that only the host names or sets are kept as they are", "[build]") {
  const SmallLab lab;
  const std::string text = honest_submission() + R"(
namespace {
__device__ float named_by_the_host[4];
__constant__ float set_by_the_host = 1.0f;
static __device__ int counted_by_the_device;
__global__ void scale(float* values) { values[threadIdx.x] *= set_by_the_host; ++counted_by_the_device; }
}
void also(float factor) {
  void* address = nullptr;
  cudaGetSymbolAddress(&address, named_by_the_host);
  cudaMemcpyToSymbol(set_by_the_host, &factor, sizeof(factor));
  scale<<<1, 4>>>(static_cast<float*>(address));
}
)";
  with_each_frontend([&](const Toolchain& toolchain) {
    for (const BuildKind kind : {BuildKind::checked, BuildKind::fast}) {
      const BuildResult built = lab.build(text, toolchain, kind);
      CAPTURE(built.diagnostics);
      REQUIRE(built.ok);
      const std::string program = text_of(built.runner);
      const std::size_t ptx = program.find(".version");
      REQUIRE(ptx != std::string::npos);
      const std::string device = program.substr(ptx, program.find('\0', ptx) - ptx);
      CHECK(std::regex_search(device, std::regex(R"(\.global \.align 4 \.b8 \w*named_by_the_host\w*\[16\])")));
      CHECK(std::regex_search(device, std::regex(R"(\.const \.align 4 \.f32 \w*set_by_the_host)")));
      CHECK(
          std::regex_search(device, std::regex(R"(ld\.const\.f32\s+%f\d+, \[\w*set_by_the_host|set_by_the_host\w*;)")));
    }
  });
}

TEST_CASE("where nothing can be stored, building works all the same", "[build]") {
  const SmallLab lab;
  const auto toolchain = find_toolchain(Frontend::clang);
  REQUIRE(toolchain);
  const std::string before = std::getenv("CUDALABS_CACHE") ? std::getenv("CUDALABS_CACHE") : "";
  const std::filesystem::path place = lab.folder().write("no-folder", "a file where the cache should be");
  setenv("CUDALABS_CACHE", place.c_str(), 1);
  const BuildResult built = lab.build(honest_submission(), *toolchain);
  if (before.empty()) {
    unsetenv("CUDALABS_CACHE");
  } else {
    setenv("CUDALABS_CACHE", before.c_str(), 1);
  }
  REQUIRE(built.ok);
  CHECK(text_of(built.runner)
            .starts_with("\x7f"
                         "ELF"));
  CHECK(text_of(place) == "a file where the cache should be");
}

TEST_CASE("a damaged entry of the cache is built again", "[build]") {
  const SmallLab lab(CacheOf::lab);
  const auto toolchain = find_toolchain(Frontend::clang);
  REQUIRE(toolchain);
  const BuildResult built = lab.build(honest_submission(), *toolchain);
  REQUIRE(built.ok);
  const std::string program = text_of(built.runner);
  std::filesystem::resize_file(built.runner, program.size() / 2);
  const BuildResult again = lab.build(honest_submission(), *toolchain);
  REQUIRE(again.ok);
  CHECK_FALSE(again.cached);
  CHECK(text_of(again.runner) == program);
}

TEST_CASE("other flags are another cache entry", "[build]") {
  const SmallLab lab(CacheOf::lab);
  const auto toolchain = find_toolchain(Frontend::clang);
  REQUIRE(toolchain);
  const BuildResult checked = lab.build(honest_submission(), *toolchain, BuildKind::checked);
  const BuildResult fast = lab.build(honest_submission(), *toolchain, BuildKind::fast);
  CHECK_FALSE(fast.cached);
  CHECK(checked.runner != fast.runner);
}

TEST_CASE("a changed header or runner is another cache entry", "[build]") {
  const SmallLab lab(CacheOf::lab);
  const auto toolchain = find_toolchain(Frontend::clang);
  REQUIRE(toolchain);
  REQUIRE(lab.build(honest_submission(), *toolchain).ok);
  lab.folder().write("lab/add.h", "#pragma once\n\nvoid add(const float* d_a, const float* d_b, float* d_c, int n);\n");
  CHECK_FALSE(lab.build(honest_submission(), *toolchain).cached);
  lab.folder().write("lab/runner.cpp", text_of(lab.folder().path() / "lab" / "runner.cpp") + "// more\n");
  CHECK_FALSE(lab.build(honest_submission(), *toolchain).cached);
}

TEST_CASE("compile errors come with the student's own path and line", "[build]") {
  const SmallLab lab;
  with_each_frontend([&](const Toolchain& toolchain) {
    const BuildResult built = lab.build(honest_submission() + "void wrong() { nonsense(); }\n", toolchain);
    CHECK_FALSE(built.ok);
    CHECK(built.runner.empty());
    REQUIRE_FALSE(built.findings.empty());
    const Finding& finding = built.findings.front();
    CHECK(finding.id == "build-failed");
    CHECK(finding.where.file == (lab.folder().path() / "student" / "add.cu").string());
    CHECK(finding.where.line == 10);
    CHECK(finding.message.find("nonsense") != std::string::npos);
    CHECK(built.diagnostics.find(finding.where.file) != std::string::npos);
    CHECK(built.diagnostics.find("submission/") == std::string::npos);
  });
}

TEST_CASE("errors in device code are errors", "[build]") {
  const SmallLab lab;
  with_each_frontend([&](const Toolchain& toolchain) {
    const BuildResult built = lab.build(honest_submission() + "__device__ int f() { return nonsense; }\n", toolchain);
    CHECK_FALSE(built.ok);
    REQUIRE_FALSE(built.findings.empty());
    CHECK(built.findings.front().where.line == 10);
  });
}

TEST_CASE("warnings are kept, also by the cache", "[build]") {
  const SmallLab lab;
  with_each_frontend([&](const Toolchain& toolchain) {
    const std::string text = honest_submission() + "static int unused_one() { return 1; }\n";
    const BuildResult built = lab.build(text, toolchain);
    CHECK(built.ok);
    CHECK(built.diagnostics.find("unused_one") != std::string::npos);
    CHECK(built.findings.empty());
    const BuildResult again = lab.build(text, toolchain);
    CHECK(again.cached);
    CHECK(again.diagnostics == built.diagnostics);
  });
}

TEST_CASE("what nvcc only warns of is no error", "[build]") {
  const SmallLab lab;
  const std::string text = honest_submission() + R"(
__global__ void old_kernel(float* out, double value) {
  register int i = threadIdx.x;
  const float pair[2] = {value, 2.0f};
  out[i] = pair[0];
}
char* old_name = "old";
)";
  with_each_frontend([&](const Toolchain& toolchain) {
    const BuildResult built = lab.build(text, toolchain);
    CAPTURE(built.diagnostics);
    CHECK(built.ok);
  });
}

TEST_CASE("the contract's function must be there, as declared", "[build]") {
  const SmallLab lab;
  with_each_frontend([&](const Toolchain& toolchain) {
    const auto first_finding = [&](const std::string& text) {
      const BuildResult built = lab.build(text, toolchain);
      CHECK_FALSE(built.ok);
      REQUIRE_FALSE(built.findings.empty());
      return built.findings.front();
    };
    Finding finding = first_finding("#include \"add.h\"\nvoid ad(int) {}\n");
    CHECK(finding.message == "`add` is not defined");
    CHECK(finding.note.find("void add(const float* d_a, const float* d_b, float* d_c, int n);") != std::string::npos);

    finding = first_finding("#include \"add.h\"\n\nvoid add(float* d_a, const float* d_b, float* d_c, int n) {}\n");
    CHECK(finding.message == "`add` has other parameters than `add.h` declares");
    CHECK(finding.where.file == (lab.folder().path() / "student" / "add.cu").string());
    CHECK(finding.where.line == 3);

    finding = first_finding(
        "static void add(const float*, const float*, float*, int) {}\nvoid (*keep)(const float*, "
        "const float*, float*, int) = add;\n");
    CHECK(finding.message.find("static") != std::string::npos);

    finding = first_finding(honest_submission() + "int main() { return 0; }\n");
    CHECK(finding.message.find("`main`") != std::string::npos);

    finding = first_finding(honest_submission() + "cudaError_t cudaMalloc(void**, size_t) { return cudaSuccess; }\n");
    // nvcc's own headers make it a compile error already.
    if (toolchain.frontend == Frontend::clang) {
      CHECK(finding.message == "`cudaMalloc` is defined by the submission and by the grader");
    }

    finding = first_finding(honest_submission() + "void helper();\nvoid user() { helper(); }\n");
    CHECK(finding.message == "`helper()` is used but not defined");
    CHECK(finding.where.line == 11);
  });
}

TEST_CASE("the header is the lab's own, whatever lies beside the submission", "[build]") {
  const SmallLab lab;
  lab.folder().write("student/add.h", "#error \"a copy beside the submission was read\"\n");
  lab.folder().write("student/helper.h", "inline int helper() { return 1; }\n");
  const auto toolchain = find_toolchain(Frontend::clang);
  REQUIRE(toolchain);
  CHECK(lab.build(honest_submission(), *toolchain).ok);
  const BuildResult built = lab.build("#include \"helper.h\"\n" + honest_submission(), *toolchain);
  CHECK_FALSE(built.ok);
  REQUIRE_FALSE(built.findings.empty());
  CHECK(built.findings.front().message.find("helper.h") != std::string::npos);
}

TEST_CASE("a lab whose own runner is broken is no student's failure", "[build]") {
  const SmallLab lab;
  lab.folder().write("lab/runner.cpp", "this is not C++\n");
  const auto toolchain = find_toolchain(Frontend::clang);
  REQUIRE(toolchain);
  CHECK_THROWS_AS(lab.build(honest_submission(), *toolchain), std::runtime_error);
}

TEST_CASE("the real GPU needs nvcc", "[build]") {
  const SmallLab lab;
  const auto toolchain = find_toolchain(Frontend::clang);
  REQUIRE(toolchain);
  BuildRequest request;
  request.program = &lab.lab();
  request.source = lab.folder().write("student/add.cu", honest_submission());
  request.device = Device::cuda;
  CHECK_THROWS_AS(build(request, *toolchain), std::runtime_error);
}

TEST_CASE("a toolchain that is not one is not found", "[build]") {
  setenv("CUDALABS_CLANG", "/bin/true", 1);
  CHECK_FALSE(find_toolchain(Frontend::clang));
  setenv("CUDALABS_CLANG", "/nothing/here", 1);
  CHECK_FALSE(find_toolchain(Frontend::clang));
  setenv("CUDALABS_CLANG", "clang++-14", 1);
  if (const auto found = find_toolchain(Frontend::clang)) CHECK(found->compiler.filename() == "clang++-14");
  unsetenv("CUDALABS_CLANG");
  setenv("CUDALABS_NVCC", "/bin/true", 1);
  CHECK_FALSE(find_toolchain(Frontend::nvcc));
  unsetenv("CUDALABS_NVCC");
}

}  // namespace
}  // namespace cudalabs
