// Reports are written whole or not at all.
#include "report/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

TEST_CASE("a link is followed, and stays a link") {
  const TemporaryFolder folder;
  const auto link = folder.path() / "link.json", target = folder.path() / "report.json";
  std::filesystem::create_symlink("report.json", link);
  write_file(link, "new");  // a target that is not there yet
  write_file(link, "newer");
  CHECK(std::filesystem::is_symlink(link));
  CHECK(read_file(target) == "newer");
  CHECK(files_in(folder.path()) == 2);
  const auto loop = folder.path() / "loop";
  std::filesystem::create_symlink("loop", loop);
  CHECK_THROWS_AS(write_file(loop, "x"), std::runtime_error);
}

TEST_CASE("what is no regular file is written to and never replaced") {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  write_file(pipe, "text");
  char text[8] = {};
  CHECK(read(reader, text, sizeof text) == 4);
  close(reader);
  CHECK(std::filesystem::is_fifo(pipe));
  write_file("/dev/null", "x");
  CHECK(std::filesystem::is_character_file("/dev/null"));
  try {
    write_file("/dev/full", "x");
    FAIL("writing to a full device works");
  } catch (const std::runtime_error& error) {
    CHECK_THAT(error.what(), contains_text("/dev/full: No space left"));
  }
  CHECK(std::filesystem::is_character_file("/dev/full"));
}
