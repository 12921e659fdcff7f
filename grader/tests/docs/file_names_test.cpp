// One concept a file, and one name a concept: no two sources of the grader share a name.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "catch.h"
#include "pages.h"
#include "tree/tree_paths.h"

using namespace cudalabs::test;
namespace fs = std::filesystem;

namespace {

/// Names with two meanings from before this rule. No new ones: find the name that says which of the two it is.
constexpr std::array kKnown = {"comparison.h", "layout.cpp", "layout.h"};

/// Not judged: programs' main files, CUDA's own names, baselines that are small programs of their own, what a lab's
/// slug names, and what is not the grader itself.
bool is_judged(const fs::path& path) {
  const std::string text = path.string();
  const std::string name = path.filename().string();
  if (!text.starts_with("grader/") && !text.starts_with("datasets/")) return false;
  if (path.extension() != ".cpp" && path.extension() != ".h") return false;
  for (const char* folder : {"grader/tests/", "grader/bench/", "grader/vgpu/cudart/include/", "grader/speed/pinned/",
                             "grader/check/checks/"}) {
    if (text.starts_with(folder)) return false;
  }
  return name != "main.cpp";
}

}  // namespace

TEST_CASE("no two sources of the grader share a name") {
  std::map<std::string, std::vector<std::string>> places;
  for (const fs::path& path : project_files(source_path())) {
    if (is_judged(path)) places[path.filename().string()].push_back(path.string());
  }
  CHECK(places.size() > 300);
  for (const auto& [name, paths] : places) {
    if (paths.size() < 2 || std::ranges::find(kKnown, name) != kKnown.end()) continue;
    CAPTURE(paths);
    FAIL_CHECK("two sources are called " << name);
  }
}
