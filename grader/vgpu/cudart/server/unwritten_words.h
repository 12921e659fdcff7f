// A kernel has read what nothing had written: which call of the host, or which launch, was to write it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "vgpu/array_writer.h"
#include "vgpu/cudart/server/address_map.h"
#include "vgpu/finding.h"

namespace cudalabs::vgpu {

/// The call that a finding names.
struct NamedWrite {
  CallOrigin origin;
  bool late = false;  // it comes after the launch
};

/// A call of the host that wrote to the array after the launch of this number, from 1 on, had read there: the finding
/// becomes one of that. Also where the call wrote a part of the array, but not this one, before the launch;
/// `by_kernels`: kernels wrote to the array, too, so that nobody knows whether this call was to write the rest. The
/// result is where that call was made; nothing where there is none, and the finding is as it was.
std::optional<NamedWrite> name_host_write(Finding& finding, const AddressMap::Block& block, std::uint64_t launch,
                                          bool by_kernels);

/// Kernels, `writers` last, have stored to the front of the array, without a gap, and reads go beyond: says how many
/// elements were written, how many are read, and where the last store stands. `allocated`: bytes of the array; where it
/// is read up to its end, the count need not be wrong. False: it is not so.
bool name_written_front(Finding& finding, std::span<const ArrayWriter> writers, std::uint64_t allocated);

/// A later launch, of this kernel, has written there.
void name_later_launch(Finding& finding, std::string_view kernel);

/// Nothing orders the launch that has read and what `read` names as too late, in another stream.
void name_unordered_write(Finding& read);
/// The race of these two, of which the launch is the earlier one: an order alone would leave the read as it is.
void name_wrong_order(Finding& race, const Finding& read);

}  // namespace cudalabs::vgpu
