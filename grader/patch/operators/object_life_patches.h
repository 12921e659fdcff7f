// How long an object lives whose destructor does something.
#pragma once

#include <vector>

#include "patch/patch.h"
#include "patch/patched_source.h"

namespace cudalabs::patch {

/// Undoes: a value is returned before the destructor of a local object sets it or asks for it; an object of a class
/// such as a timer or an event has been made before the call that it must stand behind.
void add_object_lives(const PatchedSource& source, std::vector<Patch>& patches);

}  // namespace cudalabs::patch
