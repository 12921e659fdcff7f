// What a program asks the loader for: of this test itself, of damaged files, and of files that are no programs.
#include "sanitizer/needed_libraries.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "catch.h"
#include "sandbox/temporary_folder.h"

using namespace cudalabs;
using namespace cudalabs::sanitizer;
using cudalabs::sandbox::TemporaryFolder;

TEST_CASE("a program's libraries are read from its file") {
  const auto needed = needed_libraries("/proc/self/exe");
  REQUIRE(needed);
  CHECK(std::ranges::find(*needed, "libc.so.6") != needed->end());
}

TEST_CASE("what is no program has no libraries that are known") {
  const TemporaryFolder folder;
  folder.write("script", "#!/bin/sh\nexec true\n");
  folder.write("empty", "");
  CHECK_FALSE(needed_libraries(folder.path() / "script"));
  CHECK_FALSE(needed_libraries(folder.path() / "empty"));
  CHECK_FALSE(needed_libraries(folder.path() / "nobody"));
  CHECK_FALSE(needed_libraries(folder.path()));
}

TEST_CASE("a damaged program is read or not, never worse") {
  std::ifstream stream("/proc/self/exe", std::ios::binary);
  std::string start(1u << 16, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  const TemporaryFolder folder;
  for (std::size_t at = 0; at < 1200; at += 3) {
    std::string damaged = start.substr(0, 4096 + at);
    damaged[at] = static_cast<char>(~damaged[at]);
    folder.write("damaged", damaged);
    needed_libraries(folder.path() / "damaged");
  }
  SUCCEED();
}
