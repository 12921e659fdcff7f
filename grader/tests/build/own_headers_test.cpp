// The headers of one submission, compiled once for many texts of it.
#include "build/own_headers.h"

#include <string>
#include <vector>

#include "catch.h"

namespace cudalabs::builder {
namespace {

using Names = std::vector<std::string>;

TEST_CASE("the includes that a text begins with are found", "[build]") {
  CHECK(leading_includes("// a lab\n#include \"lab.h\"\n\n#include <vector>\n  # include <cstdio>  // printf\nint x;\n"
                         "#include <list>\n") == Names{"vector", "cstdio"});
  CHECK(leading_includes("/* two\n lines */ #include <vector>\r\n").size() == 1);
  CHECK(leading_includes("#include <cuda/std/limits>") == Names{"cuda/std/limits"});
}

TEST_CASE("what may change a header's meaning ends them", "[build]") {
  CHECK(leading_includes("#include <vector>\n#define N 3\n#include <list>\n") == Names{"vector"});
  CHECK(leading_includes("#if 0\n#include <vector>\n#endif\n").empty());
  CHECK(leading_includes("using namespace std;\n#include <vector>\n").empty());
  CHECK(leading_includes("#include VECTOR\n#include <vector>\n").empty());
  CHECK(leading_includes("").empty());
}

TEST_CASE("names that no header of the system has are not given to a compiler", "[build]") {
  CHECK(leading_includes("#include <vector>\n#include <../x>\n").empty());
  CHECK(leading_includes("#include </etc/passwd>\n").empty());
  CHECK(leading_includes("#include <a b>\n").empty());
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "#include <vector>\n";
  CHECK(leading_includes(many).empty());
}

TEST_CASE("headers that are soon read are not worth it", "[build]") {
  CHECK(are_long_to_read({"cstdio", "iostream"}));
  CHECK_FALSE(are_long_to_read({"cstdio", "cuda_runtime.h", "cmath"}));
  CHECK_FALSE(are_long_to_read({}));
}

TEST_CASE("the headers of the first text are compiled once, and serve those with the same", "[build]") {
  const auto toolchain = find_toolchain(Frontend::clang);
  if (!toolchain) return;
  Recipe recipe;
  recipe.toolchain = *toolchain;
  Inputs runtime;
  add_folder(runtime, runtime_headers(), kRuntimeHeaders);
  OwnHeaders headers;

  Inputs first = runtime;
  CHECK_FALSE(headers.add(first, recipe, "#include <cstdio>\n", nullptr));
  CHECK(first == runtime);
  REQUIRE(headers.add(first, recipe, "#include <vector>\nint x;\n", nullptr));
  CHECK(first.size() == runtime.size() + 2);

  // It would fail if it were done again.
  recipe.toolchain.compiler = "/bin/false";
  Inputs second = runtime;
  REQUIRE(headers.add(second, recipe, "#include <vector>\nint y;\n", nullptr));
  CHECK(second == first);
  Inputs others = runtime;
  CHECK_FALSE(headers.add(others, recipe, "#include <vector>\n#include <list>\n", nullptr));
  recipe.kind = BuildKind::fast;
  CHECK_FALSE(headers.add(others, recipe, "#include <vector>\n", nullptr));
  CHECK(others == runtime);
}

TEST_CASE("a text whose headers cannot be compiled is compiled without", "[build]") {
  const auto toolchain = find_toolchain(Frontend::clang);
  if (!toolchain) return;
  Recipe recipe;
  recipe.toolchain = *toolchain;
  Inputs inputs;
  add_folder(inputs, runtime_headers(), kRuntimeHeaders);
  const Inputs before = inputs;
  OwnHeaders headers;
  CHECK_FALSE(headers.add(inputs, recipe, "#include <vector>\n#include <no_such_header>\n", nullptr));
  CHECK(inputs == before);
}

}  // namespace
}  // namespace cudalabs::builder
