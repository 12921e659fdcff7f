// What the host has given a kernel to count with: members of a structure that it gets, variables of the device that
// were copied to, arguments that were computed. Read as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"

namespace cudalabs {

/// "`s.pitch` is `height` (line 52)".
struct HostValue {
  std::string use, given;  // in the kernel, and on the host
  std::uint32_t line = 0;  // where the host sets it, or hands it over

  bool operator==(const HostValue&) const = default;
};

/// Of the kernel's line, and of conditions on the way to it. Nothing where several launches or copies may have set a
/// value, and nothing of an argument that is called as the parameter is and is set nowhere.
std::vector<HostValue> host_values_of(std::string_view source, std::uint32_t line);

/// Of the first finding, where a kernel goes outside of an array, or leaves out or miscomputes elements of an output:
/// tells such values of its line. An allocation whose size has its `sizeof` is not blamed any more where there are any.
void show_host_values(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
