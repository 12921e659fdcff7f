// The table of keys against the committed page and the shipped labs.
#include "lab/lab_keys.h"

#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "catch.h"
#include "lab/toml_reader.h"
#include "sandbox/temporary_folder.h"
#include "tree/tree_paths.h"

using namespace cudalabs;

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

void check_words(const KeyTable& table, std::set<const KeyTable*>& seen) {
  if (!seen.insert(&table).second) return;
  CHECK(table.meaning.ends_with('.'));
  for (const Key& key : table.keys) {
    CAPTURE(table.heading, key.name);
    CHECK_FALSE(key.meaning.empty());
    const bool nested = key.type == KeyType::table || key.type == KeyType::tables;
    CHECK(nested == (key.table != nullptr));
    CHECK(table.find(key.name) == &key);  // once in its table
    if (key.table != nullptr) check_words(*key.table, seen);
  }
}

}  // namespace

TEST_CASE("docs/LAB_FILES.md is what the table of keys prints; `make lab_files` renews it") {
  const std::string committed = text_of(source_path("docs/LAB_FILES.md"));
  CHECK(committed == lab_keys_page());
}

TEST_CASE("every key has a meaning, and stands once in its table") {
  std::set<const KeyTable*> seen;
  check_words(lab_keys(), seen);
  check_words(hidden_keys(), seen);
  check_words(baseline_keys(), seen);
  CHECK(seen.size() == 13);
}

TEST_CASE("a reader and its table of keys must agree") {
  const sandbox::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "some.toml";
  std::ofstream(path) << "name = \"x\"\nsize = 3\n";
  const KeyTable keys{"some.toml", "", {{"name", KeyType::text, "", "", ""}, {"size", KeyType::count, "", "", ""}}};
  const TomlFile file(path);
  SECTION("what is described is read") {
    TableReader reader = file.top(keys);
    CHECK(reader.text("name").value == "x");
    CHECK(reader.count("size") == 3);
    CHECK_NOTHROW(reader.finish());
  }
  SECTION("another key than is described") {
    TableReader reader = file.top(keys);
    CHECK_THROWS_AS(reader.text("title"), std::logic_error);
  }
  SECTION("another type than is described") {
    TableReader reader = file.top(keys);
    CHECK_THROWS_AS(reader.points("size"), std::logic_error);
  }
  SECTION("a described key that nobody reads") {
    TableReader reader = file.top(keys);
    reader.text("name");
    CHECK_THROWS_AS(reader.finish(), std::logic_error);
  }
}
