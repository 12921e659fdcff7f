// From a byte of a variable to the subscripts and members that name it.
#include "vgpu/ptx/data_type.h"

#include <algorithm>
#include <utility>

namespace cudalabs::vgpu::ptx {
namespace {

/// Names with two underscores are the implementation's: what a student wrote is the record around them.
bool is_of_the_source(const std::string& name) {
  return !name.starts_with("__");
}

const DataType::Member* member_at(const DataType& record, std::uint64_t offset) {
  const auto holds = [&](const DataType::Member& member) {
    return offset >= member.offset && offset - member.offset < member.type->bytes;
  };
  const auto found = std::ranges::find_if(record.members, holds);
  return found == record.members.end() || !is_of_the_source(found->name) ? nullptr : &*found;
}

/// Appends the subscripts, and returns the offset in the element.
std::uint64_t subscript(const DataType& array, std::uint64_t offset, std::string& path) {
  std::uint64_t step = array.element->bytes;
  for (std::size_t i = 1; i < array.extents.size(); ++i) step *= array.extents[i];
  for (std::size_t i = 0; i < array.extents.size(); ++i) {
    path += '[' + std::to_string(offset / step) + ']';
    offset %= step;
    if (i + 1 < array.extents.size()) step /= array.extents[i + 1];
  }
  return offset;
}

}  // namespace

DataType array_of_scalars(std::uint64_t element_bytes, std::vector<std::uint64_t> extents) {
  DataType type{.kind = DataType::Kind::array, .bytes = element_bytes, .extents = std::move(extents)};
  for (const std::uint64_t extent : type.extents) type.bytes *= extent;
  type.element = std::make_shared<DataType>(DataType{.bytes = element_bytes});
  return type;
}

Element element_at(const DataType& type, std::uint64_t offset, std::uint64_t bytes) {
  Element found;
  const DataType* inner = &type;
  while (true) {
    if (inner->kind == DataType::Kind::array) {
      offset = subscript(*inner, offset, found.path);
      inner = inner->element.get();
      continue;
    }
    const bool whole = offset == 0 && bytes >= inner->bytes && inner->members.size() > 1;
    const DataType::Member* member = whole ? nullptr : member_at(*inner, offset);
    if (member == nullptr) break;
    if (!member->name.empty()) found.path += '.' + member->name;
    offset -= member->offset;
    inner = member->type.get();
  }
  found.into = offset;
  found.bytes = inner->bytes;
  return found;
}

}  // namespace cudalabs::vgpu::ptx
