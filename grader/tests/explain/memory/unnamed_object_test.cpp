// Objects without a name, and what their destructors ask too early.
#include "explain/memory/unnamed_object.h"

#include "catch.h"
#include "vgpu/check/finding_ids.h"

namespace cudalabs::test {
namespace {

std::uint32_t line_of(const std::string& statement, const std::string& next = "k<<<1, 1>>>();") {
  const auto found = unnamed_object("void f() {\n  int n = 1;\n  " + statement + "\n  " + next + "\n}\n", "Guard", 4);
  return found ? found->line : 0;
}

}  // namespace

TEST_CASE("a statement that makes an object and gives it no name is found") {
  CHECK(line_of("Guard(\"k\");") == 3);
  CHECK(line_of("Guard{};") == 3);
  CHECK(line_of("Guard<int>(n);") == 3);
}

TEST_CASE("objects with names, declarations, and what comes later are none of these") {
  CHECK(line_of("Guard guard(\"k\");") == 0);
  CHECK(line_of("Guard guard{};") == 0);
  CHECK(line_of("const Guard& guard = Guard(\"k\");") == 0);
  CHECK(line_of("use(Guard(\"k\"));") == 0);
  CHECK(line_of("Guard(\"k\").ask();") == 0);
  CHECK(line_of("n = 2;", "Guard(\"k\");") == 0);
  CHECK_FALSE(unnamed_object("void g() {\n  Guard(1);\n}\nvoid f() {\n  k<<<1, 1>>>();\n}\n", "Guard", 5));
}

TEST_CASE("a destructor that asks before the launch is shown by its object") {
  const std::string source =
      "struct Guard {\n  ~Guard() {\n    ask(cudaGetLastError());\n  }\n};\nvoid f() {\n  Guard();\n  k<<<1, "
      "1>>>();\n}\n";
  const auto shown = [&](std::uint32_t asked) {
    MergedFinding finding;
    finding.id = finding_ids::kUncheckedLaunch;
    finding.where = {"k.cu", 8, 3};
    finding.other = OtherPlace{"this asks before the launch, and knows nothing of it", {"k.cu", asked, 0}, {}, {}};
    finding.note = "a launch returns nothing";
    show_unnamed_object(finding, source);
    return finding;
  };
  const MergedFinding guard = shown(3);
  CHECK(guard.other->place.line == 7);
  CHECK(guard.other->label == "this `Guard` has no name: it ends with this statement");
  CHECK(guard.note == "`~Guard` asks in line 3, and so before the launch\na launch returns nothing");
  CHECK(shown(7).other->place.line == 7);
  CHECK(shown(7).note == "a launch returns nothing");
}

}  // namespace cudalabs::test
