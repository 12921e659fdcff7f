#include "patch/patch.h"

#include <catch2/catch.hpp>

namespace cudalabs::patch::test::of_patch {
namespace {

TEST_CASE("a patch replaces its letters and no others") {
  CHECK(applied("a && b", {PatchKind::connective, 2, 2, "||", ""}) == "a || b");
  CHECK(applied("f(); g();", {PatchKind::removal, 5, 4, "", ""}) == "f(); ");
  CHECK(applied("f();", {PatchKind::place, 0, 0, "{ ", ""}) == "{ f();");
}

}  // namespace
}  // namespace cudalabs::patch::test::of_patch
