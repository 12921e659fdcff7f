// Reports are written whole or not at all.
#include "cli/write_file.h"

#include <sys/stat.h>

#include <iterator>

#include "catch.h"
#include "program.h"

using namespace cudalabs;
using namespace cudalabs::test;

namespace {

std::ptrdiff_t files_in(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
}

}  // namespace

TEST_CASE("a file is made, and replaced") {
  const TemporaryFolder folder;
  const auto path = folder.path() / "report.json";
  write_file(path, "first, which is longer");
  write_file(path, "second");
  CHECK(read_file(path) == "second");
  CHECK(files_in(folder.path()) == 1);
}

TEST_CASE("a report has the rights of any other new file") {
  const TemporaryFolder folder;
  const mode_t before = umask(022);
  write_file(folder.path() / "report.json", "x");
  umask(before);
  CHECK(std::filesystem::status(folder.path() / "report.json").permissions() == std::filesystem::perms(0644));
}

TEST_CASE("where no file can be, none is left") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(write_file(folder.path() / "missing/report.json", "x"), std::runtime_error);
  std::filesystem::create_directory(folder.path() / "report.json");
  CHECK_THROWS_AS(write_file(folder.path() / "report.json", "x"), std::runtime_error);
  CHECK(files_in(folder.path()) == 1);
}
