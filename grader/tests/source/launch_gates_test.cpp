// What a program asks before it launches a kernel.
#include "source/launch_gates.h"

#include <string>

#include "catch.h"

namespace cudalabs::test {
namespace {

std::string host(const std::string& body) {
  return "void run(float* d, int n) {\n" + body + "}\n";
}

/// "3: n > 1" of each condition, "!" before those that must not hold; jumps in brackets.
std::string gates_in(const std::string& body) {
  const std::string code = host(body);
  const auto launches = launch_gates_of(code);
  if (launches.size() != 1) return "several";
  std::string text;
  for (const LaunchGate& gate : launches.front().gates) {
    if (gate.jump_line != 0) text += "[" + std::to_string(gate.jump_line) + " ";
    for (const AskedCondition& asked : gate.asked)
      text += std::to_string(asked.line) + (asked.wanted ? ": " : ": !") + asked.text + ";";
    if (gate.jump_line != 0) text += "]";
  }
  return text + (launches.front().clear ? "" : "?");
}

}  // namespace

TEST_CASE("conditions and loops around a launch, and jumps before it, are gates") {
  CHECK(gates_in("  k<<<1, 32>>>(d, n);\n") == "");
  CHECK(gates_in("  if (n > 1) k<<<1, 32>>>(d, n);\n") == "2: n > 1;");
  CHECK(gates_in("  if (n < 2) copy(d);\n  else k<float><<<1, 32>>>(d, n);\n") == "2: !n < 2;");
  CHECK(gates_in("  for (int i = 0; i < n / 2; ++i) k<<<1, 32>>>(d, n);\n") == "2: (0) < n / 2;");
  CHECK(gates_in("  if (n == 0) return;\n  while (n > 1) {\n    k<<<1, 32>>>(d, n);\n    if (bad()) break;\n  }\n") ==
        "[2 2: n == 0;]3: n > 1;");
  CHECK(gates_in("  if (a) {\n    if (b) return;\n  }\n  k<<<1, 32>>>(d, n);\n") == "[3 2: a;3: b;]");
}

TEST_CASE("the kernel of a launch is named without its template's arguments") {
  const std::string code = host("  k<float><<<1, 32>>>(d, n);\n  other<<<1, 32>>>(d, n);\n");
  const auto launches = launch_gates_of(code);
  REQUIRE(launches.size() == 2);
  CHECK(launches[0].kernel == "k");
  CHECK(launches[1].kernel == "other");
  CHECK(launches[1].line == 3);
}

TEST_CASE("jumps elsewhere keep nothing from the launch") {
  CHECK(gates_in("  for (int i = 0; i < 3; ++i) {\n    if (i == n) break;\n  }\n  k<<<1, 32>>>(d, n);\n") == "");
  CHECK(gates_in("  if (n > 1) {\n    k<<<1, 32>>>(d, n);\n  } else {\n    return;\n  }\n") == "2: n > 1;");
  CHECK(gates_in("  if (n == 0) {\n    return;\n  } else {\n    k<<<1, 32>>>(d, n);\n  }\n") == "2: !n == 0;");
}

TEST_CASE("what is not clear is said to be so") {
  CHECK(gates_in("  switch (n) { case 1: return; }\n  k<<<1, 32>>>(d, n);\n") == "?");
  CHECK(gates_in("  auto f = [&] { return 1; };\n  if (n > 1) k<<<1, 32>>>(d, n);\n") == "?");
  CHECK(launch_gates_of(host("#ifdef FAST\n  k<<<1, 32>>>(d, n);\n#endif\n")).empty());
  CHECK(launch_gates_of(host("")).empty());
}

}  // namespace cudalabs::test
