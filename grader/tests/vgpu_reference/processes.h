// Work in many processes: NVIDIA's translator takes most of the time, and crashes on some programs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace cudalabs::reference {

/// Calls `work` with each item below `count`, in `processes` processes, each of which first makes a `work` of its own.
/// A process that dies, by a crash or because `work` throws, is told to `lost` with its item and the reason, in the
/// parent, and another one goes on behind that item. So is one that has been at an item for `seconds_each`.
void work_in_processes(std::uint64_t count, std::uint64_t processes, unsigned seconds_each,
                       const std::function<std::function<void(std::uint64_t item)>()>& make_work,
                       const std::function<void(std::uint64_t item, const std::string& why)>& lost);

}  // namespace cudalabs::reference
