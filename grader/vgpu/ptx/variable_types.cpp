// Entries of the debug information to types.
#include "vgpu/ptx/variable_types.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace cudalabs::vgpu::ptx {
namespace {

using TypePointer = std::shared_ptr<const DataType>;

constexpr int kDeepestType = 64;  // types inside types
constexpr std::size_t kMostSubscripts = 16;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t kPointerBytes = 8;

class TypeMaker {
 public:
  explicit TypeMaker(const DebugEntries& entries) : entries_(entries) {}

  /// Null for what has no size, contains itself or is no type.
  TypePointer type_at(std::uint64_t offset, int depth = 0) {
    if (const auto known = types_.find(offset); known != types_.end()) return known->second;
    const auto found = entries_.find(offset);
    if (found == entries_.end() || depth == kDeepestType) return nullptr;
    types_[offset] = nullptr;  // until it is made: what contains itself is no type
    return types_[offset] = make(found->second, depth + 1);
  }

 private:
  TypePointer make(const DebugEntry& entry, int depth) {
    switch (entry.tag) {
      case DebugTag::typedef_of:
      case DebugTag::const_type:
      case DebugTag::volatile_type:
      case DebugTag::restrict_type:
        return entry.type ? type_at(*entry.type, depth) : nullptr;
      case DebugTag::array_type:
        return array(entry, depth);
      case DebugTag::structure_type:
      case DebugTag::class_type:
      case DebugTag::union_type:
        return record(entry, depth);
      default:  // numbers, enumerations; pointers, whose size is not always said
        return std::make_shared<DataType>(
            DataType{.bytes = std::max<std::uint64_t>(1, entry.bytes.value_or(kPointerBytes))});
    }
  }

  TypePointer array(const DebugEntry& entry, int depth) {
    const TypePointer element = entry.type ? type_at(*entry.type, depth) : nullptr;
    if (!element || element->bytes == 0) return nullptr;
    DataType type{.kind = DataType::Kind::array};
    std::uint64_t bytes = element->bytes;  // with an unknown extent taken for 1
    for (const std::uint64_t child : entry.children) {
      const DebugEntry& range = entries_.at(child);
      if (range.tag != DebugTag::subrange_type) continue;
      const std::uint64_t extent = range.count.value_or(0);
      if (extent == 0 && !type.extents.empty()) return nullptr;
      if (extent != 0 && bytes > kMostBytes / extent) return nullptr;
      type.extents.push_back(extent);
      bytes *= std::max<std::uint64_t>(1, extent);
    }
    if (type.extents.empty() || type.extents.size() + element->extents.size() > kMostSubscripts) return nullptr;
    if (type.extents.front() != 0) type.bytes = bytes;
    // An array of a type that is an array itself has the subscripts of both.
    type.element = element;
    if (element->kind == DataType::Kind::array) {
      type.extents.insert(type.extents.end(), element->extents.begin(), element->extents.end());
      type.element = element->element;
    }
    return std::make_shared<DataType>(std::move(type));
  }

  TypePointer record(const DebugEntry& entry, int depth) {
    DataType type{.kind = DataType::Kind::record, .bytes = entry.bytes.value_or(0)};
    if (type.bytes == 0) return nullptr;  // only declared
    for (const std::uint64_t child : entry.children) {
      const DebugEntry& member = entries_.at(child);
      if (member.tag != DebugTag::member && member.tag != DebugTag::inheritance) continue;
      // A static member has no place in the record; those of a union need not say that theirs is the beginning.
      if (!member.member_offset && entry.tag != DebugTag::union_type) continue;
      TypePointer inner = member.type ? type_at(*member.type, depth) : nullptr;
      if (!inner || inner->bytes == 0) continue;
      // nvcc's name for what is inherited.
      const bool inherited = member.tag == DebugTag::inheritance || member.name.starts_with("__b_");
      type.members.push_back({inherited ? "" : member.name, member.member_offset.value_or(0), std::move(inner)});
    }
    std::ranges::stable_sort(type.members, {}, &DataType::Member::offset);
    return std::make_shared<DataType>(std::move(type));
  }

  const DebugEntries& entries_;
  std::map<std::uint64_t, TypePointer> types_;
};

}  // namespace

VariableTypes variable_types(const DebugEntries& entries) {
  VariableTypes types;
  TypeMaker maker(entries);
  for (const auto& [offset, entry] : entries) {
    if (entry.tag != DebugTag::variable || entry.symbol.empty() || !entry.type) continue;
    if (TypePointer type = maker.type_at(*entry.type)) types.emplace(entry.symbol, std::move(type));
  }
  return types;
}

}  // namespace cudalabs::vgpu::ptx
