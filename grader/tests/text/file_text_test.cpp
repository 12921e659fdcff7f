// A file, whole.
#include "text/file_text.h"

#include <fstream>
#include <stdexcept>
#include <string>

#include "catch.h"

using namespace cudalabs;

TEST_CASE("a file is read with every byte, and what is none is refused by name") {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "cudalabs_file_text_test";
  std::filesystem::create_directories(folder);
  const std::string bytes("a\0\r\n\xff", 5);
  std::ofstream(folder / "bytes", std::ios::binary) << bytes;
  CHECK(text_of(folder / "bytes") == bytes);
  CHECK(readable_text_of(folder / "bytes") == bytes);
  CHECK(text_of(folder / "missing").empty());
  CHECK(text_of(folder).empty());
  CHECK_THROWS_WITH(readable_text_of(folder / "missing"), contains_text("missing: this file cannot be read"));
  CHECK_THROWS_AS(readable_text_of(folder), std::runtime_error);
  std::filesystem::remove_all(folder);
}
