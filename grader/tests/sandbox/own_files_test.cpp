// What belongs to a program is found from where the program lies.
#include "sandbox/own_files.h"

#include <unistd.h>

#include <fstream>
#include <stdexcept>

#include "catch.h"
#include "sandbox/temporary_folder.h"

using namespace cudalabs;
using namespace cudalabs::sandbox;
namespace fs = std::filesystem;

TEST_CASE("an installed program has its files under its prefix, wherever that was moved", "[sandbox]") {
  const TemporaryFolder folder;
  folder.write("usr/lib/cudalabs/include/x/a.h", "");
  folder.write("cudalabs-paths.txt", "vgpu\t/elsewhere\nroot\t/elsewhere\n");
  const OwnFiles files(folder.path() / "usr/bin/cudalabs-grade");
  REQUIRE(files.prefix() == folder.path() / "usr");
  CHECK(files.file("include/x") == folder.path() / "usr/lib/cudalabs/include/x");
  CHECK(files.data() == folder.path() / "usr/share/cudalabs");
  CHECK(files.has("include/x"));
  CHECK_FALSE(files.has("vgpu"));
  // It does not ask a list that happens to lie above it.
  CHECK_THROWS_WITH(files.file("vgpu"), contains_text("usr/lib/cudalabs/vgpu: missing") && contains_text("install"));
}

TEST_CASE("a program that belongs to an installed one has the same files", "[sandbox]") {
  const TemporaryFolder folder;
  folder.write("usr/lib/cudalabs/vgpu-server", "");
  const OwnFiles files(folder.path() / "usr/lib/cudalabs/grade-course");
  REQUIRE(files.prefix() == folder.path() / "usr");
  CHECK(files.file("vgpu-server") == folder.path() / "usr/lib/cudalabs/vgpu-server");
}

TEST_CASE("a built program asks the list beside it or above it", "[sandbox]") {
  const TemporaryFolder folder;
  folder.write("build/cudalabs-paths.txt", "root\t..\nvgpu\t/b/vgpu\nvgpu2\trelative/vgpu\n");
  folder.write("build/tests/deep/test_x", "");
  const OwnFiles files(folder.path() / "build/tests/deep/test_x");
  CHECK_FALSE(files.prefix());
  CHECK(files.file("vgpu") == "/b/vgpu");
  CHECK(files.has("vgpu"));
  CHECK_FALSE(files.has("vgp"));
  CHECK(files.file("vgpu2") == folder.path() / "build/relative/vgpu");
  CHECK(fs::weakly_canonical(files.data()) == fs::weakly_canonical(folder.path()));
  CHECK_THROWS_WITH(files.file("vgp"), contains_text("no path for \"vgp\""));
}

TEST_CASE("another user's list is not believed: it names programs to start", "[sandbox]") {
  if (geteuid() != 0) return;  // only root can give a file away
  const TemporaryFolder folder;
  folder.write("cudalabs-paths.txt", "vgpu\t/theirs\n");
  folder.write("mine/grade", "");
  const OwnFiles before(folder.path() / "mine/grade");
  CHECK(before.file("vgpu") == "/theirs");
  REQUIRE(chown((folder.path() / "cudalabs-paths.txt").c_str(), 60901, 60901) == 0);
  const OwnFiles after(folder.path() / "mine/grade");
  CHECK_THROWS_WITH(after.file("vgpu"), contains_text("not beside this program"));
}
