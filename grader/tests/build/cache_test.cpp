// The cache: complete entries only, bounded, never another user's.
#include "build/cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "build/digest.h"
#include "catch.h"
#include "sandbox/temporary_folder.h"

namespace cudalabs::builder {
namespace {

namespace fs = std::filesystem;
using sandbox::TemporaryFolder;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

void make_older(const fs::path& entry, std::chrono::hours by) {
  fs::last_write_time(entry, fs::last_write_time(entry) - by);
}

TEST_CASE("an entry is found again, with its bytes and its modes", "[build]") {
  const TemporaryFolder folder;
  const Cache cache(folder.path() / "deep" / "cache", 1 << 20);
  CHECK_FALSE(cache.find("abc"));
  const fs::path entry = cache.store("abc", {{"runner", {std::string("\0\1", 2), true}}, {"text", {"words", false}}});
  CHECK(cache.find("abc") == entry);
  CHECK(text_of(entry / "runner") == std::string("\0\1", 2));
  CHECK(text_of(entry / "text") == "words");
  CHECK(access((entry / "runner").c_str(), X_OK) == 0);
  CHECK((fs::status(entry / "text").permissions() & fs::perms::owner_exec) == fs::perms::none);
  CHECK_FALSE(cache.find("ab"));
}

TEST_CASE("the first of two that store the same entry wins, and nothing unfinished stays", "[build]") {
  const TemporaryFolder folder;
  const Cache cache(folder.path() / "cache", 1 << 20);
  cache.store("same", {{"text", {"first", false}}});
  const fs::path entry = cache.store("same", {{"text", {"second", false}}});
  CHECK(text_of(entry / "text") == "first");
  CHECK(entries_in(folder.path() / "cache") == 1);
}

TEST_CASE("many writers at once leave one whole entry", "[build]") {
  const TemporaryFolder folder;
  const Cache cache(folder.path() / "cache", 1 << 24);
  std::vector<std::thread> writers;
  for (int i = 0; i < 8; ++i) {
    writers.emplace_back([&cache, i] { cache.store("same", {{"text", {std::string(100000, char('a' + i)), false}}}); });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string text = text_of(*cache.find("same") / "text");
  CHECK(text == std::string(100000, text.front()));
  CHECK(entries_in(folder.path() / "cache") == 1);
}

TEST_CASE("old entries go when the cache is full, recent ones stay", "[build]") {
  const TemporaryFolder folder;
  const Cache cache(folder.path() / "cache", 2500);
  make_older(cache.store("oldest", {{"text", {std::string(1000, 'x'), false}}}), std::chrono::hours(5));
  make_older(cache.store("older", {{"text", {std::string(1000, 'x'), false}}}), std::chrono::hours(4));
  cache.store("new", {{"text", {std::string(1000, 'x'), false}}});
  CHECK_FALSE(cache.find("oldest"));
  CHECK(cache.find("older"));
  CHECK(cache.find("new"));
  // All in use: over the limit rather than gone while a build is run.
  cache.store("newer", {{"text", {std::string(1000, 'x'), false}}});
  cache.store("newest", {{"text", {std::string(1000, 'x'), false}}});
  CHECK(cache.find("new"));
}

TEST_CASE("finding an entry makes it recent", "[build]") {
  const TemporaryFolder folder;
  const Cache cache(folder.path() / "cache", 2500);
  make_older(cache.store("used", {{"text", {std::string(1000, 'x'), false}}}), std::chrono::hours(5));
  make_older(cache.store("unused", {{"text", {std::string(1000, 'x'), false}}}), std::chrono::hours(4));
  CHECK(cache.find("used"));
  cache.store("new", {{"text", {std::string(1000, 'x'), false}}});
  CHECK(cache.find("used"));
  CHECK_FALSE(cache.find("unused"));
}

TEST_CASE("what a crash left unfinished is never found, and goes in time", "[build]") {
  const TemporaryFolder folder;
  const Cache cache(folder.path() / "cache", 1 << 20);
  cache.store("one", {{"text", {"x", false}}});
  const fs::path left = folder.path() / "cache" / "unfinished-1-0";
  fs::create_directory(left);
  cache.store("two", {{"text", {"x", false}}});
  CHECK(fs::exists(left));  // another process may still be writing
  make_older(left, std::chrono::hours(2));
  cache.store("three", {{"text", {"x", false}}});
  CHECK_FALSE(fs::exists(left));
}

TEST_CASE("an entry of another user, or a link, is not taken", "[build]") {
  const TemporaryFolder folder;
  const Cache cache(folder.path(), 1 << 20);
  fs::create_directory(folder.path() / "real");
  fs::create_directory_symlink(folder.path() / "real", folder.path() / "linked");
  CHECK(cache.find("real"));
  CHECK_FALSE(cache.find("linked"));
  folder.write("file", "x");
  CHECK_FALSE(cache.find("file"));
  if (geteuid() == 0) {
    REQUIRE(chown((folder.path() / "real").c_str(), 60900, 60900) == 0);
    CHECK_FALSE(cache.find("real"));
  }
}

TEST_CASE("a damaged entry is removed, and can be stored again", "[build]") {
  const TemporaryFolder folder;
  const Cache cache(folder.path(), 1 << 20);
  const std::map<std::string, Cache::File> files = {{"runner", {std::string(5000, 'r'), true}}, {"text", {"t", false}}};
  const fs::path entry = cache.store("one", files);
  REQUIRE(cache.find_whole("one") == entry);
  SECTION("cut") {
    fs::resize_file(entry / "runner", 4999);
  }
  SECTION("empty") {
    fs::resize_file(entry / "runner", 0);
  }
  SECTION("a bit has changed") {
    std::fstream file(entry / "runner", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(1234);
    file.put('r' ^ 4);
  }
  SECTION("a file is gone") {
    fs::remove(entry / "text");
  }
  SECTION("a file too many") {
    folder.write("one/more", "x");
  }
  SECTION("a folder in a file's place") {
    fs::remove(entry / "runner");
    fs::create_directory(entry / "runner");
  }
  SECTION("its sum is gone") {
    fs::remove(entry / "sum");
  }
  SECTION("a file in its place") {
    fs::remove_all(entry);
    folder.write("one", "x");
  }
  SECTION("an empty folder in its place") {
    fs::remove_all(entry);
    fs::create_directory(entry);
  }
  CHECK_FALSE(cache.find_whole("one"));
  CHECK_FALSE(fs::exists(entry));
  CHECK(cache.store("one", files) == entry);
  CHECK(cache.find_whole("one") == entry);
}

TEST_CASE("a cache of the user holds as much as the user says", "[build]") {
  const TemporaryFolder folder;
  const auto entries_of_two = [&](const char* mebibytes) {
    const fs::path place = folder.path() / mebibytes;
    const char* before = std::getenv("CUDALABS_CACHE");
    const std::string kept = before ? before : "";
    setenv("CUDALABS_CACHE", place.c_str(), 1);
    setenv("CUDALABS_CACHE_MIB", mebibytes, 1);
    const Cache cache = Cache::of_user();
    before ? setenv("CUDALABS_CACHE", kept.c_str(), 1) : unsetenv("CUDALABS_CACHE");
    unsetenv("CUDALABS_CACHE_MIB");
    make_older(cache.store("old", {{"bytes", {std::string(700 << 10, 'x'), false}}}), std::chrono::hours(2));
    cache.store("new", {{"bytes", {std::string(700 << 10, 'y'), false}}});
    return entries_in(place);
  };
  CHECK(entries_of_two("1") == 1);
  CHECK(entries_of_two("2") == 2);
  CHECK(entries_of_two("0") == 1);
  for (const char* nonsense : {"-1", "2x", "99999999", "much"}) CHECK(entries_of_two(nonsense) == 2);  // 1 GiB
}

TEST_CASE("a digest depends on every input, its name and its length", "[build]") {
  const auto digest = [](const std::vector<std::pair<std::string, std::string>>& inputs) {
    Digest made;
    for (const auto& [name, bytes] : inputs) made.add(name, bytes);
    return made.finish();
  };
  // SHA-256 of "1:3:abcd", computed with sha256sum.
  CHECK(digest({{"a", "bcd"}}) == "7a428d8a008d3e60a7f09b0eea575f426f2d316a08ddb1c1c1f2bf9f6a98abaa");
  CHECK(digest({{"a", "bcd"}}) != digest({{"ab", "cd"}}));
  CHECK(digest({{"a", "b"}, {"c", "d"}}) != digest({{"a", "b"}}));
  CHECK(digest({{"a", "b"}, {"c", "d"}}) != digest({{"c", "d"}, {"a", "b"}}));
}

}  // namespace
}  // namespace cudalabs::builder
