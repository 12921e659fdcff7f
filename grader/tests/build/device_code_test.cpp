// The device code of a submission alone, which runs with another build's host code.
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
    const BuildResult alone = lab.build(honest_submission(), toolchain, BuildKind::fast_device_code);
    REQUIRE(whole.ok);
    REQUIRE(alone.ok);
    CHECK(alone.runner.empty());
    CHECK(whole.device_code.empty());
    const std::string program = text_of(whole.runner);
    const std::size_t ptx = program.find(".version");
    REQUIRE(ptx != std::string::npos);
    const auto expected = statements(program.substr(ptx, program.find('\0', ptx) - ptx));
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
    const BuildResult plain = lab.build(honest_submission(), toolchain, BuildKind::fast_device_code);
    const BuildResult hidden = lab.build(text, toolchain, BuildKind::fast_device_code);
    REQUIRE(plain.ok);
    REQUIRE(hidden.ok);
    CHECK_FALSE(has_names_of_one_compilation(text_of(plain.device_code)));
    CHECK(has_names_of_one_compilation(text_of(hidden.device_code)) == (toolchain.frontend == Frontend::nvcc));
  });
}

TEST_CASE("optimised device code that does not compile says where", "[build]") {
  const SmallLab lab;
  with_each_frontend([&](const Toolchain& toolchain) {
    const std::string text =
        honest_submission() + "#ifdef __CUDA_ARCH__\n__device__ int f() { return nonsense; }\n#endif\n";
    const BuildResult built = lab.build(text, toolchain, BuildKind::fast_device_code);
    CHECK_FALSE(built.ok);
    CHECK(built.device_code.empty());
    REQUIRE_FALSE(built.findings.empty());
    CHECK(built.findings[0].message.find("nonsense") != std::string::npos);
    CHECK(built.findings[0].where.line > 0);
  });
}

}  // namespace
}  // namespace cudalabs
