// The project's own pages: their links lead somewhere, and the files they name are there.
#include <filesystem>

#include "catch.h"
#include "pages.h"
#include "tree/tree_paths.h"

using namespace cudalabs::test;

namespace {

const std::filesystem::path kRoot = source_path();

}  // namespace

TEST_CASE("every relative link leads to a file, and every anchor to a heading") {
  for (const std::string& each : dead_links(kRoot)) FAIL_CHECK(each);
  CHECK(project_files(kRoot).size() > 1000);
}

TEST_CASE("every file that a page names is there") {
  for (const std::string& each : missing_files(kRoot)) FAIL_CHECK(each);
}
