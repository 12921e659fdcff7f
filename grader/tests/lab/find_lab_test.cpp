// Finding labs by id and by folder.
#include <string>
#include <vector>

#include "catch.h"
#include "lab/lab.h"
#include "sandbox/temporary_folder.h"

using cudalabs::find_lab;
using cudalabs::find_labs;
using cudalabs::LabError;
using cudalabs::sandbox::TemporaryFolder;

namespace {

std::string error_of(const std::filesystem::path& root, std::string_view name) {
  try {
    find_lab(root, name);
  } catch (const LabError& error) {
    const std::string text = error.what(), prefix = root.string() + ": ";
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  }
  return {};
}

}  // namespace

TEST_CASE("labs are found by id and by folder, in the order people count") {
  const TemporaryFolder root;
  for (const char* slug : {"lab10_late", "lab2_pixels", "lab1_vectors"})
    root.write(std::string(slug) + "/lab.toml", "");
  root.write("notes/README.md", "");
  root.write("lab.toml", "");

  const std::vector<std::filesystem::path> found = find_labs(root.path());
  REQUIRE(found.size() == 3);
  CHECK(found[0] == root.path() / "lab1_vectors");
  CHECK(found[1] == root.path() / "lab2_pixels");
  CHECK(found[2] == root.path() / "lab10_late");

  CHECK(find_lab(root.path(), "lab2") == root.path() / "lab2_pixels");
  CHECK(find_lab(root.path(), "lab10_late") == root.path() / "lab10_late");
  for (const char* typed : {"LAB2", "Lab2_Pixels", "lab2_pixels/", "labs/lab2_pixels/", "./labs/lab2_pixels"})
    CHECK(find_lab(root.path(), typed) == root.path() / "lab2_pixels");
}

TEST_CASE("a lab that is not there is refused with the nearest name") {
  const TemporaryFolder root;
  CHECK(error_of(root.path(), "lab1") == "no labs here");
  for (const char* slug : {"lab1_vectors", "lab2_pixels"}) root.write(std::string(slug) + "/lab.toml", "");

  CHECK(error_of(root.path(), "lba2") == "no lab is called \"lba2\"; did you mean \"lab2\"?");
  CHECK(error_of(root.path(), "lab2_pixel") == "no lab is called \"lab2_pixel\"; did you mean \"lab2_pixels\"?");
  CHECK(error_of(root.path(), "matmul") == "no lab is called \"matmul\"; known: \"lab1\", \"lab2\"");
  CHECK(error_of(root.path(), "") == "no lab is called \"\"; known: \"lab1\", \"lab2\"");
  CHECK(error_of(root.path(), "lab") == "no lab is called \"lab\"; did you mean \"lab1\"?");
  CHECK_FALSE(error_of(root.path(), "../" + root.path().filename().string() + "/lab1_vectors").empty());
}

TEST_CASE("an id that two folders share is refused") {
  const TemporaryFolder root;
  for (const char* slug : {"lab1_a", "lab1_b"}) root.write(std::string(slug) + "/lab.toml", "");
  CHECK(error_of(root.path(), "lab1") == "\"lab1\" is the id of both lab1_a and lab1_b");
  CHECK(find_lab(root.path(), "lab1_b") == root.path() / "lab1_b");
}

TEST_CASE("a folder that is not there has no labs and says so") {
  const TemporaryFolder root;
  CHECK_THROWS_AS(find_labs(root.path() / "missing"), LabError);
}
