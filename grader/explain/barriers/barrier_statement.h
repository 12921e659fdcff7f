// What kind of statement keeps threads from a barrier, and where it ends: a finding of the device knows its line alone.
#pragma once

#include <string_view>

#include "check/merge.h"

namespace cudalabs {

/// Of a barrier that a condition keeps threads from: calls the condition's statement by its kind, and says what is to
/// be done about that; of a barrier in another function, speaks of the call. Of threads, or lanes of a warp, that wait
/// at different places: shows the statement by which they parted, or the jump that it leads to. Of a missing barrier in
/// a statement that some threads skip: says behind, or before, which lines of it the barrier goes. `source` is the text
/// of the finding's file. The finding has another place.
void name_barrier_statement(MergedFinding& finding, std::string_view source);

}  // namespace cudalabs
