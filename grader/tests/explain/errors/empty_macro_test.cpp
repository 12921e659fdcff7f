// Macros that are to report an error, and do nothing.
#include "explain/errors/empty_macro.h"

#include "catch.h"
#include "tests/replaced.h"

namespace cudalabs::test::of_empty_macro {
namespace {

const std::string kShow =
    "#ifdef VERBOSE\n"
    "#define SHOW(...) fprintf(stderr, __VA_ARGS__)\n"
    "#else\n"
    "#define SHOW(...) ((void)0)\n"
    "#endif\n"
    "void f() {\n"
    "  SHOW(\"begins\\n\");\n"
    "  k<<<1, 32>>>();\n"
    "  cudaError_t status = cudaGetLastError();\n"
    "  if (status != cudaSuccess) {\n"
    "    SHOW(\"failed: %s\\n\", cudaGetErrorString(status));\n"
    "  }\n"
    "}\n";

std::optional<EmptyMacro> macro_in(const std::string& source) {
  return empty_macro_for(source, source.rfind("cudaGetLastError()"));
}

std::optional<EmptyMacro> with(const std::string& before, const std::string& now) {
  return macro_in(replaced(kShow, before, now));
}

}  // namespace

TEST_CASE("a macro that does nothing about an error is found, and where it is defined so") {
  CHECK(macro_in(kShow) == EmptyMacro{"SHOW", "((void)0)", 11, 5, 4});
  CHECK(with("((void)0)", "")->text.empty());
  CHECK(with("((void)0)", "do {} while (0)"));
  CHECK(with("status != cudaSuccess", "cudaSuccess != status"));
  CHECK(with("status != cudaSuccess", "status"));
  CHECK(with("  }\n}", "    return;\n  }\n}"));
  CHECK(with("cudaError_t status = cudaGetLastError();\n  if (status != cudaSuccess) {",
             "if (cudaGetLastError() != cudaSuccess) {"));
}

TEST_CASE("nothing is said where the error may go elsewhere, or the macro does something") {
  CHECK_FALSE(with("((void)0)", "log(__VA_ARGS__)"));
  CHECK_FALSE(with("    SHOW", "    stop();\n    SHOW"));
  CHECK_FALSE(with("    SHOW", "    failed = true;\n    SHOW"));
  CHECK_FALSE(with("    SHOW", "    std::cerr << text;\n    SHOW"));
  CHECK_FALSE(with("status != cudaSuccess", "status == cudaErrorInvalidValue"));
  CHECK_FALSE(with("status != cudaSuccess", "status != cudaSuccess && loud"));
  CHECK_FALSE(with("  if (status", "  if (quiet) return;\n  if (status"));
  CHECK_FALSE(with("  if (status", "  status = cudaSuccess;\n  if (status"));
  CHECK_FALSE(with("#else\n", "#elif QUIET\n#define SHOW(...)\n#else\n"));
}

}  // namespace cudalabs::test::of_empty_macro
