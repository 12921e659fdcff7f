#include "cli/file_watch.h"

#include <poll.h>

#include <system_error>

#include "catch.h"
#include "program.h"

using cudalabs::FileWatch;
using cudalabs::test::TemporaryFolder;

namespace {

bool heard(const FileWatch& watch) {
  pollfd event{watch.descriptor(), POLLIN, 0};
  return poll(&event, 1, 0) == 1;
}

}  // namespace

TEST_CASE("a save is seen once, whether the file is written or replaced") {
  const TemporaryFolder folder;
  const auto file = folder.write("a.cu", "1");
  FileWatch watch(file);
  CHECK_FALSE(heard(watch));
  CHECK_FALSE(watch.saved());
  folder.write("a.cu", "2");
  CHECK(heard(watch));
  CHECK(watch.saved());
  CHECK_FALSE(watch.saved());
  folder.write("a.cu~", "3");
  CHECK(heard(watch));
  CHECK_FALSE(watch.saved());
  std::filesystem::rename(folder.path() / "a.cu~", file);
  CHECK(watch.saved());
}

TEST_CASE("a folder that is not there cannot be watched") {
  CHECK_THROWS_AS(FileWatch("no/such/folder/a.cu"), std::system_error);
}
