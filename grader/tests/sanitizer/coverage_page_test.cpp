// The page of instructions and calls is what the tables say.
#include "sanitizer/coverage_page.h"

#include <fstream>
#include <sstream>

#include "catch.h"
#include "tree/tree_paths.h"

using namespace cudalabs;

TEST_CASE("the page of instructions and calls is printed from the tables") {
  std::ifstream file(source_path("docs/INSTRUCTIONS_AND_CALLS.md"));
  std::ostringstream text;
  text << file.rdbuf();
  INFO("`make instructions_and_calls` in the build folder writes it");
  CHECK(text.str() == sanitizer::coverage_page());
}

TEST_CASE("the page names what is executed and what is not") {
  const std::string page = sanitizer::coverage_page();
  const std::size_t refused = page.find("### Not executed");
  REQUIRE(refused != std::string::npos);
  CHECK(page.find("`add`,") < refused);
  CHECK(page.find("`wgmma`,") > refused);
  const std::size_t not_offered = page.find("### Not offered");
  REQUIRE(not_offered != std::string::npos);
  CHECK(page.find("`cudaMalloc`,") < not_offered);
  CHECK(page.find("`cudaGraphAddExternalSemaphoresSignalNode`,") > not_offered);
}
