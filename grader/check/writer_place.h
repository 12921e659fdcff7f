// Which line of a kernel wrote the output that is wrong.
#pragma once

#include <vector>

#include "check/mismatch.h"
#include "vgpu/array_writer.h"

namespace cudalabs {

/// Gives `mismatch` the line that wrote its output last, or names the lines when there are several. `writers` are those
/// of the run. An array of the host is written by no kernel: of wrong values in it, the lines that wrote to the
/// device's other memory are the ones to look at; of places that nobody wrote, they say nothing.
void name_writers(Mismatch& mismatch, const std::vector<vgpu::ArrayWriter>& writers);

/// Gives `mismatch`, of elements that nobody wrote, a line of `writers`, which are those of the array on the device
/// that it was copied from. Of several it is the last one: what comes after the main part does what is left over. All
/// of them are named.
void name_incomplete_store(Mismatch& mismatch, const std::vector<vgpu::ArrayWriter>& writers);

/// Of a finding whose other place is the line that stores: that its note says so once more is of no use.
void drop_repeated_store(Finding& finding);

}  // namespace cudalabs
