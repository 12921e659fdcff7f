// The entries of the debug information (DWARF 2 to 4) that say what variables are made of, and what was inlined where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vgpu/ptx/module.h"

namespace cudalabs::vgpu::ptx {

/// Of DW_TAG_…, those that are asked for.
enum class DebugTag : std::uint16_t {
  array_type = 0x01,
  class_type = 0x02,
  member = 0x0d,
  structure_type = 0x13,
  typedef_of = 0x16,
  union_type = 0x17,
  inheritance = 0x1c,
  inlined_subroutine = 0x1d,
  subrange_type = 0x21,
  const_type = 0x26,
  variable = 0x34,
  volatile_type = 0x35,
  restrict_type = 0x37,
};

/// One entry. Offsets count from the section's start.
struct DebugEntry {
  DebugTag tag{};  // others are kept as their number
  std::string name;
  std::optional<std::uint64_t> type;           // offset of an entry
  std::optional<std::uint64_t> bytes;          // its size
  std::optional<std::uint64_t> count;          // of a subrange: elements
  std::optional<std::uint64_t> member_offset;  // bytes
  std::string symbol;                          // where a variable lies, when its address is a symbol's
  std::string begin, end;                      // of code: labels of its first instruction, and of that behind its last
  Location call;                               // of what was inlined
  std::vector<std::uint64_t> children = {};    // offsets of entries
};

/// By offset, which puts what contains others first.
using DebugEntries = std::map<std::uint64_t, DebugEntry>;

/// Those of the module's first unit, and modules have one. Without debug information, or with one that cannot be read,
/// there are none: it serves messages alone. Takes hostile text: never throws, and time and memory grow with the text.
DebugEntries debug_entries(std::string_view ptx);

}  // namespace cudalabs::vgpu::ptx
