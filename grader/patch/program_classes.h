// The classes of a program whose objects do something when their life ends.
#pragma once

#include <set>
#include <string_view>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Those whose text has a destructor, by name.
std::set<std::string_view> classes_with_destructor(const PatchedSource& source);

}  // namespace cudalabs::patch
