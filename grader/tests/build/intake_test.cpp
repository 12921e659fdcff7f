// Files that are no submission, each refused with its own words and without waiting for the other end of a pipe.
#include "build/intake.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "catch.h"
#include "sandbox/temporary_folder.h"

namespace cudalabs::builder {
namespace {

namespace fs = std::filesystem;
using sandbox::TemporaryFolder;

void expect_refused(const Intake& taken, const std::string& words) {
  REQUIRE(taken.problem);
  CAPTURE(taken.problem->message);
  CHECK(taken.text.empty());
  CHECK(taken.problem->id == "build-failed");
  CHECK(taken.problem->severity == Severity::error);
  CHECK(taken.problem->message.find(words) != std::string::npos);
  CHECK_FALSE(taken.problem->help.empty());
  CHECK_FALSE(taken.problem->where.file.empty());
}

TEST_CASE("an ordinary file is taken in as it is", "[build]") {
  const TemporaryFolder folder;
  const std::string text =
      "int x;\r\n// Stra\xdf"
      "e in Latin-1\n";
  const Intake taken = take_in(folder.write("a.cu", text), {});
  CHECK_FALSE(taken.problem);
  CHECK(taken.text == text);
}

TEST_CASE("a file's odd name is only a name", "[build]") {
  const TemporaryFolder folder;
  for (const char* name : {"@x.cu", "-o.cu", "-fplugin=x.cu", "a b'\"$(x).cu", "new\nline.cu"}) {
    CAPTURE(name);
    CHECK(take_in(folder.write(name, "int x;"), {}).text == "int x;");
  }
}

TEST_CASE("what is no text of a sensible length is refused", "[build]") {
  const TemporaryFolder folder;
  expect_refused(take_in(folder.path() / "missing.cu", {}), "there is no file `missing.cu`");
  expect_refused(take_in(folder.path() / "no" / "folder.cu", {}), "there is no file");
  expect_refused(take_in(folder.write("empty.cu", ""), {}), "empty");
  expect_refused(take_in(folder.write("blank.cu", " \n\t\r\n"), {}), "empty");
  expect_refused(take_in(folder.write("nul.cu", std::string("int x;\0int y;", 13)), {}), "NUL");
  expect_refused(take_in(folder.write("wide.cu", std::string("\xff\xfei\0n\0t\0", 8)), {}), "UTF-16");
  expect_refused(take_in(folder.write("long.cu", std::string(kMostSourceBytes + 1, ' ')), {}), "longer than 1024 KiB");
  const Intake longest = take_in(folder.write("longest.cu", std::string(kMostSourceBytes, 'x')), {});
  CHECK(longest.text.size() == kMostSourceBytes);
}

TEST_CASE("a sparse file of a terabyte is refused by its size", "[build]") {
  const TemporaryFolder folder;
  const fs::path file = folder.write("sparse.cu", "x");
  REQUIRE(truncate(file.c_str(), 1ll << 40) == 0);
  expect_refused(take_in(file, {}), "longer than");
}

TEST_CASE("what is no regular file is refused at once", "[build]") {
  const TemporaryFolder folder;
  REQUIRE(mkfifo((folder.path() / "pipe.cu").c_str(), 0600) == 0);
  expect_refused(take_in(folder.path() / "pipe.cu", {}), "not a regular file");
  fs::create_directory(folder.path() / "folder.cu");
  expect_refused(take_in(folder.path() / "folder.cu", {}), "not a regular file");
  expect_refused(take_in("/dev/zero", {}), "not a regular file");
}

TEST_CASE("files of the kernel are refused without waiting for them", "[build]") {
  for (const char* path : {"/proc/self/mem", "/proc/self/status", "/proc/kmsg"}) {
    CAPTURE(path);
    const Intake taken = take_in(path, {});
    CHECK(taken.problem);
    CHECK(taken.text.empty());
  }
}

TEST_CASE("links are not followed", "[build]") {
  const TemporaryFolder folder;
  const fs::path real = folder.write("bob/matmul.cu", "int bob;");
  fs::create_directory(folder.path() / "alice");
  fs::create_symlink(real, folder.path() / "alice" / "matmul.cu");
  fs::create_symlink("/etc/passwd", folder.path() / "alice" / "system.cu");
  expect_refused(take_in(folder.path() / "alice" / "matmul.cu", {}), "symbolic link");
  expect_refused(take_in(folder.path() / "alice" / "system.cu", {}), "symbolic link");

  // A link in the way: allowed when the user named it, not below a folder of submissions.
  fs::create_directory_symlink(folder.path() / "bob", folder.path() / "carol");
  CHECK(take_in(folder.path() / "carol" / "matmul.cu", {}).text == "int bob;");
  expect_refused(take_in(folder.path() / "carol" / "matmul.cu", folder.path()), "symbolic link");
  CHECK(take_in(folder.path() / "bob" / "matmul.cu", folder.path()).text == "int bob;");
}

TEST_CASE("a path cannot leave the folder of submissions", "[build]") {
  const TemporaryFolder folder;
  folder.write("secret.cu", "int secret;");
  folder.write("submissions/alice/a.cu", "int a;");
  const fs::path submissions = folder.path() / "submissions";
  expect_refused(take_in(submissions / ".." / "secret.cu", submissions), "outside its folder");
  expect_refused(take_in("/etc/passwd", submissions), "outside its folder");
  CHECK(take_in(submissions / "alice" / "a.cu", submissions).text == "int a;");
}

}  // namespace
}  // namespace cudalabs::builder
