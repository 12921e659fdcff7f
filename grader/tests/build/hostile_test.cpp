// Submissions that attack the compiler or its machine: a failed build each, no secret in what is said, and an honest
// build right after.
#include <chrono>
#include <string>

#include "catch.h"
#include "sandbox/sandbox.h"
#include "small_lab.h"

namespace cudalabs {
namespace {

using testing::honest_submission;
using testing::SmallLab;

struct Attack {
  const char* name;
  std::string text;
  const char* expected;  // in the first finding's message; empty: any
};

std::string with(const std::string& line) {
  return line + "\n" + honest_submission();
}

/// Without a file system of its own the machine's files are there, but closed.
bool says(const std::string& message, const char* expected) {
  const bool closed = sandbox::probe().tier != sandbox::Tier::bubblewrap;
  return message.find(expected) != std::string::npos ||
         (closed && message.find("Permission denied") != std::string::npos);
}

void expect_failure(const SmallLab& lab, const Toolchain& toolchain, const Attack& attack) {
  CAPTURE(attack.name);
  const BuildResult built = lab.build(attack.text, toolchain);
  CHECK_FALSE(built.ok);
  CHECK(built.diagnostics.size() < (200u << 10));
  REQUIRE_FALSE(built.findings.empty());
  CAPTURE(built.findings.front().message);
  CHECK(built.findings.front().id == "build-failed");
  CHECK(says(built.findings.front().message, attack.expected));
  CHECK(built.findings.size() <= 10);
  CHECK(built.diagnostics.find("root:") == std::string::npos);
  CHECK(built.diagnostics.find("secret") == std::string::npos);
}

TEST_CASE("files of the machine do not get into a build", "[build]") {
  const SmallLab lab;
  const std::string solution = lab.folder().write("solutions/add.cu", "secret solution, secret points\n").string();
  const std::string skeleton = (lab.folder().path() / "lab" / "add.cu").string();
  const auto toolchain = find_toolchain(Frontend::clang);
  REQUIRE(toolchain);
  for (const std::string& path : {std::string("/etc/passwd"), std::string("/etc/shadow"), solution, skeleton}) {
    expect_failure(lab, *toolchain, {"include", with("#include \"" + path + "\""), "file not found"});
    expect_failure(lab, *toolchain, {"digraph", with("%:include \"" + path + "\""), "file not found"});
    expect_failure(lab, *toolchain, {"incbin", with("asm(\".incbin \\\"" + path + "\\\"\");"), ""});
    expect_failure(
        lab, *toolchain,
        {"has_include", with("#if __has_include(\"" + path + "\")\n#else\n#error hidden\n#endif"), "hidden"});
  }
  expect_failure(lab, *toolchain, {"above", with("#include \"../solutions/add.cu\""), "file not found"});
  CHECK(lab.build(honest_submission(), *toolchain).ok);
}

TEST_CASE("what does not come to an end is ended", "[build]") {
  const SmallLab lab;
  const auto toolchain = find_toolchain(Frontend::clang);
  REQUIRE(toolchain);
  expect_failure(lab, *toolchain, {"self include", with("#include __FILE__"), ""});
  expect_failure(lab, *toolchain, {"self include by name", with("#include \"add.cu\""), "nested too deeply"});
  expect_failure(lab, *toolchain, {"standard input", with("#include \"/dev/stdin\"\nint x = nonsense;"), ""});
  expect_failure(lab, *toolchain,
                 {"endless template", with("template <int N> struct T { T<N + 1> next; };\nT<0> t;"), ""});
  expect_failure(
      lab, *toolchain,
      {"endless constexpr", with("constexpr int f() { for (;;) {} return 0; }\nconstexpr int x = f();"), ""});
  std::string macros = "#define X0 x x x x x x x x x x\n";
  for (int i = 1; i < 12; ++i) {
    const std::string below = " X" + std::to_string(i - 1);
    macros += "#define X" + std::to_string(i);
    for (int k = 0; k < 10; ++k) macros += below;
    macros += "\n";
  }
  expect_failure(lab, *toolchain, {"macro bomb", with(macros + "X11"), ""});
  CHECK(lab.build(honest_submission(), *toolchain).ok);
}

TEST_CASE("what is too large is refused", "[build]") {
  const SmallLab lab;
  const auto toolchain = find_toolchain(Frontend::clang);
  REQUIRE(toolchain);
  expect_failure(lab, *toolchain, {"huge data", with("char data[1ull << 31] = {1};"), ""});
  expect_failure(lab, *toolchain, {"huge section", with("asm(\".zero 0x7fffffff\");"), ""});
  std::string errors;
  for (int i = 0; i < 3000; ++i) errors += "int e" + std::to_string(i) + " = nonsense_" + std::string(200, 'x') + ";\n";
  expect_failure(lab, *toolchain, {"many errors", with(errors), "nonsense"});
  CHECK(lab.build(honest_submission(), *toolchain).ok);
}

TEST_CASE("names of submissions are no options", "[build]") {
  const SmallLab lab;
  const auto toolchain = find_toolchain(Frontend::clang);
  REQUIRE(toolchain);
  for (const char* name : {"student/@x.cu", "student/-o.cu", "student/-fplugin=x.cu", "student/a b\n$(touch x)'.cu"}) {
    CAPTURE(name);
    BuildRequest request;
    request.program = &lab.lab();
    request.source = lab.folder().write(name, honest_submission());
    CHECK(build(request, *toolchain).ok);
    request.source = lab.folder().write(name, honest_submission() + "int x = nonsense;\n");
    const BuildResult built = build(request, *toolchain);
    REQUIRE_FALSE(built.findings.empty());
    CHECK(built.findings.front().where.file == request.source.string());
    CHECK(built.findings.front().where.line == 10);
  }
}

TEST_CASE("diagnostics cannot drive a terminal", "[build]") {
  const SmallLab lab;
  const auto toolchain = find_toolchain(Frontend::clang);
  REQUIRE(toolchain);
  const BuildResult built = lab.build(with("#error \x1b[31mred\x1b[0m \xff \xe2\x80\xae"), *toolchain);
  CHECK_FALSE(built.ok);
  CHECK(built.diagnostics.find('\x1b') == std::string::npos);
  REQUIRE_FALSE(built.findings.empty());
  CHECK(built.findings.front().message.find('\x1b') == std::string::npos);
  CHECK(built.findings.front().message.find("red") != std::string::npos);
}

TEST_CASE("nvcc is held to the same limits", "[build]") {
  const auto toolchain = find_toolchain(Frontend::nvcc);
  if (!toolchain) {
    WARN("nvcc is not installed: skipped");
    return;
  }
  const SmallLab lab;
  const std::string solution = lab.folder().write("solutions/add.cu", "secret\n").string();
  expect_failure(lab, *toolchain, {"include", with("#include \"/etc/passwd\""), ""});
  expect_failure(lab, *toolchain, {"solution", with("#include \"" + solution + "\""), ""});
  expect_failure(lab, *toolchain, {"self include", with("#include __FILE__"), ""});
  expect_failure(lab, *toolchain, {"incbin", with("asm(\".incbin \\\"/etc/passwd\\\"\");"), ""});
  CHECK(lab.build(honest_submission(), *toolchain).ok);
}

}  // namespace
}  // namespace cudalabs
