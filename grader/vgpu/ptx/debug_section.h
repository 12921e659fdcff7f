// The bytes of a debug section that stands in a module as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs::vgpu::ptx {

struct DebugSection {
  std::vector<std::uint8_t> bytes;             // zeros where a symbol stands
  std::map<std::size_t, std::string> symbols;  // by the offset of their first byte
};

/// The section `name`, "debug_info"; empty where the module has none. Throws ParseError.
DebugSection debug_section(std::string_view ptx, std::string_view name);

}  // namespace cudalabs::vgpu::ptx
