// Headers compiled once: found again, made anew when the system's have changed or the entry is damaged.
#include "build/precompiled_headers.h"

#include <filesystem>
#include <map>
#include <string>

#include "catch.h"
#include "sandbox/temporary_folder.h"

namespace cudalabs::builder {
namespace {

namespace fs = std::filesystem;

struct Precompiled {
  Precompiled() {
    recipe.toolchain = find_toolchain(Frontend::clang).value();
    add_folder(headers, runtime_headers(), kRuntimeHeaders);
  }

  /// What a job gets in addition.
  Inputs added() const {
    Inputs inputs = headers;
    REQUIRE(add_precompiled_headers(inputs, recipe, cache));
    for (const auto& [path, bytes] : headers) inputs.erase(path);
    return inputs;
  }

  fs::path only_entry() const {
    REQUIRE(std::distance(fs::directory_iterator(folder.path() / "cache"), fs::directory_iterator()) == 1);
    return fs::directory_iterator(folder.path() / "cache")->path();
  }

  sandbox::TemporaryFolder folder;
  Cache cache{folder.path() / "cache", 1u << 30};
  Recipe recipe;
  Inputs headers;
};

TEST_CASE("headers are compiled once, and again when the system's have changed", "[build]") {
  if (!find_toolchain(Frontend::clang)) return;  // headers are compiled for clang only
  const Precompiled test;
  const Inputs first = test.added();
  REQUIRE(first.size() == 2);
  CHECK(first.at(std::string(kHostHeaders)).size() > 100'000);
  CHECK(first.at(std::string(kDeviceHeaders)).size() > 100'000);

  const fs::path entry = test.only_entry();
  const std::string digest = entry.filename(), states = contents(entry / "system");
  CHECK(states.find("/stdlib.h ") != std::string::npos);
  CHECK(states.find(std::string(kRuntimeHeaders)) == std::string::npos);
  const auto keep = [&](const std::string& system) {
    test.cache.remove(digest);
    test.cache.store(digest, {{"host", {"kept", false}}, {"device", {"kept", false}}, {"system", {system, false}}});
  };
  keep(states);
  CHECK(test.added().at(std::string(kHostHeaders)) == "kept");
  keep(states + "/usr/include/no_such_header.h 1 1.000000000\n");
  CHECK(test.added().at(std::string(kHostHeaders)) == first.at(std::string(kHostHeaders)));
  CHECK(contents(test.only_entry() / "system") == states);
}

TEST_CASE("each kind of build has headers of its own, and a compiler that fails gives none", "[build]") {
  if (!find_toolchain(Frontend::clang)) return;
  Precompiled test;
  const Inputs checked = test.added();
  test.recipe.kind = BuildKind::fast;
  CHECK(test.added().at(std::string(kDeviceHeaders)) != checked.at(std::string(kDeviceHeaders)));
  test.recipe.toolchain.compiler = "/bin/false";
  Inputs inputs = test.headers;
  CHECK_FALSE(add_precompiled_headers(inputs, test.recipe, test.cache));
  CHECK(inputs == test.headers);
}

}  // namespace
}  // namespace cudalabs::builder
