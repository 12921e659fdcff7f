// Conditions by what is kept from one call to the next.
#include "explain/kept/kept_guard.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test::of_kept_guard {
namespace {

const std::string kShape =
    "static bool set_shape(Shape now) {\n"
    "  static Shape last = {0, 0};\n"
    "  if (now.width == last.width) return true;\n"
    "  last = now;\n"
    "  return copy(now);\n"
    "}\n";

MergedFinding second_call() {
  MergedFinding finding;
  finding.id = finding_ids::kUnwrittenOutput;
  finding.right_at_first = true;
  finding.where = {"folder/k.cu", 9, 4};
  finding.kernel = "k";
  finding.help = "as before";
  return finding;
}

MergedFinding shown(const MergedFinding& finding, const std::string& source) {
  std::vector<MergedFinding> findings{finding};
  show_kept_guards(findings, source, "k.cu");
  return findings.front();
}

std::uint32_t line_in(const std::string& source) {
  const auto guard = only_kept_guard(source);
  return guard ? guard->line : 0;
}

}  // namespace

TEST_CASE("the condition that returns by a static variable is found") {
  CHECK(only_kept_guard(kShape)->names == std::vector<std::string>{"last"});
  CHECK(line_in(kShape) == 3);
  CHECK(line_in("static size_t capacity;\nvoid f(int n) {\n  if (n <= capacity) { return; }\n}\n") == 3);
  CHECK(line_in(
            "static Arena arena = {nullptr, 0};\nbool f(int n) {\n  if (arena.capacity >= n)\n    return true;\n}\n") ==
        3);
}

TEST_CASE("conditions of another kind are none") {
  CHECK(line_in("static const int last = 0;\nvoid f(int n) {\n  if (n <= last) return;\n}\n") == 0);
  CHECK(line_in("static int last(int n);\nvoid f(int n) {\n  if (n <= last(n)) return;\n}\n") == 0);
  CHECK(line_in("static __device__ int last;\nvoid f(int n) {\n  if (n <= last) return;\n}\n") == 0);
  CHECK(line_in("int last;\nvoid f(int n) {\n  if (n <= 0) return;\n}\n") == 0);
  CHECK(line_in("static int last;\nvoid f(int n) {\n  if (n > last) grow(n);\n}\n") == 0);
  CHECK(line_in("static int last;\n__global__ void f(int n) {\n  if (n > last) return;\n}\n") == 0);
  CHECK(line_in("// static int last;\nvoid f(int n) {\n  if (n > last) return;\n}\n") == 0);
  CHECK(line_in("static bool is_set;\nvoid f(int n) {\n  if (is_set) return;\n}\n") == 0);
  CHECK(line_in(kShape + kShape) == 0);
}

TEST_CASE("what is wrong in the second call leads to the condition") {
  const MergedFinding made = shown(second_call(), kShape);
  CHECK(made.where.line == 3);
  REQUIRE(made.other);
  CHECK(made.other->place.line == 9);
  CHECK_THAT(made.help, contains_text("the condition decides by `last` of the call before"));
  CHECK(made.help.starts_with("compare everything here that this call depends on"));
  CHECK(made.kernel.empty());
  MergedFinding moved = second_call();
  moved.where.line = 2;
  moved.other = OtherPlace{"the second call goes wrong here", {"folder/k.cu", 45, 1}, {}, {}, PlaceRole::second_call};
  CHECK(shown(moved, kShape).where.line == 3);
  CHECK(shown(moved, kShape).other->place.line == 45);
}

TEST_CASE("a size that the condition does not ask for is named") {
  const auto help = [](const std::string& parameters, const std::string& asked) {
    return std::string(shown(second_call(), "static bool set(" + parameters + ") {\n  static size_t last = 0;\n  if (" +
                                                asked + ") return true;\n  return copy();\n}\n")
                           .help);
  };
  CHECK(help("int width, int height", "pixels == last") ==
        "compare `width` and `height` here: the condition decides by `last` of the call before alone that there is "
        "nothing to do");
  CHECK(help("int m, int n", "last == m").starts_with("compare `n` here: "));
  // All are asked for, or what is not is no number.
  CHECK(help("int m, int n", "last == m * n").starts_with("compare everything "));
  CHECK(help("const float* d_a, int n", "last == n").starts_with("compare everything "));
}

TEST_CASE("what is surer, and what is wrong in the first call, stay as they are") {
  MergedFinding finding = second_call();
  finding.help = {Advice::no_static_value, "`n` is set in the first call only, since it is `static`"};
  CHECK(shown(finding, kShape).where.line == 9);
  finding = second_call();
  finding.right_at_first = false;
  CHECK(shown(finding, kShape).where.line == 9);
  finding = second_call();
  finding.where.file = "folder/other.cu";
  CHECK(shown(finding, kShape).help == "as before");
}

}  // namespace cudalabs::test::of_kept_guard
