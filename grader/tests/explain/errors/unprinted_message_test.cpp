// A message that is made and never printed.
#include "explain/errors/unprinted_message.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_unprinted_message {
namespace {

const std::string kSource = R"(bool went_well(const char* what) {
  const cudaError_t e = cudaGetLastError();
  if (e == cudaSuccess) return true;
  char text[200];
  std::snprintf(text, sizeof text, "%s: %s\n", what, cudaGetErrorString(e));
  return false;
}
void f(int n) {
  k<<<1, n>>>(n);
  went_well("k");
}
)";

/// In the place of the fifth line.
std::optional<UnprintedMessage> made_by(const std::string& line) {
  std::string source = kSource;
  const std::size_t begin = source.find("  std::snprintf"), end = source.find('\n', begin);
  return unprinted_message(source.replace(begin, end - begin, "  " + line), 2);
}

MergedFinding unreported() {
  MergedFinding finding;
  finding.id = finding_ids::kUncheckedLaunch;
  finding.where = {"k.cu", 2, 0};
  finding.message = "`cudaGetLastError` returns the error of a launch here, and the program does not report it";
  finding.failed_call = "cudaGetLastError";
  finding.note = "the launch was made to fail, and the program printed no message";
  finding.help = "as before";
  finding.other = OtherPlace{"the launch that failed", {"k.cu", 9, 0}, {}, {}};
  return finding;
}

MergedFinding shown(MergedFinding finding, const std::string& source = kSource) {
  std::vector<MergedFinding> findings{std::move(finding)};
  show_unprinted_messages(findings, source, "k.cu");
  return findings.front();
}

}  // namespace

TEST_CASE("what makes the words for an error is found") {
  CHECK(unprinted_message(kSource, 2) == UnprintedMessage{{{"cudaGetErrorString"}, 5, 54}, "text"});
  CHECK(made_by("sprintf(text, \"%s\", cudaGetErrorName(e));") ==
        UnprintedMessage{{{"cudaGetErrorName"}, 5, 23}, "text"});
  CHECK(made_by("std::string text = cudaGetErrorString(e);")->text == "cudaGetErrorString(e)");
  CHECK(made_by("std::ostringstream out;\n  out << what << cudaGetErrorString(e);")->call.line == 6);
  CHECK(made_by("cudaGetErrorString(e);")->text == "cudaGetErrorString(e)");
  CHECK(made_by("message += cudaGetErrorString(static_cast<cudaError_t>(status_of_the_launch));")->text.empty());
}

TEST_CASE("a program that prints anything, or has no words for errors, is another matter") {
  for (const char* line :
       {"std::fprintf(stderr, \"%s\", cudaGetErrorString(e));", "printf(\"%s\", cudaGetErrorString(e));",
        "std::cerr << cudaGetErrorString(e);", "std::string t = cudaGetErrorString(e);\n  puts(t.c_str());",
        "std::string t = cudaGetErrorString(e);\n  std::println(t);", "write(2, cudaGetErrorString(e), 5);",
        "std::ofstream(\"log\") << cudaGetErrorString(e);", "perror(cudaGetErrorString(e));", "work(e);",
        "const auto name = &cudaGetErrorString;", "std::string t = cudaGetErrorString(e"}) {
    CAPTURE(line);
    CHECK_FALSE(made_by(line));
  }
}

TEST_CASE("of several the first behind the question in its function counts") {
  const std::string second = kSource + "std::string name(cudaError_t e) {\n  return cudaGetErrorString(e);\n}\n";
  CHECK(unprinted_message(second, 2)->call.line == 5);
  CHECK(unprinted_message(second, 13)->call.line == 13);
  CHECK_FALSE(unprinted_message(second, 10));
  CHECK(unprinted_message(kSource, 10)->call.line == 5);
}

TEST_CASE("an error that is not reported is placed where its words are made") {
  const MergedFinding made = shown(unreported());
  CHECK(made.message == "the words for the error are made here, and the program prints them nowhere");
  CHECK(made.where == SourcePlace{"k.cu", 5, 54});
  REQUIRE(made.other);
  CHECK(made.other->place.line == 2);
  CHECK(made.other->label == "`cudaGetLastError` returns the error of a launch here");
  CHECK(made.note ==
        "the launch that failed is in line 9\nthe launch was made to fail, and the program printed no message");
  CHECK(made.help == "print them to `stderr`, such as by `fprintf(stderr, \"%s\\n\", text)`");
}

TEST_CASE("other findings of launches stay as they are") {
  MergedFinding other = unreported();
  other.message = "this launch failed, and the program said nothing";
  other.failed_call.clear();
  CHECK(shown(other) == other);
  other = unreported();
  other.id = finding_ids::kInvalidLaunch;
  CHECK(shown(other) == other);
  other = unreported();
  other.where.file = "runner.cpp";
  CHECK(shown(other) == other);
  CHECK(shown(unreported(), "#include <iostream>\n" + kSource + "void g() { std::cout << 1; }\n") == unreported());
}

}  // namespace cudalabs::test::of_unprinted_message
