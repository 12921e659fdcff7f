#include "patch/add_patch.h"
#include "patch/patched_source.h"

#include <catch2/catch.hpp>

namespace cudalabs::patch::test::of_add_patch {
namespace {

TEST_CASE("a patch keeps the numbers of the lines, and changes something") {
  const PatchedSource source("a;\nb;");
  std::vector<Patch> patches;
  add_patch(source, PatchKind::order, 0, 5, "b;\na;", "", patches);
  CHECK(patches == std::vector<Patch>{{PatchKind::order, 0, 5, "b;\na;", ""}});
  add_patch(source, PatchKind::order, 0, 5, "b; a;", "", patches);
  add_patch(source, PatchKind::order, 0, 2, "a;", "", patches);
  CHECK(patches.size() == 1);
}

TEST_CASE("a list of patches does not grow for ever") {
  const PatchedSource source("a;");
  std::vector<Patch> patches;
  for (int i = 0; i < 5'000; ++i) add_patch(source, PatchKind::order, 0, 1, "b", "", patches);
  CHECK(patches.size() == 1'000);
}

}  // namespace
}  // namespace cudalabs::patch::test::of_add_patch
