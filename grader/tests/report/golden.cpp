// Holds what a renderer wrote against a file in golden/.
#include "golden.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.h"
#include "tree/tree_paths.h"

namespace cudalabs::test {

void check_golden(const std::string& file, const std::string& rendered) {
  const std::filesystem::path path = std::filesystem::path(source_path(CUDALABS_GOLDEN)) / file;
  INFO("golden file " << file);
  if (std::getenv("CUDALABS_WRITE_GOLDEN") != nullptr) {
    std::ofstream(path) << rendered;
    FAIL_CHECK("wrote " << path);
  }
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  CHECK(rendered == text.str());
}

}  // namespace cudalabs::test
