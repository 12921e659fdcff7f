// Static variables that are computed from what the first call was given, and such that are not.
#include "explain/kept/first_call_value.h"

#include "catch.h"
#include "tests/check/make.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

/// The name of the variable; empty: there is none.
std::string kept_in(const std::string& source) {
  const auto value = only_first_call_value(source);
  return value ? value->declared.names.front() : "";
}

std::string kept_by(const std::string& body) {
  return kept_in("void vector_add(const float* a, float* c, int n) {\n" + body + "\n}\n");
}

const std::string kBlocks =
    "void vector_add(float* c, int n) {\n"
    "  static const int blocks = (n + 255) / 256;\n"
    "  add<<<blocks, 256>>>(c, n);\n"
    "}\n";

SubmissionRun run_after(std::int64_t first, std::int64_t second) {
  CaseRun run;
  run.test.spec.name = "prime";
  run.test.spec.parameters = {{"n", second}};
  run.before = datasets::Case{};
  run.before->spec.parameters = {{"n", first}};
  SubmissionRun submission_run;
  submission_run.case_runs.push_back(run);
  return submission_run;
}

MergedFinding unwritten() {
  MergedFinding finding;
  finding.id = finding_ids::kUnwrittenOutput;
  finding.where = {"k.cu", 3, 3};
  finding.cases = {"prime"};
  finding.right_at_first = true;
  finding.help = "another help";
  return finding;
}

}  // namespace

TEST_CASE("a static variable that is computed from a parameter is found") {
  CHECK(only_first_call_value(kBlocks) == FirstCallValue{{{"blocks"}, 2, 20}, {}});
  CHECK(kept_by("  static const Shape shape{n, 1};") == "shape");
  CHECK(kept_by("  static dim3 grid((n + 255) / 256);") == "grid");
  CHECK(kept_by("  const int groups = n / 4;\n  if (n == 0) return;\n  static int blocks = groups / 64;") == "blocks");
  CHECK(kept_by("  const Sizes sizes{n, 1};\n"
                "  static const bool sent = good(cudaMemcpyToSymbol(all, &sizes, sizeof sizes));") == "sent");
  CHECK(kept_in("int blocks_for(int count) {\n  static const int blocks = count / 256;\n  return blocks;\n}\n"
                "void vector_add(float* c, int n) {\n  add<<<blocks_for(n), 256>>>(c, n);\n}\n") == "blocks");
}

TEST_CASE("a static variable that may well be kept is not found") {
  CHECK(kept_by("  static const int threads = 256;").empty());
  CHECK(kept_by("  static constexpr int kThreads = 256;\n  const int blocks = n / kThreads;").empty());
  CHECK(kept_by("  const int threads = 256;\n  static const int warps = threads / 32;").empty());
  // It follows the calls, or leads to what may be meant to stay.
  CHECK(kept_by("  static int largest = n;\n  if (n > largest) largest = n;").empty());
  CHECK(kept_by("  static int calls = n;\n  ++calls;").empty());
  CHECK(kept_by("  static int size = n;\n  update(&size, n);").empty());
  CHECK(kept_by("  static float* buffer = allocate(n);").empty());
  CHECK(kept_by("  static const auto round = [](int n) { return n / 256; };").empty());
  // Of no function of the host, and what a function is given that is the same in each call.
  CHECK(kept_in("static int all = n;\nvoid f(int n) {\n}\n").empty());
  CHECK(kept_in("static int up(int n) {\n  return n / 2;\n}\nvoid f(int n) {\n  g(up(n));\n}\n").empty());
  CHECK(kept_in("int cores(int device) {\n  static const int count = ask(device);\n  return count;\n}\n"
                "void f(float* c, int n) {\n  g(cores(0), n);\n}\n")
            .empty());
  // Which of two it is stays open.
  CHECK(kept_by("  static const int rows = n / 2;\n  static const int columns = n / 4;").empty());
}

TEST_CASE("a second call that goes wrong is explained by the value of the first") {
  std::vector<MergedFinding> findings{unwritten()};
  show_first_call_values(findings, kBlocks, "k.cu", run_after(1024, 10007));
  CHECK(findings[0].where == SourcePlace{"k.cu", 2, 20});
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->place.line == 3);
  CHECK(findings[0].help ==
        "`blocks` is computed in the first call only: a `static` variable keeps its value, and this call needs another "
        "one; make it an ordinary variable");
}

TEST_CASE("a function that returns a reference to such a variable must return a copy, too") {
  const auto help_of = [](const std::string& head, const std::string& returned) {
    std::vector<MergedFinding> findings{unwritten()};
    const std::string source = head + " {\n  static const Shape shape = {(n + 255) / 256};\n  return " + returned +
                               ";\n}\nvoid vector_add(float* c, int n) {\n  launch(shape_for(n), c);\n}\n";
    show_first_call_values(findings, source, "k.cu", run_after(1024, 10007));
    CHECK(findings[0].where.line == 2);
    return findings[0].help;
  };
  const std::string_view ordinary = "make it an ordinary variable";
  CHECK(help_of("const Shape& shape_for(int n)", "shape") ==
        "`shape` keeps the value of the first call: drop `static`, and return a copy (line 1: `Shape`, not `const "
        "Shape&`)");
  CHECK(help_of("static Shape const & shape_for(int n)", "shape").ends_with("(line 1: `Shape`, not `Shape const &`)"));
  CHECK(help_of("static const Shape* shape_for(int n)", "&shape").ends_with("(line 1: `Shape`, not `const Shape*`)"));
  CHECK(help_of("const dim3& shape_for(int n)", "shape.grid").ends_with("(line 1: `dim3`, not `const dim3&`)"));
  CHECK(help_of("const very::long_name<of_a_type, with_parameters>& shape_for(int n)", "shape")
            .ends_with("return a copy, and not a reference (line 1)"));
  // A copy is returned, or something else.
  CHECK(help_of("Shape shape_for(int n)", "shape").ends_with(ordinary));
  CHECK(help_of("const Shape& shape_for(int n)", "other").ends_with(ordinary));
  CHECK(help_of("const float* shape_for(int n)", "shape.data").ends_with(ordinary));
}

TEST_CASE("a value of the first call explains nothing else") {
  const auto help_with = [](const MergedFinding& finding, const SubmissionRun& submission_run) {
    std::vector<MergedFinding> findings{finding};
    show_first_call_values(findings, kBlocks, "k.cu", submission_run);
    return findings[0].help;
  };
  MergedFinding finding = unwritten();
  CHECK(help_with(finding, run_after(10007, 10007)) == "another help");
  finding.right_at_first = false;
  CHECK(help_with(finding, run_after(1024, 10007)) == "another help");
  finding = unwritten();
  finding.access.kept = true;
  CHECK(help_with(finding, run_after(1024, 10007)) == "another help");
  finding = unwritten();
  finding.id = finding_ids::kSharedRace;
  CHECK(help_with(finding, run_after(1024, 10007)) == "another help");
  finding = unwritten();
  finding.where.file = "other.cu";
  CHECK(help_with(finding, run_after(1024, 10007)) == "another help");
}

}  // namespace cudalabs::test
