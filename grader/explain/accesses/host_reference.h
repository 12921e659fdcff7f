// References that bring the address of a variable of the host to a kernel.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/merge.h"
#include "source/setting_text.h"

namespace cudalabs {

/// "const int& width", a member of a structure that a kernel gets by value, or a parameter of the kernel.
struct HostReference {
  Setting declared;
  std::string type;  // of a copy: "int"
  bool member = false;

  bool operator==(const HostReference&) const = default;
};

/// The first reference that the line has from `column` on, or else before it, where `kernel` gets such a one.
std::optional<HostReference> host_reference(std::string_view source, std::string_view kernel, std::uint32_t line,
                                            std::uint32_t column);

/// Places an access to the host's memory at the reference that it goes through.
void show_host_references(std::vector<MergedFinding>& findings, std::string_view source, const std::string& file);

}  // namespace cudalabs
